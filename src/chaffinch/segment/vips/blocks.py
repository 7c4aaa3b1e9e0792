"""Visual block extraction: one round of dividing, from the roots of a block downwards.

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, 2003, section 4.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.layout.estimated_boxes import Looks
    from chaffinch.page import Page
    from chaffinch.segment.vips.rules import Decisions

LINKED = 0.5  # of its text in links makes a block one of links
TEXT_LIKE = -1  # kind of blocks that are text or one picture


class Block(NamedTuple):
    """A visual block, the result of a round: one or more subtrees that weren't divided.

    Attributes:
        roots: rows whose subtrees it consists of; several only for a run of text.
        doc: degree of coherence, 1..10.
        dividable: whether a further round can divide it.
        left: pixels, like the other edges.
        top: upper edge.
        right: right edge.
        bottom: lower edge.
        kind: tag of its first root, or `TEXT_LIKE`, and whether it is mostly links; blocks of equal
            kind count as of like structure.
        rule: the rule that made it.
    """

    roots: tuple[int, ...]
    doc: int
    dividable: bool
    left: float
    top: float
    right: float
    bottom: float
    kind: tuple[int, bool]
    rule: int


@dataclass(frozen=True, eq=False)
class Extraction:
    """The columns that a round reads, as lists, whose single items are read faster than arrays'."""

    tag: list[int]
    end: list[int]
    valid: list[bool]
    textual: list[bool]
    rule: list[int]
    divide: list[bool]
    doc: list[int]
    whole_doc: list[int]
    dividable: list[bool]
    left: list[float]
    top: list[float]
    right: list[float]
    bottom: list[float]
    yields: list[bool]
    font_after: list[int]
    font_before: list[int]
    linked: list[bool]
    text_like: list[bool]

    @classmethod
    def of(cls, page: Page, looks: Looks, decisions: Decisions) -> Extraction:
        """Collect the columns."""
        linked = np.where(
            page.length > 0, page.link_length >= LINKED * page.length, page.in_link
        ) & (looks.valid)
        text_like = decisions.textual | ~decisions.dividable | np.isin(decisions.rule, (4, 9))
        columns = (
            page.tag, page.end, looks.valid, decisions.textual, decisions.rule, decisions.divide,
            decisions.doc, decisions.whole_doc, decisions.dividable, looks.left, looks.top,
            looks.right, looks.bottom, decisions.yields, decisions.font_after,
            decisions.font_before, linked, text_like,
        )  # fmt: skip
        return cls(*(column.tolist() for column in columns))

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
        """Return the subtree of ``row`` as one block."""
        return self._block((row,), self.doc[row], self.rule[row])

    def _divided(self, row: int, by_rule_8: bool) -> Iterator[Block | int]:  # noqa: FBT001
        """Yield the parts of a divided row: blocks, and rows that are divided further."""
        run: list[int] = []
        whole_before = False
        child, stop = row + 1, self.end[row]
        while child < stop:
            here, child = child, self.end[child]
            if not self.valid[here]:
                if run and self.tag[here] in _BREAKING:
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


_BREAKING = (tags.CODES["br"], tags.CODES["hr"])
