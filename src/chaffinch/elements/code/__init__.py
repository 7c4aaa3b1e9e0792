"""Code: which rows are a block of it, its exact text and its language."""
