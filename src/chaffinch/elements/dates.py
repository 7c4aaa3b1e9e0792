"""Dates out of text: ISO 8601, RFC 2822, Chinese, Japanese, Korean and written months.

Libraries were measured first (docs/metadata.md): the quick ones read one language, the wide ones
take longer for one string than the whole page may.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from email import utils as mail
else:
    mail = lazy_module("email.utils")

EARLIEST: Final = 1990
_TIME: Final = (
    r"(?:[T\s,，日]*(?:\|\s*|um\s+|at\s+|à\s+|klo\s+|kl\.?\s+|-\s*|–\s*)?"
    r"(?P<hour>\d{1,2})[:h：时時](?P<minute>\d{2})(?:[:：分](?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\b\.?)?\s*(?P<zone>Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2})?)?"
)
_YEAR_FIRST: Final = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?(?P<mark>[-/.年년])\s?(?P<month>\d{1,2})\s?[-/.月월]\s?"
    r"(?P<day>\d{1,2})(?!\d)\s?[日일]?\.?" + _TIME
)
_COMPACT: Final = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>[01]\d)(?P<day>[0-3]\d)"
    r"(?:T?(?P<hour>[0-2]\d)(?P<minute>[0-5]\d)(?P<second>[0-5]\d)?)?(?!\d)"
)
_DAY_FIRST: Final = re.compile(
    r"(?<![\d.])(?P<a>\d{1,2})\s?(?P<mark>[-/.])\s?(?P<b>\d{1,2})\s?(?P=mark)\s?"
    r"(?P<year>(?:19|20)\d\d)(?!\d)" + _TIME
)
_SHORT_YEAR: Final = re.compile(
    r"(?<![\d.])(?P<a>\d{1,2})\.(?P<b>\d{1,2})\.(?P<year>\d\d)(?![\d.])" + _TIME
)
_READ: Final = 300  # characters of a text
_SHORT_TEXT: Final = 40  # characters of a text in which 25.04.24 is a date
# Beginnings of the names of months, longest first; folded of marks over letters where usual.
MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        (
            "jan jän ene gen sty янв січ led ιαν γεν oca tam sau",
            "feb fév fev febr lut фев лют úno φεβ φλεβ şub hel vas",
            "mar mär maa mrt marz март бер bře μαρ μάρ maaliskuu kov",
            "apr avr abr kwi апр кві dub απρ nis huh bal",
            "may mai mag maj mei май мая трав kvě μαΐ μαϊ μάι μάη toukokuu geg",
            "jun juin giu cze июн черв červn ιουν ιούν haz kes bir",
            "jul juil lug lip июл лип červenc ιουλ ιούλ tem heinäkuu lie",
            "aug août aout ago sie авг серп srp αυγ αύγ ağu elo rugp",
            "sep set wrz сен вер září zář σεπ eyl syys rugs",
            "oct okt ott out paź окт жовт říj οκτ eki loka spal",
            "nov lis ноя лист νοε νοέ kas marras lap",
            "dec dez déc dic grud gru дек груд pro δεκ ara joulu",
        ),
        1,
    )
    for name in names.split()
}
_LETTERS: Final = r"[^\W\d_]"
_WRITTEN: Final = re.compile(
    rf"(?<!\d)(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.|º|ª)?\s*+(?:(?:de\s|of\s|d['’]|-|/)\s*+)?"
    rf"(?P<month>{_LETTERS}{{3,12}})\.?,?\s*(?:de[l]?\s+|-|/)?(?P<year>(?:19|20)\d\d)"
    rf"|(?P<month2>\b{_LETTERS}{{3,12}})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s*|\s+)"
    rf"(?P<year2>(?:19|20)\d\d))(?!\d)" + _TIME,
    re.IGNORECASE,
)
_DAY_NEAR_YEAR: Final = re.compile(
    rf"\d(?:(?:st|nd|rd|th|er|\.|º|ª)?\s*+(?:(?:de\s|of\s|d['’]|-|/)\s*+)?"
    rf"{_LETTERS}{{3,12}}\.?,?\s*+(?:de[l]?\s++|-|/)?"
    rf"|(?:st|nd|rd|th)?(?:,\s*+|\s++))(?:19|20)\d\d",
    re.IGNORECASE,
)
"""What stands in all that `_WRITTEN` finds, and is sought faster, since it begins with a digit."""
_PREFIXES: Final = sorted(MONTHS, key=len, reverse=True)
_YEAR_DIGITS: Final = re.compile(r"[12](?:(?<=1)9|(?<=2)0)\d\d")
_SHORT_YEAR_DIGITS: Final = re.compile(r"\.(?<=\d\.)\d\d?\.\d\d")
"""What stands in every text that `parse_date` reads a date in: a year, or the end of 25.04.24.

Written so that their first steps, one of two digits and a point, are sought fast.
"""
_YEAR_ALONE: Final = re.compile(r"\A\D*+(?:19|20)\d\d\D*+\Z")
_THIS_YEAR: Final = datetime.now(UTC).year  # when this began to run, or earlier


def parse_date(text: str, *, month_first: bool = False) -> date | datetime | None:
    """Return the first date that a text holds, as a datetime where it has a time; None if none.

    Args:
        text: a value of a meta, an attribute or a line of text.
        month_first: read 4/5/2014 as April 5; else as 4 May.
    """
    return parse_both_ways(text)[month_first]


def parse_both_ways(text: str) -> tuple[date | datetime | None, date | datetime | None]:
    """Return `parse_date` of a text with 4/5/2014 as 4 May, and as April 5."""
    return _both_ways(text[:_READ])


@lru_cache(maxsize=256)
def _both_ways(text: str) -> tuple[date | datetime | None, date | datetime | None]:
    """Return both readings; cached, since several fields of metadata read the same lines."""
    if not _YEAR_DIGITS.search(text):
        short = _short_year(text) if text.count(".") > 1 else None
        return short, short
    if _YEAR_ALONE.fullmatch(text):  # as in prose
        return None, None
    for reader in (_iso, _year_first, _written, _mail):
        if (found := reader(text)) is not None:
            return found, found
    numbers = _DAY_FIRST.search(text)
    if numbers is None:
        found = _compact(text)
        return found, found
    day, month = (_day_first(numbers, month_first=way) for way in (False, True))
    return day or _compact(text), month or _compact(text)


def may_hold_date(text: str, start: int = 0, stop: int = 1 << 40) -> bool:
    """Return whether `parse_date` may find a date in text[start:stop], however spaced."""
    may_have_year = text.find("20", start, stop) >= 0 or text.find("19", start, stop) >= 0
    if may_have_year and _YEAR_DIGITS.search(text, start, stop) is not None:
        return True
    return (
        text.find(".", start, stop) >= 0
        and _SHORT_YEAR_DIGITS.search(text, start, stop) is not None
    )


def places_of_dates(text: str) -> list[int]:
    """Return where in a text stands what makes `may_hold_date` true."""
    places = [found.start() for found in _SHORT_YEAR_DIGITS.finditer(text)]
    if "20" in text or "19" in text:
        places += [found.start() for found in _YEAR_DIGITS.finditer(text)]
    return places


def plausible(found: date | datetime) -> bool:
    """Return whether a page may bear a date: from 1990 to tomorrow."""
    if EARLIEST <= found.year < _THIS_YEAR:
        return True
    limit = datetime.now(UTC).date() + timedelta(days=1)
    return found.year >= EARLIEST and day_of(found) <= limit


def day_of(found: date | datetime) -> date:
    """Return the day, in the time zone in which it was written."""
    return found.date() if isinstance(found, datetime) else found


def _iso(text: str) -> date | datetime | None:
    text = text.strip()
    if len(text) < 10 or not text[:4].isdigit() or text[4] != "-":  # noqa: PLR2004  2014-04-02
        return None
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)  # noqa: PLR2004
    except ValueError:
        return None


def _mail(text: str) -> datetime | None:
    if "," not in text[:12] or ":" not in text:
        return None
    try:
        return mail.parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _year_first(text: str) -> date | datetime | None:
    found = _YEAR_FIRST.search(text)
    return _made(found, found["year"], found["month"], found["day"]) if found else None


def _compact(text: str) -> date | datetime | None:
    found = _COMPACT.search(text)
    return _made(found, found["year"], found["month"], found["day"]) if found else None


def _day_first(found: re.Match[str], *, month_first: bool) -> date | datetime | None:
    a, b = int(found["a"]), int(found["b"])
    swap = b > 12 or (month_first and a <= 12 and found["mark"] != ".")  # noqa: PLR2004  months
    day, month = (b, a) if swap else (a, b)
    return _made(found, found["year"], month, day)


def _short_year(text: str) -> date | datetime | None:
    """Return a date such as "Do 25.04.24 | 14:07", if the text is short or it has a time."""
    found = _SHORT_YEAR.search(text)
    if found and len(text) > _SHORT_TEXT and not found["hour"]:
        return None
    return _made(found, f"20{found['year']}", found["b"], found["a"]) if found else None


def _written(text: str) -> date | datetime | None:
    if not _DAY_NEAR_YEAR.search(text):
        return None
    for found in _WRITTEN.finditer(text):
        if month := month_of(found["month"] or found["month2"]):
            year, day = found["year"] or found["year2"], found["day"] or found["day2"]
            return _made(found, year, month, day)
    return None


@lru_cache(maxsize=4096)
def month_of(word: str) -> int:
    """Return the number of the month that a word names; 0 for any other word."""
    name = word.lower()
    return next((MONTHS[p] for p in _PREFIXES if name.startswith(p)), 0)


def _made(
    found: re.Match[str], year: str, month: str | int, day: str | int
) -> date | datetime | None:
    try:
        plain = date(int(year), int(month), int(day))
    except ValueError:
        return None
    groups = found.groupdict()
    if not groups.get("hour"):
        return plain
    hour, half = int(groups["hour"]), (groups.get("half") or "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        return datetime(
            plain.year,
            plain.month,
            plain.day,
            hour,
            int(groups["minute"]),
            int(groups.get("second") or 0),
            tzinfo=_zone(groups.get("zone")),
        )
    except ValueError:
        return plain


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text[0] not in "+-":
        return UTC
    digits = text[1:].replace(":", "")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
