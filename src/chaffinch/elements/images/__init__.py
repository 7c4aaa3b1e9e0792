"""Images: their addresses, sizes and captions, and which of them belong to the content."""
