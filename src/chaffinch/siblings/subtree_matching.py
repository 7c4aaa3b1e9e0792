"""Approximate sub-tree matching: is a subtree of one page, more or less, part of another page?

Source: same-layer-similarity, section 3.2. A tree becomes the string of its nodes in document
order, each with tag, own text and depth. The subtree's string T is matched against the other page's
S by sliding over whole subtrees of either where they differ, then the match is verified as a tree.

Departures and readings:

- Nodes are elements and text runs; text of white space alone is no node. Texts are the same when
  they are equal, white space folded; characters are counted that way, too. A subtree without text
  has a text similarity of 1.
- ``max_moves`` bounds the subtrees slid over at one mismatch.
- The printed procedure goes back to ``normal`` after a failed slide in T and can loop; here it
  starts again at the next position of S, as it does where T is used up and too little matched.
- Where S is used up, nothing is left to slide over in S; the printed one stops altogether.
- A match is a forest or of another shape as soon as one pair is; matching stops there.

The optimisations change no verdict: equal subtrees are found by hash and compared node by node; a
subtree is skipped on a page that holds less than beta of its text anywhere; starts are nodes with
its root's tag and at least alpha of its nodes, beta of its text among them; a start is left
when more of T was slid over than alpha allows. Worst case: nodes of T times starts
in S times ``max_moves``; a `StepBudget` of steps bounds it for hostile pages; what isn't
searched within it counts as not found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.siblings.node_strings import NO_TEXT, UNKNOWN, NodeString

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask

    Integers = NDArray[np.int64]

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
        """Characters of its text."""
        before = self.string.length_before
        return int(before[self.stop] - before[self.node])


class SubtreeIndex:
    """A page S, indexed once for searching subtrees in it."""

    def __init__(self, string: NodeString, known: int) -> None:
        self.string = string
        order = np.argsort(string.hashes, kind="stable")
        self.sorted_hashes, self.order = string.hashes[order], order
        self.has = np.zeros(known + 1, dtype=bool)  # the last one stands for unknown texts
        self.has[string.text] = True
        self.has[UNKNOWN] = False
        self.starts: dict[int, Integers] = {}
        tags_in_order = np.argsort(string.tag, kind="stable")
        kinds, first = np.unique(string.tag[tags_in_order], return_index=True)
        for kind, nodes in zip(kinds.tolist(), np.split(tags_in_order, first[1:]), strict=True):
            self.starts[kind] = nodes

    def exact(self, string: NodeString, nodes: Integers) -> Mask:
        """Return bool[…]: which of the subtrees at ``nodes`` of a string occur here exactly."""
        hashes = string.hashes[nodes]
        position = np.searchsorted(self.sorted_hashes, hashes)
        position[position == len(self.order)] = 0
        found: Mask = self.sorted_hashes[position] == hashes
        for i in np.flatnonzero(found).tolist():
            found[i] = string.same_subtree(int(nodes[i]), self.string, int(self.order[position[i]]))
        return found

    def known_length(self, string: NodeString, nodes: Integers) -> Integers:
        """Return int64[…]: characters of each subtree's text that occur anywhere here."""
        before = np.append(0, np.cumsum(np.where(self.has[string.text], string.length, 0)))
        known: Integers = before[string.end[nodes]] - before[nodes]
        return known

    def matches(
        self, pattern: SubtreePattern, terms: MatchThresholds, budget: StepBudget | None = None
    ) -> bool:
        """Return whether a subtree here matches the pattern; False when the budget is spent."""
        budget = budget or StepBudget()
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
        self.least_nodes = terms.alpha * size
        self.least_text = terms.beta * pattern.length
        self.size = size

    def from_start(self, start: int) -> bool:
        """Return whether the pattern matches from the node ``start``, of its root's tag."""
        t_tag, t_text, t_length, t_depth, _ = self.inner
        s_tag, s_text, _, s_depth, s_end = self.outer
        stop, s_stop = self.stop, s_end[start]
        step = s_depth[start] - t_depth[self.first]
        most_missed = self.size - self.least_nodes
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
                    if missed > most_missed:
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
