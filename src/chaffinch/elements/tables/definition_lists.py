"""Definition lists as terms and what belongs to them.

HTML Standard, section 4.4.9: groups of dt, then dd; a div may stand around a group. Departures:
other elements around are passed over, too; where a group has many terms and many definitions, not
every term stands with every definition, so that the pairs don't grow with the square of the list;
a list within eight others is only part of their definitions, each of which holds its text again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page.ancestry import nearest
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_MANY: Final = 4
"""Terms of a group that stand with all of its definitions."""

_DEEP: Final = 8
"""Lists in one another that are read."""


def definitions(page: Page, shown: Mask) -> dict[int, list[list[int]]]:
    """Return row of each list → (dt, dd) rows in order: each term of a group with each definition.

    Beyond the first four terms of a group a term stands with the group's first four definitions.
    Lists without any such pair among the rows ``shown``, bool[n], are left out.
    """
    lists = page.is_tag("dl") & shown
    found: dict[int, list[list[int]]] = {}
    if not lists.any():
        return found
    owner = nearest(page, lists)
    terms: dict[int, list[int]] = {}
    meanings: dict[int, list[int]] = {}
    is_term = page.is_tag("dt")
    is_read = (owner >= 0) & (_levels(page, lists)[owner] <= _DEEP)
    items = np.flatnonzero((is_term | page.is_tag("dd")) & shown & is_read)
    for row in checked(items.tolist(), every=64):
        own = int(owner[row])
        if is_term[row]:
            if meanings.get(own):
                _add(found, own, terms, meanings)
            terms.setdefault(own, []).append(row)
        else:
            meanings.setdefault(own, []).append(row)
    for own in list(meanings):
        _add(found, own, terms, meanings)
    return dict(sorted(found.items()))


def _levels(page: Page, rows: Mask) -> NDArray[np.intp]:
    """Return intp[n]: how many of the marked rows, bool[n], each row is or stands in."""
    marked = np.flatnonzero(rows)
    change = np.bincount(marked, minlength=len(page) + 1)
    change -= np.bincount(page.end[marked], minlength=len(page) + 1)
    levels: NDArray[np.intp] = np.cumsum(change)[:-1]
    return levels


def _add(
    found: dict[int, list[list[int]]],
    own: int,
    terms: dict[int, list[int]],
    meanings: dict[int, list[int]],
) -> None:
    """End a group: move its pairs to ``found``."""
    group, definitions = terms.pop(own, []), meanings.pop(own, [])
    pairs = [
        [term, one]
        for number, term in enumerate(group)
        for one in (definitions if number < _MANY else definitions[:_MANY])
    ]
    if pairs:
        found.setdefault(own, []).extend(pairs)
