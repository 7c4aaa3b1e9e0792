"""Addresses of words on a page: text fragments, which browsers scroll to and highlight.

Source: «URL Fragment Text Directives» (WICG, draft community group report). A directive is
``:~:text=[prefix-,]start[,end][,-suffix]``; a browser takes the first place of the page that it
fits, whole words of one block for each term, in any case. So what a page says more than once gets
the words before it, and where need be after it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import numpy as np

from chaffinch.citation.folding import words
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.result import Content

_WHOLE: Final = 16  # words that are written out; of more, the first and the last ones
_ENDS: Final = (6, 10, 16)
_CONTEXT: Final = (0, 3, 8)
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)


class TextFragments:
    """Makes text fragments of ranges of a page's words; all shown text counts, kept or not.

    Attributes:
        block_words: words before each text block, and of all blocks.
        words: the words in order, in lower case.
    """

    def __init__(self, page: Page) -> None:
        self._blocks = text_blocks(page)
        self._texts = list(self._blocks.texts())
        self.words: list[str] = []
        self._places: list[tuple[int, int]] = []
        counts = [0]
        for text in checked(self._texts):
            for found in words(text):
                self.words.append(found[0].casefold())
                self._places.append(found.span())
            counts.append(len(self.words))
        self.block_words = counts
        known: dict[str, int] = {}
        numbers = [known.setdefault(word, len(known) + 1) for word in self.words]
        self._hashes = np.array(numbers, dtype=np.uint64)
        self._firsts: dict[int, NDArray[np.int64]] = {}

    def block_of(self, word: int) -> int:
        """Return the text block that a word stands in."""
        return bisect_right(self.block_words, word) - 1

    def fragment(self, first: int, last: int) -> str:
        """Return the fragment, from ``#``, of the words ``first`` to ``last``, the latter excluded.

        A longer range is named by its first and last words. "" where no directive is clear: words
        without any, or a page that says the same again and again.
        """
        if not 0 <= first < last <= len(self.words):
            return ""
        one_block = self.block_of(first) == self.block_of(last - 1)
        if one_block and last - first <= _WHOLE:
            terms = self._placed(first, last, first, last)
            return _directive(terms, (self._text(first, last),)) if terms else ""
        for length in _ENDS:
            start = self._clause_end(first + length, min(self._block_end(first), last))
            end = self._clause_start(last - length, max(self._block_start(last - 1), start))
            if end >= last or not self._is_next(start, end, last):
                continue
            terms = self._placed(first, start, first, last)
            if terms:
                return _directive(terms, (self._text(first, start), self._text(end, last)))
        start = self._clause_end(first + _WHOLE, min(self._block_end(first), last))
        terms = self._placed(first, start, first, start)
        return _directive(terms, (self._text(first, start),)) if terms else ""

    def _placed(self, start: int, stop: int, first: int, last: int) -> tuple[str, str] | None:
        """Return prefix and suffix with which the words from ``start`` are found first; or None."""
        for before in _CONTEXT:
            low = max(start - before, self._block_start(max(start - 1, 0)), 0) if before else start
            for after in _CONTEXT if last == stop else (0,):
                high = min(last + after, self._block_end(min(last, len(self.words) - 1)))
                high = max(high, last) if after else stop
                if self._first(low, high) == low:
                    prefix = self._text(low, first) if low < first else ""
                    suffix = self._text(last, high) if high > last and after else ""
                    return prefix, suffix
        return None

    def _block_start(self, word: int) -> int:
        return self.block_words[self.block_of(word)]

    def _block_end(self, word: int) -> int:
        return self.block_words[self.block_of(word) + 1]

    def _clause_end(self, word: int, most: int) -> int:
        """Return a word from ``word`` on before which text isn't written without a gap.

        Browsers want whole words, which scripts without spaces don't part.
        """
        while word < most and self._places[word][0] == self._places[word - 1][1]:
            word += 1
        return min(word, most)

    def _clause_start(self, word: int, least: int) -> int:
        """Return a word up to ``word`` as `_clause_end` does."""
        while word > least and self._places[word][0] == self._places[word - 1][1]:
            word -= 1
        return max(word, least)

    def _text(self, first: int, last: int) -> str:
        """Return the words from ``first`` to ``last`` as the page has them, of one block."""
        text = self._texts[self.block_of(first)]
        return text[self._places[first][0] : self._places[last - 1][1]]

    def _first(self, low: int, high: int) -> int:
        """Return where on the page the words from ``low`` to ``high`` stand first."""
        length = high - low
        if length not in self._firsts:
            sums = np.zeros(len(self._hashes) - length + 1, dtype=np.uint64)
            for at in range(length):
                sums = sums * _FACTOR + self._hashes[at : at + len(sums)]
            _, where, same = np.unique(sums, return_index=True, return_inverse=True)
            self._firsts[length] = where[same]
        return int(self._firsts[length][low])

    def _is_next(self, start: int, end: int, last: int) -> bool:
        """Return whether the words from ``end`` to ``last`` stand nowhere else after ``start``."""
        wanted = self.words[end:last]
        size = last - end
        return not any(self.words[at : at + size] == wanted for at in range(start, end))


def _directive(context: tuple[str, str], terms: tuple[str, ...]) -> str:
    prefix, suffix = map(_encoded, context)
    parts = [f"{prefix}-"] if prefix else []
    parts += map(_encoded, terms)
    parts += [f"-{suffix}"] if suffix else []
    return f"#:~:text={','.join(parts)}"


def _encoded(text: str) -> str:
    """Return a term percent-encoded; dashes, commas and ampersands part terms."""
    return quote(text, safe="", errors="replace").replace("-", "%2D")


def text_fragments(content: Content) -> TextFragments:
    """Return what makes fragments of the page; made on first use and kept with the content."""
    made = content.derived("text fragments", lambda: TextFragments(content.page))
    found: TextFragments = made
    return found
