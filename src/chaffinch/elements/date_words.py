"""What words of dates mean: months of several calendars, words between numbers, "3 days ago".

The words are of CLDR; ``training/date_words.py`` collects them. They are read when the first text
asks for one.
"""

import re
import unicodedata
from bisect import bisect_left
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from chaffinch.caching import cached_property, kept_of_short_texts
from chaffinch.elements import WORDS
from chaffinch.storage import read_json

_ABOVE: Final = 200  # combining classes of marks that pages leave out: accents, not vowels of Hindi
_SIGNS: Final = dict.fromkeys(map(ord, ".'’‘ʼʻ׳`\u00ad\u200b\u200c\u200d\u200e\u200f\u0640")) | {
    ord("ı"): "i",  # in capitals they are the same: 17 KASIM
    **dict(zip(map(ord, "یىک"), "ييك", strict=True)),  # Persian is typed with Arabic's letters, too
}
_STEM: Final = 4  # letters in which a case of a name is the same as the name
_ENDING: Final = 3  # letters of a case that may differ
_MOST_WORDS: Final = 3  # of a name
_SPLIT: Final = re.compile(r"[\s,/()\[\]\-–—،၊«»|·•・:]+")
_BEFORE_NAMES: Final = ("ב", "ל", "เดือน", "ເດືອນ", "ខែ")
"""What stands before a month's name without a space: "in" and "to" in Hebrew; "month"."""
PERSIAN: Final = 100
ISLAMIC: Final = 200
NEPALI: Final = 300
ETHIOPIAN: Final = 400  # added to the numbers of months of these calendars
_LEAST_DAY: Final = 4  # letters of a word that is a date by itself: no "no" or "ma"
_MOST_NEAR: Final = 5  # words of a date from now, but for its number
_WIDTH: Final = 24  # characters of a word, or of words before a number
_COUNT: Final = re.compile(r"(?<![\d.,:/_-])\d{1,3}(?![\d:/_-]|[.,]\d)")
_SIGN_OF_TIME: Final = re.compile(r"\d[:.hH時时]\d\d")
WITHOUT_COUNT: Final = tuple(WORDS["dates without a number"])
"""Each date from now without a number or time contains one of these, in the usual capitals."""
_BEHIND_COUNT: Final = re.compile(r"\+?\s?[^\d,;|()·•»]{1,40}")
_BEFORE_COUNT: Final = re.compile(r"[^\d,;|()·•»:]{2,24}\Z")
_LARGER_UNITS: Final = re.compile(r"(?:\b\d{1,3}\s?[^\W\d_]{1,9},?\s){1,4}\Z")
_NEAR_WORD: Final = re.compile(r"[^\s\d,;:|()·•»+]+")
_NEAR_UNSPACED: Final = re.compile(
    "今天|昨天|前天|今日|昨日|一昨日|오늘|어제|그제|วันนี้|เมื่อวานนี้|เมื่อวาน"
)
_JUST_NOW: Final = re.compile("刚刚|剛剛|たった今|방금(?: 전)?")
_CLOCK: Final = re.compile(r"[,\s]*(?:[^\W\d_]{1,8}\s?)?\d{1,2}[:.hH時时시]\s?\d\d")
_DAY_OR_YEAR: Final = re.compile(r"(?<![\d.:/-])(?:\d{1,2}|(?:19|20)\d\d)(?![\d:/])")
_DAY_WITH_TIME: Final = re.compile(r"(?<![\d./-])\d{1,2}[./-]\d{1,2}\.?\s\d{1,2}:\d\d")
_UNIT_OF_DAY: Final = re.compile(r"[月월]\s?\d{1,2}\s?[日일]|\s?tháng\s\d{1,2}")
_OF_MONTHS: Final = frozenset("of de d di th st nd rd er".split())
_TOOLTIPS: Final = frozenset(WORDS["attributes of tooltips"].split())
"""Attributes that hold what `MOMENTS` hold, or something else."""
MOMENTS: Final = (*WORDS["attributes of moments"].split(), *sorted(_TOOLTIPS))
"""Attributes that hold the day of what an element shows, such as "3 days ago", surest first."""
MOMENT_NAMES: Final = frozenset(MOMENTS)
_SUREST: Final = frozenset(MOMENTS[: MOMENTS.index("data-timestamp")])
_LONGEST_MOMENT: Final = 40  # characters of what is shown of others
_BEFORE, _BEHIND, _MONTH, _OF = 1, 2, 4, 8
"""What a word beside a number may be: part of a date from now, a month, a word before one."""
_SIGNS_AROUND: Final = ".,;:|()·•»+"
_COMMON_DOMAINS: Final = frozenset("ai cc co fm io me tv us".split())
"""Domains of countries under which pages for everybody stand, and that of the United States."""


def folded_word(text: str) -> str:
    """Return a text by which words of dates are known: without capitals, accents and points."""
    low = text.casefold().translate(_SIGNS)
    if low.isascii():
        return low
    low = unicodedata.normalize("NFKD", low).translate(_SIGNS)
    return "".join([one for one in low if unicodedata.combining(one) < _ABOVE])


class _Words:
    """The words, folded."""

    @cached_property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = read_json(Path(__file__).with_name("date_words.json").read_bytes())
        return data

    @cached_property
    def months(self) -> dict[str, int]:
        return {
            word: 100 * at + int(number)
            for at, calendar in reversed(list(enumerate(("months", "persian", "islamic"))))
            for number, words in self.data[calendar].items()
            for word in words.split("|")
        }

    @cached_property
    def sorted_months(self) -> list[str]:
        return sorted(self.months)

    @cached_property
    def passed(self) -> frozenset[str]:
        """Words that may stand between day, month and year."""
        return frozenset(
            "|".join((self.data["fillers"], *self.data["weekdays"].values())).split("|")
        )

    @cached_property
    def halves(self) -> dict[str, str]:
        return {word: half for half in ("am", "pm") for word in self.data[half].split("|")}

    @cached_property
    def relative(self) -> frozenset[str]:
        """Dates from now without their spaces: "#daysago", "yesterday"."""
        return frozenset(self.data["relative"].replace(" ", "").split("|"))

    @cached_property
    def beside_counts(self) -> tuple[frozenset[str], frozenset[str]]:
        """Words right before and right behind the number of a date from now."""
        halves = [one.partition("#") for one in self.data["relative"].split("|") if "#" in one]
        return (
            frozenset(before.split()[-1] for before, _, _ in halves if before.strip()),
            frozenset(behind.split()[0] for _, _, behind in halves if behind.strip()),
        )


_WORDS: Final = _Words()


@kept_of_short_texts(4096)
def is_of_dates(word: str) -> bool:
    """Return whether a word is a day of the week, or stands between day, month and year."""
    return folded_word(word) in _WORDS.passed


@kept_of_short_texts(256)
def weekdays_of(word: str) -> frozenset[int]:
    """Return the days of the week, 0 for Monday, that a word names in any language."""
    named, days = f"|{folded_word(word)}|", _WORDS.data["weekdays"].items()
    return frozenset(int(day) for day, names in days if named in f"|{names}|")


def month_of(name: str, lang: str = "") -> int:
    """Return the number of the month that some words name, in any case; 0 where they name none.

    Of any capitals and accents; in a few languages a name means another month than elsewhere.
    """
    word = folded_word(name)
    months = _WORDS.months
    if lang and (other := _WORDS.data["of_language"].get(lang, {}).get(word)):
        return int(other)
    if (known := months.get(word)) is not None:
        return known
    for prefix in _BEFORE_NAMES:
        if word.startswith(prefix) and (known := months.get(word.removeprefix(prefix))) is not None:
            return known
    return _case_of(word)


def _case_of(word: str) -> int:
    """Return the month of which a word is another case: a longer form, or one like Georgian's."""
    names, months, found = _WORDS.sorted_months, _WORDS.months, set()
    stem, latin = word[:_STEM], word.isascii()
    if len(word) <= _STEM:
        return 0
    for at in range(bisect_left(names, stem), len(names)):
        name = names[at]
        if not name.startswith(stem):
            break
        pairs = enumerate(zip(name, word, strict=False))
        same = next((n for n, (one, two) in pairs if one != two), min(len(name), len(word)))
        longest = len(name) if latin else max(len(name), len(word)) - _ENDING
        if len(name) > _STEM and same >= max(longest, len(word) - _ENDING):
            found.add(months[name])
    return found.pop() if len(found) == 1 else 0


@kept_of_short_texts(4096)
def month_between(text: str, lang: str = "") -> int:
    """Return the month that stands alone between two numbers, but for words such as "of".

    0 where nothing but such words and signs is there, -1 where something else is.
    """
    if "/" in text or "(" in text:  # a month of two names: حزيران/يونيو
        names = text.replace("(", "/").split("/")
        months = {month_between(one, lang) for one in names if one.strip()}
        if len(months) == 1:
            return months.pop()
    words = [one for one in _SPLIT.split(folded_word(text)) if one]
    passed = _WORDS.passed
    named = [one for one in words if one not in passed or one in _WORDS.months]
    if not named:
        return 0
    span = slice(words.index(named[0]), len(words) - words[::-1].index(named[-1]))
    for some in (words, words[span], [one for one in words if one not in passed]):
        if len(some) <= _MOST_WORDS and (month := month_of(" ".join(some), lang)):
            return month
    return -1


def month_beside(text: str, lang: str = "", *, before: bool) -> int:
    """Return the month that a text ends with, or begins with; 0 where it does with none."""
    words = [one for one in _SPLIT.split(folded_word(text)) if one]
    words = words[::-1] if before else words
    while words and words[0] in _WORDS.passed and words[0] not in _WORDS.months:
        words = words[1:]
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        name = words[:count][::-1] if before else words[:count]
        if month := month_of(" ".join(name), lang):
            return month
    return 0


@kept_of_short_texts(1024)
def half_of_day(text: str) -> str | None:
    """Return "am" or "pm" where a text beside a time names one, "" for other words, else None."""
    words = [one for one in _SPLIT.split(folded_word(text)) if one]
    if whole := _WORDS.halves.get(" ".join(words)):
        return whole
    found = ""
    for word in words:
        if len(word) > 1 and (half := _WORDS.halves.get(word)):
            found = half
        elif word not in _WORDS.passed and word not in _BEFORE_TIMES:
            return None
    return found


_BEFORE_TIMES: Final = frozenset(WORDS["words before times"].split())
"""What stands before a time, folded."""

_WRITTEN: Final = {"-dmy": "d/M/y", "-mdy": "M/d/y"}


def order_of(locale: str) -> str:
    """Return the order of day, month and year and the sign between: "d/M/y", "M/d/y", "y.M.d".

    ``locale`` is a language, or one and a country, in lower case: "en-gb"; with "-dmy" or "-mdy"
    behind where the page's own dates tell.
    """
    orders: dict[str, str] = _WORDS.data["orders"]
    known = _WRITTEN.get(locale[-4:]) or orders.get(locale)
    if known is None:
        language, _, rest = locale.partition("-")
        known = orders.get(f"{language}-{rest.rpartition('-')[2]}") or orders.get(language, "d/M/y")
    return known


@kept_of_short_texts(256)
def locale_of(lang: str, host: str) -> str:
    """Return the language and country in whose order a page writes dates.

    ``lang`` is the page's, such as "en-GB", or ""; the domain of a country says more than that.
    """
    locale = lang.lower().replace("_", "-")
    domain = host.rpartition(".")[2].lower()
    if len(domain) != 2 or domain in _COMMON_DOMAINS or "-" in locale:  # noqa: PLR2004  a country's
        return locale or "en"
    if not locale:
        return _LANGUAGE_OF_DOMAIN.get(domain, "und")
    return f"{locale}-{'gb' if domain == 'uk' else domain}"


_LANGUAGE_OF_DOMAIN: Final[dict[str, str]] = WORDS["languages of domains"]


def relative_span(text: str) -> tuple[int, int] | None:
    """Return where a date that counts from now stands in a line, such as "3 days ago"; None: none.

    Without a number it is several words, "an hour ago", or stands before a time, "today 10:15".
    """
    for count in _COUNT.finditer(text):
        start, stop = count.span()
        before, behind = _beside(text, start, stop)
        counts = _kind_of(behind) & _BEHIND or _kind_of(before) & _BEFORE
        if counts and (found := _around_count(text, start, stop)) is not None:
            return found
    if not text.isascii() and (just := _JUST_NOW.search(text)):
        return just.span()
    if _SIGN_OF_TIME.search(text) or any(map(text.__contains__, WITHOUT_COUNT)):
        return _without_count(text)
    return None


def is_day_from_now(text: str) -> bool:
    """Return whether a text is one word such as "yesterday" and nothing else."""
    own = folded_word(text.strip(f"{_SIGNS_AROUND} "))
    return (len(own) >= _LEAST_DAY or not own.isascii()) and own in _WORDS.relative


def _beside(text: str, start: int, stop: int) -> tuple[str, str]:
    """Return the words before and behind a number, "" for none."""
    before = text[max(0, start - _WIDTH) : start].split()
    behind = text[stop : stop + _WIDTH].split(None, 1)
    return before[-1] if before else "", behind[0] if behind else ""


@kept_of_short_texts(8192)
def _kind_of(word: str) -> int:
    """Return the bits of what a word beside a number may be."""
    befores, behinds = _WORDS.beside_counts
    own = folded_word(word.strip(_SIGNS_AROUND))
    kind = _BEFORE * (own in befores) | _BEHIND * (own in behinds) | _OF * (own in _OF_MONTHS)
    if own and not own[0].isascii():
        kind |= _BEHIND * any(own[:size] in behinds for size in range(1, min(len(own), _WIDTH)))
    return kind | _MONTH * (_WORDS.months.get(own, PERSIAN) < PERSIAN)


def _without_count(text: str) -> tuple[int, int] | None:
    words = list(_NEAR_WORD.finditer(text))
    folded = [folded_word(word[0]) for word in words]
    for at, word in enumerate(words):
        for size in range(min(_MOST_NEAR, len(words) - at), 0, -1):
            if "".join(folded[at : at + size]) in _WORDS.relative:
                stop = words[at + size - 1].end()
                clock = _CLOCK.match(text, stop)
                if clock is not None or size > 1:
                    return word.start(), clock.end() if clock else stop
        near = None if word[0].isascii() else _NEAR_UNSPACED.match(word[0])
        clock = _CLOCK.match(text, word.start() + near.end()) if near else None
        if clock is not None:
            return word.start(), clock.end()
    return None


def _around_count(text: str, start: int, stop: int) -> tuple[int, int] | None:
    """Return where the date from now stands of which a number is part; None where it is of none."""
    behind = _BEHIND_COUNT.match(text, stop)
    words = list(_NEAR_WORD.finditer(text, stop, behind.end() if behind else stop))
    before = _BEFORE_COUNT.search(text, max(0, start - _WIDTH), start)
    ends = [("", stop)]
    for one in words[: _MOST_NEAR + 1]:
        ends.append((ends[-1][0] + folded_word(one[0]), one.end()))
    if words and not words[0][0].isascii():
        first = folded_word(words[0][0])
        ends += [(first[:n], words[0].start() + n) for n in range(1, min(len(first), _WIDTH))]
    starts = [("", start)]
    prefix = list(_NEAR_WORD.finditer(text, before.start(), start)) if before else []
    for one in prefix[: -_MOST_NEAR - 1 : -1]:
        starts.append((folded_word(one[0]) + starts[-1][0], one.start()))
    known = _WORDS.relative
    whole = [(a, b) for key, a in starts for rest, b in ends if f"{key}#{rest}" in known]
    if not whole:
        return None
    begin, end = max(whole, key=lambda one: one[1] - one[0])
    if begin == start and (more := _LARGER_UNITS.search(text, max(0, start - 2 * _WIDTH), start)):
        begin = more.start()
    return begin, end


def day_and_month(text: str) -> tuple[int, int] | None:
    """Return where a day stands with a month, "3 May" or "5/12 14:05", or a month with a year."""
    if ":" in text and (timed := _DAY_WITH_TIME.search(text)):
        return timed.span()
    for number in _DAY_OR_YEAR.finditer(text):
        start, stop = number.span()
        before, behind = _beside(text, start, stop)
        if behind[:1] in {"月", "월", "t"} and (unit := _UNIT_OF_DAY.match(text, stop)):
            return start, unit.end()
        kind = _kind_of(behind)
        if kind & _OF or behind == ".":
            stop = text.index(behind, stop) + len(behind)
            behind = _beside(text, start, stop)[1]
            kind = _kind_of(behind)
        if kind & _MONTH and number.end() - start <= 2:  # noqa: PLR2004
            return start, text.index(behind, stop) + len(behind.rstrip(_SIGNS_AROUND))
        if before[-1:] != ";" and _kind_of(before) & _MONTH:  # not the volume, as in 2020 Mar;10
            return text.rindex(before, 0, start), number.end()
    return None


def tells_when(name: str, text: str) -> bool:
    """Return whether one of `MOMENTS` may hold the day of what shows a text.

    The surest may be anywhere, others where the text is short; and a tooltip, which may hold
    anything, where it counts from now or has no year.
    """
    if name in _SUREST:
        return True
    is_told = name not in _TOOLTIPS or relative_span(text) or day_and_month(text)
    return len(text) <= _LONGEST_MOMENT and bool(is_told)


def digits() -> dict[int, str]:
    """Return the digits of all scripts, each with the one of ASCII."""
    return {zero + n: str(n) for zero in _WORDS.data["zeros"] for n in range(10)}


@cache
def months_of(calendar: str) -> tuple[int, tuple[int, ...]]:
    """Return the first year of a calendar's table, and the first day of each month from 1970 on."""
    earliest, first, bits, *years = _WORDS.data["tables"][calendar]
    most = (1 << bits) - 1
    lengths = (29 + (one >> bits * month & most) for one in years for month in range(12))
    return earliest, tuple(accumulate(lengths, initial=first))
