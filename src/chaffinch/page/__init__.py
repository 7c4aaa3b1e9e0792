"""The page as a table: parsing, columns, hashes, paths, selectors."""

from chaffinch.page.columns import Page
from chaffinch.page.parse import parse

__all__ = ["Page", "parse"]
