"""What would make the parser slow or huge is bounded before it looks at a page."""
