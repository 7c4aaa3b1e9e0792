"""Tables: which show data, their cells on a grid, definition lists, tables made of divs."""
