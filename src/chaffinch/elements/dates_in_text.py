"""Dates out of text, in the words, digits, calendars and orders of the world's languages.

Libraries were measured first (docs/metadata.md): the quick ones read one language, the wide ones
take longer for one string than the whole page may. Here the numbers of a text are looked at, and
what stands between them: two or three that belong together are a date.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache, partial
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import kept_with_page
from chaffinch.elements.date_words import (
    ETHIOPIAN,
    ISLAMIC,
    NEPALI,
    PERSIAN,
    digits,
    half_of_day,
    locale_of,
    month_beside,
    month_between,
    months_of,
    order_of,
    weekdays_of,
)
from chaffinch.page import Page

EARLIEST: Final = 1990
_READ: Final = 300  # characters of a text
_SHORT_TEXT: Final = 60  # characters of a text in which 25.04.24 is a date
_MOST_NUMBERS: Final = 40
_NEAR: Final = 40  # characters between the numbers of a date at most
_MONTHS: Final = 12

_OTHER_DIGITS: Final = "٠-٩۰-۹߀-߉०-९০-৯੦-੯૦-૯୦-୯௦-௯౦-౯೦-೯൦-൯๐-๙໐-໙༠-༩၀-၉០-៩᠐-᠙０-９"
_KANJI: Final = "〇零○一二三四五六七八九十百"
_IN_SLASHES: Final = re.compile(
    r"/(?<=[^\d/](\d\d)/|.[^\d/](\d)/)(\d\d?)/(?:19|20)?\d\d(?![\d/])", re.DOTALL
)
"""Of 25/08/2023 all from the first stroke on, which is sought fast."""
_YEAR_DIGITS: Final = re.compile(r"[12](?:(?<=1)9|(?<=2)0)\d\d")
_SHORT_DIGITS: Final = re.compile(r"[-./](?<=\d[-./])\s?\d\d?[-./]\s?\d")
_GLUED: Final = re.compile(
    r"(?:[\u05d0-\u05ea][-־]|[^\W\d_A-Z]{3}|[A-Z][^\W\d_A-Z]{2}|[\u3040-\u9fff\uac00-\ud7af])\Z"
)
"""What a short date may stand behind without a space: a label, and "on the" in Hebrew."""
_SHORT_WRITTEN: Final = re.compile(
    r"\d(?:(?:st|nd|rd|th)?[.\s-]{1,2}[^\s\d\0]{3,12}[\s-]['’]?|,?\s['’])(?:1[34]|25)?\d\d(?!\d)"
    r"|\d,\s(?:1[34]|25)?\d\d(?!\d)(?=\s?(?:[^\w\s]|\d\d?:|\Z))"
)
_OF_TIME: Final = re.compile(
    r"[:：h時时시]\s?\d|\.\d\d(?![\d.])|\s?(?:h|uhr|uur|heures?|p\.?m|час\w?\w?)\b", re.IGNORECASE
)
"""What stands behind an hour, and no year of two digits: 3 May 19:30."""
_OTHER_WRITTEN: Final = re.compile(
    rf"[{_OTHER_DIGITS}]|年(?<=[\d\s{_KANJI}元]年)|[ء-یก-๛][.\s,،\d]{{0,8}}(?:1[34]|25)\d\d"
)
"""One of these stands in every text that `parse_date` reads a date in: a year, 04.24 behind another
number, a word between a number and two digits, or what only other scripts have. Written so that
their first steps are sought fast."""

_OTHER_YEAR: Final = re.compile(r"1[34]\d\d|25\d\d")
_OTHER_LETTER: Final = re.compile(r"[ء-یก-๛]")
"""A year of the Islamic, Persian or Thai calendar, and what tells that it is one, anywhere."""
_DIGITS: Final = re.compile(r"[0-9]+")
_KANJI_NUMBER: Final = re.compile(rf"[{_KANJI}]{{1,8}}(?=\s?[年月日])|元(?=年)")
_ROMAN: Final = re.compile(
    r"(?<!\d)(\d{1,2}|(?:19|20)\d\d)([.-]?\s?)(XI{0,2}|IX|IV|VI{0,3}|I{1,3})\2(\d{1,2}|(?:19|20)\d\d)(?!\d)"
)
"""A month in Roman numerals: 7 XI 2021, 12.IV.2020, 2021. XI. 7."""
_ROMAN_MONTHS: Final = " I II III IV V VI VII VIII IX X XI XII".split(" ")
_TIME_INSIDE: Final = re.compile(
    r"([^\W\d_]{3,9}\.?\s+\d{1,2})\s+(\d\d:\d\d(?::\d\d)?)(\s+(?:[A-Z]{2,5}|[+-]\d{4}))?\s+((?:19|20)\d\d)\b"
)
"""A time before its year, as C's ``ctime`` and ``date`` write it: Mar 3 17:10:12 CET 2020."""
_NUMBERED: Final = re.compile(r"(كانون|تشرين)\s?([12])(?!\d)")
_ORDINALS: Final = {"1": "الأول", "2": "الثاني"}
"""The months of the Levant that are two of a name: كانون 2 for the second."""
_SAME_YEAR: Final = re.compile(r"[(][^()\d]{0,4}\d{1,4}年?[)](?=年|\s?\d{1,2}月)")
"""A year again in brackets: 2024年(令和6年)2月15日."""
_KANJI_VALUES: Final = {one: int(unicodedata.numeric(one, 0)) for one in "〇零○一二三四五六七八九"}
_KANJI_VALUES["元"] = 1  # the first of an era
_PLAIN: Final[dict[int, str | None]] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "),
    **dict.fromkeys((0x200B, 0x200C, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x61C, 0xFEFF), None),
    **dict.fromkeys(range(0x2066, 0x206A), None),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-"),
    0x32FF: "令和", 0x337B: "平成", 0x337C: "昭和", **dict.fromkeys(map(ord, "،፣"), ","),
}  # fmt: skip
_ERA: Final = re.compile(
    r"(?:(令和|令|(?<![A-Za-z])R)|(平成|平|(?<![A-Za-z])H)|(昭和|昭|(?<![A-Za-z])S)|(民國|民国))\s?\Z"
)
_ERA_YEARS: Final = (2018, 1988, 1925, 1911)
_EASTERN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ARABIC: Final = re.compile("[\u0600-\u06ff]")
_THAI: Final = re.compile("[\u0e00-\u0e7f]")
_SEPARATORS: Final = frozenset("-./")
_YEAR_FIRST: Final = frozenset(("ja", "ko", "zh"))  # whichever sign stands between
_SHORT: Final = 2  # digits of a day, of a month, of a year without its century
_FULL: Final = 4  # digits of a year
_COMPACT: Final = 8  # digits of a date in one number
_ISO: Final = 10  # characters of 2014-04-02
_WIDEST: Final = 8  # characters from the first to the last of two signs between numbers
_APART: Final = {
    "n月n Y": "Mdy", "n월n Y": "Mdy", "n n月Y": "dMy", "n n월Y": "dMy",
    **{f"{lang} n-n{sign}Y": "dMy" for lang in ("da", "fi", "nb", "no", "sv") for sign in " -"},
    **{f"{lang} n-n Y": "Mdy" for lang in _YEAR_FIRST},
    **{f"{lang} {shape}": "dyM" for lang in _YEAR_FIRST for shape in ("n Y-n", "n-Y-n", "n Y年n")},
    **{f"{lang} {shape}": "yMd" for lang in _YEAR_FIRST for shape in ("Y-n n", "Y n-n")},
}  # fmt: skip
"""Orders by the shapes, Y for a year, of dates in which a part is apart, perhaps of a language:
4月 3, 2023; 3/4 2023 in the north of Europe; 04-03 2023 and 03 2023-04 in East Asia."""
_MONTH_UNITS: Final = frozenset(("tháng", "thang", "thg", "th", "сарын", "сар"))
"""What makes a number a month in Vietnamese and Mongolian."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_WEEKDAY: Final = re.compile(r"(?<![^\W_])(?:([^\W\d_]{2,16})[.,]{1,2}|([^\W\d_]{4,16})) ?\Z")
"""What may be a day of the week before a date: short words without a sign are others, too."""
_ARABIC_LANGUAGES: Final = frozenset(("ar", "ckb", "fa", "ps", "ur"))
_BUDDHIST: Final = 543
_LAST_PERSIAN: Final = 1409  # later years are of the lunar calendar, until 2030
_ETHIOPIAN_DAYS: Final = 2400  # before that count, less a year and a month
_TIME: Final = re.compile(
    r"(?P<before>[^\d\n]{0,24}+)(?P<hour>[0-2]?\d)[:h：时時시](?P<minute>\d{2})"
    r"(?:[:：分](?P<second>\d{2})(?:[.,]\d+)?)?(?!\d)"
    r"(?:\s*(?P<half>[AaPp]\.?\s?[Mm]\b\.?))?(?:\s*(?P<zone>Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}))?"
    r"(?:\s?(?P<after>[^\W\d_]\.[^\W\d_]\b|[πμ]μ\b|[ء-ي]\b))?"
)
_THIS_YEAR: Final = datetime.now(UTC).year  # when this began to run, or earlier


class Reading(NamedTuple):
    """A date in a text."""

    value: date | datetime  # the date, a datetime where it has a time
    # the date if day and month stand in the order that is less usual; else the same
    other: date | datetime
    start: int  # where it begins in the plain text
    stop: int  # where it ends
    gregorian: bool  # whether it is written in the Gregorian calendar


def parse_date(text: str, *, locale: str = "") -> date | datetime | None:
    """Return the first date that a text holds, as a datetime where it has a time; None if none.

    Where ``locale``, of `date_words.locale_of`, doesn't say otherwise, 4/5/2014 is 4 May.
    """
    return parse_both_ways(text, locale)[0]


def parse_both_ways(
    text: str, locale: str = ""
) -> tuple[date | datetime | None, date | datetime | None]:
    """Return `parse_date` of a text, and the date with day and month in the other order."""
    known = _declared(text)
    if known is not None:
        return known, known
    _, found = dates_in(text, locale)
    best = next((one for one in found if one.gregorian), found[0] if found else None)
    return (best.value, best.other) if best else (None, None)


def locale_of_page(page: Page, host: str = "") -> str:
    """Return the language and country in whose order a page writes dates.

    Where all days after the 12th stand in the other order, that of the page's text is added.
    """
    host = host or (page.url or "").partition("://")[2].partition("/")[0]
    locale = locale_of(page.lang, host.partition(":")[0])
    order = order_of(locale)
    days, months = _orders_written(page)
    if order[0] == "y" or days == months or days == (order[0] == "d"):
        return locale
    return f"{locale}-{'dmy' if days else 'mdy'}"


@kept_with_page
def _orders_written(page: Page) -> NDArray[np.bool_]:
    """Return whether any date with strokes has its day in front, and any its month."""
    found = islice(_IN_SLASHES.finditer(page.text), _MOST_NUMBERS)
    numbers = [(int(one[1] or one[2]), int(one[3])) for one in found]
    days, months = (any(pair[n] > _MONTHS >= pair[1 - n] for pair in numbers) for n in (0, 1))
    return np.array([days, months])


def dates_in(text: str, locale: str = "") -> tuple[str, tuple[Reading, ...]]:
    """Return a text in plain signs and digits, and its dates, in order.

    Years of two digits count only where none has four, and the text is short or has a time.
    """
    return _dates_in(text[:_READ], locale)


@lru_cache(maxsize=256)
def _dates_in(text: str, locale: str) -> tuple[str, tuple[Reading, ...]]:
    """Return `dates_in`; cached, since several fields of metadata read the same lines."""
    signs, text = text, _ROMAN.sub(_with_digits, plain(text))
    text = _TIME_INSIDE.sub(r"\1 \4 \2\3", text)
    numbers = [found.span() for found in _DIGITS.finditer(text)][:_MOST_NUMBERS]
    if len(numbers) < _SHORT and (not numbers or numbers[0][1] - numbers[0][0] < _COMPACT):
        return text, ()
    sweep = _Sweep(text, numbers, locale, signs)
    return text, tuple(sweep.readings(short=False) or sweep.readings(short=True))


def plain(text: str) -> str:
    """Return a text with digits of ASCII and plain spaces, and without signs that steer writing."""
    if text.isascii():
        return text
    text = text.translate(_plain_signs())
    text = _NUMBERED.sub(lambda found: f"{found[1]} {_ORDINALS[found[2]]}", text)
    if "年" in text or "月" in text:
        return _KANJI_NUMBER.sub(_number_of, _SAME_YEAR.sub("", text))
    return text


@lru_cache(maxsize=1)
def _plain_signs() -> dict[int, str | None]:
    return {**_PLAIN, **digits()}


def _with_digits(found: re.Match[str]) -> str:
    first, between, month, last = found.groups()
    is_date = between and len(first) + len(last) > _FULL
    return f"{first}.{_ROMAN_MONTHS.index(month)}.{last}" if is_date else found[0]


def _number_of(found: re.Match[str]) -> str:
    """Return a number in kanji in digits: 二〇二四, 十五, 百十三."""
    signs, total = found[0], 0
    if "十" not in signs and "百" not in signs:
        return "".join(str(_KANJI_VALUES[sign]) for sign in signs)
    for unit, sign in ((100, "百"), (10, "十")):
        if sign in signs:
            many, _, signs = signs.partition(sign)
            total += unit * (_KANJI_VALUES[many[-1:]] if many else 1)
    return str(total + (_KANJI_VALUES[signs[-1:]] if signs else 0))


def may_hold_date(text: str, start: int = 0, stop: int = 1 << 40) -> bool:
    """Return whether `parse_date` may find a date in text[start:stop], however spaced."""
    may_have_year = text.find("20", start, stop) >= 0 or text.find("19", start, stop) >= 0
    if may_have_year and _YEAR_DIGITS.search(text, start, stop) is not None:
        return True
    if _SHORT_DIGITS.search(text, start, stop) or _SHORT_WRITTEN.search(text, start, stop):
        return True
    if text.isascii():
        return False
    if _OTHER_WRITTEN.search(text, start, stop) is not None:
        return True
    has_year = _OTHER_YEAR.search(text, start, stop) is not None
    return has_year and _OTHER_LETTER.search(text, start, stop) is not None


def plausible(found: date | datetime) -> bool:
    """Return whether a page may bear a date: from 1990 to tomorrow."""
    if EARLIEST <= found.year < _THIS_YEAR:
        return True
    limit = datetime.now(UTC).date() + timedelta(days=1)
    return found.year >= EARLIEST and day_of(found) <= limit


def day_of(found: date | datetime) -> date:
    """Return the day, in the time zone in which it was written."""
    return found.date() if isinstance(found, datetime) else found


def _declared(text: str) -> date | datetime | None:
    """Return a time that is a whole text: of ISO 8601, or in seconds or milliseconds from 1970."""
    text = text.strip()
    size = len(text)
    if size in {10, 13} and text[0] == "1" and text.isdigit():
        return datetime.fromtimestamp(int(text[:10]), UTC)
    if size < _ISO or text[4] != "-" or text[:2] not in {"19", "20"}:
        return None
    try:
        return date.fromisoformat(text) if size == _ISO else datetime.fromisoformat(text)
    except ValueError:
        return None


_Numbers = tuple[str, str, str]
_Place = tuple[int, int]


class _Sweep:
    """The numbers of a plain text, from left to right, and the dates that they make up."""

    def __init__(self, text: str, numbers: list[tuple[int, int]], locale: str, signs: str) -> None:
        self.text = text
        self.numbers = numbers
        self.locale = locale
        self.lang = locale.partition("-")[0]
        foreign = not signs.isascii()
        self.eastern = foreign and _EASTERN.search(signs) is not None
        self.arabic = self.lang in _ARABIC_LANGUAGES or bool(foreign and _ARABIC.search(signs))
        self.thai = self.lang == "th" or bool(foreign and _THAI.search(signs))

    def readings(self, *, short: bool) -> list[Reading]:
        """Return the dates, with years of two digits or with others."""
        out: list[Reading] = []
        last = -1
        for at, (start, _) in enumerate(self.numbers):
            if start < last:
                continue
            found = self._numeric(at, short=short) or self._written(at, short=short)
            found = found or (None if short else self._compact(at))
            if found is None:
                continue
            if not short or len(self.text) <= _SHORT_TEXT or isinstance(found.value, datetime):
                out.append(found)
                last = found.stop
        return out

    def _numeric(self, at: int, *, short: bool) -> Reading | None:
        """Return the date that three numbers make up, with signs or words for units between."""
        if at + 2 >= len(self.numbers):
            return None
        (start, first_end), (second, second_end), (third, stop) = self.numbers[at : at + 3]
        if stop - start > _NEAR:
            return None
        text, place = self.text, (start, stop)
        own = text[start:first_end], text[second:second_end], text[third:stop]
        signs = text[first_end:second].strip(), text[second_end:third].strip()
        if signs[0] in _SEPARATORS:
            alike = signs[0] == signs[1] or (len(own[0]) == _FULL and signs[1] in _SEPARATORS)
            if alike and third - first_end <= _WIDEST and len(own[1]) <= _SHORT:
                return self._with_signs(own, signs[0], place, short=short)
        elif signs[0] in {"年", "년"} and signs[1] in {"月", "월"}:
            return self._made(self._eastern_year(own[0], start), own[1], own[2], place)
        elif found := self._with_units(own, signs, place):
            return found
        return self._of_year_apart(own, signs, place)

    def _with_signs(
        self, own: _Numbers, sign: str, place: _Place, *, short: bool
    ) -> Reading | None:
        """Return the date of three numbers with one of - . / between.

        In the first order that makes sense; years of two digits count if they are ``short``.
        """
        a, b, c = own
        orders = list[str]()
        before = self.text[max(0, place[0] - 2) : place[0]]
        if before[1:] == sign and before[0].isdigit():  # 020-12-06-2023
            return None
        is_listed = before[-1:] == "."
        if len(a) == _FULL and len(c) <= _SHORT:
            orders = ["yMd"]
        elif len(a) <= _SHORT and len(c) == _FULL and not is_listed:
            month_first = sign != "." and order_of(self.locale)[0] == "M"
            orders = ["Mdy", "dMy"] if month_first else ["dMy", "Mdy"]
        elif len(c) <= _SHORT and not is_listed and (self.eastern or self.lang in {"ja", "zh"}):
            known = self._era_year(a, place[0])
            known = known or (_republican(a) if len(a) == _SHORT + 1 else None)
            if found := self._made(known, b, c, place):
                return found
        if not orders and short and len(a) <= _SHORT and self._stands_alone(place):
            orders = self._orders(sign)
        made = [one for order in orders if (one := self._ordered(own, order, place))]
        if len(made) < 2 or sign == "." or made[0].value.year != made[1].value.year:  # noqa: PLR2004
            return made[0] if made else None
        named = _WEEKDAY.search(self.text, max(0, place[0] - _NEAR), place[0])
        days = weekdays_of(named[1] or named[2]) if named else ()
        right = [one for one in made if one.value.weekday() in days]  # Mon, 06/12/2023
        return right[0] if len(right) == 1 else made[0]._replace(other=made[1].value)

    def _stands_alone(self, place: _Place) -> bool:
        """Return whether a date with a year of two digits may stand there, part of nothing else."""
        before, after = self.text[: place[0]][-1:], self.text[place[1] : place[1] + 2]
        if _GLUED.search(self.text, max(0, place[0] - 3), place[0]):
            before = ""
        longer = before.isalnum() or before in _SEPARATORS
        longer |= after[:1] in _SEPARATORS and after[1:].isdigit()
        return not longer and _SHORT_DIGITS.search(self.text, *place) is not None

    def _ordered(self, own: _Numbers, order: str, place: _Place) -> Reading | None:
        """Return the date of three numbers in an order; of two digits, the year must be likely."""
        parts = dict(zip(order, own, strict=True))
        is_short = len(parts["y"]) == _SHORT
        year = self._year_of_two(parts["y"]) if is_short else self._year(parts["y"])
        found = self._made(year, parts["M"], parts["d"], place)
        return found if found and (not is_short or plausible(found.value)) else None

    def _of_year_apart(
        self, own: _Numbers, between: tuple[str, str], place: _Place
    ) -> Reading | None:
        """Return a date whose year or day stands apart from the rest, by its shape."""
        signs = between[0], between[1].strip(" ,日일")
        first, second = ("-" if one in _SEPARATORS else one or " " for one in signs)
        a, b, c = ("Y" if len(one) == _FULL else "n" for one in own)
        shape = f"{a}{first}{b}{second}{c}"
        order = _APART.get(shape) or _APART.get(f"{self.lang} {shape}")
        if order is None or self.text[place[1] : place[1] + 1] in {":", *_SEPARATORS}:
            return None  # a time, or 9 2019/04/02
        return self._ordered(own, order, place)

    def _orders(self, sign: str) -> list[str]:
        """Return the orders in which three numbers of two digits may be, likelier ones first."""
        usual = order_of(self.locale)
        orders = ["dMy", "yMd"] if sign == "." else ["dMy", "Mdy", "yMd"]
        as_usual = sign == usual[1] or self.lang in _YEAR_FIRST
        if self.eastern or (usual[0] == "y" and as_usual):
            orders.insert(0, "yMd")
        elif usual[0] == "M" and sign != ".":
            orders.insert(0, "Mdy")
        return list(dict.fromkeys(orders))

    def _with_units(self, own: _Numbers, between: tuple[str, str], place: _Place) -> Reading | None:
        """Return a date such as 12 tháng 6 năm 2023 or 2021 оны 11-р сарын 17."""
        words = [_WORD.findall(one.casefold()) for one in between]
        a, b, c = own
        if words[0] and words[0][-1] in _MONTH_UNITS and month_between(between[1]) == 0:
            return self._made(self._year(c), b, a, place)
        if month_between(between[0]) != 0:
            return None
        if words[1] and not _MONTH_UNITS.isdisjoint(words[1]):
            return self._made(self._year(a), b, c, place)
        before = _WORD.findall(self.text[max(0, place[0] - 8) : place[0]].casefold())
        is_month = bool(before) and before[-1] in _MONTH_UNITS
        return self._made(self._year(c), a, b, place) if is_month else None

    def _written(self, at: int, *, short: bool) -> Reading | None:
        """Return the date that two numbers and the name of a month between or beside make up."""
        if at + 1 >= len(self.numbers):
            return None
        text = self.text
        (start, end), (second, stop) = self.numbers[at : at + 2]
        lengths = end - start, stop - second
        day, number = text[start:end], text[second:stop]
        year_first = lengths[0] == _FULL and not short
        if year_first:
            day, number, lengths = number, day, lengths[::-1]
        if text[start - 1 : start] == "(" and text[end : end + 1] == ")":  # counts: December (31)
            return None
        fits = lengths[0] <= _SHORT and lengths[1] == (_SHORT if short else _FULL)
        is_other = year_first and text[end] == "," and text[:start].strip()  # May 2023, June 28
        if not fits or second - end > _NEAR or (is_other and self.lang != "ml"):
            return None
        month = month_between(text[end:second], self.lang)
        if month == 0:
            near = text[stop : stop + _NEAR] if year_first else text[max(0, start - _NEAR) : start]
            month = month_beside(near, self.lang, before=not year_first)
        is_written = not self.eastern and _SHORT_WRITTEN.search(text, start, stop)
        if month <= 0 or (short and not (is_written and _OF_TIME.match(text, stop) is None)):
            return None
        year = self._year_of_two(number, month) if short else self._year(number)
        return self._made(year, str(month), day, (start, stop))

    def _compact(self, at: int) -> Reading | None:
        """Return a date such as 20210304, or with a time, 20210304101500."""
        start, stop = self.numbers[at]
        number = self.text[start:stop]
        if len(number) not in {_COMPACT, 12, 14} or number[:2] not in {"19", "20"}:
            return None
        made = self._made(_Year(int(number[:4])), number[4:6], number[6:8], (start, stop))
        if made is None or len(number) == _COMPACT:
            return made
        hour, minute, second = (int(number[n : n + 2] or "0") for n in (8, 10, 12))
        return _at(made, hour, minute, second)

    def _year(self, number: str) -> _Year | None:
        """Return the year that a number of four digits is, in the calendar of its text."""
        year = int(number)
        if len(number) == _FULL and number[:2] in {"19", "20"}:
            return _Year(year, NEPALI if self.lang == "ne" and year > _THIS_YEAR + 1 else 0)
        if self.thai and 2450 <= year < 2650:  # noqa: PLR2004
            return _Year(year - _BUDDHIST)
        if self.arabic and 1300 <= year < 1500:  # noqa: PLR2004
            return _Year(year, ISLAMIC if year > _LAST_PERSIAN and self.lang != "fa" else PERSIAN)
        return None

    def _year_of_two(self, number: str, month: int = 0) -> _Year:
        year = int(number)
        if PERSIAN < month < ISLAMIC:
            return _Year(year + (1400 if year < 50 else 1300), PERSIAN)  # noqa: PLR2004
        if year <= _THIS_YEAR % 100 + 1:
            return _Year(2000 + year)
        return _Year(year + 2500 - _BUDDHIST if self.thai else year + 1900)

    def _era_year(self, number: str, start: int) -> _Year | None:
        era = _ERA.search(self.text[max(0, start - 4) : start])
        if era is None or era.lastindex is None:
            return None
        return _Year(int(number) + _ERA_YEARS[era.lastindex - 1])

    def _eastern_year(self, number: str, start: int) -> _Year | None:
        """Return the year before 年: of an era or of the Republic of China where it is short."""
        if len(number) == _FULL:
            return self._year(number)
        known = self._era_year(number, start) or _republican(number)
        return known or (self._year_of_two(number) if len(number) == _SHORT else None)

    def _made(self, year: _Year | None, month: str, day: str, place: _Place) -> Reading | None:
        """Return the date of a year, a month and a day, with the time behind it."""
        number = int(month)
        calendar = number // 100 * 100 if number > _MONTHS else year.calendar if year else 0
        if year is None or calendar not in {year.calendar, ETHIOPIAN}:
            return None
        number -= calendar if number > _MONTHS else 0
        try:
            made = _TO_DATE[calendar](year.number, number, int(day))
        except (OverflowError, ValueError):  # no such day, or a year of many digits
            return None
        return self._with_time(Reading(made, made, *place, calendar == 0))

    def _with_time(self, found: Reading) -> Reading:
        time = _TIME.match(self.text, found.stop)
        if time is None:
            return found
        before = time["before"].strip(" ,T|–-.()日일")
        half = half_of_day(before) if before else ""
        if half is None:
            return found
        hour = int(time["hour"])
        after = half_of_day(time["after"]) if time["after"] else ""
        half = (time["half"] or half or after or "").lower()
        if half and hour <= 12:  # noqa: PLR2004
            hour = hour % 12 + (12 if half.startswith("p") else 0)
        stop = time.end("minute") if time["second"] is None else time.end("second")
        found = found._replace(stop=max(stop, time.end("zone")))
        return _at(found, hour, int(time["minute"]), int(time["second"] or 0), _zone(time["zone"]))


class _Year(NamedTuple):
    """A year: its number, and what is added to the months of its calendar."""

    number: int
    calendar: int = 0


def _at(
    found: Reading, hour: int, minute: int, second: int, zone: timezone | None = None
) -> Reading:
    """Return a date with a time; as it is where there is no such time."""
    if hour > 23 or minute > 59 or second > 59:  # noqa: PLR2004
        return found
    day = found.value
    value = datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=zone)
    return Reading(value, value, found.start, found.stop, found.gregorian)


def _republican(number: str) -> _Year | None:
    """Return a year that counts from 1911; None where it isn't of the last decades."""
    return _Year(int(number) + 1911) if 79 <= int(number) < 200 else None  # noqa: PLR2004


def _of_ethiopian(year: int, month: int, day: int) -> date:
    """Return a day of the Ethiopian calendar: of a month of thirty days, or of the last five."""
    if not 0 < day <= (30 if month <= _MONTHS else 6):
        raise ValueError(day)
    return date.fromordinal(365 * year + year // 4 + 30 * month + day + _ETHIOPIAN_DAYS)


def _by_table(calendar: str, year: int, month: int, day: int) -> date:
    """Return a day of a calendar of which the days of each month are known.

    A month that the sight of the moon ends may have one more.
    """
    earliest, starts = months_of(calendar)
    at = _MONTHS * (year - earliest) + month - 1
    if not (0 <= at < len(starts) - 1 and 1 <= month <= _MONTHS):
        raise ValueError(year)
    if not 0 < day <= starts[at + 1] - starts[at] + 1:
        raise ValueError(day)
    return date(1970, 1, 1) + timedelta(starts[at] + day - 1)


_TO_DATE: Final[dict[int, Callable[[int, int, int], date]]] = {
    0: date,
    PERSIAN: partial(_by_table, "persian"),
    ISLAMIC: partial(_by_table, "islamic"),
    NEPALI: partial(_by_table, "nepali"),
    ETHIOPIAN: _of_ethiopian,
}


def _zone(text: str | None) -> timezone | None:
    if not text:
        return None
    if text[0] not in "+-":
        return UTC
    clock = text[1:].replace(":", "")
    offset = timedelta(hours=int(clock[:2]), minutes=int(clock[2:]))
    if offset.days:
        return None
    return timezone(-offset if text[0] == "-" else offset)
