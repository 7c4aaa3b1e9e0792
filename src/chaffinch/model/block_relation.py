"""How much the blocks of a page are about the same: relatedness to the title and to a main block.

Source: noise-elimination-notes names the semantic relation of blocks as work to come and gives no
more. Here a block is the words in it, as the hashes of `chaffinch.model.words`; a word
weighs the more, the fewer blocks have it (Salton and Buckley 1988, «Term-weighting approaches in
automatic text retrieval»: log term frequency times inverse document frequency, with the page as the
collection). Relatedness is the mean of two cosines:

- by words: of the weights themselves;
- by vectors: of the weighted sums of the words' vectors in the shipped network, less their mean;
  0 where it is negative. They were learned to distinguish content from boilerplate, not meaning.

Methods may use it; none does by default. Time and memory grow with the length of the text.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.arrays import frozen
from chaffinch.model.block_scores import shipped
from chaffinch.model.words import BUCKETS, code_points, read_words
from chaffinch.segment.densities import text_rows
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Floats, Rows
    from chaffinch.page import Page

_WIDTH: Final = BUCKETS + 1


class BlockWords:
    """The weighted words of the blocks of a page and of its title; k blocks, the title is the last.

    Args:
        page: the page.
        names: int32[n], name of the block that each row belongs to, 0..n-1; -1 for none.
    """

    def __init__(self, page: Page, names: Rows) -> None:
        rows = np.flatnonzero(text_rows(page) & (names >= 0))
        self.names, number = np.unique(names[rows], return_inverse=True)
        """int32[k-1], the names that hold text, ascending."""
        title = len(self.names)
        at = np.append(page.text_at[rows], len(page.text) + 1)
        codes = code_points(f"{page.text}\n{page.title}\n")
        starts, bucket = read_words(codes, at.astype(np.intp))
        row = np.searchsorted(page.text_at[1:], starts, side="right")
        of_row = np.full(len(page) + 1, -1, dtype=np.int64)
        of_row[rows], of_row[-1] = number, title
        block = of_row[row]
        placed = block >= 0
        keys = block[placed] * _WIDTH + bucket[placed]
        keys, times = np.unique(keys, return_counts=True)
        self.count = title + 1
        self.block, self.bucket = np.divmod(keys, _WIDTH)
        """int64[p] twice: block and bucket of each word of a block."""
        holders = np.bincount(self.bucket, minlength=_WIDTH)[self.bucket]
        self.weight = (1 + np.log(times)) * np.log1p(self.count / holders)
        """float64[p], what it weighs."""

    def related(self, target: int) -> NDArray[np.float64]:
        """Return float64[k] in 0..1: how much each block is related to that of number ``target``.

        It is the same in both directions; 1 of a block with words to itself, 0 where one has none.
        """
        sums = self._sums(target)
        lengths = np.sqrt(np.bincount(self.block, self.weight**2, minlength=self.count))
        by_words = _shares(sums, lengths * lengths[target])
        inner, norms = np.zeros(self.count), np.zeros(self.count)
        for column in _vectors():  # one at a time: all would take eight times the memory
            value = np.bincount(self.block, self.weight * column[self.bucket], minlength=self.count)
            inner += value * value[target]
            norms += value * value
        by_vectors = _shares(inner, np.sqrt(norms) * np.sqrt(norms[target]))
        related: NDArray[np.float64] = np.clip((by_words + np.maximum(by_vectors, 0)) / 2, 0, 1)
        return related

    def _sums(self, target: int) -> NDArray[np.float64]:
        """Return float64[k]: the inner product of each block's weights with the target's."""
        own = np.zeros(_WIDTH)
        chosen = self.block == target
        own[self.bucket[chosen]] = self.weight[chosen]
        sums = np.bincount(self.block, self.weight * own[self.bucket], minlength=self.count)
        return sums.astype(np.float64)


def relation(page: Page, names: Rows, main: int) -> tuple[Floats, Floats]:
    """Return float32[n] in 0..1 twice: relatedness of each block to the title and to ``main``.

    The values stand at the rows that name blocks, 0 elsewhere. A page without a title, and a main
    block without text, are related to nothing.

    Args:
        page: the page.
        names: int32[n], name of the block that each row belongs to, 0..n-1; -1 for none.
        main: name of the main block.
    """
    words = BlockWords(page, names)
    to_title, to_main = np.zeros((2, len(page)), dtype=np.float32)
    to_title[words.names] = words.related(len(words.names))[:-1]
    place = int(np.searchsorted(words.names, main))
    if place < len(words.names) and words.names[place] == main:
        to_main[words.names] = words.related(place)[:-1]
    return to_title, to_main


def text_relation(page: Page) -> tuple[Floats, Floats]:
    """Return float32[n] in 0..1 twice: relatedness of each row's text block to title and main one.

    The main block is the text block with the most characters outside links; rows in no text block
    have 0. Computed on first use and kept with the page.
    """
    to_title, to_main = page.derived("relation of blocks", lambda: _of_text_blocks(page))
    return to_title, to_main


def _of_text_blocks(page: Page) -> tuple[Floats, Floats]:
    blocks = text_blocks(page)
    if not len(blocks):
        return np.zeros(len(page), np.float32), np.zeros(len(page), np.float32)
    names = np.where(blocks.block >= 0, blocks.first[blocks.block], np.int32(-1))
    main = int(blocks.first[np.argmax(blocks.length - blocks.link_length)])
    to_title, to_main = relation(page, names, main)
    return blocks.spread(to_title[blocks.first]), blocks.spread(to_main[blocks.first])


@cache
def _vectors() -> NDArray[np.float32]:
    """Return float32[d, buckets + 1]: the shipped network's vectors of words, less their mean."""
    vectors = shipped().network.networks[0].weights["word_vectors"]
    centred = np.ascontiguousarray((vectors - vectors[:-1].mean(axis=0)).T)
    return frozen(centred)


def _shares(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
