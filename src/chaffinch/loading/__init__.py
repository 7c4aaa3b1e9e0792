"""A page from its address or source, rendered by a browser where needed."""
