"""Widgets whose parts are opened by a click: tabs, accordions, lists of details.

A part is what `folded` takes for one, opened or not; those that stand beside each other, or each in
a box beside the others', are one widget if at least one of them is closed: what only bears the name
of a panel and is never hidden is layout.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.elements.hidden import is_closed, unfolding

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows


def widgets(page: Page, named: Mask | None = None) -> Rows:
    """Return int32[n]: number of the widget whose parts each row stands in; -1 for none.

    A part within a part belongs to the outer widget. ``named`` is bool[n], rows that are named as
    panels (`class_folds`, `role_folds`), where they are known; those without text may be left out.
    """
    found = np.full(len(page), -1, dtype=np.int32)
    for number, rows in enumerate(parts_by_widget(page, named)):
        for row in rows:
            found[row : int(page.end[row])] = number
    return found


def parts_by_widget(page: Page, named: Mask | None = None) -> list[list[int]]:
    """Return the rows of each widget's parts; ``named`` as for `widgets`."""
    named = unfolding(page) if named is None else named
    parts = named | page.is_tag("details") if page.holds("details") else named
    if np.count_nonzero(parts) <= 1:
        return []
    groups: dict[int, list[int]] = defaultdict(list)
    stop = 0
    for row in np.flatnonzero(parts & page.around(page.written & page.shown)).tolist():
        if row >= stop:
            stop = int(page.end[row])
            groups[int(page.parent[row])].append(row)
    boxes: dict[int, list[int]] = defaultdict(list)
    for above, rows in groups.items():
        # A box with one part is one of an accordion's; the boxes stand in the accordion.
        boxes[above if len(rows) > 1 else int(page.parent[above])] += rows
    return [
        rows
        for rows in boxes.values()
        if len(rows) > 1 and any(is_closed(page, row, named=bool(named[row])) for row in rows)
    ]
