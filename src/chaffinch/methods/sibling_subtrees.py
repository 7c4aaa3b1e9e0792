"""Sibling subtrees: blocks that other pages of the same layer also have are noise.

Source: same-layer-similarity, sections 3 and 4; steps and departures: docs/methods.md. A tree
becomes the string of its nodes in document order, each with tag, own text and depth. The string T
of a subtree is matched against the other page's S by sliding over at most ``max_moves`` whole
subtrees of either where they differ, then the match is verified as a tree. After a failed slide in
T, where the printed procedure can loop, and where T is used up and too little matched, it starts
again at the next position of S. A subtree without text has a text similarity of 1. Colour, font
and other attributes aren't compared, so that a subtree without text, such as a picture in a link,
is found wherever its tags are.

These change no verdict: equal subtrees are found by hash; a subtree is skipped on a page that holds
less than beta of its text anywhere; starts are nodes with its root's tag and at least alpha of its
nodes, beta of its text among them; a start is left when more of T was slid over than alpha allows.
What isn't searched within `MOST_STEPS` counts as not found. A page of 1,070 rows takes about 7 ms
against five siblings, most of it VIPS; a sibling is prepared once for all pages, and those beyond
``max_siblings`` cost only the tests for further parts and the comparison of addresses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.errors import LARGEST
from chaffinch.kernels.arrays import Floats, Hashes, Reasons, marked
from chaffinch.page import Page, flattening, tags
from chaffinch.page.flattening import mix
from chaffinch.page_work import checked
from chaffinch.segment.vips import Vips
from chaffinch.siblings import require_siblings
from chaffinch.siblings.pagination import further_parts
from chaffinch.siblings.sibling_links import choose_references
from chaffinch.verdict import Method, Notes, Verdict

Integers = NDArray[np.int64]

NO_TEXT: Final = 0
UNKNOWN: Final = -1
_FAR: Final = np.uint64(1 << 40)  # beyond the number of any known text

TextNumbers = dict[str, int]
"""The texts of the pages compared, numbered from 1."""


@dataclass(frozen=True, eq=False)
class NodeString:
    """The nodes of a page in document order; m of them."""

    row: Integers  # int64[m], the row of each
    tag: Integers  # int64[m], number of the tag
    # int64[m], number of the own text; 0 for none, -1 for a text not in `TextNumbers`
    text: Integers
    length: Integers  # int64[m], characters of the own text, folded
    depth: Integers  # int64[m], levels below the root
    end: Integers  # int64[m], first node after each subtree

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
        text[own] = [texts.setdefault(one, len(texts) + 1) for one in folded]
    else:
        text[own] = [texts.get(one, UNKNOWN) for one in folded]
    length[own] = [len(one) for one in folded]
    return NodeString(
        row,
        page.symbols[row].astype(np.int64),
        text[row],
        length[row],
        page.depth[row].astype(np.int64),
        before[page.end[row]],
    )


class _Sibling:
    """A page S, indexed once for searching subtrees in it."""

    def __init__(self, string: NodeString, texts: TextNumbers) -> None:
        self.string = string
        self.has = np.zeros(len(texts) + 2, dtype=bool)  # the last one stands for unknown texts
        self.has[string.text] = True
        self.has[UNKNOWN] = False
        self.starts: dict[int, Integers] = {}
        tags_in_order = np.argsort(string.tag, kind="stable")
        kinds, first = np.unique(string.tag[tags_in_order], return_index=True)
        for kind, nodes in zip(kinds.tolist(), np.split(tags_in_order, first[1:]), strict=True):
            self.starts[kind] = nodes


MOST_STEPS: Final = 1_000_000
"""Steps for one page and all its siblings, about 0.4 s; a step is a node compared.

On 138 pages of 23 sites with 16 siblings each: 739 in the mean, 48,820 at most.
"""
_NODES_A_STEP: Final = 50  # that numpy processes in the time of a step


class _Search:
    """The search for subtrees of one page in its siblings.

    Args:
        string: of the page.
        alpha: least share (0..1) of a subtree's nodes that match.
        max_moves: subtrees that are slid over at one mismatch, at most.
    """

    def __init__(self, string: NodeString, alpha: float, max_moves: int) -> None:
        self.string, self.alpha, self.max_moves = string, alpha, max_moves
        self.steps = MOST_STEPS

    def finds(self, sibling: _Sibling, node: int, beta: float) -> bool:
        """Return whether the sibling has the subtree of a node; False when the steps are spent."""
        if self.steps <= 0:
            return False
        self.steps -= 1 + len(sibling.string) // _NODES_A_STEP
        before, stop = self.string.length_before, self.string.end.item(node)
        least = beta * int(before[stop] - before[node])
        starts = self._starts(sibling, node, stop, least).tolist()
        return any(self._matches(sibling.string, one, node, least) for one in starts)

    def _starts(self, sibling: _Sibling, node: int, stop: int, least: float) -> Integers:
        """Return the nodes whose subtrees could match, by tag of the root, size and text."""
        outer, inner = sibling.string, self.string
        starts = sibling.starts.get(inner.tag.item(node), np.zeros(0, dtype=np.int64))
        starts = starts[outer.end[starts] - starts >= self.alpha * (stop - node)]
        if least and len(starts):
            wanted = np.zeros(len(sibling.has), dtype=bool)
            wanted[inner.text[node:stop]] = True
            wanted[[NO_TEXT, UNKNOWN]] = False
            there = _sums(np.where(wanted[outer.text], outer.length, 0), starts, outer.end[starts])
            starts = starts[there >= least]
        return starts

    def _matches(self, outer: NodeString, start: int, first: int, least: float) -> bool:
        """Return whether the subtree at ``first`` matches from a start on, as the source says."""
        t_tag, t_text, t_length, t_depth, t_end = inner = self.string.lists
        s_tag, s_text, _, s_depth, s_end = outer.lists
        stop, count, moves = t_end[first], len(s_tag), self.max_moves
        step = s_depth[start] - t_depth[first]
        most_missed = (stop - first) - self.alpha * (stop - first)
        i, j, missed, same = start, first, 0, 0
        while j < stop:
            self.steps -= 1
            if self.steps <= 0:
                return False
            at = i
            if i >= count or s_tag[i] != t_tag[j]:
                at = _slid(outer.lists, i, count, t_tag[j], moves)
            if not 0 <= at < count:
                after = _slid(inner, j, stop, s_tag[i] if i < count else -1, moves)
                missed += after - j
                if after < 0 or missed > most_missed:
                    return False
                j = after
                continue
            if at >= s_end[start] or s_depth[at] - t_depth[j] != step:
                return False
            if t_text[j] == s_text[at]:
                same += t_length[j]
            i, j = at + 1, j + 1
        return same >= least


def _slid(lists: tuple[list[int], ...], at: int, stop: int, wanted: int, moves: int) -> int:
    """Return the node of a tag that sliding over a few subtrees leads to, or stop; -1 for none."""
    tag, end = lists[0], lists[4]
    for _ in range(moves):
        if at >= stop:
            break
        at = end[at]
        if at < stop and tag[at] == wanted:
            return at
    return stop if at >= stop else -1


def _sums(values: Integers, first: Integers, last: Integers) -> Integers:
    before = np.append(0, np.cumsum(values))
    sums: Integers = before[last] - before[first]
    return sums


class SubtreeReason(IntEnum):
    """The steps that decide; see `SiblingSubtrees.reasons`."""

    OUTSIDE = 0
    CONTENT = 1
    EXACT = 2
    SIMILAR = 3


@dataclass(frozen=True, kw_only=True)
class SubtreeNotes(Notes):
    """The comparison with the siblings, in numbers."""

    siblings: int  # how many there are
    compared: int  # how many of them were compared
    # addresses of those that are further parts of the same article, left out
    further_parts: tuple[str, ...]
    subtrees: int  # subtrees that the page was cut into
    noise: int  # those of them that are noise
    gave_up: bool  # the step budget was spent, and some subtrees were not compared


@dataclass(frozen=True, kw_only=True)
class SiblingSubtrees(Method):
    """Content is the visual blocks that no other page of the same layer has.

    Attributes:
        siblings: pages of the same layer: children of one node of the site's navigation.
        alpha: least share (0..1) of a subtree's nodes that match.
        beta: least share (0..1) of its text, in characters.
        link_beta: the same for subtrees with more than half of their text in links, since lists of
            links change from page to page; None for ``beta``, as published.
        max_moves: subtrees that the matcher slides over at one mismatch, at most.
        pdoc: permitted degree of coherence of the blocks, 1 (coarse) to 10 (fine).
        min_siblings: a subtree is noise when so many siblings have it.
        max_siblings: of more siblings, so many are compared, the most similar by address.
    """

    siblings: Sequence[Page] = ()
    alpha: float = 0.8
    beta: float = 0.6
    link_beta: float | None = None
    max_moves: int = 3
    pdoc: int = 5
    min_siblings: int = 1
    max_siblings: int = 16

    needs_siblings: ClassVar[bool] = True
    bounds: ClassVar = {
        **dict.fromkeys(("alpha", "beta", "link_beta"), (0, 1)),
        **dict.fromkeys(("min_siblings", "max_siblings"), (1, LARGEST)),
        "pdoc": (1, 10),
    }
    reasons: ClassVar[tuple[str, ...]] = (
        "outside every visual block",
        "in no sibling, or in too few",
        "in a sibling, exactly",
        "in a sibling, more or less",
    )

    def __post_init__(self) -> None:
        siblings = require_siblings("sibling_subtrees", self.siblings)
        object.__setattr__(self, "siblings", siblings)
        super().__post_init__()

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        The ``score`` of noise is 0; of other subtrees it is the share of their characters that the
        sibling which has most of them doesn't have anywhere, 1 where they have none.
        """
        if page.body < 0:
            return Verdict.empty(len(page))
        parts = further_parts(page, self.siblings)
        compared = self._compared(page, parts)
        chosen = [index for index in compared if len(self.siblings[index])]
        found = Vips(pdoc=self.pdoc)(page)
        roots = np.unique([row for leaf in found.leaves for row in found.roots(leaf)])
        roots = roots.astype(np.int64)
        why, score, gave_up = self._searched(page, roots, chosen)
        whys, scores = _of_rows(page, roots, why, score)
        notes = SubtreeNotes(
            siblings=len(self.siblings),
            compared=len(compared),
            further_parts=tuple(
                self.siblings[index].url or f"sibling {index}"
                for index in np.flatnonzero(parts).tolist()
            ),
            subtrees=len(roots),
            noise=int((why > SubtreeReason.CONTENT).sum()),
            gave_up=gave_up,
        )
        return Verdict((whys == SubtreeReason.CONTENT) & page.shown, scores, whys, notes=notes)

    @cached_property
    def _prepared(self) -> tuple[TextNumbers, tuple[_Sibling, ...]]:
        """The texts that the siblings have, and each of these as a string of nodes."""
        texts: TextNumbers = {}
        strings = [node_string(page, texts, learn=True) for page in self.siblings]
        return texts, tuple(_Sibling(string, texts) for string in strings)

    def _compared(self, page: Page, parts: NDArray[np.bool_]) -> list[int]:
        chosen: list[int] = np.flatnonzero(~parts).tolist()
        if len(chosen) > self.max_siblings:
            usable = [self.siblings[index] for index in chosen]
            choices = choose_references(page, usable, most=self.max_siblings)
            chosen = [chosen[choice.index] for choice in choices if choice]
        return chosen

    def _searched(
        self, page: Page, roots: Integers, chosen: list[int]
    ) -> tuple[Reasons, Floats, bool]:
        """Return reason and score of the subtree of each root, and whether the steps ran out."""
        texts, siblings = self._prepared
        linked = 2 * page.link_length[roots] > page.length[roots]
        betas = np.where(linked, self.beta if self.link_beta is None else self.link_beta, self.beta)
        string = node_string(page, texts, learn=False)
        search = _Search(string, self.alpha, self.max_moves)
        nodes = np.searchsorted(string.row, roots)
        lengths = _sums(string.length, nodes, string.end[nodes])
        why = np.full(len(roots), SubtreeReason.CONTENT, dtype=np.int8)
        most_known, times = np.zeros((2, len(roots)), dtype=np.int64)
        for sibling in checked([siblings[index] for index in chosen], every=1):
            left = np.flatnonzero(why == SubtreeReason.CONTENT)
            own = nodes[left]
            known = np.where(sibling.has[string.text], string.length, 0)
            known = _sums(known, own, string.end[own])
            most_known[left] = np.maximum(most_known[left], known)
            exact = np.isin(string.hashes[own], sibling.string.hashes)
            found = np.zeros(len(roots), dtype=np.int8)
            found[left[exact]] = SubtreeReason.EXACT
            possible = ~exact & (known >= betas[left] * lengths[left])
            for at in checked(left[possible].tolist(), every=64):
                if search.finds(sibling, nodes.item(at), betas.item(at)):
                    found[at] = SubtreeReason.SIMILAR
            times += found > 0
            done = (times >= self.min_siblings) & (found > 0)
            why[done] = found[done]
        share = 1 - most_known / np.maximum(lengths, 1)
        score = np.where(why == SubtreeReason.CONTENT, share, 0).astype(np.float32)
        return why, score, search.steps <= 0


def _of_rows(
    page: Page, roots: NDArray[np.int64], why: Reasons, score: Floats
) -> tuple[Reasons, Floats]:
    """Return int8[n] and float32[n]: of each row what the innermost subtree around it has, else 0.

    Args:
        page: the page.
        roots: int64[k], the first rows of subtrees, in order.
        why: int8[k], codes of `SubtreeReason`.
        score: float32[k] in 0..1.
    """
    root = kernels.nearest(page.parent, marked(len(page), roots))
    inside = root >= 0
    subtree = np.searchsorted(roots, root[inside])
    whys = np.zeros(len(page), dtype=np.int8)
    scores = np.zeros(len(page), dtype=np.float32)
    whys[inside], scores[inside] = why[subtree], score[subtree]
    return whys, scores
