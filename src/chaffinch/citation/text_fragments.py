"""Addresses of words on a page: text fragments, which browsers scroll to and highlight.

Source: «URL Fragment Text Directives» (WICG, draft community group report). A directive is
``:~:text=[prefix-,]start[,end][,-suffix]``; a browser takes the first place of the page that it
fits, whole words of one block for each term, in any case. So what a page repeats gets
the words before it, and where need be after it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.citation.folding import lower_words
from chaffinch.citation.repeated_words import RepeatedWords
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.result import Content

_WHOLE: Final = 16  # words that are written out; of more, the first and the last ones
_ENDS: Final = (6, 10, 16)
_CONTEXT: Final = (0, 3, 8)
_ENCODED: Final = re.compile(r"[^A-Za-z0-9_.~ ]++")


class TextFragments:
    """Makes text fragments of ranges of a page's words; all shown text counts, kept or not.

    Attributes:
        block_words: words before each text block, and of all blocks.
        words: the words in order, in lower case.
    """

    def __init__(self, page: Page) -> None:
        texts = text_blocks(page).texts()
        self._page_text = "\n".join(texts)
        self.words, self._starts, self._ends = lower_words(self._page_text)
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
        block_ends = np.cumsum(lengths)
        blocks = np.searchsorted(self._starts, block_ends - lengths)
        self.block_words: list[int] = [*blocks.tolist(), len(self.words)]
        self._block = np.repeat(np.arange(len(texts)), np.diff(self.block_words)).tolist()
        # Before each of these, and of all words, text has a gap.
        gaps = np.flatnonzero(self._starts[1:] != self._ends[:-1]) + 1
        self._gaps = np.concatenate([[0], gaps, [len(self.words)]])
        self._repeated = RepeatedWords(self.words)

    def fragment(self, first: int, last: int) -> str:
        """Return the fragment, from ``#``, of the words ``first`` to ``last``, the latter excluded.

        A longer range is named by its first and last words. "" where no directive is clear: words
        without any, or a page that repeats itself again and again.
        """
        if not 0 <= first < last <= len(self.words):
            return ""
        one_block = self._block[first] == self._block[last - 1]
        if one_block and last - first <= _WHOLE:
            terms = self._placed(first, last, first, last)
            return _directive(terms, (self._text(first, last),)) if terms else ""
        for length in _ENDS:
            start = self._clause_end(first + length, min(self._block_end(first), last))
            end = self._clause_start(last - length, max(self._block_start(last - 1), start))
            if end >= last or self._repeated.recurs(start, end, last):
                continue
            terms = self._placed(first, start, first, last)
            if terms:
                return _directive(terms, (self._text(first, start), self._text(end, last)))
        start = self._clause_end(first + _WHOLE, min(self._block_end(first), last))
        terms = self._placed(first, start, first, start)
        return _directive(terms, (self._text(first, start),)) if terms else ""

    def _placed(self, start: int, stop: int, first: int, last: int) -> tuple[str, str] | None:
        """Return prefix and suffix with which the words from ``start`` are found first; or None."""
        if self._repeated.is_first(start, stop):
            return "", ""
        least = self._block_start(max(start - 1, 0))
        lows = [max(start - before, least) if before else start for before in _CONTEXT]
        highs = [stop]
        if last == stop:
            most = self._block_end(min(last, len(self.words) - 1))
            highs += [max(min(last + after, most), last) for after in _CONTEXT[1:]]
        for low in dict.fromkeys(lows):
            for high in dict.fromkeys(highs):
                if self._repeated.is_first(low, high):
                    prefix = self._text(low, first) if low < first else ""
                    return prefix, self._text(last, high) if high > last else ""
        return None

    def _block_start(self, word: int) -> int:
        return self.block_words[self._block[word]]

    def _block_end(self, word: int) -> int:
        return self.block_words[self._block[word] + 1]

    def _clause_end(self, word: int, most: int) -> int:
        """Return a word from ``word`` on before which text isn't written without a gap.

        Browsers want whole words, which scripts without spaces don't part.
        """
        if word >= most:
            return most
        return min(int(self._gaps[self._gaps.searchsorted(word)]), most)

    def _clause_start(self, word: int, least: int) -> int:
        """Return a word up to ``word`` as `_clause_end` does."""
        if word <= least:
            return least
        return max(int(self._gaps[self._gaps.searchsorted(word, side="right") - 1]), least)

    def _text(self, first: int, last: int) -> str:
        """Return the words from ``first`` to ``last`` as the page has them, of one block."""
        return self._page_text[self._starts[first] : self._ends[last - 1]]


def _directive(context: tuple[str, str], terms: tuple[str, ...]) -> str:
    prefix, suffix = context
    parts = [f"{_encoded(prefix)}-"] if prefix else []
    parts += map(_encoded, terms)
    parts += [f"-{_encoded(suffix)}"] if suffix else []
    return f"#:~:text={','.join(parts)}"


def _encoded(text: str) -> str:
    """Return a term percent-encoded; dashes, commas and ampersands part terms."""
    return _ENCODED.sub(_percent_encoded, text).replace(" ", "%20")


def _percent_encoded(found: re.Match[str]) -> str:
    return f"%{found[0].encode('utf-8', 'replace').hex('%').upper()}"


def text_fragments(content: Content) -> TextFragments:
    """Return what makes fragments of the page; made on first use and kept with the content."""
    made = content.derived("text fragments", lambda: TextFragments(content.page))
    found: TextFragments = made
    return found
