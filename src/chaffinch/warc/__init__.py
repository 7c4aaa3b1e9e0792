"""WARC files (ISO 28500): cut into records one by one, so that damage costs only itself."""
