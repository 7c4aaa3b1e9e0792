"""Whether a changed quote says something else: another number, date, name or negation.

Numbers are compared by their value, in figures of any script and words of some thirty languages,
months and weekdays by their names (`fact_words.json`), negations by how many there are
(`negations.json`, and what stands within words). A name is a word with a capital that stands for
another word or is nowhere in the content; in German that is any noun. Where a script has no
capitals any word that stands for one unlike it may be a name, and counts as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from decimal import Decimal
from functools import cache
from importlib import resources
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from chaffinch.alignment import matched
from chaffinch.citation.folding import words
from chaffinch.saved_data import read_json

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_HAN: Final = dict(
    zip(
        "〇零一二三四五六七八九两兩十百千万萬亿億",
        (*(0, 0), *range(1, 10), 2, 2, 10, 100, 1000, *(10**4,) * 2, *(10**8,) * 2),
        strict=True,
    )
)
_HAN_DIGITS: Final = "".join(_HAN)
_TOKEN: Final = re.compile(
    r"((?:(?<![\w.,])[-\u2212])?\d+(?:[.,'\u2019\u066b\u066c]\d+| \d{3}(?!\d))*+)"
    rf"|([{_HAN_DIGITS}]+)|([^\s\d{_HAN_DIGITS}.,;:!?…।。，、！？：；「」『』()\[\]\"“”«»„\u2013\u2014/|-]+)"
)
"""A number in figures, one in Han, or a word with its apostrophes and vowel signs."""
_SEPARATOR: Final = re.compile(r"[.,'\u2019\u066b\u066c ]")
_UNITS: Final = re.compile(r"[%‰$€£¥₹₽₩฿]")
_GROUP: Final = 3
_HUNDRED: Final = 100
_THOUSAND: Final = 1000
_LONGEST_NUMBER: Final = 30
"""Digits of a number that is compared by its value; longer ones are compared as written."""
_SCALES: Final = (
    (10**9, ("milliard", "miliard", "milyar", "mrd", "млрд", "миллиард", "мільярд", "billion")),
    (10**6, ("milli", "mili", "milj", "milh", "mln", "mio", "млн", "миллион", "мільйон", "milyon")),
    (10**3, ("thousand", "tausend", "тысяч", "тисяч", "tysi", "tisíc")),
)
"""How words of many languages begin that multiply the number before them."""
_NEGATIVE_PARTS: Final = {
    "zh": re.compile(
        r"不(?![过過仅僅但久断斷同少只])|[没沒无無勿莫]|未(?![来來])|非(?![常洲])|别(?![人的])"
    ),
    "ja": re.compile(r"な(?:い|く|かっ|けれ)|ません|ずに|[ぬず](?=[。、]|$)|[無不未非]"),
    "ko": re.compile(r"않|못|없|아니|안 |지 마"),
    "th": re.compile(r"ไม่|อย่า|ห้าม|ไร้"),
    "tr": re.compile(r"\w\wm[ae](?:d[ıi]|yac|yec|z\b|m[ıi]ş|y[ıi]n)|\wm[ıiuü]yor"),
    "az": re.compile(r"\w\wm[ae](?:d[ıi]|yəc|yac|z\b|m[ıi]ş)|\wm[ıiuü]r"),
    "fa": re.compile(r"(?<!\w)ن(?:می|خواه)"),
    "en": re.compile(r"n['\u2019]t\b", re.IGNORECASE),
    "sq": re.compile(r"\bs['\u2019]"),
    "my": re.compile(r"ဘူး|မဟုတ်"),
}
"""Negations within words, by language."""
_PARTICLE: Final = re.compile(r"\b(?:ne\b|n['\u2019])", re.IGNORECASE)
"""Of French, which goes with «pas» and its like: both are one negation."""
_PREFIXES: Final = tuple("un in im il ir non dis mis not ne nie nicht не ни без bez nem ej".split())
_LEAST_STEM: Final = 4
"""Letters of a word that a prefix negates."""
_SAME_STEM: Final = 5
"""Letters that two forms of a name have in common."""
_ENDING: Final = 2
_STOP: Final = re.compile(r"(?<!\W)[^\w.!?:;。！？：]*+[.!?:;。！？：]\W*+\Z")
_FUNCTION: Final = frozenset(
    "的地得了着是在和与及或也都就而很把被将之其这那此该于从向对为以所等吗呢吧啊与跟同"
)
_KANA: Final = re.compile("[\u3041-\u309f]+")
_MOST: Final = 8
"""Words of a gap that are compared with one another."""


def contradicts(quote: str, passage: str, language: str, known: Container[str]) -> bool:
    """Return whether a number, date, name or negation of a quote isn't that of the passage.

    Args:
        quote: folded.
        passage: of the content that is most like it, folded.
        language: BCP 47 code of the content's; "" if unknown.
        known: the words of the content in lower case.
    """
    code = language.partition("-")[0].lower() or "en"
    code = "no" if code in {"nb", "nn"} else code
    return (
        _differ(_numbers(quote, code), _numbers(passage, code))
        or _differ(_days(quote, code), _days(passage, code))
        or _negations(quote, code) != _negations(passage, code)
        or _units_differ(quote, passage)
        or _other_words(quote, passage, code, known)
    )


@cache
def _facts() -> dict[str, dict[str, dict[str, int]]]:
    file = resources.files(__package__).joinpath("fact_words.json")
    found: dict[str, Any] = read_json(file.read_text(encoding="utf-8"))
    return found


@cache
def _negative_words() -> dict[str, frozenset[str]]:
    file = resources.files(__package__).joinpath("negations.json")
    held: dict[str, str] = read_json(file.read_text(encoding="utf-8"))
    return {code: frozenset(own.split()) for code, own in held.items()}


def _differ(quote: list[str], passage: list[str]) -> bool:
    """Return whether a quote has facts that a passage lacks, or the same in another order."""
    if Counter(quote) - Counter(passage):
        return True
    return len(quote) == len(passage) and quote != passage


def _units_differ(quote: str, passage: str) -> bool:
    own, other = _UNITS.findall(quote), _UNITS.findall(passage)
    return bool(own and other) and _differ(own, other)


# Numbers


def _numbers(text: str, code: str) -> list[str]:
    """Return the values of the numbers of a text, in order, in one spelling."""
    named = _facts().get(code, _facts()["en"])["numbers"]
    run = _Run()
    end = 0
    for found in _TOKEN.finditer(text):
        if text[end : found.start()].strip(" -\u2010"):
            run.close()
        end = found.end()
        figures, han, word = found.groups()
        if figures:
            run.close()
            run.begin(_value(figures))
        elif han:
            run.add_han(han)
        else:
            lower = word.lower()
            value = named.get(lower) or _scale(lower)
            if value is None:
                run.close()
            else:
                run.add(value)
    run.close()
    return run.values


class _Run:
    """Words of numbers that follow one another, and what they have come to."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self._whole = self._part = Decimal(0)
        self._count = 0
        self._written = ""

    def begin(self, value: Decimal | str) -> None:
        """Begin with a number in figures."""
        self._count = 2
        if isinstance(value, str):
            self._written = value
        else:
            self._part = value

    def add(self, value: int) -> None:
        """Add a word."""
        self._count += 1
        if value >= _THOUSAND:
            self._whole += (self._part or Decimal(1)) * value
            self._part = Decimal(0)
        elif value == _HUNDRED and self._part < _THOUSAND:
            self._part = (self._part or Decimal(1)) * value
        else:
            self._part += value

    def add_han(self, digits: str) -> None:
        """Add a number in Han: digit by digit, or with their powers of ten."""
        values = [_HAN[digit] for digit in digits]
        if len(values) > 1 and max(values) < 10:  # noqa: PLR2004  a year, such as 二〇一九
            self._count += 2
            self._part = Decimal("".join(map(str, values)))
            return
        digit = 0
        for value in values:
            self._count += 1
            if value >= 10_000:  # noqa: PLR2004
                self._whole += (self._part + digit or 1) * value
                self._part, digit = Decimal(0), 0
            elif value >= 10:  # noqa: PLR2004
                self._part += (digit or 1) * value if not self._part or digit else value
                digit = 0
            else:
                digit = value
        self._part += digit

    def close(self) -> None:
        """End a number; «one» alone is an article in many languages, and none."""
        value = self._whole + self._part
        if self._written:
            self.values.append(self._written)
        elif self._count > 1 or (self._count and value != 1):
            self.values.append(_plain(value))
        self._whole = self._part = Decimal(0)
        self._count, self._written = 0, ""


def _scale(word: str) -> int | None:
    return next((value for value, starts in _SCALES if word.startswith(starts)), None)


def _value(figures: str) -> Decimal | str:
    """Return the value of a number in figures; as written where it is a date or too long."""
    sign = "-" if figures[0] in "-\u2212" else ""
    figures = figures.lstrip("-\u2212")
    parts = _SEPARATOR.split(figures)
    parts = ["".join(str(unicodedata.decimal(digit)) for digit in part) for part in parts]
    if sum(map(len, parts)) > _LONGEST_NUMBER:
        return sign + ".".join(parts)
    grouped = len(parts[-1]) == _GROUP and 0 < len(parts[0]) <= _GROUP and parts[0] != "0"
    if len(parts) == 1 or grouped:
        return Decimal(sign + "".join(parts))
    *whole, last = parts
    if all(len(part) == _GROUP for part in whole[1:]):
        return Decimal(f"{sign}{''.join(whole)}.{last}")
    return sign + ".".join(part.lstrip("0") or "0" for part in parts)


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Days, negations


def _days(text: str, code: str) -> list[str]:
    held = _facts().get(code, _facts()["en"])
    found = []
    for token in _TOKEN.finditer(text):
        word = token[3] or ""
        for kind in ("months", "weekdays"):
            if (number := held[kind].get(word.lower())) is None:
                continue
            if code != "en" or word[0].isupper():  # «may» and «march» are verbs
                found.append(f"{kind} {number}")
    return found


def _negations(text: str, code: str) -> int:
    """Return how many negations a text has."""
    own = _negative_words().get(code, frozenset())
    tokens = (found[3].lower() for found in _TOKEN.finditer(text) if found[3])
    count = sum(token.strip("'\u2019") in own for token in tokens)
    if (parts := _NEGATIVE_PARTS.get(code)) is not None:
        count += len(parts.findall(text))
    return max(count, len(_PARTICLE.findall(text))) if code == "fr" else count


# Names, and words with a prefix


def _other_words(quote: str, passage: str, code: str, known: Container[str]) -> bool:
    """Return whether a word of the quote is another name, or the negation of one."""
    own, other = words(quote), words(passage)
    gaps = list(_gaps([one[0] for one in own], [one[0] for one in other]))
    moved = {passage_word.casefold() for _, there in gaps for passage_word in there}
    at = _Places(quote, own, known)
    for here, all_there in gaps:
        texts, there = [own[place][0] for place in here[:_MOST]], all_there[:_MOST]
        if any(_negate(one, two) for one in texts for two in there):
            return True
        for place in here:
            word = own[place][0]
            replaced = [one for one in there if not _is_form(word, one, code)]
            if at.is_name(place, there) and (
                (replaced and len(replaced) == len(there))
                or word.casefold() in moved
                or (not there and word.casefold() not in known)
            ):
                return True
    return False


def _gaps(quote: list[str], passage: list[str]) -> Iterator[tuple[list[int], list[str]]]:
    """Yield the places of words of the quote that aren't the passage's, and the words there."""
    lower = [[word.casefold() for word in side] for side in (quote, passage)]
    one = other = 0
    for here, there in [*matched(*lower), (len(quote), len(passage))]:
        if here > one or there > other:
            yield list(range(one, here)), passage[other:there]
        one, other = here + 1, there + 1


class _Places:
    """Which words of a quote may be names."""

    def __init__(self, text: str, own: list[re.Match[str]], known: Container[str]) -> None:
        self._text, self._own, self._known = text, own, known

    def is_name(self, place: int, there: list[str]) -> bool:
        """Return whether a word may be a name, of which others stand in its place."""
        found = self._own[place]
        word = found[0]
        if not word[0].isalpha():
            return False
        if word.lower() == word.upper():
            return bool(there) and _may_be_name(word, there)
        if not word[0].isupper():
            return False
        before = self._text[max(found.start() - 4, 0) : found.start()]
        if before.strip() and not _STOP.search(before):
            return True
        return any(one[0].isupper() and len(one) > 1 for one in there) and len(word) > 1


def _may_be_name(word: str, there: list[str]) -> bool:
    """Return whether a word of a script without capitals isn't one of grammar."""
    both = {word, *there}
    return not (both & _FUNCTION) and not all(map(_KANA.fullmatch, both))


def _is_form(word: str, other: str, code: str) -> bool:
    """Return whether two words are forms of one; in English names have but one."""
    one, two = word.casefold(), other.casefold()
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    if one.lower() == one.upper():  # no capitals
        return alike >= _ENDING and alike >= min(len(one), len(two)) - _ENDING
    if code == "en":
        return False
    is_start = alike >= min(len(one), len(two)) and abs(len(one) - len(two)) <= _ENDING
    return is_start or alike >= _SAME_STEM


def _negate(word: str, other: str) -> bool:
    """Return whether one of two words is the other behind a prefix that negates it."""
    short, long = sorted((word.casefold(), other.casefold()), key=len)
    is_end = len(short) >= _LEAST_STEM and long.endswith(short)
    return is_end and long.removesuffix(short) in _PREFIXES
