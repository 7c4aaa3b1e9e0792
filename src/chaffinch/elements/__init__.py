"""What HTML holds besides running text, one idea a file or folder: read and cut from one place."""
