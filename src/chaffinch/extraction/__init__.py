"""The trip of one page from bytes to content, and the Extract, its result."""
