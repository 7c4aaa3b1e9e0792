"""Layout similarity: nodes that a similar page of the site also has are noise, and link lists.

Source: layout-similarity, section 2.2; steps and departures: docs/methods.md. Hashes of subtrees
find candidates for equal nodes, and the nodes are compared before anything is deleted. Both link
rules count the nodes left by the comparison, once, before either deletes anything; the body is
never deleted as a whole. Where no candidate is usable as reference, only the link rules apply.
"""

import re
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import ClassVar, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import Depths, Hashes, Mask, Rows
from chaffinch.page import Page, flattening, tags
from chaffinch.page.flattening import mix
from chaffinch.page_work import checked
from chaffinch.segment import densities
from chaffinch.segment.densities import line_runs, shares
from chaffinch.siblings import require_siblings
from chaffinch.siblings.sibling_links import ReferenceChoice, choose_references
from chaffinch.verdict import Method, Notes, Verdict

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
    """The nodes of a page after preprocessing; m nodes in document order, the body first."""

    row: Rows  # int32[m], the page's row of each node
    parent: Rows  # int32[m], node of the parent; -1 for the body
    depth: Depths  # int16[m], levels below the root of the page
    end: Rows  # int32[m], first node after the subtree
    element: Mask  # bool[m], elements; the others are text
    symbol: Hashes  # uint64[m], equal for equal tag and attributes, or equal text
    hash: Hashes  # uint64[m], of the symbols and the shape of each subtree

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
    here, there = slice(node, int(one.end[node])), slice(twin, int(other.end[twin]))
    return np.array_equal(one.symbol[here], other.symbol[there]) and np.array_equal(
        one.depth[here] - one.depth[node], other.depth[there] - other.depth[twin]
    )


def _use_up(reference: ComparedNodes, node: int, free: Mask) -> None:
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
    left = page.around(leaf & ~dropped) & ~dropped
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


_LEFT_OUT, _DIFFERENT, _EQUAL, _MANY_LINKS, _ONLY_LINKS, _SPARSE = range(6)
"""The steps that decide; see `LayoutSimilarity.reasons`."""


@dataclass(frozen=True)
class LayoutNotes(Notes):
    """The reference page, and the numbers of nodes compared."""

    # which of the siblings the reference page is, from 0; None where none is usable
    reference: int | None
    reference_url: str | None  # its address; None if unknown
    reason: str  # why it was chosen, or why none was
    siblings: int  # how many pages it was chosen from
    equal_nodes: int  # nodes of the page that the reference has, too
    compared_nodes: int  # nodes of the page that were compared


@dataclass(frozen=True, kw_only=True)
class LayoutSimilarity(Method):
    """Content is what the reference page doesn't have, less lists of links.

    Attributes:
        siblings: pages of the same site, among which the reference page is chosen.
        max_link_share: an element is deleted if the links that are its children hold more than this
            share (0..1) of its text; the source recommends 0.25 to 0.3.
        line_blocks: keep only the runs of dense lines of what is left, where there are any.
        line_threshold: characters of a block of lines at which such a run starts, on a page in
            Chinese.
        void_elements: compare and keep images, breaks and the like, as well.
        max_dropped: forms and hidden elements aren't compared, unless they hold more than this
            share (0..1) of the page's text; 1 as published.
    """

    siblings: tuple[Page, ...] = ()
    max_link_share: float = 0.3
    line_blocks: bool = False
    line_threshold: float = densities.THRESHOLD
    void_elements: bool = False
    max_dropped: float = 0.5

    needs_siblings: ClassVar[bool] = True
    bounds: ClassVar = {"max_link_share": (0, 1), "max_dropped": (0, 1)}
    reasons: ClassVar[tuple[str, ...]] = (
        "not compared: hidden, a control or empty",
        "not on the reference page",
        "on the reference page, too",
        "element with many links",
        "element with nothing but links",
        "in no dense run of lines",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "siblings", require_siblings("layout_similarity", self.siblings))
        super().__post_init__()

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        Its ``score`` is the share of text outside links in the parent of each row, of what is left.
        """
        if page.body < 0:
            return Verdict.empty(len(page))
        (choice,) = choose_references(page, self.siblings, most=1)
        why = self._compared(page, choice.index)
        left = why == _DIFFERENT
        own = np.where(left & page.shown, page.own_length, 0)
        linked = np.where(page.in_link, own, 0)
        length = page.total(own)
        many = _linked_shares(page, left, length, page.total(linked)) > self.max_link_share
        only = _only_links(page, left)
        why[left & page.inside(only)] = _ONLY_LINKS
        why[left & page.inside(many)] = _MANY_LINKS
        keep = why == _DIFFERENT
        if self.line_blocks:
            dense = _dense_rows(page, keep, self.line_threshold)
            if dense.any():
                why[keep & ~dense] = _SPARSE
                keep &= dense
        plain = shares(length - page.total(linked), length)[np.maximum(page.parent, 0)]
        score = np.where(left, plain, 0).astype(np.float32)
        return Verdict(keep & page.shown, score, why, notes=self._notes(choice, why))

    def _compared(self, page: Page, chosen: int) -> NDArray[np.int8]:
        """Return int8[n]: which rows are left after the comparison, and why others aren't.

        ``chosen`` is the number of the sibling; -1 for none.
        """
        if chosen >= 0 and chosen not in self._prepared:
            known: SymbolTable = {}
            self._prepared[chosen] = known, self._nodes(self.siblings[chosen], known, learn=True)
        numbers, reference = self._prepared.get(chosen, ({}, None))
        nodes = self._nodes(page, numbers, learn=False)
        why = np.full(len(page), _LEFT_OUT, dtype=np.int8)
        why[nodes.row] = _DIFFERENT
        if reference is not None:
            why[nodes.row[equal_nodes(nodes, reference)]] = _EQUAL
        return why

    def _nodes(self, page: Page, numbers: SymbolTable, *, learn: bool) -> ComparedNodes:
        return compared_nodes(
            page,
            numbers,
            void_elements=self.void_elements,
            max_dropped=self.max_dropped,
            learn=learn,
        )

    @cached_property
    def _prepared(self) -> dict[int, tuple[SymbolTable, ComparedNodes]]:
        return {}

    def _notes(self, choice: ReferenceChoice, why: NDArray[np.int8]) -> LayoutNotes:
        index, url = (choice.index, self.siblings[choice.index].url) if choice else (None, None)
        equal, compared = int((why == _EQUAL).sum()), int((why != _LEFT_OUT).sum())
        return LayoutNotes(index, url, choice.reason, len(self.siblings), equal, compared)


def _linked_shares(
    page: Page, left: Mask, length: NDArray[np.int64], link_length: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return float64[n]: of the text of each element the share in links that are its children.

    Rule 1. Of the rows ``left``, bool[n]; lengths, int64[n], are of each subtree, and in links.
    """
    link = np.flatnonzero(page.is_tag("a") & left)
    link = link[page.parent[link] > page.body]
    direct = np.zeros(len(page), dtype=np.int64)
    np.add.at(direct, page.parent[link], link_length[link])
    return shares(direct, length)


def _only_links(page: Page, left: Mask) -> Mask:
    """Return bool[n]: elements with links and no letter or digit outside them (rule 2).

    Of the rows ``left``, bool[n], below the body; links themselves don't count.
    """
    has_letters = left & page.written & ~page.in_link
    rows = np.flatnonzero(has_letters)
    starts, stops = page.text_at[rows].tolist(), page.text_at[rows + 1].tolist()
    for row, start, stop in checked(zip(rows.tolist(), starts, stops, strict=True)):
        has_letters[row] = any(map(str.isalnum, page.text[start:stop]))
    linked = left & page.written & page.in_link
    rule: Mask = left & ~page.in_link & (page.total(has_letters) == 0) & (page.total(linked) > 0)
    rule &= page.tag != tags.TEXT
    rule[: page.body + 1] = False
    return rule


def _dense_rows(page: Page, rows: Mask, threshold: float) -> Mask:
    """Return bool[n]: those of ``rows``, bool[n], that are in dense runs of their lines."""
    found = line_runs(page, rows, threshold=threshold)
    dense = np.zeros(len(found.block), dtype=bool)
    for run in found.runs:
        dense[run] = True
    in_runs: Mask = rows & dense[found.line]
    return in_runs
