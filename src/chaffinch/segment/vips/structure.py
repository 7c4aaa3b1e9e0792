"""Content structure: blocks merged over their lightest separators first, as a tree.

Cai, Yu, Wen, Ma: VIPS, MSR-TR-2003-79, 2003, section 4.3. Merging from the lightest separator
upwards and splitting at the heaviest one downwards give the same tree; the second needs no state.
The side a separator runs along is chosen by weight: where both kinds cross a region, the heaviest
separator decides, and a horizontal one on a tie.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from chaffinch.segment.vips.separators import Gap, gaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.segment.vips.blocks import Block
    from chaffinch.segment.vips.separators import Weigher

MOST_DOC: Final = 9
"""Coherence of blocks merged over a separator without weight."""


class Node:
    """A block of the tree while it is built.

    Attributes:
        parent: its number; -1 for the page.
        blocks: what it is made of; one block for a leaf.
        doc: degree of coherence.
        open: whether no block above is coherent enough already.
        roots: its rows; they stay what they were when it is divided.
        rectangle: left, top, right, bottom in pixels.
    """

    def __init__(self, parent: int, blocks: list[Block], doc: int = MOST_DOC) -> None:
        self.parent = parent
        self.blocks = blocks
        self.doc = doc
        self.open = True
        self.roots = tuple(row for block in blocks for row in block.roots)
        self.rectangle = rectangle(blocks)


@dataclass(frozen=True, eq=False)
class Split:
    """One separator that was used: what `Separators` holds in columns."""

    parent: int
    horizontal: bool
    weight: int
    rectangle: tuple[float, float, float, float]


@dataclass(eq=False)
class Tree:
    """The content structure while it is built."""

    pdoc: int
    nodes: list[Node] = field(default_factory=list)
    splits: list[Split] = field(default_factory=list)

    def expand(self, here: int, pool: list[Block], weigher: Weigher) -> list[int]:
        """Put the structure of ``pool`` below the leaf ``here``; return the new leaves to divide.

        Degrees of coherence: of a merged block 9 less the weight of the heaviest separator in it,
        never more than that of its parts, and never less than that of the block divided.
        """
        node, first = self.nodes[here], len(self.nodes)
        least, node.blocks = node.doc, pool
        leaves = self._build(here, weigher)
        for number in range(len(self.nodes) - 1, first - 1, -1):
            above = self.nodes[self.nodes[number].parent]
            above.doc = min(above.doc, self.nodes[number].doc)
        for part in (node, *self.nodes[first:]):
            part.doc = max(part.doc, least)
        for part in self.nodes[first:]:
            above = self.nodes[part.parent]
            part.open = above.open and above.doc < self.pdoc
        return [leaf for leaf in leaves if self.nodes[leaf].open]

    def _build(self, top: int, weigher: Weigher) -> list[int]:
        waiting, leaves = [top], []
        while waiting:
            here = waiting.pop()
            pool = self.nodes[here].blocks
            if len(pool) == 1:
                self.nodes[here].doc = pool[0].doc
                leaves.append(here)
                continue
            parts, heaviest = self._split(here, pool, weigher)
            self.nodes[here].doc = max(1, MOST_DOC - heaviest)
            for part in parts:
                waiting.append(len(self.nodes))
                self.nodes.append(Node(here, part))
        return leaves

    def _split(
        self, here: int, pool: list[Block], weigher: Weigher
    ) -> tuple[list[list[Block]], int]:
        """Return the parts of a pool at its heaviest separators, and their weight.

        Blocks that overlap, so that nothing parts them, become parts of their own.
        """
        best: tuple[int, bool, list[int], list[Gap]] | None = None
        for horizontal in (True, False):
            order, found = gaps(pool, horizontal=horizontal, overlap=weigher.settings.overlap)
            if not found:
                continue
            weights = [weigher.weight(gap, pool, horizontal=horizontal) for gap in found]
            heaviest = max(weights)
            if best is None or heaviest > best[0]:
                cuts = [gap for gap, w in zip(found, weights, strict=True) if w == heaviest]
                best = heaviest, horizontal, order, cuts
        if best is None:
            return [[block] for block in pool], 0
        heaviest, horizontal, order, cuts = best
        self._record(here, pool, heaviest, cuts, horizontal=horizontal)
        bounds = [0, *(cut.first for cut in cuts), len(order)]
        parts = [
            sorted((pool[item] for item in order[start:stop]), key=lambda one: one.roots[0])
            for start, stop in pairwise(bounds)
        ]
        return parts, heaviest

    def _record(
        self, here: int, pool: Sequence[Block], weight: int, cuts: list[Gap], *, horizontal: bool
    ) -> None:
        left, top, right, bottom = rectangle(pool)
        for cut in cuts:
            box = (
                (left, cut.start, right, cut.stop)
                if horizontal
                else (cut.start, top, cut.stop, bottom)
            )
            self.splits.append(Split(here, horizontal, weight, box))


def rectangle(blocks: Sequence[Block]) -> tuple[float, float, float, float]:
    """Return left, top, right, bottom of the box around all ``blocks``."""
    if len(blocks) == 1:
        one = blocks[0]
        return one.left, one.top, one.right, one.bottom
    return (
        min(block.left for block in blocks),
        min(block.top for block in blocks),
        max(block.right for block in blocks),
        max(block.bottom for block in blocks),
    )
