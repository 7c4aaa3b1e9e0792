"""Where a quote stands in the content, exactly or changed.

Exact is what is the same in NFKC with white space folded (`chaffinch.citation.folding`). Else the
stretches of the content that have most words in common with the quote are aligned with it, and the
one with the most words in the same order counts: similarity is twice the words in common by the
words of both, 0..1, case aside. It is contradicted where a number, date, name or negation of the
quote is another (`chaffinch.citation.contradictions`). Each step takes time linear in the content
and in the quote.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from chaffinch.alignment import matched
from chaffinch.citation.block_ids import block_ids
from chaffinch.citation.contradictions import contradicts
from chaffinch.citation.folding import folded, has_words, joint, lower_words, text_id, words
from chaffinch.citation.text_fragments import text_fragments
from chaffinch.citation.unmarked import unmarked
from chaffinch.errors import require_text
from chaffinch.output.kept_lines import kept_lines
from chaffinch.page.selectors import css_of_each, xpath_of_each
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.result import Content

Status: TypeAlias = Literal["exact", "changed", "contradicted", "absent"]

LEAST_SIMILARITY: Final = 0.8
"""Of a changed quote; below, another sentence about the same would be one."""
_TRIES: Final = 64
"""Places that are looked at where a quote stands amid words."""
_STRETCHES: Final = 4
"""Stretches of the content that are aligned with a quote."""
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
    """The content as one folded text, line by line; made once for each content and title.

    Attributes:
        title: a line above; "" for none.
        text: all lines.
        starts: where each line begins in ``text``.
        words: its words in lower case.
        word_starts: int64[w], first character of each.
        word_ends: int64[w], the character after its last.
    """

    def __init__(self, content: Content, title: str) -> None:
        self.title = title
        lines = kept_lines(content)
        self.first, self.last = lines.first, lines.last
        parts: list[str] = []
        self.starts: list[int] = []
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
        """Return the line that a character stands in."""
        return bisect_right(self.starts, character) - 1

    def widened(self, first: int, last: int, before: int, behind: int) -> tuple[int, int]:
        """Return a range of words with so many more at its ends, within their sentences."""
        while before and first and not self._ends_between(first - 1):
            first, before = first - 1, before - 1
        while behind and last + 1 < len(self.words) and not self._ends_between(last):
            last, behind = last + 1, behind - 1
        return first, last

    def _ends_between(self, word: int) -> bool:
        """Return whether a sentence ends between a word and the next one."""
        gap = self.text[self.word_ends.item(word) : self.word_starts.item(word + 1)]
        return _STOP.search(gap) is not None

    def words_before(self, character: int) -> int:
        """Return how many words begin before a character."""
        return int(self.word_starts.searchsorted(character))


def locate(
    content: Content, quote: str, *, title: str, url: str | None, language: Callable[[], str]
) -> Passage | None:
    """Return the passage that a quote is from; None where the content doesn't have it.

    Args:
        content: the page and what is kept of it.
        quote: as plain text or as Markdown.
        title: a heading above that no row is; "" for none.
        url: address of the page.
        language: gives the content's language, of which a changed quote is read; "" for unknown.

    Raises:
        OptionError: the quote is no text.
    """
    require_text("quote", quote)
    text: ContentText = content.derived(f"text {title}", lambda: ContentText(content, title))
    wanted = folded(quote)
    bare = folded(unmarked(quote))
    found = _exact(text.text, wanted) or _exact(text.text, bare)
    found = found or _changed(text, wanted, language) or _changed(text, bare, language)
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
    """Return where stretches of the quote's length begin that have most words in common with it."""
    size = min(len(quote), len(text))
    wanted = Counter(quote)
    held: Counter[str] = Counter()
    common = np.zeros(len(text) - size + 1, dtype=np.int32)
    count = 0
    for at, word in enumerate(checked(text)):
        if word in wanted:
            count += held[word] < wanted[word]
            held[word] += 1
        if at < size - 1:
            continue
        common[at - size + 1] = count
        gone = text[at - size + 1]
        if gone in wanted:
            held[gone] -= 1
            count -= held[gone] < wanted[gone]
    return _peaks(common, size, max(1, int(_LEAST_COMMON * len(quote))))


def _peaks(common: NDArray[np.int32], size: int, least: int) -> list[int]:
    found = []
    rest = common.copy()
    for _ in range(_STRETCHES):
        at = int(rest.argmax())
        if rest[at] < least:
            break
        found.append(at)
        rest[max(at - size // 2, 0) : at + size // 2 + 1] = 0
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
    place = rows, ids, selector, xpath, fragment, address
    return Passage(found.status, similarity, held, *place)


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
