"""The learned model: features of text blocks, a small network over them, and its weights."""
