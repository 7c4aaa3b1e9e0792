"""The page as a table: parsing, columns, hashes, paths, selectors."""

from chaffinch.page.page import Page
from chaffinch.page.page_input import PageInput
from chaffinch.page.parsing import parse

__all__ = ["Page", "PageInput", "parse"]
