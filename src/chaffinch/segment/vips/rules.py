"""The thirteen division rules, for all rows at once.

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, 2003, section 4.1. Whether a node is divided depends on the
node and its children alone, but for rule 3 (is it the root of its block?) and rule 11 (was the
sibling before it divided?), which `blocks` checks on its way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.layout.markup import REPLACED
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.layout.estimated_boxes import Looks
    from chaffinch.page import Page
    from chaffinch.page.arrays import Codes, Mask, Rows
    from chaffinch.segment.vips.settings import Settings

INLINE: Final = ~(tags.BLOCK | tags.BREAK | tags.VOID | tags.INVISIBLE | REPLACED)
"""Tags that only change the look of text; unknown tags are inline in browsers, too."""

_BREAKING: Final = tags.table(["br", "hr"])
_HR: Final = tags.table(["hr"])

INLINE_NODE, TABLE, CELL, PARAGRAPH, OTHER = range(5)
ORDER: Final = {
    INLINE_NODE: (1, 2, 4, 5, 6, 8, 9, 13),
    TABLE: (1, 2, 7, 9, 12),
    CELL: (1, 2, 4, 8, 9, 10, 12),
    PARAGRAPH: (1, 2, 4, 5, 6, 8, 9, 13),
    OTHER: (1, 2, 4, 6, 8, 9, 13),
}
"""Rules by kind of node, first to last. Rule 3 comes after 2, 11 before 12 and 13."""

_ALL_TEXT, _SMALL, _DIVIDE, _LAST = 4, 9, 12, 13
DIVIDES: Final = np.zeros(14, dtype=bool)
DIVIDES[[2, 3, 5, 6, 7, 8, 12]] = True


def _grades() -> NDArray[np.int8]:
    """Return the coherence that a tag alone gives its content, 0 to 3."""
    grades = np.ones(len(tags.NAMES), dtype=np.int8)
    grades[INLINE] = 3
    for grade, names in (
        (0, "html body center frameset table tbody main"),
        (
            2,
            (
                "ul ol dl dir menu nav header footer aside fieldset figure blockquote td th tr"
                " thead tfoot address details search hgroup dialog"
            ),
        ),
        (3, "p h1 h2 h3 h4 h5 h6 li dt dd pre caption figcaption legend summary option label"),
    ):
        for name in names.split():
            grades[tags.CODES[name]] = grade
    return grades


GRADE: Final = _grades()
_SIZE_BONUS: Final = np.array([0, 0, 1, 2], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Decisions:
    """What the rules decide for each row that can be seen.

    Attributes:
        rule: int8[n], the rule that decides; 0 for text, 1 for nodes that are removed. Rules 3 and
            11 depend on the traversal and are applied by `blocks`.
        divide: bool[n], whether the rule divides the node.
        doc: int8[n], degree of coherence of the block if it isn't divided, 1..10.
        whole_doc: int8[n], degree of coherence as a child with another background (rule 8), 6..8;
            0 where the row is too big to stay whole.
        textual: bool[n], text and virtual text nodes.
        size: float64[n], area as a share of the page's.
        dividable: bool[n], rows with a child that can be seen.
        yields: bool[n], rows that rule 11 keeps whole if the sibling before wasn't divided.
        font_after: int32[n+1], number of changes of font up to the first text from a row on.
        font_before: int32[n+1], the same up to the last text before a row: text in ``i:j`` has
            one font where ``font_after[i] == font_before[j]``.
    """

    rule: NDArray[np.int8]
    divide: Mask
    doc: NDArray[np.int8]
    whole_doc: NDArray[np.int8]
    textual: Mask
    size: NDArray[np.float64]
    dividable: Mask
    yields: Mask
    font_after: Rows
    font_before: Rows


def decide(page: Page, looks: Looks, settings: Settings) -> Decisions:
    """Apply every rule to every row."""
    tag, valid = page.tag, looks.valid
    text = tag == tags.TEXT
    inline = INLINE[tag] & ~text
    breaking = _BREAKING[tag] & page.shown
    line_break = (valid & ~text & ~inline) | breaking
    textual = valid & (text | (inline & (page.total(line_break) == 0)))
    size, areas = _sizes(looks, settings)
    children = _Children(page)
    count = children.count(valid)
    own_text = children.count(textual)
    differs = looks.background != looks.background[np.maximum(page.parent, 0)]
    whole = valid & ~text & differs & (size <= settings.whole_size)
    holds = {
        1: count == 0,
        2: (count == 1) & (children.count(valid & text) == 0),
        4: own_text == children.count(valid | breaking),
        5: children.count(line_break) > 0,
        6: children.count(_HR[tag] & page.shown) > 0,
        7: children.sum(np.where(valid, areas, 0)) > areas,
        8: children.count(whole) > 0,
        9: (own_text > 0) & (size < settings.relative_size),
        10: children.most(np.where(valid, size, 0)) < settings.largest_child,
        12: np.ones(len(page), dtype=bool),
        13: np.ones(len(page), dtype=bool),
    }
    rule = _first_that_holds(tag, holds)
    rule[text] = 0
    rule[valid & looks.seen & (count == 0) & ~text] = 13
    rule[~valid] = 1
    rule[textual & ~text] = 4
    after, before = _font_changes(page, looks)
    one_font = after[:-1] == before[page.end]
    by_size = _doc_by_size(tag, size, settings)
    doc = np.where(rule == _SMALL, 5 + GRADE[tag], by_size)
    doc = np.where(rule == _ALL_TEXT, np.where(one_font, 10, 9), doc)
    doc = np.where(count == 0, 10, doc).astype(np.int8)
    small = size < settings.relative_size
    whole_doc = np.where(whole, 6 + (GRADE[tag] > 1) + small, 0).astype(np.int8)
    yields = (rule == _LAST) | ((rule == _DIVIDE) & (_KIND[tag] == CELL))
    divide = DIVIDES[rule]
    return Decisions(rule, divide, doc, whole_doc, textual, size, count > 0, yields, after, before)


def _first_that_holds(tag: Codes, holds: Mapping[int, Mask]) -> NDArray[np.int8]:
    """Return int8[n], the first rule that holds for each row, in the order of its kind of tag."""
    kind = _KIND[tag]
    rule = np.zeros(len(tag), dtype=np.int8)
    for code, order in ORDER.items():
        of_kind = kind == code
        for number in reversed(order):
            rule[of_kind & holds[number]] = number
    return rule


class _Children:
    """Sums over the children of each row."""

    def __init__(self, page: Page) -> None:
        self._parent = page.parent
        self._length = len(page)

    def count(self, rows: Mask) -> NDArray[np.intp]:
        """Return how many children of each row are marked."""
        parents = self._parent[rows]
        return np.bincount(parents[parents >= 0], minlength=self._length)

    def sum(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the sum of ``values`` over each row's children."""
        sums = np.bincount(self._parent[1:], values[1:], minlength=self._length)
        return sums.astype(np.float64)

    def most(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the largest of ``values`` among each row's children, at least 0."""
        out = np.zeros(self._length)
        rows = np.flatnonzero(values[1:] > 0) + 1
        np.maximum.at(out, self._parent[rows], values[rows])
        return out


def _kind_table() -> NDArray[np.int8]:
    kinds = np.full(len(tags.NAMES), OTHER, dtype=np.int8)
    kinds[INLINE] = INLINE_NODE
    for name in ("table", "tbody", "thead", "tfoot", "tr"):
        kinds[tags.CODES[name]] = TABLE
    kinds[[tags.CODES["td"], tags.CODES["th"]]] = CELL
    kinds[tags.CODES["p"]] = PARAGRAPH
    return kinds


_KIND: Final = _kind_table()


def _sizes(looks: Looks, settings: Settings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (size, area): share of the page's area, and square pixels."""
    width = (looks.right - looks.left).astype(np.float64)
    area = width * (looks.bottom - looks.top)
    valid = looks.valid
    if not valid.any():
        return np.zeros(len(valid)), area
    across = float(looks.right[valid].max() - min(looks.left[valid].min(), 0))
    down = float(looks.bottom[valid].max() - min(looks.top[valid].min(), 0))
    page = across * min(down, settings.longest * across)
    return np.minimum(area / max(page, 1.0), 1.0), area


def _doc_by_size(tag: NDArray[Any], size: NDArray[np.float64], settings: Settings) -> NDArray[Any]:
    steps = np.array(settings.doc_sizes[::-1])
    smaller_than = len(steps) - np.searchsorted(steps, size, side="right")
    doc: NDArray[Any] = np.clip(1 + smaller_than + _SIZE_BONUS[GRADE[tag]], 1, 8)
    return doc


def _font_changes(page: Page, looks: Looks) -> tuple[Rows, Rows]:
    """Return (after, before), int32[n+1] each; see `Decisions`."""
    is_text = looks.seen & (page.tag == tags.TEXT)
    rows = np.flatnonzero(is_text)
    changes = np.zeros(len(rows) + 2, dtype=np.int32)
    size, weight = looks.font_size[rows], looks.font_weight[rows]
    if len(rows):
        changes[2:-1] = np.cumsum((np.diff(size) != 0) | (np.diff(weight) != 0))
        changes[-1] = changes[-2]
    seen = np.zeros(len(page) + 1, dtype=np.int32)
    np.cumsum(is_text, out=seen[1:])
    return changes[seen + 1], changes[seen]
