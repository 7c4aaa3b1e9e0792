"""The date of a post: ISO 8601 where a day can be parsed, else as written.

Forums use forms that articles don't: without a year, with a year of two digits, or relative
("3 days ago"). They indicate a post as well as a full date does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.date_words import WITHOUT_COUNT, day_and_month, relative_span
from chaffinch.elements.dates import may_hold_date, parse_date, plausible

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_DATE_LINE: Final = 160
"""Characters of a line that may hold the date of a post."""

_DIGIT: Final = re.compile(r"\d")
_OTHER_DIGITS: Final = np.array(
    [0x660, 0x2000, 0xA620, 0xAC00, 0xFF10, 0xFF1A, 0x10000, 0x110000], dtype=np.uint32
)
"""Code points where ranges in which scripts have digits of their own begin, and end, in turn."""


def date_hints(text: str) -> NDArray[np.intp]:
    """Return the offsets of digits and words in a text; a line without any holds no date."""
    offsets = []
    for word in WITHOUT_COUNT:
        at = text.find(word)
        while at >= 0:
            offsets.append(at)
            at = text.find(word, at + 1)
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
        found = codes - np.uint8(0x30) < 10  # noqa: PLR2004  values below "0" wrap around
    else:
        wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        found = wide - np.uint32(0x30) < 10  # noqa: PLR2004
        others = np.flatnonzero(wide >= _OTHER_DIGITS[0])
        found[others] = _OTHER_DIGITS.searchsorted(wide[others], side="right") & 1
    found[offsets] = True
    return np.flatnonzero(found)


def date_in(text: str, *, locale: str = "") -> str:
    """Return the first date of a line: ISO 8601 where a day is given, else as written; "" if none.

    Args:
        text: a line or an attribute.
        locale: of `date_words.locale_of`.
    """
    if len(text) > MAX_DATE_LINE:
        return ""
    if _DIGIT.search(text) is None and not any(word in text for word in WITHOUT_COUNT):
        return ""
    if may_hold_date(text) or text.isdigit():
        found = parse_date(text, locale=locale)
        if found is not None and plausible(found):
            return found.isoformat()
    written = relative_span(text) or day_and_month(text)
    return text[slice(*written)] if written is not None else ""
