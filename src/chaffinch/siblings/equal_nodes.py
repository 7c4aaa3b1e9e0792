"""Nodes of a page that are equal on a reference page: preprocessing, and the walk over them.

Source: layout-similarity, sections 2.2 a and b. Preprocessing leaves the nodes that have text; two
of them are equal when tag, attributes, text and all descendants are. The walk goes from the body's
children downwards: a node that has an equal in the reference is deleted, and its equal with it;
else its children are visited. Hashes of subtrees find candidates, and the nodes are compared
before anything is deleted.

Departures and readings:

- The printed walk takes nodes from a stack; here they are visited in document order, as the text
  around it has. It matters where the page has more equal nodes than the reference.
- Among several equal nodes the reference's first one not yet used is taken. Its subtree
  is then used, and its ancestors are equal to nothing any more, since their content has changed.
- Text is compared with white space folded, as the source's parser printed it. Text runs aren't
  nodes of the walk: a text beside others in its element is deleted with that element only.
- An element is empty when it holds neither text nor, if they stay, images and the like, at any
  depth.
- The attribute ``hidden`` hides like ``display:none``.
- Hidden elements, form and fieldset stay if they hold more than ``max_dropped`` of the page's text:
  some pages are one form, or are shown by a script later. 1 drops them as the source
  does.
"""

import re
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaffinch.page import Page, flattening, tags
from chaffinch.page.arrays import Depths, Hashes, Mask, Rows
from chaffinch.page.flattening import mix
from chaffinch.page_work import checked

AUXILIARY: Final = tags.table(["script", "noscript", "style", "link", "meta"])
"""Elements that set up the page and show nothing."""

CONTROLS: Final = tags.table(
    "form fieldset legend input select menu optgroup option textarea map area applet object param"
    " button label".split()
)
"""Elements of user interfaces, which the source drops, too."""

_AROUND: Final = tags.table(["form", "fieldset"])

_HIDING: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE
)

_UNKNOWN: Final = 1 << 63

SymbolTable: TypeAlias = dict[object, int]
"""Tag with attributes, or text, of a node → its number; one table for all pages compared."""


@dataclass(frozen=True, eq=False)
class ComparedNodes:
    """The nodes of a page after preprocessing; m nodes in document order, the body first.

    Attributes:
        row: int32[m], the page's row of each node.
        parent: int32[m], node of the parent; -1 for the body.
        depth: int16[m], levels below the root of the page.
        end: int32[m], first node after the subtree.
        element: bool[m], elements; the others are text.
        symbol: uint64[m], equal for equal tag and attributes, or equal text.
        hash: uint64[m], of the symbols and the shape of each subtree.
    """

    row: Rows
    parent: Rows
    depth: Depths
    end: Rows
    element: Mask
    symbol: Hashes
    hash: Hashes

    def __len__(self) -> int:
        return len(self.row)


def compared_nodes(
    page: Page,
    numbers: SymbolTable,
    *,
    void_elements: bool = False,
    max_dropped: float = 0.5,
    learn: bool = True,
) -> ComparedNodes:
    """Return the nodes of ``page`` to compare; none if the page has no body.

    Args:
        page: the page.
        numbers: shared by all pages that are compared with each other; extended if ``learn``.
        void_elements: images, breaks and the like stay.
        max_dropped: hidden elements and forms with more than this share of the page's text stay.
        learn: add new symbols to ``numbers``; else they get a number that equals no other.
    """
    row = np.flatnonzero(_compared_rows(page, void_elements=void_elements, max_dropped=max_dropped))
    before = np.zeros(len(page) + 1, dtype=np.int32)
    before[row + 1] = 1
    np.cumsum(before, out=before)
    parent = np.full(len(row), -1, dtype=np.int32)
    parent[1:] = before[page.parent[row[1:]]]
    end = before[page.end[row]]
    depth = page.depth[row]
    symbol = _symbols(page, row.tolist(), numbers, learn=learn)
    hashes = flattening.subtree_hashes(mix(symbol), depth, end)
    element = page.tag[row] != tags.TEXT
    return ComparedNodes(row.astype(np.int32), parent, depth, end, element, symbol, hashes)


def equal_nodes(target: ComparedNodes, reference: ComparedNodes) -> Mask:
    """Return bool[m]: the nodes of ``target`` that the walk deletes, with their subtrees."""
    deleted = np.zeros(len(target), dtype=bool)
    hits = np.flatnonzero(target.element & np.isin(target.hash, reference.hash))
    candidates: defaultdict[int, deque[int]] = defaultdict(deque)
    wanted = np.flatnonzero(reference.element & np.isin(reference.hash, target.hash))
    for node, value in zip(wanted.tolist(), reference.hash[wanted].tolist(), strict=True):
        if node:
            candidates[value].append(node)
    free = np.ones(len(reference), dtype=bool)
    stop = 1
    for node, value in checked(zip(hits.tolist(), target.hash[hits].tolist(), strict=True)):
        if node < stop:
            continue
        twins = candidates[value]
        while twins and not free[twins[0]]:
            twins.popleft()
        for other in twins:
            if free[other] and same_subtree(target, node, reference, other):
                stop = int(target.end[node])
                deleted[node:stop] = True
                _use_up(reference, other, free)
                break
    return deleted


def same_subtree(one: ComparedNodes, node: int, other: ComparedNodes, twin: int) -> bool:
    """Return whether two subtrees are equal in tags, attributes, text and shape."""
    here, there = slice(node, int(one.end[node])), slice(twin, int(other.end[twin]))
    return np.array_equal(one.symbol[here], other.symbol[there]) and np.array_equal(
        one.depth[here] - one.depth[node], other.depth[there] - other.depth[twin]
    )


def _use_up(reference: ComparedNodes, node: int, free: Mask) -> None:
    """Mark the subtree of ``node`` and its ancestors as used."""
    free[node : reference.end[node]] = False
    above = int(reference.parent[node])
    while above >= 0 and free[above]:
        free[above] = False
        above = int(reference.parent[above])


def _compared_rows(page: Page, *, void_elements: bool, max_dropped: float) -> Mask:
    """Return bool[n]: the rows that preprocessing leaves, the body first."""
    body = page.body
    if body < 0:
        return np.zeros(len(page), dtype=bool)
    always = AUXILIARY[page.tag] | (CONTROLS[page.tag] & ~_AROUND[page.tag]) | ~page.shown
    some = _AROUND[page.tag] | _hidden(page)
    some &= page.length <= max_dropped * page.length[body]
    dropped = page.inside(always | some)
    dropped[: body + 1] = True
    dropped[page.end[body] :] = True
    leaf = page.written | tags.VOID[page.tag] if void_elements else page.written
    left = page.around(leaf & ~dropped)
    left &= ~dropped
    left[body] = True
    return left


def _hidden(page: Page) -> Mask:
    """Return bool[n]: elements hidden by an inline style or the attribute ``hidden``."""
    hidden = page.has("hidden")
    styles = page.values("style")
    hidden[styles.rows_of(style for style in styles.rows if _HIDING.search(style))] = True
    return hidden


def _symbols(
    page: Page, rows: list[int], numbers: SymbolTable, *, learn: bool
) -> NDArray[np.uint64]:
    """Return uint64[m]: the number of each row's symbol."""
    pairs_of = dict(page.all_attributes())
    at, text = page.text_at.tolist(), page.text
    tag = page.symbols.tolist()
    keys: list[object] = []
    for row in rows:
        if tag[row] == tags.TEXT:
            keys.append(" ".join(text[at[row] : at[row + 1]].split()))
        elif row in pairs_of:
            keys.append((tag[row], frozenset(pairs_of[row].items())))
        else:
            keys.append(tag[row])
    if learn:
        return np.array([numbers.setdefault(k, len(numbers)) for k in keys], dtype=np.uint64)
    return np.array([numbers.get(key, _UNKNOWN) for key in keys], dtype=np.uint64)
