"""The page as a table: parsing, columns, hashes, paths, selectors."""

from chaffinch.page.page import Page
from chaffinch.page.parsing import parse
from chaffinch.page.source import PageInput

__all__ = ["Page", "PageInput", "parse"]
