"""The date of a post: ISO 8601 where a day can be parsed, else as written.

Forums use forms that articles don't: without a year, with a year of two digits, or relative
("3 days ago"). They indicate a post as well as a full date does.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.dates import parse_date, plausible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.attribute_values import Values

MAX_DATE_LINE: Final = 160
"""Characters of a line that may hold the date of a post."""

_MONTH: Final = (
    r"(?:jan(?:uary|uar|vier|\.)?|feb(?:ruary|ruar|\.)?|f[ée]v(?:rier|\.)?|mar(?:ch|s|zo|\.)?|märz"
    r"|apr(?:il|\.)?|avr(?:il|\.)?|may|mai|june?|juin|juni|july?|juil(?:let|\.)?|juli|aug(?:ust|\.)?"
    r"|août|sept?(?:ember|embre|\.)?|o[ck]t(?:ober|obre|\.)?|nov(?:ember|embre|\.)?"
    r"|de[cz](?:ember|\.)?|déc(?:embre|\.)?|enero|ene|abr(?:il)?|ago(?:sto)?|dic(?:iembre)?)"
)
_UNIT: Final = (
    r"(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|mos?|years?|yrs?|[hdwmy]"
    r"|sekunden?|minuten?|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?"
    r"|secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|días?|semanas?"
    r"|mes(?:es)?|años?)"
)
RELATIVE: Final = re.compile(
    rf"\b(?:\d{{1,3}}\+?|an?|one)\s?{_UNIT}(?:[\s,]+\d{{1,3}}\s?{_UNIT}){{0,6}}\s+(?:ago|her)\b"
    rf"|\b(?:vor|il y a|hace|fa)\s+(?:\d{{1,3}}|ein\w*|une?|una?)\s?{_UNIT}\b"
    r"|\d{1,3}\s?(?:秒|分钟|分鐘|小时|小時|天|周|週|个月|個月|年)前"
    r"|\b(?:today|yesterday|heute|gestern|hier|ayer|hoy|aujourd'hui)\b,?\s*+(?:(?:at|um|à)\s*+)?\d{1,2}[:.h]\d\d"
    r"|(?:今天|昨天)\s?\d{1,2}:\d\d",
    re.IGNORECASE,
)
"""Dates that count from now, such as "3 days ago"."""
_DIGIT: Final = re.compile(r"\d")
_WITHOUT_DIGITS: Final = re.compile(r"\bago\b|\b(?:vor|il y a|hace|fa) ")
"""Dates without digits, in lower case."""
_WORDS_WITHOUT_DIGITS: Final = ("ago", "AGO", "or ein", "ace un", "a un")
"""Each of these dates contains one of these, in the usual capitals."""
_OTHER_DIGITS: Final = np.array(
    [0x660, 0x2000, 0xA620, 0xAC00, 0xFF10, 0xFF1A, 0x10000, 0x110000], dtype=np.uint32
)
"""Code points where ranges in which scripts have digits of their own begin, and end, in turn."""
_SHORT_YEAR: Final = re.compile(
    rf"(?<![\d.])(?P<first>\d{{1,2}}[./-](?:\d{{1,2}}|{_MONTH})[./-]|{_MONTH}\s\d{{1,2}},?\s')"
    r"(?P<year>\d\d)(?![\d.]*\d)",
    re.IGNORECASE,
)
_SHORT_END: Final = re.compile(r"[./'-]\d\d")
"""Stands in all that `_SHORT_YEAR` finds, and is sought faster."""
_PARTIAL: Final = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}\b|\b{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|\b{_MONTH}\s\d{{4}}\b|(?<!\d)\d{{1,2}}月\d{{1,2}}日"
    r"|(?<![\d./-])\d{1,2}[./-]\d{1,2}\.?\s\d{1,2}:\d\d",
    re.IGNORECASE,
)

# Necessary conditions of the patterns above, fast to test, in lower case.
_STEM: Final = (
    r"(?:a(?:pr|[vb]r|go|ug|o[uû])|d(?:[eé]c|ez|ic)|ene|f[eé][bv]|j(?:an|u[nil])|m(?:a[riy]|är)|nov"
    r"|o[ck]t|sep)"
)
_DAY_MONTH: Final = re.compile(
    rf"\d(?:st|nd|rd|th|\.)?\s(?:of\s)?{_STEM}|\d月|\d[./-]\d\d?\.?\s\d\d?:\d\d"
)
_MONTH_DAY: Final = re.compile(rf"{_STEM}\w{{0,7}}\.?\s\d")
_SHORT_SHAPE: Final = re.compile(r"\d[./-][\w.]{1,10}[./-]\d\d")
_AGO: Final = re.compile(r"\s(?:ago|her)\b")
_RECENT: Final = re.compile(
    r"a(?:yer|ujourd)|fa\s|gestern|h(?:ace|eute|ier|oy)|il y a|today|vor\s|yesterday|[今昨]天|前"
)

_RELATIVE_WORDS: Final = (
    *(" ago", " her", "ayer", "aujourd", "fa ", "gestern", "hace", "heute", "hier", "hoy"),
    *("il y a", "today", "vor ", "yesterday", "今天", "昨天", "前"),
)
"""Each match of `_AGO` and `_RECENT` in a line with folded white space contains one of these."""
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def lines_with_dates(lines: Values) -> list[str]:
    """Return those lines that may hold a date; all are searched at once."""
    shapes = (_YEAR, _SHORT_SHAPE, _DAY_MONTH, _MONTH_DAY)
    may = {*lines.containing(*_RELATIVE_WORDS), *chain.from_iterable(map(lines.matching, shapes))}
    return [line for line in lines.rows if line in may]


def date_hints(text: str) -> NDArray[np.intp]:
    """Return the offsets of digits and words in a text; a line without any holds no date."""
    offsets = []
    for word in _WORDS_WITHOUT_DIGITS:
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


def date_in(text: str, *, month_first: bool = False) -> str:
    """Return the first date of a line: ISO 8601 where a day is given, else as written; "" if none.

    Args:
        text: a line or an attribute.
        month_first: read 4/5/2014 as April 5; else as 4 May.
    """
    low = text.lower()
    if len(text) > MAX_DATE_LINE or not (_DIGIT.search(text) or _WITHOUT_DIGITS.search(low)):
        return ""
    found = parse_date(text, month_first=month_first)
    if found is not None and plausible(found):
        return found.isoformat()
    month = _DAY_MONTH.search(low) or _MONTH_DAY.search(low)
    brief = found is None and (month or _SHORT_SHAPE.search(text)) and _SHORT_END.search(text)
    if brief and (short := _SHORT_YEAR.search(text)) is not None:
        year = ("20" if int(short["year"]) < 70 else "19") + short["year"]  # noqa: PLR2004  as POSIX
        first = (
            short["first"].rstrip("'").replace("-", " ")
            if short["first"][-2:-1].isalpha()
            else short["first"].rstrip("'")
        )
        found = parse_date(first + year + text[short.end() :], month_first=month_first)
    if found is not None and plausible(found):
        return found.isoformat()
    other = RELATIVE.search(text) if _AGO.search(low) or _RECENT.search(low) else None
    if other is None and month:
        other = _PARTIAL.search(text)
    return other[0] if other is not None else ""
