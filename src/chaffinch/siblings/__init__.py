"""What pages of one site have in common: which of them may serve as a reference for another."""
