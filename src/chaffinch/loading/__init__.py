"""A page from its address or source, rendered by a browser where that is wanted."""
