"""Chaffinch separates grain from chaff on web pages."""

from chaffinch.comparison import Comparison, compare
from chaffinch.errors import (
    ChaffinchError,
    FetchError,
    MissingExtraError,
    OptionError,
    PageError,
    SetupError,
)
from chaffinch.extract import extract, extract_many, is_readable
from chaffinch.extracted import Extract
from chaffinch.output_options import OutputOptions
from chaffinch.page import Page, parse
from chaffinch.page.guard import Limits
from chaffinch.result import Content, Method, Verdict

__version__ = "0.1.0"

__all__ = [
    "ChaffinchError",
    "Comparison",
    "Content",
    "Extract",
    "FetchError",
    "Limits",
    "Method",
    "MissingExtraError",
    "OptionError",
    "OutputOptions",
    "Page",
    "PageError",
    "SetupError",
    "Verdict",
    "compare",
    "extract",
    "extract_many",
    "is_readable",
    "parse",
]
