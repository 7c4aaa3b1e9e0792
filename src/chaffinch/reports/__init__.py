"""Tables of values for people."""
