"""Rules that move scores, and the choice by them.

Blocks in elements with the same tags and names, in one list, table or code, or in one widget are
judged together. The choice takes the threshold of the highest expected F measure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.decision.structure import data_table_rows
from chaffinch.elements.hidden import class_folds, parts_by_widget, role_folds
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Numbers
from chaffinch.kernels.codes import STRETCH_BEGINS, STRETCH_COUNTED, STRETCH_ITEM
from chaffinch.model.name_hashes import NameHashes
from chaffinch.page import tags
from chaffinch.page.arrays import Floats, Mask, Rows
from chaffinch.segment.text_blocks import TextBlocks

LOWEST: Final = 0.05
"""The lowest threshold; on a page with no block above it the likeliest part is kept."""


class Choice(NamedTuple):
    """Which of m blocks are kept by their scores.

    Attributes:
        keep: bool[m].
        threshold: the score from which blocks are kept, in 0..1.
        guessed: whether no block reached `LOWEST`, so that the likeliest part is kept.
    """

    keep: Mask
    threshold: float
    guessed: bool


def choose(score: Floats, units: Floats, group: Rows, *, beta: float = 1.0) -> Choice:
    """Return the choice with the highest expected F measure.

    Args:
        score: float32[m], probability that each block is content; m is at least 1.
        units: float32[m], words of each block.
        group: int32[m], number of the group of similar blocks that each belongs to.
        beta: weight of recall against precision.
    """
    threshold = kernels.best_threshold(score, units, beta, LOWEST)
    keep = score >= threshold
    guessed = threshold == LOWEST and not keep.any()
    if guessed:
        keep = group == np.argmax(np.bincount(group, weights=score * units))  # of similar blocks
    return Choice(keep, threshold, guessed)


def expected_f1(score: Floats, units: Floats, keep: Mask) -> float:
    """Return the expected F1 of keeping the blocks ``keep``, in 0..1, not calibrated."""
    likely, kept, taken = kernels.kept_sums(score, units, keep)
    return 2 * kept / (taken + likely + 1e-9)


_CODE: Final = tags.table(["pre"]) * np.uint8(STRETCH_BEGINS)
_WITH_LISTS: Final = (
    _CODE
    | tags.table("ul ol dl menu".split()) * np.uint8(STRETCH_BEGINS | STRETCH_COUNTED)
    | tags.table("li dt dd".split()) * np.uint8(STRETCH_ITEM)
)
"""uint8[tags], what begins an element that is atomic, without lists and with them."""
_MOST_BLOCKS_PER_ITEM: Final = 2
"""A list with more blocks per item is a list of cards or posts, whose blocks differ. Chosen on two
folds of the training corpora."""


def atomic_element_of(blocks: TextBlocks, *, lists: bool = True) -> Rows | None:
    """Return int32[m]: the first block in the same list, data table or code, the outermost one.

    -1 for blocks in none and in lists with more than `_MOST_BLOCKS_PER_ITEM`; None where there is
    no such element. Layout tables don't count, nor do tables made of div elements: detection of
    those would take longer than all other rules.

    Args:
        blocks: the page's m text blocks.
        lists: whether lists count; the posts of a thread may be the items of one.
    """
    page = blocks.page
    kinds = _WITH_LISTS if lists else _CODE
    element, count = kernels.outermost_stretches(
        page.tag, page.end, blocks.first, kinds, data_table_rows(page), _MOST_BLOCKS_PER_ITEM
    )
    return element if count else None


_CLASS_AND_ID: Final = 2
"""Names of an element without role and itemprop; see `chaffinch.model.name_hashes.Names`."""


def raised_in_widgets(
    score: Floats | Numbers, units: Floats, blocks: TextBlocks, names: NameHashes
) -> Floats | Numbers:
    """Return float[m]: the scores, those in widgets raised to their widget's mean by words.

    Args:
        score: float32[m] or float64[m], probability that each block is content.
        units: float32[m], words of each block.
        blocks: the page's m blocks.
        names: class, id and role of each row, as sets of names.
    """
    widget = widget_of(blocks, names)
    if widget is None:
        return score
    own = score.astype(np.float32, copy=False)
    means = kernels.pulled_to_means(widget, units, own, 1)
    return np.maximum(own, means).astype(np.float32)


def widget_of(blocks: TextBlocks, names: NameHashes) -> Rows | None:
    """Return int32[m]: the widget of each block, by number, -1 for none.

    None where no block stands in any. Numbers count up from 0.
    """
    page = blocks.page
    panels = names.matching(_names_a_panel)
    if panels is None:
        if not page.holds("details"):
            return None
        named = np.zeros(len(page), dtype=bool)
    else:
        named = panels.take(names.of_row)
    starts = blocks.first.searchsorted
    of_widgets = [
        inside
        for rows in parts_by_widget(page, named)
        if (
            inside := [
                some for row in rows if (some := range(*starts((row, page.end[row])).tolist()))
            ]
        )
    ]
    if not of_widgets:
        return None
    widget = np.full(len(blocks), -1, dtype=np.int32)
    for number, inside in enumerate(of_widgets):
        for some in inside:
            widget[some.start : some.stop] = number
    return widget


@lru_cache(maxsize=1 << 14)
def _names_a_panel(names: Names) -> bool:
    """Return whether role or class name a panel that opens by a click; sites repeat names."""
    if len(names) > _CLASS_AND_ID and role_folds(names[2] or ""):
        return True
    return class_folds(names[0] or "")
