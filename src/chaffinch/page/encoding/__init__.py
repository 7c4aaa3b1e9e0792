"""From bytes to text: declared encodings, what the bytes say against them, the right decoder."""
