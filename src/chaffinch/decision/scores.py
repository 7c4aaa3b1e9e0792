"""Rules that move scores, and the choice by them.

Blocks in elements with the same tags and names, in one list, table or code, or in one widget are
judged together. The choice takes the threshold of the highest expected F measure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.decision.draft import LOWEST, THREAD, Draft
from chaffinch.decision.structure import data_table_rows
from chaffinch.elements.opening import class_folds, parts_by_widget, role_folds
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Floats, Mask, Rows
from chaffinch.kernels.codes import STRETCH_BEGINS, STRETCH_COUNTED, STRETCH_ITEM
from chaffinch.model.name_hashes import NameHashes
from chaffinch.page import tags
from chaffinch.segment.text_blocks import TextBlocks

PULL: Final = 0.7
"""The part of the way to the mean of its group by words that a score moves. Chosen on two folds of
the training corpora."""


def similar_blocks(draft: Draft) -> None:
    """Move scores towards the mean of the blocks in elements with the same tags and names."""
    group, alone, is_known = draft.features.group, draft.score, 1 in draft.template.tobytes()
    units = np.where(draft.template, np.float32(0), draft.units) if is_known else draft.units
    score = kernels.pulled_to_means(group, units, alone, PULL)
    draft.score = np.where(draft.template, alone, score) if is_known else score


class Choice(NamedTuple):
    """Which of m blocks are kept by their scores."""

    keep: Mask  # bool[m]
    threshold: float  # the score from which blocks are kept, in 0..1
    guessed: bool  # whether no block reached `LOWEST`, so that the likeliest part is kept


def choice(draft: Draft) -> None:
    """Choose first what is kept, by the highest expected F measure."""
    draft.score = draft.score.astype(np.float32, copy=False)
    chosen = choose(draft.score, draft.units, draft.features.group, beta=draft.beta)
    draft.keep, draft.threshold, draft.guessed = chosen.keep, chosen.threshold, chosen.guessed


def choose(score: Floats, units: Floats, group: Rows, *, beta: float = 1.0) -> Choice:
    """Return the choice with the highest expected F measure, of one block at least.

    ``group``, int32[m], is the number of the group of similar blocks that each belongs to.
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


def atomic_elements(draft: Draft) -> None:
    """Give the blocks in one list, data table or code, the outermost one, their mean score.

    But lists with more than `_MOST_BLOCKS_PER_ITEM`, and in a thread, whose posts may be items.
    Layout tables don't count, nor do tables made of div elements: detection of those would take
    longer than all other rules.
    """
    page, kinds = draft.page, _CODE if draft.kind == THREAD else _WITH_LISTS
    tables = data_table_rows(page)
    element, count = kernels.outermost_stretches(
        page.tag, page.end, draft.blocks.first, kinds, tables, _MOST_BLOCKS_PER_ITEM
    )
    if count:
        own = draft.score.astype(np.float64, copy=False)
        score = kernels.pulled_to_means(element, draft.units, own, 1)
        draft.score = score.astype(np.float32)


_CLASS_AND_ID: Final = 2
"""Names of an element without role and itemprop; see `chaffinch.model.name_hashes.Names`."""


def expandable_widgets(draft: Draft) -> None:
    """Raise the scores of the blocks in a widget to its mean by words."""
    widget = _widget_of(draft.blocks, draft.features.names)
    if widget is not None:
        own = draft.score.astype(np.float32, copy=False)
        means = kernels.pulled_to_means(widget, draft.units, own, 1)
        draft.score = np.maximum(own, means).astype(np.float32)


def _widget_of(blocks: TextBlocks, names: NameHashes) -> Rows | None:
    """Return int32[m]: the widget of each block, by number, -1 for none.

    None where no block stands in any. Numbers count up from 0.
    """
    page = blocks.page
    panels = names.matching(_names_a_panel)
    if panels is None:
        if "details" not in page.tag_names:
            return None
        named = np.zeros(len(page), dtype=bool)
    else:
        named = panels.take(names.of_row)
    starts = blocks.first.searchsorted
    widgets = parts_by_widget(page, named)
    if not widgets:
        return None
    widget = np.full(len(blocks), -1, dtype=np.int32)
    for number, rows in enumerate(widgets):
        for row in rows:
            widget[slice(*starts((row, page.end[row])).tolist())] = number
    return widget


@lru_cache(maxsize=1 << 14)
def _names_a_panel(names: Names) -> bool:
    """Return whether role or class name a panel that opens by a click; sites repeat names."""
    if len(names) > _CLASS_AND_ID and role_folds(names[2] or ""):
        return True
    return class_folds(names[0] or "")
