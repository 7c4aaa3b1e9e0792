"""Pages that would make the parser slow or huge are bounded before it reads them."""
