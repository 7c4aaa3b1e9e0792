"""What opens by a click is read as a whole: a tab isn't content while the next one is none.

Closed parts look like menus and notices to a model that saw few of them, the shorter the more. So
each block of a widget has at least the mean score of the widget's text: tabs and answers that are
content are kept to the last, and a cookie notice or a menu, whose mean is low, gains nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.segment.folds import widgets
from chaffinch.segment.hidden import class_folds, role_folds

if TYPE_CHECKING:
    from chaffinch.model.marks import Marks
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks

_CLASS_AND_ID: Final = 2
"""Names of an element without role and itemprop; see `Marks.sets`."""


def opened(score: Floats, units: Floats, blocks: TextBlocks, marks: Marks) -> Floats:
    """Return float32[m]: the scores, those in widgets raised to their widget's mean by words.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        blocks: the page's m blocks.
        marks: names by row.
    """
    page = blocks.page
    named = _named(marks)
    if not (named.any() or page.is_tag("details").any()):
        return score
    widget = widgets(page, named)[blocks.first]
    inside = widget >= 0
    if not inside.any():
        return score
    number = widget[inside]
    words = np.bincount(number, weights=units[inside])
    sums = np.bincount(number, weights=(score * units)[inside])
    raised = score.copy()
    raised[inside] = np.maximum(score[inside], (sums / np.maximum(words, 1))[number])
    return raised


def _named(marks: Marks) -> Mask:
    """Return bool[n]: rows whose names say that a click opens them, found by their few sets."""
    mask: Mask = np.fromiter(map(_opens, marks.sets), bool, len(marks.sets)).take(marks.of_row)
    return mask


@lru_cache(maxsize=1 << 14)
def _opens(names: tuple[str | None, ...]) -> bool:
    """Tell whether a set of names says that a click opens its element; sites repeat themselves."""
    if len(names) > _CLASS_AND_ID and role_folds(names[2] or ""):
        return True
    return class_folds(names[0] or "")
