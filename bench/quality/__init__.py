"""How right it is, against labels."""
