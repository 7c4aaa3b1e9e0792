"""Makes the arrays that C fills."""
