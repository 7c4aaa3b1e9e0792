"""Escapes: text, addresses and code that would mean something in Markdown are kept from it.

CommonMark 0.31 (https://spec.commonmark.org/0.31.2/) and GFM (https://github.github.com/gfm/).
Only what could be read as markup is escaped, so that ``snake_case``, ``[1]`` and ``2 * 3`` stay
readable. The ends of a piece count as if markup followed, for it does.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

SPECIAL: Final = "\\`*_[]<&~"
"""Characters that may mean something wherever they stand in a text."""
_SPECIAL: Final = re.compile(f"[{re.escape(SPECIAL)}]")
_ENTITY: Final = re.compile(r"&(?=(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);)")
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_NUMBERED: Final = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_LINE_MARK: Final = re.compile(r"\A(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|>|[:|\s]*+-[-:|\s]*+$|=+\s*$)")
_WITHIN: Final = re.compile(r"\A(?:\*\s|[*_]{3,}$|~{3}|\[(?:[^\[\]\\]|\\.)*+\]:)")
"""What else begins another block, and is escaped by `text` where a line begins."""
_IN_TITLE: Final = re.compile(r'[\\"`]|<(?=[A-Za-z/!?])|\](?=\()')
_BACKTICKS: Final = re.compile(r"`+")

_BRACKETS: Final = 32
"""Brackets in a text, beyond which all are escaped: parsers look for the end of each."""

SPACE: Final = 0
PUNCTUATION: Final = 1
SYMBOL: Final = 2
LETTER: Final = 3


def text(raw: str, *, line_start: bool = False, in_link: bool = False) -> str:
    """Return ``raw`` (one line, white space folded) so that it reads as itself.

    ``line_start``: a line of a paragraph begins with it; ``in_link``, that it stands in
    the text of a link or an image, where brackets would end it. Where no line begins, a text that
    holds none of `SPECIAL` is as it was.
    """
    out = raw
    if _SPECIAL.search(raw):
        in_link = in_link or raw.count("[") > _BRACKETS
        out = _SPECIAL.sub(
            lambda found: _inline(raw, found.start(), in_link=in_link, line_start=line_start), raw
        )
    if not line_start or raw[0].isalpha():
        return out
    if out[0] == "[":
        return "\\" + out
    numbered = _NUMBERED.match(raw)
    if numbered is not None:
        return f"{numbered[1]}\\{out[len(numbered[1]) :]}"
    return "\\" + out if _LINE_MARK.match(raw) else out


def at_line_start(markdown: str) -> str:
    """Return Markdown from within a line so that it reads the same where it begins a paragraph."""
    numbered = _NUMBERED.match(markdown)
    if numbered is not None:
        return f"{numbered[1]}\\{markdown[len(numbered[1]) :]}"
    return "\\" + markdown if _LINE_MARK.match(markdown) or _WITHIN.match(markdown) else markdown


def heading(words: str, level: int) -> str:
    """Return a heading of one line of Markdown; a ``#`` at its end would be taken for its close."""
    words = f"{words[:-1]}\\#" if words.endswith("#") else words
    return f"{'#' * level} {words}"


def _inline(  # noqa: PLR0911  a table of cases
    raw: str, at: int, *, in_link: bool, line_start: bool
) -> str:
    """Return the mark at ``at``, escaped where the marks around make it mean something."""
    mark = raw[at]
    before = raw[at - 1] if at else ""
    after = raw[at + 1] if at + 1 < len(raw) else ""
    escaped = "\\" + mark
    match mark:
        case "*":
            return mark if before.isspace() and after.isspace() else escaped
        case "_":
            return mark if before.isalnum() and after.isalnum() else escaped
        case "\\":
            return escaped if not after or after in _ASCII_PUNCTUATION else mark
        case "[":
            return escaped if in_link or after == "^" else mark
        case "]":
            return escaped if in_link or after == "(" else mark
        case "<":
            return escaped if not after or after.isalpha() or after in "/!?" else mark
        case "&":
            return escaped if _ENTITY.match(raw, at) else mark
        case "~":
            alone = before.isspace() or (line_start and not before)
            return mark if alone and after not in ("", "~") else escaped
    return escaped


def address(url: str) -> str:
    """Return an absolute address as the destination of a link."""
    if "&" in url:
        url = _ENTITY.sub(r"\\&", url)
    if "(" not in url and ")" not in url:
        return url
    depth = 0
    for mark in url:
        depth += (mark == "(") - (mark == ")")
        if not 0 <= depth < 32:  # noqa: PLR2004  CommonMark requires at least three levels
            break
    if depth or "](" in url:  # where the link were none, this would begin one
        url = url.replace("(", "\\(").replace(")", "\\)")
    return url


def title(raw: str | None) -> str:
    """Return the title of a link with a space before it, "" where there is none.

    What would be markup in a text is escaped here, too: a renderer that doesn't take the link for
    one, since its text holds another, reads the title as text.
    """
    folded = " ".join((raw or "").split())
    if not folded:
        return ""
    folded = _ENTITY.sub(r"\\&", _IN_TITLE.sub(r"\\\g<0>", folded))
    return f' "{folded}"'


def code(raw: str) -> str:
    """Return a code span that holds ``raw`` (one line) exactly."""
    longest = max(map(len, _BACKTICKS.findall(raw)), default=0)
    runs = set(map(len, _BACKTICKS.findall(raw)))
    length = next(size for size in range(1, longest + 2) if size not in runs)
    fence = "`" * length
    pad = " " if raw[0] == "`" or raw[-1] == "`" else ""
    return f"{fence}{pad}{raw}{pad}{fence}"


def fence(raw: str) -> str:
    """Return the fence for a block of code: longer than any run of backticks within."""
    longest = max(map(len, _BACKTICKS.findall(raw)), default=0)
    return "`" * max(3, longest + 1)


@lru_cache(maxsize=4096)
def kind(mark: str) -> int:
    """Return what a character is to the flanking rules of emphasis; "" is the edge of a line.

    Symbols (Unicode S) count as punctuation since CommonMark 0.31 and as letters before: they are
    a class of their own, so that what is written reads the same for both.
    """
    if not mark or mark.isspace():
        return SPACE
    if mark in _ASCII_PUNCTUATION:
        return PUNCTUATION
    match unicodedata.category(mark)[0]:
        case "P":
            return PUNCTUATION
        case "S":
            return SYMBOL
    return LETTER
