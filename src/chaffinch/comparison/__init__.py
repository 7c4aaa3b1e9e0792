"""Comparison of methods on one page: what each keeps, their agreement and the disputed blocks."""
