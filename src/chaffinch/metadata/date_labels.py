"""What the label of a date says that it is of: "Updated: 5 May 2021", "2021-03-05 更新".

Labels are known by how their words begin, folded as `date_words.folded_word` does; "+" joins two
words, and "=" stands behind whole ones. In scripts without spaces they are sought in the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from chaffinch.elements.date_words import (
    folded_word,
    is_of_dates,
    month_beside,
    month_between,
    month_of,
)
from chaffinch.elements.dates_in_text import Reading, dates_in, day_of
from chaffinch.metadata.values import WORDS
from chaffinch.wording import any_of

DateRole = Literal["published", "created", "modified", "other", ""]
"""A day of creation is that of publication where none is labelled so."""

_ROLES: Final[dict[str, DateRole]] = {
    folded_word(stem): role
    for role, stems in WORDS["date_labels"].items()
    for stem in stems.split("|")
}
_UNSPACED_ROLES: Final[dict[str, DateRole]] = {
    word: role for role, words in WORDS["date_labels_unspaced"].items() for word in words.split("|")
}
_UNSPACED_LABEL: Final = re.compile(any_of(_UNSPACED_ROLES))
_ANNOUNCING: Final = frozenset(map(folded_word, WORDS["announcing_dates"].split("|")))
"""Words beside a label of a date, or in place of one: last, page, date."""
_BY: Final = frozenset((*WORDS["by"].split("|"), *WORDS["of"].split("|")))
_MOMENT: Final = "日時"  # of an event, or behind who posted
_SHORT: Final = 4  # letters up to which a word in capitals may be a name: Thu, Mar
_UNSPACED_LETTERS: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af]"
)
_NO_LABELS: Final = frozenset("public publicly publisher publishers publicity publicitate".split())
AROUND: Final = 60  # characters before or behind a date in which its label is
_FARTHEST: Final = 6  # words between
_SHORTEST, _LONGEST = 2, max(map(len, _ROLES))  # letters of the beginnings of words
_WORD: Final = re.compile(r"[^\s\d,.;:!?|/()\[\]{}<>«»„“”\"·•–—،।'’]+|©")
_ENDS: Final = re.compile(r"(?<!\d)[.!?。！？](?=\s+\S{3})(?!\s*[-–—])")
_UNTIL: Final = re.compile(
    rf"日?\W{{0,3}}(?:\w{{1,9}}\W{{1,3}})?(?:[-–—~〜]|(?:{WORDS['until']}))\W{{0,3}}(?:\w{{1,9}}\W{{0,3}})?",
    re.IGNORECASE,
)
"""What stands between the first and the last day of something, perhaps with their weekdays."""
_FIRST_DAY: Final = re.compile(
    r"(?<![\d:.,/-])\d{1,2}(?:er|st|nd|rd|th|º)?"
    r"(?P<month>\W{1,2}[^\d,:|]{3,24}|\.(?:\d\d?\.)|)" + _UNTIL.pattern + r"\Z",
    re.IGNORECASE,
)
"""The first day of something right before its last one: 15–20 July, 1.4. - 31.10.2023."""
_UNTIL_TIME: Final = re.compile(
    r"(?:\s?[ap]\.?m\.?|\s?uhr)?\s?[-–—~〜～]\s?\d{1,2}(?::\d\d|\s?[ap]\.?m\b)", re.IGNORECASE
)
"""What stands behind the day and time from which something takes place."""
_BAR: Final = re.compile(r"[|•·/–—]")
_LABEL_GOES_ON: Final = re.compile(r"\s*(?:[:：]|\d)")


class DatedPart(NamedTuple):
    """A date of a line, and what its label says that it is of; "" where it has none."""

    reading: Reading
    role: DateRole


@lru_cache(maxsize=256)
def dated_parts(text: str, locale: str = "") -> tuple[DatedPart, ...]:
    """Return the dates of a line with what their labels say.

    A label stands before its date; in lines such as «2021-03-05 更新», behind it.
    """
    plain, found = dates_in(text, locale)
    if not found:
        return ()
    stops = [0, *(one.stop for one in found)]
    starts = [*(one.start for one in found[1:]), len(plain)]
    before = [
        plain[max(stop, one.start - AROUND) : one.start]
        for stop, one in zip(stops, found, strict=False)
    ]
    roles = [label_before(one) for one in before]
    if not roles[0]:
        following = [
            _label_behind(plain[one.stop : min(start, one.stop + AROUND)])
            for one, start in zip(found, starts, strict=True)
        ]
        if following[-1]:
            roles = following
    for at, (one, own) in enumerate(zip(found, before, strict=True)):
        if not roles[at] and (_ends_span(own) or _UNTIL_TIME.match(plain, one.stop)):
            roles[at] = "other"
    for at, (one, after) in enumerate(pairwise(found)):
        days = (day_of(after.value) - day_of(one.value)).days  # one day in two calendars is none
        may_be_first = days > 1 and {*roles[at : at + 2]} <= {"", "other"}
        if may_be_first and _UNTIL.fullmatch(plain, one.stop, after.start):
            roles[at] = roles[at + 1] = "other"
    return tuple(DatedPart(*one) for one in zip(found, roles, strict=True))


def _ends_span(text: str) -> bool:
    """Return whether a text before a date ends with the first day of what ends with the date."""
    found = _FIRST_DAY.search(text)
    if found is None:
        return False
    month, before = found["month"].strip(" ."), text[: found.start()]
    if not month:
        is_close = found.end() == found.end("month") + 1
        return is_close or month_beside(before, before=True) > 0
    return month.isdecimal() or month_between(month) > 0


def without_dates(text: str, locale: str = "") -> str:
    """Return a line with a bar in place of its dates and what announces them: "Ann Roe | Oslo"."""
    plain, found = dates_in(text, locale)
    if not found:
        return text
    text = text if len(text) == len(plain) else plain
    stops = [0, *(one.stop for one in found)]
    starts = [*(one.start for one in found), len(text)]
    pieces = [_unannounced(text, *edges) for edges in zip(stops, starts, strict=True)]
    return " | ".join(filter(None, pieces))


def _unannounced(text: str, start: int, stop: int) -> str:
    """Return what stands between two dates, without what ends the one and announces the other."""
    words = [*_WORD.finditer(text, start, stop)]
    first, last, after = 0, len(words), ""
    while start and first < last and words[first][0].lower() not in _BY:
        if not _is_part(words[first][0], folded_word(words[first][0])):
            break
        first += 1
    while first < last and stop < len(text):
        written, word = words[last - 1][0], folded_word(words[last - 1][0])
        is_label = bool(_role_of_word(word) or _UNSPACED_LABEL.match(written))
        is_label |= f"{word}+{after}" in _ROLES
        before = folded_word(words[last - 2][0]) if last - first > 1 else ""
        is_day = is_of_dates(word) and (
            before in _ANNOUNCING or _role_of_word(before)
        )  # names look like short weekdays
        if not (is_label or is_day):
            is_part, following = _is_part(written, word), stop
            if last < len(words):
                following = words[last].start()
            if not is_part or _BAR.search(text, words[last - 1].end(), following):
                break  # Jan Post | 4 May
        is_apart = last < len(words) or text[words[last - 1].end()] != " "
        if month_of(word) and is_apart and not (is_day or written.islower()):
            break  # the name of somebody: Anna Maj, 3 May
        last, after = last - 1, word
    return text[words[first].start() : words[last - 1].end()] if first < last else ""


def _is_part(written: str, word: str) -> bool:
    """Return whether a word, as written and folded, stands in dates or by itself before one."""
    is_filler = is_of_dates(word) and (written.islower() or len(word) > _SHORT)
    return is_filler or word in _ANNOUNCING or month_of(word) > 0


def _label_behind(text: str) -> DateRole:
    """Return the role of the label that a text begins with, unless it is that of what follows."""
    words = labels_in(text.partition("©")[0])  # which stands before its year
    if not words or words[0][0] > _FARTHEST * 3 or _LABEL_GOES_ON.match(text, words[0][1]):
        return ""
    return words[0][2]


@lru_cache(maxsize=1024)
def label_before(text: str) -> DateRole:
    """Return what the last label of a text that stands before a date says that it is of."""
    for end in [found.end() for found in _ENDS.finditer(text)][-1:]:
        text = text[end:]
    labels = labels_in(text)
    if not labels:
        return ""
    start, stop, role = labels[-1]
    if text[start:stop] == _MOMENT and any(one[2] == "published" for one in labels):
        role = "published"
    return role if len(_WORD.findall(text[stop:])) <= _FARTHEST else ""


def labels_in(text: str) -> list[tuple[int, int, DateRole]]:
    """Return (start, end, role) of the labels of a text, in order."""
    out: list[tuple[int, int, DateRole]] = []
    words = [(found.start(), found.end(), folded_word(found[0])) for found in _WORD.finditer(text)]
    after_pair = 0
    for at, (start, stop, word) in enumerate(words):
        if start < after_pair:
            continue
        if word == "©":
            out.append((start, stop, "other"))
            continue
        pair = _ROLES.get(f"{word}+{words[at + 1][2]}") if at + 1 < len(words) else None
        if role := pair or _role_of_word(word):
            after_pair = words[at + 1][1] if pair else stop
            out.append((start, after_pair, role))
    if not text.isascii() and _UNSPACED_LETTERS.search(text):
        out += [(f.start(), f.end(), _UNSPACED_ROLES[f[0]]) for f in _UNSPACED_LABEL.finditer(text)]
        out.sort()
    return out


@lru_cache(maxsize=4096)
def _role_of_word(word: str) -> DateRole:
    """Return the role of the longest label that a word begins with."""
    if word in _NO_LABELS:
        return ""
    if whole := _ROLES.get(f"{word}="):
        return whole
    sizes = range(min(len(word), _LONGEST), _SHORTEST - 1, -1)
    return next((role for size in sizes if (role := _ROLES.get(word[:size]))), "")
