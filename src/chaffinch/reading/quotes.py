"""Where a quote stands in the content, exactly or changed, and whether it contradicts it.

Exact is what is the same in NFKC with white space folded (`chaffinch.reading.words`). Else the
stretches of the content that have most words in common with the quote are aligned with it, and the
one with the most words in the same order counts: similarity is twice the words in common by the
words of both, 0..1, case aside. Each step takes time linear in the content and in the quote.

A changed quote is contradicted where a number, date, name or negation of it is another. Numbers are
compared by their value, in figures of any script and words of some thirty languages
(`fact_words.json`, which has weekdays, too), months by the words of dates, negations by how many
there are (`negations.json`, and what stands within words). A name is a word with a capital that
stands for another word or is nowhere in the content; in German that is any noun. Where a script has
no capitals any word that stands for one unlike it may be a name, and counts as one.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from itertools import chain, pairwise
from os.path import commonprefix
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from chaffinch.elements.date_words import month_of
from chaffinch.errors import require_text
from chaffinch.output.text import kept_lines
from chaffinch.page.selectors import css_of_each, xpath_of_each
from chaffinch.page_work import checked
from chaffinch.reading.blocks import block_ids, text_fragments
from chaffinch.reading.words import folded, has_words, joint, lower_words, matched, text_id, words
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.storage import read_json
from chaffinch.verdict import Content

Status: TypeAlias = Literal["exact", "changed", "contradicted", "absent"]

LEAST_SIMILARITY: Final = 0.8
"""Of a changed quote; below, another sentence about the same would be one."""
_TRIES: Final = 64  # places that are looked at where a quote stands amid words
_STRETCHES: Final = 4  # stretches of the content that are aligned with a quote
_STOP: Final = re.compile(r"[.!?。！？।]")
_LEAST_COMMON: Final = 0.5
"""Share of the quote's words that a stretch of its length has; one of similarity 0.8 has 2/3."""


@dataclass(frozen=True)
class Passage:
    """A passage of the content that a quote is from.

    Attributes:
        status: ``exact``, ``changed`` or ``contradicted``.
        similarity: 0..1, words in common in their order; 1 for an exact one.
        text: the passage as the content has it, white space folded.
        rows: half-open range of rows of the page; None in a title that it has no row for.
        ids: of the blocks it stands in, in order.
        selector: a CSS selector of the element around its first block; "" for no rows.
        xpath: the absolute XPath of the same.
        fragment: what is put behind the page's address for a browser to show it; "" for none.
        url: the page's address with the fragment; None where it is unknown.
    """

    status: Literal["exact", "changed", "contradicted"]
    similarity: float
    text: str
    rows: tuple[int, int] | None
    ids: tuple[str, ...]
    selector: str
    xpath: str
    fragment: str
    url: str | None


class _Found(NamedTuple):
    """A range of characters of the folded content, and how similar it is."""

    begin: int
    end: int
    status: Literal["exact", "changed", "contradicted"]
    similarity: float = 1.0


class ContentText:
    """The content as one folded text, line by line; made once for each content and title."""

    def __init__(self, content: Content, title: str) -> None:
        self.title = title  # a line above; "" for none
        lines = kept_lines(content)
        self.first, self.last = lines.first, lines.last
        parts: list[str] = []
        self.starts: list[int] = []  # where each line begins in the text
        length = 0
        for line in checked([title, *lines.texts] if title else lines.texts):
            own = folded(line)
            before = joint(parts[-1], own) if parts else ""
            self.starts.append(length + len(before))
            parts.append(before + own)
            length += len(parts[-1])
        self.text = "".join(parts)
        self.words, self.word_starts, self.word_ends = lower_words(self.text)

    def line_at(self, character: int) -> int:
        return bisect_right(self.starts, character) - 1

    def widened(self, first: int, last: int, before: int, behind: int) -> tuple[int, int]:
        """Return a range of words with so many more at its ends, within their sentences."""
        while before and first and not self._ends_between(first - 1):
            first, before = first - 1, before - 1
        while behind and last + 1 < len(self.words) and not self._ends_between(last):
            last, behind = last + 1, behind - 1
        return first, last

    def _ends_between(self, word: int) -> bool:
        gap = self.text[self.word_ends.item(word) : self.word_starts.item(word + 1)]
        return _STOP.search(gap) is not None

    def words_before(self, character: int) -> int:
        return int(self.word_starts.searchsorted(character))


def locate(
    content: Content, quote: str, *, title: str, url: str | None, language: Callable[[], str]
) -> Passage | None:
    """Return the passage that a quote is from; None where the content doesn't have it.

    The quote is plain text or Markdown; the title a heading above that no row is, "" for none. A
    changed quote is read in the language that ``language`` gives, "" for unknown.

    Raises:
        OptionError: the quote is no text.
    """
    require_text("quote", quote)
    text = content.derived(f"text {title}", lambda: ContentText(content, title))
    both = folded(quote), folded(unmarked(quote))
    exact = (_exact(text.text, one) for one in both)
    changed = (_changed(text, one, language) for one in both)
    found = next(filter(None, chain(exact, changed)), None)
    return None if found is None else _passage(content, text, found, url)


def _exact(text: str, wanted: str) -> _Found | None:
    """Return where whole words of the text are those wanted."""
    if not has_words(wanted):
        return None
    at = text.find(wanted)
    for _ in range(_TRIES):
        if at < 0:
            return None
        end = at + len(wanted)
        if _parts(text, at) and _parts(text, end):
            return _Found(at, end, "exact")
        at = text.find(wanted, at + 1)
    return None


def _parts(text: str, at: int) -> bool:
    """Return whether no word goes on over a character's beginning."""
    if not 0 < at < len(text):
        return True
    near = words(text[at - 1 : at + 1])
    return len(near) != 1 or near[0].end() - near[0].start() == 1


def _changed(text: ContentText, wanted: str, language: Callable[[], str]) -> _Found | None:
    """Return the most similar stretch of words, with those that stand for the quote's own."""
    quote = lower_words(wanted).words
    if not quote or not text.words:
        return None
    best: tuple[float, int, int, int, int] = (0.0, 0, 0, 0, 0)
    slack = len(quote) // 2 + 1
    for start in _stretches(text.words, quote):
        low = max(start - slack, 0)
        near = text.words[low : start + len(quote) + slack]
        similarity, first, last, before, behind = _aligned(quote, near)
        best = max(best, (similarity, -low - first, low + last, before, behind))
    similarity, first, last, before, behind = best[0], -best[1], *best[2:]
    first, last = text.widened(first, last, before, behind)
    common = len(matched(quote, text.words[first : last + 1]))
    whole = 2 * common / (len(quote) + last + 1 - first)
    if max(similarity, whole) < LEAST_SIMILARITY:
        return None
    begin, end = int(text.word_starts[first]), int(text.word_ends[last])
    while end < len(text.text) and unicodedata.category(text.text[end])[0] == "M":
        end += 1  # vowel signs that words are cut at
    differs = contradicts(wanted, text.text[begin:end], language(), {*text.words})
    return _Found(begin, end, "contradicted" if differs else "changed", whole)


def _stretches(text: list[str], quote: list[str]) -> list[int]:
    """Return where stretches of the quote's length begin that have most of its words."""
    size, wanted = min(len(quote), len(text)), {*quote}
    held = np.append(0, np.cumsum([word in wanted for word in checked(text)]))
    common = held[size:] - held[:-size]
    found = []
    for _ in range(_STRETCHES):
        at = int(common.argmax())
        if common[at] < max(1, int(_LEAST_COMMON * len(quote))):
            break
        found.append(at)
        common[max(at - size // 2, 0) : at + size // 2 + 1] = 0
    return found


def _aligned(quote: list[str], near: list[str]) -> tuple[float, int, int, int, int]:
    """Return similarity, first and last word of the part of ``near`` most like the quote.

    And how many of the quote's words stand before and behind those that are the same. Words at
    either end that are far from the others are left out while that makes it more similar.
    """
    pairs = matched(quote, near)
    places = [other for _, other in pairs]
    if not places:
        return 0.0, 0, 0, 0, 0

    def similarity(low: int, high: int) -> float:
        length = places[high - 1] - places[low] + 1
        return 2 * (high - low) / (len(quote) + length)

    low, high = 0, len(places)
    jumps = [0, *(at for at, (one, other) in enumerate(pairwise(places), 1) if other - one > 1)]
    for at in jumps:
        if similarity(at, high) > similarity(low, high):
            low = at
    for at in [*reversed(jumps), low]:
        if at > low and similarity(low, at) > similarity(low, high):
            high = at
    around = pairs[low][0], len(quote) - 1 - pairs[high - 1][0]
    return similarity(low, high), places[low], places[high - 1], *around


def _passage(content: Content, text: ContentText, found: _Found, url: str | None) -> Passage:
    lines = text.line_at(found.begin), text.line_at(found.end - 1)
    above = bool(text.title)
    first, last = (line - above for line in lines)
    ids = (text_id(text.title),) if first < 0 else ()
    rows, selector, xpath, fragment = None, "", "", ""
    if last >= 0:
        page = content.page
        rows = int(text.first[max(first, 0)]), int(text.last[last])
        ids = (*ids, *block_ids(content).within(rows))
        owner = text_blocks(page).owner_at(text.first[[max(first, 0)]])
        (selector,), (xpath,) = css_of_each(page, owner), xpath_of_each(page, owner)
        fragment = _fragment(content, text, found, rows)
    address = None if url is None else url.partition("#")[0] + fragment
    similarity = round(found.similarity, 3)
    held = text.text[found.begin : found.end]
    return Passage(found.status, similarity, held, rows, ids, selector, xpath, fragment, address)


def _fragment(content: Content, text: ContentText, found: _Found, rows: tuple[int, int]) -> str:
    """Return the text fragment of a passage; of its whole blocks where its words aren't theirs."""
    fragments = text_fragments(content)
    of_page = text_blocks(content.page)
    if not len(of_page):
        return ""
    first, last = of_page.block_at(np.array([rows[0], rows[1] - 1])).tolist()
    begin, end = fragments.block_words[first], fragments.block_words[last + 1]
    low, high = text.words_before(found.begin), text.words_before(found.end) - 1
    for line, word in ((text.line_at(found.begin), low), (text.line_at(found.end - 1), high)):
        offset = word - text.words_before(text.starts[line])
        block = first if word == low else last
        own = fragments.block_words[block] + offset
        if own < end and fragments.words[own] == text.words[word]:
            begin, end = (own, end) if word == low else (begin, own + 1)
    return fragments.fragment(begin, end)


_ADDRESS: Final = (
    r"\((?>(?:[^()\\\s]|\\.|\([^()\s]{0,200}+\)){0,500})(?:\s\"(?>(?:[^\"\\]|\\.){0,200})\")?\)"
)
_WORDS: Final = r"(?>(?:[^\[\]\\]|\\.){0,500})"
"""Text of a link; longer ones, which no quote has, keep their marks."""
_IMAGE: Final = re.compile(rf"!\[{_WORDS}\]{_ADDRESS}")
_LINK: Final = re.compile(rf"\[({_WORDS})\]{_ADDRESS}")
_FOOTNOTE: Final = re.compile(r"\[\^([^\]\s]{1,20})\](?::\s+)?")
_LINE_START: Final = re.compile(r"^[ >]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}) +)?", re.MULTILINE)
_RULES: Final = re.compile(r"^\|(?>(?: ?-{3,} ?\|)+)$", re.MULTILINE)
_TAG: Final = re.compile(r"</?su[bp]>")
_MARK: Final = re.compile(r"(?<!\\)(?:\*{1,3}|~~|`+|\||(?<![^\W_])_{1,2}|_{1,2}(?![^\W_]))")
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|$)")


def unmarked(markdown: str) -> str:
    """Return the words of Markdown as `chaffinch.output.markdown` writes it.

    Links become their texts, images nothing; marks of emphasis, code, lists, quotes, headings and
    tables are left out.
    """
    text = _FOOTNOTE.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", markdown)))
    text = _TAG.sub("", _LINE_START.sub("", _RULES.sub("", text)))
    return _ESCAPE.sub("", _MARK.sub(lambda found: " " * (found[0] == "|"), text))


def _read(file: str) -> dict[str, Any]:
    found: dict[str, Any] = read_json(resources.files(__package__).joinpath(file).read_bytes())
    return found


_HAN_DIGITS: Final = "〇零一二三四五六七八九两兩十百千万萬亿億"
_HAN: Final = {one: int(unicodedata.numeric(one, 2)) for one in _HAN_DIGITS}  # 两 has none
_TOKEN: Final = re.compile(
    r"((?:(?<![\w.,])[-\u2212])?\d+(?>(?:[.,'\u2019\u066b\u066c]\d+| \d{3}(?!\d))*))"
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
_FACTS: Final[dict[str, dict[str, dict[str, int]]]] = _read("fact_words.json")
"""Language → its numbers and weekdays in words."""
_NEGATIONS: Final = _read("negations.json")
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
_LEAST_STEM: Final = 4  # letters of a word that a prefix negates
_SAME_STEM: Final = 5  # letters that two forms of a name have in common
_ENDING: Final = 2
_BEFORE_SENTENCE: Final = re.compile(r"(?<!\W)[^\w.!?:;。！？：]*+[.!?:;。！？：]\W*+\Z")
_FUNCTION: Final = frozenset(
    "的地得了着是在和与及或也都就而很把被将之其这那此该于从向对为以所等吗呢吧啊与跟同"
)
_KANA: Final = re.compile("[\u3041-\u309f]+")
_MOST_COMPARED: Final = 8  # words of a gap that are compared with one another


def contradicts(quote: str, passage: str, language: str, known: Container[str]) -> bool:
    """Return whether a number, date, name or negation of a quote isn't that of the passage.

    Both are folded; ``known`` are the words of the content in lower case.
    """
    code = language.partition("-")[0].lower() or "en"
    code = "no" if code in {"nb", "nn"} else code
    units = [_UNITS.findall(text) for text in (quote, passage)]
    return (
        _differ(_numbers(quote, code), _numbers(passage, code))
        or _differ(_days(quote, code), _days(passage, code))
        or _negations(quote, code) != _negations(passage, code)
        or (all(units) and _differ(*units))
        or _other_words(quote, passage, code, known)
    )


def _differ(quote: list[str], passage: list[str]) -> bool:
    """Return whether a quote has facts that a passage lacks, or the same in another order."""
    if Counter(quote) - Counter(passage):
        return True
    return len(quote) == len(passage) and quote != passage


# Numbers


def _numbers(text: str, code: str) -> list[str]:
    """Return the values of the numbers of a text, in order, in one spelling."""
    named = _FACTS.get(code, _FACTS["en"])["numbers"]
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
            scales = (value for value, starts in _SCALES if lower.startswith(starts))
            value = named.get(lower) or next(scales, None)
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

    def begin(self, value: Decimal | str) -> None:
        if isinstance(value, str):
            self.values.append(value)
        else:
            self._count, self._part = 2, value

    def add(self, value: int) -> None:
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
        self._count += len(values)
        for value in values:
            if value >= 10_000:  # noqa: PLR2004
                self._whole += (self._part or 1) * value
                self._part = Decimal(0)
            else:
                digit = self._part % 10 if value >= 10 else 0  # noqa: PLR2004
                self._part += (digit or 1) * value - digit if value >= 10 else value  # noqa: PLR2004

    def close(self) -> None:
        """End a number; «one» alone is an article in many languages, and none."""
        value = self._whole + self._part
        if self._count > 1 or (self._count and value != 1):
            text = f"{value:f}"
            self.values.append(text.rstrip("0").rstrip(".") if "." in text else text)
        self._whole = self._part = Decimal(0)
        self._count = 0


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


# Days, negations


def _days(text: str, code: str) -> list[str]:
    weekdays = _FACTS.get(code, _FACTS["en"])["weekdays"]
    found = []
    for word in (token[3] for token in _TOKEN.finditer(text) if token[3]):
        if code == "en" and not word[0].isupper():  # «may» and «march» are verbs
            continue
        if month := month_of(word, code):
            found.append(f"month {month}")
        elif (day := weekdays.get(word.lower())) is not None:
            found.append(f"day {day}")
    return found


def _negations(text: str, code: str) -> int:
    own = frozenset(_NEGATIONS.get(code, "").split())
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
    for here, all_there in gaps:
        there = all_there[:_MOST_COMPARED]
        texts = [own[place][0] for place in here[:_MOST_COMPARED]]
        if any(_negate(one, two) for one in texts for two in there):
            return True
        for place in here:
            word = own[place][0]
            replaced = [one for one in there if not _is_form(word, one, code)]
            if _is_name(quote, own[place], there) and (
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


def _is_name(text: str, found: re.Match[str], there: list[str]) -> bool:
    """Return whether a word of a text may be a name, of which others stand in its place."""
    word = found[0]
    if not word[0].isalpha():
        return False
    if word.lower() == word.upper():  # without capitals any that isn't one of grammar
        both = {word, *there}
        return bool(there) and not (both & _FUNCTION) and not all(map(_KANA.fullmatch, both))
    if not word[0].isupper():
        return False
    before = text[max(found.start() - 4, 0) : found.start()]
    if before.strip() and not _BEFORE_SENTENCE.search(before):
        return True
    return len(word) > 1 and any(one[0].isupper() and len(one) > 1 for one in there)


def _is_form(word: str, other: str, code: str) -> bool:
    """Return whether two words are forms of one; in English names have but one."""
    one, two = word.casefold(), other.casefold()
    alike = len(commonprefix([one, two]))  # noqa: RUF071  of letters
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
