"""Definition lists as terms and what belongs to them.

HTML Standard, section 4.4.9: groups of dt, then dd; a div may stand around a group. Departure:
other elements around are passed over, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.page.ancestry import nearest
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask


def definitions(page: Page, shown: Mask) -> dict[int, list[list[int]]]:
    """Return row of each list → (dt, dd) rows in order: each term of a group with each definition.

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
    items = np.flatnonzero((is_term | page.is_tag("dd")) & shown & (owner >= 0))
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


def _add(
    found: dict[int, list[list[int]]],
    own: int,
    terms: dict[int, list[int]],
    meanings: dict[int, list[int]],
) -> None:
    """End a group: move its pairs to ``found``."""
    group, definitions = terms.pop(own, []), meanings.pop(own, [])
    pairs = [[term, one] for term in group for one in definitions]
    if pairs:
        found.setdefault(own, []).extend(pairs)
