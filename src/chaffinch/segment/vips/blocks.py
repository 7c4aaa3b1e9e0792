"""Visual block extraction: the thirteen division rules, their thresholds, one round of dividing.

The report names the roles of the figures and gives none but the ranges of DoC by rule. These were
chosen by looking at the blocks of example pages and real ones;
base and like weight also by how many blocks it takes to part content from noise
(`bench/papers/vips_sites.py`).

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, 2003, section 4.1. Whether a node is divided depends on the
node and its children alone, but for rule 3 (is it the root of its block?) and rule 11 (was the
sibling before it divided?), which `blocks` checks on its way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.arrays import Codes, Mask, Rows
from chaffinch.layout.estimated_boxes import Looks
from chaffinch.layout.markup import REPLACED
from chaffinch.page import Page, tags

# Sizes are areas as shares of the page's.

_RELATIVE_SIZE: Final = 0.06  # rule 9: a smaller node that holds text itself isn't divided
_LARGEST_CHILD: Final = 0.06  # rule 10: a cell whose largest child is smaller isn't divided
_WHOLE_SIZE: Final = 0.3  # rule 8: a child with another background stays whole unless it is bigger
_DOC_SIZES: Final = np.array([0.02, 0.06, 0.12, 0.25, 0.4, 0.6])
"""Rules 10, 11 and 13: a node loses a degree for each of these sizes that it reaches."""
_LONGEST: Final = 6.0
"""Pages are measured as at most this many times as long as wide, so that a thousand comments don't
make an article small."""

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


def _by_tag(usual: int, inline: int, named: Mapping[int, str]) -> NDArray[np.int8]:
    """Return a value by the code of a tag: of inline ones, of some by name, of all others."""
    values = np.full(len(tags.NAMES), usual, dtype=np.int8)
    values[INLINE] = inline
    for value, names in named.items():
        values[[tags.CODES[name] for name in names.split()]] = value
    return values


GRADE: Final = _by_tag(
    1,
    3,
    {
        0: "html body center frameset table tbody main",
        2: "ul ol dl dir menu nav header footer aside fieldset figure blockquote td th tr thead"
        " tfoot address details search hgroup dialog",
        3: "p h1 h2 h3 h4 h5 h6 li dt dd pre caption figcaption legend summary option label",
    },
)
"""The coherence that a tag alone gives its content, 0 to 3."""
_SIZE_BONUS: Final = np.array([0, 0, 1, 2], dtype=np.int8)


@dataclass(frozen=True, eq=False)
class Decisions:
    """What the rules decide for each row that can be seen."""

    # int8[n], the rule that decides; 0 for text, 1 for nodes that are removed. Rules 3 and 11
    # depend on the traversal and are applied by `blocks`
    rule: NDArray[np.int8]
    divide: Mask  # bool[n], whether the rule divides the node
    doc: NDArray[np.int8]  # int8[n], degree of coherence of the block if it isn't divided, 1..10
    # int8[n], degree of coherence as a child with another background (rule 8), 6..8; 0 where
    # the row is too big to stay whole
    whole_doc: NDArray[np.int8]
    textual: Mask  # bool[n], text and virtual text nodes
    size: NDArray[np.float64]  # float64[n], area as a share of the page's
    dividable: Mask  # bool[n], rows with a child that can be seen
    yields: Mask  # bool[n], rows that rule 11 keeps whole if the sibling before wasn't divided
    font_after: Rows  # int32[n+1], number of changes of font up to the first text from a row on
    # int32[n+1], the same up to the last text before a row: text in ``i:j`` has one font
    # where ``font_after[i] == font_before[j]``
    font_before: Rows


def decide(page: Page, looks: Looks) -> Decisions:
    tag, valid = page.tag, looks.valid
    text = tag == tags.TEXT
    inline = INLINE[tag] & ~text
    breaking = _BREAKING[tag] & page.shown
    line_break = (valid & ~text & ~inline) | breaking
    textual = valid & (text | (inline & (page.total(line_break) == 0)))
    size, areas = _sizes(looks)
    children = _Children(page)
    count = children.count(valid)
    own_text = children.count(textual)
    differs = looks.background != looks.background[np.maximum(page.parent, 0)]
    whole = valid & ~text & differs & (size <= _WHOLE_SIZE)
    holds = {
        1: count == 0,
        2: (count == 1) & (children.count(valid & text) == 0),
        4: own_text == children.count(valid | breaking),
        5: children.count(line_break) > 0,
        6: children.count(_HR[tag] & page.shown) > 0,
        7: children.sum(np.where(valid, areas, 0)) > areas,
        8: children.count(whole) > 0,
        9: (own_text > 0) & (size < _RELATIVE_SIZE),
        10: children.most(np.where(valid, size, 0)) < _LARGEST_CHILD,
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
    by_size = _doc_by_size(tag, size)
    doc = np.where(rule == _SMALL, 5 + GRADE[tag], by_size)
    doc = np.where(rule == _ALL_TEXT, np.where(one_font, 10, 9), doc)
    doc = np.where(count == 0, 10, doc).astype(np.int8)
    small = size < _RELATIVE_SIZE
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


_KIND: Final = _by_tag(
    OTHER, INLINE_NODE, {TABLE: "table tbody thead tfoot tr", CELL: "td th", PARAGRAPH: "p"}
)


def _sizes(looks: Looks) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (size, area): share of the page's area, and square pixels."""
    width = (looks.right - looks.left).astype(np.float64)
    area = width * (looks.bottom - looks.top)
    valid = looks.valid
    if not valid.any():
        return np.zeros(len(valid)), area
    across = float(looks.right[valid].max() - min(looks.left[valid].min(), 0))
    down = float(looks.bottom[valid].max() - min(looks.top[valid].min(), 0))
    page = across * min(down, _LONGEST * across)
    return np.minimum(area / max(page, 1.0), 1.0), area


def _doc_by_size(tag: NDArray[Any], size: NDArray[np.float64]) -> NDArray[Any]:
    smaller_than = len(_DOC_SIZES) - np.searchsorted(_DOC_SIZES, size, side="right")
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


LINKED = 0.5  # of its text in links makes a block one of links
TEXT_LIKE = -1  # kind of blocks that are text or one picture


class Block(NamedTuple):
    """A visual block, the result of a round: one or more subtrees that weren't divided."""

    roots: tuple[int, ...]  # rows whose subtrees it consists of; several only for a run of text
    doc: int  # degree of coherence, 1..10
    dividable: bool  # whether a further round can divide it
    left: float  # pixels, like the other edges
    top: float  # upper edge
    right: float  # right edge
    bottom: float  # lower edge
    # tag of its first root, or `TEXT_LIKE`, and whether it is mostly links; blocks of equal
    # kind count as of like structure
    kind: tuple[int, bool]
    rule: int  # the rule that made it


class Extraction:
    """The columns that a round reads, as lists, whose single items are read faster than arrays'."""

    def __init__(self, page: Page, looks: Looks, decisions: Decisions) -> None:
        linked = np.where(page.length > 0, page.link_length >= LINKED * page.length, page.in_link)
        text_like = decisions.textual | ~decisions.dividable | np.isin(decisions.rule, (4, 9))
        self.tag: list[int] = page.tag.tolist()
        self.end: list[int] = page.end.tolist()
        self.valid: list[bool] = looks.valid.tolist()
        self.textual: list[bool] = decisions.textual.tolist()
        self.rule: list[int] = decisions.rule.tolist()
        self.divide: list[bool] = decisions.divide.tolist()
        self.doc: list[int] = decisions.doc.tolist()
        self.whole_doc: list[int] = decisions.whole_doc.tolist()
        self.dividable: list[bool] = decisions.dividable.tolist()
        edges = (looks.left, looks.top, looks.right, looks.bottom)
        self.left, self.top, self.right, self.bottom = (edge.tolist() for edge in edges)
        self.yields: list[bool] = decisions.yields.tolist()
        self.font_after: list[int] = decisions.font_after.tolist()
        self.font_before: list[int] = decisions.font_before.tolist()
        self.linked: list[bool] = (linked & looks.valid).tolist()
        self.text_like: list[bool] = text_like.tolist()

    def round(self, roots: tuple[int, ...]) -> list[Block]:
        """Divide the block of ``roots`` and return its parts, in document order.

        The only root of a block is divided whatever the other rules decide (rule 3); of a run of
        text each member becomes a block.
        """
        if len(roots) > 1:
            return [self._run((row,)) for row in roots]
        out: list[Block] = []
        waiting: list[Block | int] = [roots[0]]
        while waiting:
            item = waiting.pop()
            if isinstance(item, Block):
                out.append(item)
            else:
                by_rule_8 = self.rule[item] == 8 and item != roots[0]  # noqa: PLR2004
                waiting.extend(reversed(list(self._divided(item, by_rule_8))))
        return out

    def whole(self, row: int) -> Block:
        return self._block((row,), self.doc[row], self.rule[row])

    def _divided(self, row: int, by_rule_8: bool) -> Iterator[Block | int]:  # noqa: FBT001
        run: list[int] = []
        whole_before = False
        child, stop = row + 1, self.end[row]
        while child < stop:
            here, child = child, self.end[child]
            if not self.valid[here]:
                if run and _BREAKING[self.tag[here]]:
                    yield self._run(tuple(run))
                    run = []
                continue
            if self.textual[here]:
                run.append(here)
                continue
            if run:
                yield self._run(tuple(run))
                run, whole_before = [], True
            rule, divide, doc = self.rule[here], self.divide[here], self.doc[here]
            if by_rule_8 and self.whole_doc[here]:
                rule, divide, doc = 8, False, self.whole_doc[here]
            elif whole_before and self.yields[here]:
                rule, divide = 11, False
            if divide:
                yield here
            else:
                yield self._block((here,), doc, rule)
            whole_before = not divide
        if run:
            yield self._run(tuple(run))

    def _run(self, roots: tuple[int, ...]) -> Block:
        """Return the block of neighbouring text and virtual text nodes (rule 4)."""
        if len(roots) == 1:
            return self._block(roots, self.doc[roots[0]], 4)
        same = self.font_after[roots[0]] == self.font_before[self.end[roots[-1]]]
        return self._block(roots, 10 if same else 9, 4)

    def _block(self, roots: tuple[int, ...], doc: int, rule: int) -> Block:
        first = roots[0]
        kind = TEXT_LIKE if self.text_like[first] else self.tag[first]
        left, top = self.left[first], self.top[first]
        right, bottom = self.right[first], self.bottom[first]
        linked = self.linked[first]
        for row in roots[1:]:
            left, top = min(left, self.left[row]), min(top, self.top[row])
            right, bottom = max(right, self.right[row]), max(bottom, self.bottom[row])
            linked = linked and self.linked[row]
        dividable = self.dividable[first] or len(roots) > 1
        return Block(roots, doc, dividable, left, top, right, bottom, (kind, linked), rule)
