"""Chaffinch separates grain from chaff on web pages."""

from chaffinch.errors import (
    ChaffinchError,
    FetchError,
    MissingExtraError,
    OptionError,
    PageError,
    SetupError,
)
from chaffinch.page import Page, parse

__version__ = "0.1.0"

__all__ = [
    "ChaffinchError",
    "FetchError",
    "MissingExtraError",
    "OptionError",
    "Page",
    "PageError",
    "SetupError",
    "parse",
]
