"""Tabs, accordions and other widgets that open by a click are kept or dropped as one.

Closed parts are rare in the training pages, and the network scores them low, short ones lowest. So
each block of a widget gets at least the mean score of the widget's text: of tabs and answers that
are content all are kept, and a cookie notice or a menu, whose mean is low, gains nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.hidden import class_folds, parts_by_widget, role_folds

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Numbers
    from chaffinch.kernels.plain.names import Names
    from chaffinch.model.name_hashes import NameHashes
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

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
    of_widgets = [
        inside
        for rows in parts_by_widget(page, named)
        if (inside := [some for row in rows if (some := _begun_in(blocks, row))])
    ]
    if not of_widgets:
        return None
    widget = np.full(len(blocks), -1, dtype=np.int32)
    for number, inside in enumerate(of_widgets):
        for some in inside:
            widget[some.start : some.stop] = number
    return widget


def _begun_in(blocks: TextBlocks, row: int) -> range:
    """Return the blocks that begin in an element."""
    return range(*blocks.first.searchsorted((row, blocks.page.end[row])).tolist())


@lru_cache(maxsize=1 << 14)
def _names_a_panel(names: Names) -> bool:
    """Return whether role or class name a panel that opens by a click; sites repeat names."""
    if len(names) > _CLASS_AND_ID and role_folds(names[2] or ""):
        return True
    return class_folds(names[0] or "")
