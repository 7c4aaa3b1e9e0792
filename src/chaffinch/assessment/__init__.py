"""Whether a page is the page, or a shell, a wall, a form, an error in its place."""
