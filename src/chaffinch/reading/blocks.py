"""Blocks of the text, links, and their addresses.

A block is a text block of the page (`chaffinch.segment.text_blocks`), kept or not. Its id is by its
text alone, so that no method, policy or release changes it; of equal texts the second has ``-2``
behind the id of the first.

A text fragment is an address of words, which browsers scroll to and highlight. Source: «URL
Fragment Text Directives» (WICG, draft community group report). A directive is
``:~:text=[prefix-,]start[,end][,-suffix]``; a browser takes the first place of the page that it
fits, whole words of one block for each term, in any case. So what a page repeats gets the words
before it, and where need be after it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from chaffinch.output.text import kept_lines
from chaffinch.page import Page
from chaffinch.page.flattening import block_around
from chaffinch.page.selectors import css_of_each, xpath_of_each
from chaffinch.page_work import checked
from chaffinch.reading.words import RepeatedWords, lower_words, text_id
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content


class BlockIds:
    """The ids of the blocks of a content's page; `block_ids` keeps them with it."""

    def __init__(self, content: Content) -> None:
        blocks = text_blocks(content.page)
        self._last = blocks.last.tolist()
        kept = content.kept & (blocks.block >= 0)
        self._kept_rows = np.flatnonzero(kept).tolist()
        self._kept_blocks = blocks.block[kept].tolist()  # ascend, as their rows do
        self.ids: list[str] = []  # by the number of each block
        turns = Counter[str]()
        for own in map(text_id, checked(blocks.texts())):
            turns[own] += 1
            self.ids.append(own if turns[own] == 1 else f"{own}-{turns[own]}")

    def of_row(self, row: int) -> str:
        """Return the id of the block that a row stands in or before; "" behind the last."""
        at = bisect_right(self._last, row)
        return self.ids[at] if at < len(self.ids) else ""

    def within(self, rows: tuple[int, int]) -> tuple[str, ...]:
        """Return the ids of the blocks that a half-open range of rows holds kept rows of."""
        first, last = bisect_left(self._kept_rows, rows[0]), bisect_left(self._kept_rows, rows[1])
        return tuple([self.ids[at] for at in dict.fromkeys(self._kept_blocks[first:last])])


def block_ids(content: Content) -> BlockIds:
    return content.derived("block ids", lambda: BlockIds(content))


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the text, and where on the page it came from.

    Attributes:
        rows: half-open range of rows; the block is what is kept of their text. None for a title
            that the page has no row for.
        start: its first character in the text.
        end: the character after its last in the text.
        kind: tag of the innermost block element around it, such as "p", "h2", "li" or "td".
        id: by its whole text on the page, kept or not; ``-2`` behind it for the second of that
            text.
        selector: a CSS selector of the element around it; "" for a title without a row.
        xpath: the absolute XPath of the same element; "" for the same.
        fragment: what is put behind the page's address for a browser to show it: ``#:~:text=…``;
            "" where none is clear.
    """

    rows: tuple[int, int] | None
    start: int
    end: int
    kind: str
    id: str = ""
    selector: str = ""
    xpath: str = ""
    fragment: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link of the page.

    Attributes:
        text: its words, white space folded; "" for an image.
        url: where it leads, absolute where the page's own address is known.
        row: its row on the page.
        in_content: whether some of it is kept.
    """

    text: str
    url: str
    row: int
    in_content: bool


def links(content: Content) -> list[Link]:
    """Return the links of the page to other addresses, in document order, kept or not."""
    page, kept = content.page, content.kept
    found = (
        (row, page.addresses.find(href)) for row, href in page.having("href", page.is_tag("a"))
    )
    return [Link(page.folded(row), url, row, bool(kept[row])) for row, url in checked(found) if url]


def blocks(content: Content, title: str = "") -> list[Block]:
    """Return the blocks of the text (`chaffinch.output.text`), in order; together they are all.

    A ``title`` is a block of its own above them.
    """
    found = [Block(None, 0, len(title), "h1", text_id(title))] if title else []
    page, of_page, ids = content.page, text_blocks(content.page), block_ids(content).ids
    lines = kept_lines(content)
    fragments = text_fragments(content)
    words = fragments.block_words
    owners = of_page.owner_at(lines.first).tolist()
    numbers = of_page.block_at(lines.first).tolist()
    places = numbers, css_of_each(page, owners), xpath_of_each(page, owners)
    rows = zip(lines.first.tolist(), lines.last.tolist(), strict=True)
    kinds = [page.name(block_around(page, row)) for row in lines.first.tolist()]
    every = zip(lines.texts, rows, kinds, *places, strict=True)
    at = len(title) + 1 if title else 0
    for text, own, kind, number, selector, xpath in checked(every):
        fragment = fragments.fragment(words[number], words[number + 1]) if ids else ""
        place = ids[number] if ids else "", selector, xpath, fragment
        found.append(Block(own, at, at + len(text), kind, *place))
        at += len(text) + 1
    return found


_WHOLE: Final = 16  # words that are written out; of more, the first and the last ones
_ENDS: Final = (6, 10, 16)
_CONTEXT: Final = (0, 3, 8)
_ENCODED: Final = re.compile(r"[^A-Za-z0-9_.~ ]++")


class TextFragments:
    """Makes text fragments of ranges of a page's words; all shown text counts, kept or not."""

    def __init__(self, page: Page) -> None:
        texts = text_blocks(page).texts()
        self._page_text = "\n".join(texts)
        self.words, self._starts, self._ends = lower_words(self._page_text)
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
        block_ends = np.cumsum(lengths)
        blocks = np.searchsorted(self._starts, block_ends - lengths)
        # The words before each text block, and of all blocks.
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
        if word <= least:
            return least
        return max(int(self._gaps[self._gaps.searchsorted(word, side="right") - 1]), least)

    def _text(self, first: int, last: int) -> str:
        return self._page_text[self._starts[first] : self._ends[last - 1]]


def _directive(context: tuple[str, str], terms: tuple[str, ...]) -> str:
    prefix, suffix = context
    parts = [f"{_encoded(prefix)}-"] if prefix else []
    parts += map(_encoded, terms)
    parts += [f"-{_encoded(suffix)}"] if suffix else []
    return f"#:~:text={','.join(parts)}"


def _encoded(text: str) -> str:
    """Return a term percent-encoded; dashes, commas and ampersands part terms."""
    return _ENCODED.sub(
        lambda found: f"%{found[0].encode('utf-8', 'replace').hex('%').upper()}", text
    ).replace(" ", "%20")


def text_fragments(content: Content) -> TextFragments:
    return content.derived("text fragments", lambda: TextFragments(content.page))
