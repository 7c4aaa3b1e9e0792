"""Equal items of two sequences in their order, in nearly linear time; knows nothing of pages.

What both sequences have exactly once is matched first, as a longest run in both orders (Cohen's
patience diff); what lies between is matched by a longest common subsequence with a bit an item
(Hyyrö, «Bit-parallel LCS-length computation revisited», 2004), where it isn't too long for that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_MOST: Final = 2048
"""Items of a stretch that is matched exactly: its cost an item is bounded by so many bits."""


def matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return pairs of places of equal items, ascending in both.

    As many as there can be for sequences of up to 2,048 items. Of longer ones there may be more,
    and none is found in a longer stretch of which no item occurs once in each.
    """
    pairs: list[tuple[int, int]] = []
    waiting = [(0, len(old), 0, len(new))]
    while waiting:
        low, high, left, right = waiting.pop()
        while low < high and left < right and old[low] == new[left]:
            pairs.append((low, left))
            low, left = low + 1, left + 1
        while low < high and left < right and old[high - 1] == new[right - 1]:
            high, right = high - 1, right - 1
            pairs.append((high, right))
        if low == high or left == right:
            continue
        if max(high - low, right - left) <= _MOST:
            found = _longest(old[low:high], new[left:right])
            pairs += [(low + one, left + other) for one, other in found]
            continue
        anchors = _anchors(old, new, low, high, left, right)
        pairs += anchors
        for one, other in [*anchors, (high, right)] if anchors else []:
            waiting.append((low, one, left, other))
            low, left = one + 1, other + 1
    return sorted(pairs)


def _anchors(  # noqa: PLR0913, PLR0917  two ranges
    old: Sequence[Hashable], new: Sequence[Hashable], low: int, high: int, left: int, right: int
) -> list[tuple[int, int]]:
    """Return pairs of items that both ranges have once, as many as ascend in both."""
    once = Counter(old[low:high])
    place = {item: at for at, item in enumerate(new[left:right], left)}
    once_new = Counter(new[left:right])
    common = [
        (at, place[item])
        for at, item in enumerate(old[low:high], low)
        if once[item] == 1 and once_new[item] == 1
    ]
    return _ascending(common)


def _ascending(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs, ascending in the first, that ascends in the second."""
    least: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (_, other) in enumerate(pairs):
        length = bisect_left(least, other)
        before.append(last[length - 1] if length else -1)
        least[length : length + 1] = [other]
        last[length : length + 1] = [at]
    out = []
    at = last[-1] if last else -1
    while at >= 0:
        out.append(pairs[at])
        at = before[at]
    return out[::-1]


def _longest(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the pairs of a longest common subsequence."""
    bits: dict[Hashable, int] = {}
    for at, item in enumerate(old):
        bits[item] = bits.get(item, 0) | 1 << at
    every = (1 << len(old)) - 1
    state = every
    states = []
    for item in new:
        common = state & bits.get(item, 0)
        state = ((state + common) | (state - common)) & every
        states.append(state)
    out = []
    at, other = len(old), len(new)
    while at and other:
        if states[other - 1] >> (at - 1) & 1:
            at -= 1
        else:
            other -= 1
            if not other or states[other - 1] >> (at - 1) & 1:
                at -= 1
                out.append((at, other))
    return out[::-1]
