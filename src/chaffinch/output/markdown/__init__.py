"""Markdown of what is kept: CommonMark with the tables and strike-through of GFM."""

from chaffinch.output.markdown.walk import MarkdownOptions, render

__all__ = ["MarkdownOptions", "render"]
