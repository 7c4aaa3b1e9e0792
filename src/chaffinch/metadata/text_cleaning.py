"""Cleaning of strings from pages: no markup, no line breaks, no control characters."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.fetch.url_parts import split_url
from chaffinch.page.invisible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST: Final = 2_000  # characters of a value that are used; titles and names are far shorter
_USED: Final = 2 * LONGEST  # characters of a text of the page, with its white space
_MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]{0,500}>|<!--[^<>]{0,500}-->")
_CONTROL: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\ufeff\ufffd\ue000-\uf8ff]+"
)
_FIRST_HAN: Final = "\u3400"
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
_ASCII_NOT_ALPHANUMERIC: Final = {code: None for code in range(128) if not chr(code).isalnum()}


def clean(value: object) -> str:
    """Return ``value`` as one line of text; "" for anything that isn't a string.

    Character references are resolved (pages often escape them twice) and tags taken out.
    """
    if not isinstance(value, str):
        return ""
    text = value[:LONGEST]
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    return one_line(text)


def one_line(text: str) -> str:
    """Return text of the parsed page as one line.

    Control characters, private-use code points (icon fonts) and characters that show nothing are
    removed.
    """
    line = " ".join(text[:_USED].split())
    return line if line.isprintable() else " ".join(_CONTROL.sub(" ", visible(line)).split())


def joined(texts: Iterable[str]) -> str:
    """Return neighbouring texts as one line, with a space where two Han letters meet.

    In Latin script pages write that space themselves.
    """
    line = ""
    for text in texts:
        meet = line[-1:] >= _FIRST_HAN and text[:1] >= _FIRST_HAN
        line += f" {text}" if meet else text
        if len(line) > _USED:
            break
    return one_line(line)


def path_of(url: str) -> str:
    """Return the path of an address, "/" where it has none; "" for no address."""
    parts = split_url(url) if url else None
    return (parts.path or "/") if parts else ""


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """Return the key by which strings are compared: letters and digits, case and width folded."""
    if text.isascii():
        return text.lower().translate(_ASCII_NOT_ALPHANUMERIC)
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", text).casefold())
