"""Pages as strings of nodes: tag, own text and depth of each, in document order.

Source: same-layer-similarity, section 3.2: trees are compared as such strings. Nodes are elements
and text runs; text of white space alone is no node, and white space in texts is folded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.kernels.arithmetic import mix
from chaffinch.page import flattening, tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes

    Integers = NDArray[np.int64]

NO_TEXT: Final = 0
UNKNOWN: Final = -1
_FAR: Final = np.uint64(1 << 40)  # beyond the number of any known text


class TextNumbers:
    """The texts of the pages compared, numbered from 1."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}
        self.length: list[int] = [0]

    def add(self, text: str) -> int:
        """Return the number of ``text``; a new text gets the next number."""
        number = self.number.get(text)
        if number is None:
            number = self.number[text] = len(self.length)
            self.length.append(len(text))
        return number


@dataclass(frozen=True, eq=False)
class NodeString:
    """The nodes of a page in document order; m of them.

    Attributes:
        row: int64[m], the row of each.
        tag: int64[m], number of the tag.
        text: int64[m], number of the own text; 0 for none, -1 for a text not in `TextNumbers`.
        length: int64[m], characters of the own text, folded.
        depth: int64[m], levels below the root.
        end: int64[m], first node after each subtree.
    """

    row: Integers
    tag: Integers
    text: Integers
    length: Integers
    depth: Integers
    end: Integers

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def hashes(self) -> Hashes:
        """uint64[m]: hash of each subtree's tags, shape and texts."""
        own = np.where(self.text == UNKNOWN, self.length, self.text).astype(np.uint64)
        own[self.text == UNKNOWN] += _FAR
        symbols = mix(self.tag.astype(np.uint64)) ^ own
        depth, end = self.depth.astype(np.int16), self.end.astype(np.int32)
        return flattening.subtree_hashes(symbols, depth, end)

    @cached_property
    def length_before(self) -> Integers:
        """int64[m+1]: characters before each node."""
        return np.append(0, np.cumsum(self.length))

    @cached_property
    def lists(self) -> tuple[list[int], ...]:
        """Tag, text, length, depth and end as lists: reading single items is faster."""
        columns = (self.tag, self.text, self.length, self.depth, self.end)
        return tuple(column.tolist() for column in columns)

    def same_subtree(self, node: int, other: NodeString, other_node: int) -> bool:
        """Return whether two subtrees have the same tags, shape and known texts."""
        size = int(self.end[node]) - node
        if int(other.end[other_node]) - other_node != size:
            return False
        one, two = slice(node, node + size), slice(other_node, other_node + size)
        shift = other.depth[other_node] - self.depth[node]
        return (
            np.array_equal(self.tag[one], other.tag[two])
            and np.array_equal(self.text[one], other.text[two])
            and bool((self.text[one] != UNKNOWN).all())
            and np.array_equal(self.depth[one] + shift, other.depth[two])
        )


def node_string(page: Page, texts: TextNumbers, *, learn: bool) -> NodeString:
    """Return the string of a page's nodes; with ``learn`` its texts are added to ``texts``."""
    written = page.written
    kept = (page.tag != tags.TEXT) | written
    row = np.flatnonzero(kept)
    before = np.append(0, np.cumsum(kept))
    text = np.zeros(len(page), dtype=np.int64)
    length = np.zeros(len(page), dtype=np.int64)
    own = np.flatnonzero((page.tag == tags.TEXT) & written)
    starts, stops = page.text_at[own].tolist(), page.text_at[own + 1].tolist()
    folded = [" ".join(page.text[a:b].split()) for a, b in zip(starts, stops, strict=True)]
    if learn:
        text[own] = [texts.add(one) for one in folded]
    else:
        get = texts.number.get
        text[own] = [get(one, UNKNOWN) for one in folded]
    length[own] = [len(one) for one in folded]
    return NodeString(
        row,
        page.symbols[row].astype(np.int64),
        text[row],
        length[row],
        page.depth[row].astype(np.int64),
        before[page.end[row]],
    )
