"""VIPS: vision-based page segmentation, from a rendered page or from markup alone.

Cai, Yu, Wen, Ma: VIPS: a vision-based page segmentation algorithm, MSR-TR-2003-79, 2003. Rounds of
block extraction (`rules`, `blocks`), separator detection (`separators`) and content structure
(`structure`), until every leaf is as coherent as required or can't be divided.

Departures, where the report is silent or a literal reading would hurt:

- The report doesn't define how size and tag make a degree of coherence (rules 8 to 11 and 13), nor
  of the thresholds and weights: they are `Settings`.
- Pictures, controls and embedded documents are blocks (DoC 10); by the letter of rule 1 they would
  be removed. Elements that show nothing are removed even if they take up space.
- An element without a size of its own that holds something that can be seen is as big as that.
- A run of text and virtual text nodes between other nodes is one block, by rule 4: single words of
  a line are never blocks of a coarse round.
- Rule 8: a child with another background stays whole only up to a size, or a page whose content
  stands on a sheet of its own colour would be one block.
- TBODY, THEAD and TFOOT follow the rules of TABLE, TH those of TD.
- Sizes are relative to the page, a very long one counted as shorter.
- Likeness of both sides lowers the weight of vertical separators, too; the fonts beside a separator
  are those of the last text before it and the first after it.
- Block 0 is the whole page, of DoC 1.
- A merged block is never more coherent than its parts, and a part never less than what it was
  divided from (the report requires that and doesn't define how). A divided block whose parts turn
  out to be more coherent together takes over their degree.
- Without a browser, boxes, fonts and colours are estimates (`flow`, `markup`); floats and style
  sheets aren't known, so that columns made by them count as standing one below the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.layout.estimated_boxes import looks
from chaffinch.page_work import check_time
from chaffinch.segment.vips.blocks import Block, Extraction
from chaffinch.segment.vips.rules import decide
from chaffinch.segment.vips.segmentation import Segmentation, Separators
from chaffinch.segment.vips.separators import Weigher
from chaffinch.segment.vips.settings import Settings
from chaffinch.segment.vips.structure import Node, Tree

if TYPE_CHECKING:
    from chaffinch.layout.estimated_boxes import Looks
    from chaffinch.page import Page


@dataclass(frozen=True, kw_only=True)
class Vips(Settings):
    """Cuts a page into visual blocks; its fields are those of `Settings`."""

    def __call__(self, page: Page) -> Segmentation:
        """Return the visual blocks of ``page`` at ``pdoc``.

        Takes about 2 ms and 2 to 4 microseconds a row (``bench/papers/vips_sites.py``).
        """
        seen = looks(page)
        tree = Tree(self.pdoc)
        if len(page) and seen.valid[0]:
            self._grow(tree, page, seen)
        return _frozen(page, seen, tree)

    def _grow(self, tree: Tree, page: Page, seen: Looks) -> None:
        extraction = Extraction.of(page, seen, decide(page, seen, self))
        weigher = Weigher.of(page, seen, self)
        tree.nodes.append(Node(-1, [extraction.whole(0)], doc=1))
        waiting = [0]
        while waiting:
            check_time()
            here = waiting.pop()
            node = tree.nodes[here]
            if node.doc < self.pdoc and (pool := self._divided(node, extraction)):
                waiting.extend(tree.expand(here, pool, weigher))

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
    splits = [split for split in tree.splits if inner[number_of.get(split.parent, -1)]]
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
            np.array([split.horizontal for split in splits], dtype=bool),
            np.array([split.weight for split in splits], dtype=np.int8),
            np.array([split.rectangle for split in splits], dtype=np.float32).reshape(-1, 4),
            np.array([number_of[split.parent] for split in splits], dtype=np.int32),
        ),
    )
