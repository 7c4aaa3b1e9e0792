"""What opens by a click is read as a whole: a tab isn't content while the next one is none.

Closed parts look like menus and notices to a model that saw few of them, the shorter the more. So
each block of a widget has at least the mean score of the widget's text: tabs and answers that are
content are kept to the last, and a cookie notice or a menu, whose mean is low, gains nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.hidden import class_folds, role_folds
from chaffinch.elements.widgets import widgets

if TYPE_CHECKING:
    from chaffinch.kernels.plain.names import Names
    from chaffinch.model.name_hashes import Marks
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

_CLASS_AND_ID: Final = 2
"""Names of an element without role and itemprop; see `chaffinch.model.name_hashes.Names`."""


def opened(score: Floats, units: Floats, blocks: TextBlocks, marks: Marks) -> Floats:
    """Return float32[m]: the scores, those in widgets raised to their widget's mean by words.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        blocks: the page's m blocks.
        marks: names by row.
    """
    widget = in_widgets(blocks, marks)
    if widget is None:
        return score
    own = score.astype(np.float64)
    means = kernels.group_means(widget, (score * units).astype(np.float64), units, own)
    return np.maximum(own, means).astype(np.float32)


def in_widgets(blocks: TextBlocks, marks: Marks) -> Rows | None:
    """Return int32[m]: the widget that each block stands in, by number, -1 for none.

    None where no block stands in any. Numbers count up from 0.
    """
    page = blocks.page
    named = marks.saying(_opens)
    if not (named.any() or page.holds("details")):
        return None
    widget = widgets(page, named.take(marks.of_row))[blocks.first]
    inside = widget >= 0
    if not inside.any():
        return None
    widget[inside] = np.unique(widget[inside], return_inverse=True)[1]
    return widget


@lru_cache(maxsize=1 << 14)
def _opens(names: Names) -> bool:
    """Tell whether a set of names says that a click opens its element; sites repeat themselves."""
    if len(names) > _CLASS_AND_ID and role_folds(names[2] or ""):
        return True
    return class_folds(names[0] or "")
