"""Subtrees of a page that are, more or less, part of another page.

Source: same-layer-similarity, sections 3.2 and 4. A tree becomes the string of its nodes in
document order, each with tag, own text and depth. The subtree's string T is matched against the
other page's S by sliding over at most ``max_moves`` whole subtrees of either where they differ,
then the match is verified as a tree. After a failed slide in T, where the printed procedure can
loop, and where T is used up and too little matched, it starts again at the next position of S. A
subtree without text has a text similarity of 1.

The optimisations change no verdict: equal subtrees are found by hash; a subtree is skipped on a
page that holds less than beta of its text anywhere; starts are nodes with its root's tag and at
least alpha of its nodes, beta of its text among them; a start is left when more of T was slid over
than alpha allows. A `StepBudget` bounds the search of hostile pages; what
isn't searched within it counts as not found.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import Hashes, Mask
from chaffinch.page import Page, flattening, tags
from chaffinch.page.flattening import mix
from chaffinch.page_work import checked

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


MOST_STEPS: Final = 1_000_000
"""Steps for one page and all its siblings, about 0.4 s; a step is a node compared.

On 138 pages of 23 sites with 16 siblings each: 739 in the mean, 48,820 at most.
"""

_NODES_A_STEP: Final = 50  # that numpy processes in the time of a step


class StepBudget:
    """Steps that may still be taken for one page."""

    def __init__(self, steps: int = MOST_STEPS) -> None:
        self.left = steps


class MatchThresholds(NamedTuple):
    """Least shares (0..1) of nodes and of text of a match, and most subtrees to slide over."""

    alpha: float
    beta: float
    max_moves: int


class SubtreePattern(NamedTuple):
    """A subtree T to search for: its string, its root's node and the node after it."""

    string: NodeString
    node: int
    stop: int

    @property
    def length(self) -> int:
        before = self.string.length_before
        return int(before[self.stop] - before[self.node])


class SubtreeIndex:
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

    def exact(self, string: NodeString, nodes: Integers) -> Mask:
        """Return bool[…]: which of the subtrees at ``nodes`` of a string occur here exactly."""
        found: Mask = np.isin(string.hashes[nodes], self.string.hashes)
        return found

    def known_length(self, string: NodeString, nodes: Integers) -> Integers:
        """Return int64[…]: characters of each subtree's text that occur anywhere here."""
        before = np.append(0, np.cumsum(np.where(self.has[string.text], string.length, 0)))
        known: Integers = before[string.end[nodes]] - before[nodes]
        return known

    def matches(self, pattern: SubtreePattern, terms: MatchThresholds, budget: StepBudget) -> bool:
        """Return whether a subtree here matches the pattern; False when the budget is spent."""
        if budget.left <= 0:
            return False
        budget.left -= 1 + len(self.string) // _NODES_A_STEP
        starts = self._starts(pattern, terms)
        if not len(starts):
            return False
        matcher = _Matcher(pattern, self.string, terms, budget)
        return any(matcher.from_start(start) for start in starts.tolist())

    def _starts(self, pattern: SubtreePattern, terms: MatchThresholds) -> Integers:
        """Return the nodes whose subtrees could match, by tag of the root, size and text."""
        string, inner = self.string, pattern.string
        starts = self.starts.get(int(inner.tag[pattern.node]))
        if starts is None:
            return np.zeros(0, dtype=np.int64)
        size = pattern.stop - pattern.node
        starts = starts[string.end[starts] - starts >= terms.alpha * size]
        if pattern.length and terms.beta and len(starts):
            wanted = np.zeros(len(self.has), dtype=bool)
            wanted[inner.text[pattern.node : pattern.stop]] = True
            wanted[[NO_TEXT, UNKNOWN]] = False
            before = np.append(0, np.cumsum(np.where(wanted[string.text], string.length, 0)))
            there = before[string.end[starts]] - before[starts]
            starts = starts[there >= terms.beta * pattern.length]
        return starts


class _Matcher:
    """The matching procedure of the source, run from one start at a time."""

    def __init__(
        self,
        pattern: SubtreePattern,
        string: NodeString,
        terms: MatchThresholds,
        budget: StepBudget,
    ) -> None:
        self.budget = budget
        self.inner, self.outer, self.terms = pattern.string.lists, string.lists, terms
        self.first, self.stop = pattern.node, pattern.stop
        size = pattern.stop - pattern.node
        self.most_missed = size - terms.alpha * size
        self.least_text = terms.beta * pattern.length

    def from_start(self, start: int) -> bool:
        t_tag, t_text, t_length, t_depth, _ = self.inner
        s_tag, s_text, _, s_depth, s_end = self.outer
        stop, s_stop = self.stop, s_end[start]
        step = s_depth[start] - t_depth[self.first]
        i, j, missed, same = start, self.first, 0, 0
        budget = self.budget
        while j < stop:
            budget.left -= 1
            if budget.left <= 0:
                return False
            if i < len(s_tag) and s_tag[i] == t_tag[j]:
                at = i
            else:
                at = self._slide_outer(i, t_tag[j])
                if at < 0:
                    after = self._slide_inner(i, j)
                    if after < 0:
                        return False
                    missed += after - j
                    if missed > self.most_missed:
                        return False
                    j = after
                    continue
            if at >= s_stop or s_depth[at] - t_depth[j] != step:
                return False
            if t_text[j] == s_text[at]:
                same += t_length[j]
            i, j = at + 1, j + 1
        return same >= self.least_text

    def _slide_outer(self, i: int, tag: int) -> int:
        """Return the node of S with ``tag`` that few slides from ``i`` lead to, or -1."""
        s_tag, s_end = self.outer[0], self.outer[4]
        for _ in range(self.terms.max_moves):
            if i >= len(s_tag):
                return -1
            i = s_end[i]
            if i < len(s_tag) and s_tag[i] == tag:
                return i
        return -1

    def _slide_inner(self, i: int, j: int) -> int:
        """Return the node of T with the tag of ``i``, or its end, that few slides lead to, or -1.

        After the slide the tags agree, so the next step is a match.
        """
        t_tag, t_end, s_tag = self.inner[0], self.inner[4], self.outer[0]
        for _ in range(self.terms.max_moves):
            j = t_end[j]
            if j >= self.stop:
                return self.stop
            if i < len(s_tag) and t_tag[j] == s_tag[i]:
                return j
        return -1


class SubtreeReason(IntEnum):
    """The steps that decide; see `SiblingSubtrees.reasons`."""

    OUTSIDE = 0
    CONTENT = 1
    EXACT = 2
    SIMILAR = 3


class SubtreeSearch:
    """Which subtrees of a page have been found so far; k subtrees.

    Attributes:
        why: int8[k], codes of `SubtreeReason`; those not found yet are CONTENT.
        found: int8[k], match in the sibling searched last: EXACT, SIMILAR or 0.
    """

    def __init__(
        self, string: NodeString, roots: NDArray[np.int64], betas: NDArray[np.float64]
    ) -> None:
        self.string = string
        self.betas = betas
        self.budget = StepBudget()
        self.nodes = np.searchsorted(string.row, roots)
        self.stops = string.end[self.nodes]
        self.lengths = string.length_before[self.stops] - string.length_before[self.nodes]
        self.why = np.full(len(roots), SubtreeReason.CONTENT, dtype=np.int8)
        self.found = np.zeros(len(roots), dtype=np.int8)
        self.times = np.zeros(len(roots), dtype=np.int32)
        self.known = np.zeros(len(roots), dtype=np.int64)

    def search_in(self, index: SubtreeIndex, alpha: float, max_moves: int) -> None:
        left = np.flatnonzero(self.why == SubtreeReason.CONTENT)
        nodes, lengths = self.nodes[left], self.lengths[left]
        exact = index.exact(self.string, nodes)
        known = index.known_length(self.string, nodes)
        self.known[left] = np.maximum(self.known[left], known)
        self.found[:] = 0
        self.found[left[exact]] = SubtreeReason.EXACT
        possible = ~exact & (known >= self.betas[left] * lengths)
        for subtree in checked(left[possible].tolist(), every=64):
            pattern = SubtreePattern(
                self.string, int(self.nodes[subtree]), int(self.stops[subtree])
            )
            terms = MatchThresholds(alpha, float(self.betas[subtree]), max_moves)
            if index.matches(pattern, terms, self.budget):
                self.found[subtree] = SubtreeReason.SIMILAR

    def count(self, least: int) -> None:
        """Count what was found; what was found in ``least`` siblings is noise."""
        self.times += self.found > 0
        done = (self.times >= least) & (self.found > 0)
        self.why[done] = self.found[done]

    def score(self) -> NDArray[np.float32]:
        """Return float32[k] in 0..1, as `SiblingSubtrees` has it."""
        share = 1 - self.known / np.maximum(self.lengths, 1)
        return np.where(self.why == SubtreeReason.CONTENT, share, 0).astype(np.float32)
