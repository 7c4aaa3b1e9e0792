"""Markdown of what is kept: CommonMark with the tables and strike-through of GFM."""

from chaffinch.output.markdown.walk import render

__all__ = ["render"]
