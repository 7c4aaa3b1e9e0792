"""Markdown without its marks, for quotes that were copied from it."""

from __future__ import annotations

import re
from typing import Final

_ADDRESS: Final = (
    r"\((?:[^()\\\s]|\\.|\([^()\s]{0,200}+\)){0,500}+(?:\s\"(?:[^\"\\]|\\.){0,200}+\")?\)"
)
_WORDS: Final = r"(?:[^\[\]\\]|\\.){0,500}+"
"""Text of a link; longer ones, which no quote has, keep their marks."""
_IMAGE: Final = re.compile(rf"!\[{_WORDS}\]{_ADDRESS}")
_LINK: Final = re.compile(rf"\[({_WORDS})\]{_ADDRESS}")
_LINE_START: Final = re.compile(r"^[ >]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}) +)?", re.MULTILINE)
_RULES: Final = re.compile(r"^\|(?: ?-{3,} ?\|)++$", re.MULTILINE)
_TAG: Final = re.compile(r"</?su[bp]>")
_MARK: Final = re.compile(r"(?<!\\)(?:\*{1,3}|~~|`+|\||(?<![^\W_])_{1,2}|_{1,2}(?![^\W_]))")
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|$)")


def unmarked(markdown: str) -> str:
    """Return the words of Markdown as `chaffinch.output.markdown` writes it.

    Links become their texts, images nothing; marks of emphasis, code, lists, quotes, headings and
    tables are left out.
    """
    text = _LINK.sub(r"\1", _IMAGE.sub("", markdown))
    text = _TAG.sub("", _LINE_START.sub("", _RULES.sub("", text)))
    return _ESCAPE.sub("", _MARK.sub(lambda found: " " * (found[0] == "|"), text))
