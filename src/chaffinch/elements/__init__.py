"""What HTML holds besides running text, one kind a file or folder, read once for all outputs."""
