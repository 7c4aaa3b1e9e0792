"""Parts of the content that are more than running text, such as images and posts."""
