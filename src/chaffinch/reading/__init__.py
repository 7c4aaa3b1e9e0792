"""Reading a page in parts: its outline, its sections, and what of it a budget of tokens holds."""
