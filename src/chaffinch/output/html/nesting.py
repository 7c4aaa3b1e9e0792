"""Where elements stand as no parser would put them, so that what is written may read otherwise.

A parser of HTML never makes some trees of any source that is written from them (HTML Standard,
section 13.3): a block in a paragraph, a link in a link, HTML directly in svg. Pages hold them all
the same: in quirks mode, by tables that put their content before them, by scripts, where the depth
is bounded, or where an element between isn't written.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_DEEP: Final = 500
"""Depth from which on parsers and browsers may flatten: both take 512 elements."""

_ALONE: Final = tags.table(
    "select option optgroup textarea keygen isindex frameset image rb rtc xmp plaintext".split()
)
"""Elements with rules of their own for what they hold, or with other names when read."""

_BLOCKS: Final = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure"
    " footer form header hgroup hr h1 h2 h3 h4 h5 h6 listing main menu nav ol p pre search section"
    " summary table ul li dd dt"
)
_BREAK_OUT: Final = (
    " b big body br button code em embed font form head i img input label meta nobr ruby s select"
    " small span strong strike style sub sup textarea title tt u var"
)


class _Within(NamedTuple):
    """Elements that may not stand anywhere in others, but as children of some."""

    outer: Mask
    inner: Mask
    held_by: Mask


def _within(outer: str, inner: str, held_by: str = "") -> _Within:
    return _Within(*(tags.table(names.split()) for names in (outer, inner, held_by)))


_WITHIN: Final = (
    _within("p", _BLOCKS),
    _within("svg", _BLOCKS + _BREAK_OUT),
    _within("math", f"{_BLOCKS}{_BREAK_OUT} #unknown"),
    *(_within(name, name) for name in ("a", "button", "form", "nobr")),
    _within("li", "li", "ul ol menu dir"),
    _within("dd dt", "dd dt", "dl"),
)

_OUTER: Final = np.array([each.outer for each in _WITHIN])
_INNER: Final = np.array([each.inner for each in _WITHIN])
"""bool[pairs, tags], of each of `_WITHIN`."""

_PARENTS: Final = (
    ("tr", "tbody thead tfoot"),
    ("td th", "tr"),
    ("caption colgroup tbody thead tfoot", "table"),
    ("col", "colgroup"),
    ("rt rp", "ruby"),
)
"""(elements, what each must stand directly in)."""

_HELD: Final = (
    ("table", "caption colgroup tbody thead tfoot"),
    ("tbody thead tfoot", "tr"),
    ("tr", "td th"),
    ("colgroup", "col"),
)
"""(elements, all that each may hold but white space)."""


def _allowed() -> NDArray[np.bool_]:
    """Return bool[parents, children]: which tag may stand directly in which."""
    codes = len(tags.NAMES)
    allowed = np.ones((codes, codes), dtype=bool)
    for children, parents in _PARENTS:
        allowed[:, tags.table(children.split())] = False
        allowed[np.ix_(tags.table(parents.split()), tags.table(children.split()))] = True
    for parents, children in _HELD:
        allowed[tags.table(parents.split())] = False
        allowed[np.ix_(tags.table(parents.split()), tags.table(children.split()))] = True
    allowed[np.ix_(tags.HEADING, tags.HEADING)] = False
    return allowed


_ALLOWED: Final = _allowed()


def may_read_otherwise(page: Page, written: Mask) -> bool:
    """Return whether some of the rows written, bool[n], may be read in another place.

    Linear in the rows; true for some trees that do read the same.
    """
    rows = np.flatnonzero(written & ((page.tag != tags.TEXT) | page.written))
    if not len(rows):
        return False
    tag = page.tag[rows]
    present = np.bincount(tag, minlength=len(tags.NAMES)).astype(bool)
    if (present & _ALONE).any() or int(page.depth[rows].max()) >= _DEEP:
        return True
    above = np.maximum(page.parent[rows], 0)
    if not _ALLOWED[page.tag[above], tag].all():
        return True
    holding = (_OUTER & present).any(axis=1) & (_INNER & present).any(axis=1)
    for outer, inner, held_by in compress(_WITHIN, holding.tolist()):
        around, within = outer[tag], inner[tag] & ~held_by[page.tag[above]]
        if _is_any_within(page, rows[around], rows[within]):
            return True
    return False


def _is_any_within(page: Page, outer: NDArray[np.intp], inner: NDArray[np.intp]) -> bool:
    """Return whether any of the rows ``inner`` stands in any of ``outer``; both are in order."""
    before = np.searchsorted(outer, inner) - 1  # the last of the outer rows before each
    inner, before = inner[before >= 0], before[before >= 0]
    ends = np.maximum.accumulate(page.end[outer])
    return bool((ends[before] > inner).any())
