"""Chaffinch separates grain from chaff on web pages."""

from chaffinch.comparison import Comparison, compare
from chaffinch.errors import (
    BrowserError,
    ChaffinchError,
    FetchError,
    MissingExtraError,
    OptionError,
    PageError,
    RenderError,
    SetupError,
)
from chaffinch.extraction.extract import Extract
from chaffinch.extraction.trip import extract, extract_many, is_readable
from chaffinch.output.options import OutputOptions
from chaffinch.page import Page, parse
from chaffinch.page.guard.limits import Limits
from chaffinch.result import Content, Method, Verdict
from chaffinch.site import Site
from chaffinch.version import __version__

__all__ = [
    "BrowserError",
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
    "RenderError",
    "SetupError",
    "Site",
    "Verdict",
    "__version__",
    "compare",
    "extract",
    "extract_many",
    "is_readable",
    "parse",
]
