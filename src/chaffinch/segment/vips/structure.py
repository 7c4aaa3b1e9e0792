"""VIPS: vision-based page segmentation, from a rendered page or from markup alone.

Cai, Yu, Wen, Ma: VIPS: a vision-based page segmentation algorithm, MSR-TR-2003-79, 2003. Rounds of
block extraction (`blocks`), separator detection and content structure, until every leaf is as
coherent as required or can't be divided; departures: docs/methods.md.

Separators (section 4.2): what is left of one that spans the pool, split, trimmed and removed by the
blocks, are the gaps that no block reaches into; they are read off directly, in one sweep. Blocks
that touch have a separator of no thickness between them, for many styles leave no gap.

Structure (section 4.3): merging from the lightest separator upwards and splitting at the heaviest
one downwards give the same tree; the second needs no state. Where both kinds cross a region, the
heaviest separator decides, and a horizontal one on a tie. A divided block whose parts turn out to
be more coherent together takes over their degree. Block 0 is the whole page, of DoC 1.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import require_whole
from chaffinch.kernels.arrays import Floats, Mask, Rows, marked
from chaffinch.layout.estimated_boxes import Looks, looks
from chaffinch.page import Page, tags
from chaffinch.page_work import check_time
from chaffinch.segment.vips.blocks import Block, Extraction, decide

# Weights of separators

_DISTANCES: Final = (2.0, 8.0, 15.0, 25.0, 40.0)
"""Pixels between the blocks on its sides, each of which gives a separator a weight."""
_BASE_WEIGHT: Final = 4  # of any separator
_HR_WEIGHT: Final = 3  # added where an hr lies in the separator
_BACKGROUND_WEIGHT: Final = 2  # added where the backgrounds on both sides differ
_FONT_RATIO: Final = 1.25
"""Horizontal: one is added for every such ratio between the sizes of the fonts."""
_BOLD_WEIGHT: Final = 1  # horizontal: added where one side is bold
_SMALLER_BEFORE_WEIGHT: Final = 1  # horizontal: added where the text before is smaller than after
_LIKE_WEIGHT: Final = 5  # taken off where both sides have like structure
_OVERLAP: Final = 2.0  # pixels that blocks may overlap with a separator still between them
_BOLD: Final = 600.0
_FINEST: Final = 10  # degree of coherence


class Gap(NamedTuple):
    """A separator and the blocks next to it."""

    start: float  # pixels, where it begins (its top, or its left edge)
    stop: float  # pixels, where it ends; not before ``start``
    before: int  # position in the pool of the block that reaches furthest before it
    after: int  # position in the pool of the first block after it
    first: int  # how many blocks of the pool, in the order of the sweep, lie before it


def gaps(pool: Sequence[Block], *, horizontal: bool) -> tuple[list[int], list[Gap]]:
    """Return (order, gaps): the pool sorted along the axis, and the separators in that order."""
    starts = [block.top if horizontal else block.left for block in pool]
    stops = [block.bottom if horizontal else block.right for block in pool]
    order = sorted(range(len(pool)), key=starts.__getitem__)
    found = []
    reach, furthest = stops[order[0]], order[0]
    for index in range(1, len(order)):
        item = order[index]
        start, stop = starts[item], stops[item]
        # A block inside the tolerance mustn't be parted from one that it lies within.
        if start >= reach - _OVERLAP and stop > reach:
            found.append(Gap(min(reach, start), max(reach, start), furthest, item, index))
        if stop > reach:
            reach, furthest = stop, item
    return order, found


class Weigher:
    """Computes the weights of one page's separators."""

    def __init__(self, page: Page, looks: Looks) -> None:
        self.background: list[float] = looks.background.tolist()
        self.font_size: list[float] = looks.font_size.tolist()
        self.font_weight: list[float] = looks.font_weight.tolist()
        self.end: list[int] = page.end.tolist()
        is_text = looks.seen & (page.tag == tags.TEXT)
        self.text_before: list[int] = np.append(0, np.cumsum(is_text)).tolist()
        self.text_rows: list[int] = np.flatnonzero(is_text).tolist()
        hr = np.flatnonzero((page.tag == tags.CODES["hr"]) & page.shown & (looks.right > 0))
        middle = (looks.top[hr] + looks.bottom[hr]) / 2
        edges = middle.tolist(), looks.left[hr].tolist(), looks.right[hr].tolist()
        self.rules = sorted(zip(*edges, strict=True))  # of each hr, by height

    def weight(self, gap: Gap, pool: Sequence[Block], *, horizontal: bool) -> int:
        """Return the weight of a separator, 0 and up."""
        before, after = pool[gap.before], pool[gap.after]
        weight = _BASE_WEIGHT
        weight += bisect_right(_DISTANCES, gap.stop - gap.start)
        if self.background[before.roots[0]] != self.background[after.roots[0]]:
            weight += _BACKGROUND_WEIGHT
        if horizontal:
            if self.rules and self._has_rule(gap, before, after):
                weight += _HR_WEIGHT
            weight += self._font_weight(before, after)
        if before.kind == after.kind:
            weight -= _LIKE_WEIGHT
        return max(weight, 0)

    def _has_rule(self, gap: Gap, before: Block, after: Block) -> bool:
        index = bisect_left(self.rules, (gap.start,))
        while index < len(self.rules) and self.rules[index][0] <= gap.stop:
            _, left, right = self.rules[index]
            if right > min(before.left, after.left) and left < max(before.right, after.right):
                return True
            index += 1
        return False

    def _font_weight(self, before: Block, after: Block) -> int:
        last = self.text_before[self.end[before.roots[-1]]] - 1
        first = self.text_before[after.roots[0]]
        if last < self.text_before[before.roots[0]]:
            return 0
        if first >= self.text_before[self.end[after.roots[-1]]]:
            return 0
        above, below = self.text_rows[last], self.text_rows[first]
        weight = 0
        small, big = sorted((self.font_size[above], self.font_size[below]))
        while big >= small * _FONT_RATIO > 0:
            weight, small = weight + 1, small * _FONT_RATIO
        if (self.font_weight[above] >= _BOLD) != (self.font_weight[below] >= _BOLD):
            weight += _BOLD_WEIGHT
        if self.font_size[above] < self.font_size[below]:
            weight += _SMALLER_BEFORE_WEIGHT
        return weight


MOST_DOC: Final = 9  # coherence of blocks merged over a separator without weight


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


Split = tuple[int, bool, int, tuple[float, float, float, float]]
"""A separator that was used, as `Separators` has it: parent, horizontal, weight, rectangle."""


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
            order, found = gaps(pool, horizontal=horizontal)
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
        left, top, right, bottom = rectangle(pool)
        for cut in cuts:
            across, down = (left, cut.start, right, cut.stop), (cut.start, top, cut.stop, bottom)
            self.splits.append((here, horizontal, heaviest, across if horizontal else down))
        bounds = [0, *(cut.first for cut in cuts), len(order)]
        parts = [
            sorted((pool[item] for item in order[start:stop]), key=lambda one: one.roots[0])
            for start, stop in pairwise(bounds)
        ]
        return parts, heaviest


def rectangle(blocks: Sequence[Block]) -> tuple[float, float, float, float]:
    if len(blocks) == 1:
        one = blocks[0]
        return one.left, one.top, one.right, one.bottom
    return (
        min(block.left for block in blocks),
        min(block.top for block in blocks),
        max(block.right for block in blocks),
        max(block.bottom for block in blocks),
    )


@dataclass(frozen=True, eq=False)
class Separators:
    """The separators that part blocks; s of them."""

    horizontal: Mask  # bool[s], whether it parts what is above from what is below
    weight: NDArray[np.int8]  # int8[s], 0 and up: how strongly it parts
    # float32[s, 4], left, top, right, bottom in pixels. Where two blocks touch it has no
    # thickness
    rectangle: Floats
    parent: Rows  # int32[s], the block whose children it parts

    def __len__(self) -> int:
        return len(self.weight)


@dataclass(frozen=True, eq=False)
class Segmentation:
    """The content structure of a page: k blocks in a tree, parents before children.

    An empty page, or one on which nothing can be seen, has no block.
    """

    page: Page  # the page
    rendered: bool  # whether a browser's layout was read; else the boxes are estimates from markup
    # int32[n], the leaf block that each row belongs to; -1 for rows outside: elements that were
    # divided, and what can't be seen
    block: Rows
    parent: Rows  # int32[k], -1 for block 0, the whole page
    doc: NDArray[np.int8]  # int8[k], degree of coherence, 1..10; never less than the parent's
    # float32[k, 4], left, top, right, bottom in pixels: the box around the block's roots. What they
    # hold may reach beyond it
    rectangle: Floats
    root: Rows  # int32[m], roots of the subtrees that the blocks consist of; see `roots`
    root_at: Rows  # int32[k+1], where each block's part of ``root`` begins
    separators: Separators  # the separators between the children of blocks

    def __post_init__(self) -> None:
        columns = (self.block, self.parent, self.doc, self.rectangle, self.root, self.root_at)
        for column in columns:
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.parent)

    @property
    def leaves(self) -> Rows:
        """int32[…]: the blocks without children, in order of their first rows."""
        leaves = np.flatnonzero(~marked(len(self), self.parent[self.parent >= 0]))
        return leaves[np.argsort(self.root[self.root_at[leaves]], kind="stable")].astype(np.int32)

    def roots(self, block: int) -> Rows:
        """Return the rows whose subtrees make up ``block``, in document order."""
        return self.root[self.root_at[block] : self.root_at[block + 1]]

    def text(self, block: int) -> str:
        """Return the text of ``block``, white-space runs folded, a line for each root."""
        return "\n".join(filter(None, (self.page.folded(int(row)) for row in self.roots(block))))


@dataclass(frozen=True, kw_only=True)
class Vips:
    """Cuts a page into visual blocks.

    Attributes:
        pdoc: permitted degree of coherence, 1 (the whole page is one block) to 10 (the finest).
    """

    pdoc: int = 5

    def __post_init__(self) -> None:
        require_whole("pdoc", self.pdoc, 1, _FINEST)

    def __call__(self, page: Page) -> Segmentation:
        """Return the visual blocks of ``page`` at ``pdoc``.

        Takes about 2 ms and 2 to 4 microseconds a row (``bench/papers/vips_sites.py``).
        """
        seen, tree = looks(page), Tree(self.pdoc)
        if not len(page) or not seen.valid[0]:
            return _frozen(page, seen, tree)
        extraction = Extraction(page, seen, decide(page, seen))
        weigher = Weigher(page, seen)
        tree.nodes.append(Node(-1, [extraction.whole(0)], doc=1))
        waiting = [0]
        while waiting:
            check_time()
            here = waiting.pop()
            node = tree.nodes[here]
            if node.doc < self.pdoc and (pool := self._divided(node, extraction)):
                waiting.extend(tree.expand(here, pool, weigher))
        return _frozen(page, seen, tree)

    def _divided(self, node: Node, extraction: Extraction) -> list[Block]:
        """Return the parts of a leaf, at least two; none where it is coherent enough by then.

        A block that falls into one part takes its place.
        """
        block = node.blocks[0]
        while node.doc < self.pdoc and block.dividable:
            pool = extraction.round(block.roots)
            if len(pool) > 1:
                return pool
            block = pool[0]
            node.blocks, node.doc = pool, max(node.doc, block.doc)
        return []


def _frozen(page: Page, seen: Looks, tree: Tree) -> Segmentation:
    """Return the tree without what lies below the blocks that are coherent enough."""
    kept = [number for number, node in enumerate(tree.nodes) if node.open]
    number_of = {number: position for position, number in enumerate(kept)}
    nodes = [tree.nodes[number] for number in kept]
    parent = np.array([number_of.get(node.parent, -1) for node in nodes], dtype=np.int32)
    sizes = [len(node.roots) for node in nodes]
    root = np.array([row for node in nodes for row in node.roots], dtype=np.int32)
    root_at = np.append(0, np.cumsum(sizes, dtype=np.int32)).astype(np.int32)
    inner = np.zeros(len(nodes), dtype=bool)
    inner[parent[1:]] = True
    block = np.full(len(page), -1, dtype=np.int32)
    for number in np.flatnonzero(~inner).tolist():
        for row in nodes[number].roots:
            block[row : page.end[row]] = number
    splits = [split for split in tree.splits if inner[number_of.get(split[0], -1)]]
    return Segmentation(
        page,
        seen.rendered,
        block,
        parent,
        np.array([node.doc for node in nodes], dtype=np.int8),
        np.array([node.rectangle for node in nodes], dtype=np.float32).reshape(-1, 4),
        root,
        root_at,
        Separators(
            np.array([split[1] for split in splits], dtype=bool),
            np.array([split[2] for split in splits], dtype=np.int8),
            np.array([split[3] for split in splits], dtype=np.float32).reshape(-1, 4),
            np.array([number_of[split[0]] for split in splits], dtype=np.int32),
        ),
    )
