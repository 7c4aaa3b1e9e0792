"""The text of each post: in the kind of element that holds most of it, without usual lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.posts.dates import LONGEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.posts.post_features import Marks

_NUMBERS: Final = re.compile(r"\d+")
_REPLY_TITLE: Final = re.compile(
    r"(?:re|aw|antw|sv|rv|wg)\s?(?:\[\d+\])?\s?[:：].{0,120}$", re.IGNORECASE
)
HALF: Final = 0.5
BODY_SHARE: Final = 0.75
"""Share of its text that a part of the body must hold to be the body itself."""
MOST_WORTH: Final = 1000
"""Characters of one post that count when its body is looked for."""
BUTTON: Final = 30
"""Characters of a line that is taken for a button when most posts have it."""


class Bodies:
    """The bodies of posts, which are half-open ranges of rows in document order.

    ``heads`` are the rows of author and date of each, -1 for what isn't there.
    """

    def __init__(
        self, marks: Marks, ranges: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]]
    ) -> None:
        self.page: Page = marks.page
        self.marks = marks
        self.ranges = ranges
        self.heads = heads

    def texts(self) -> list[str]:
        """Return the text of each post, a line a block."""
        out = []
        for rows, heads in zip(self._found(), self.heads, strict=True):
            lines = self._lines(*rows, heads=heads)
            lines = [line for line in lines if self._key(line) not in self._usual]
            if len(lines) > 1 and _REPLY_TITLE.match(lines[0]):
                del lines[0]
            out.append("\n".join(lines))
        return out

    def _found(self) -> list[tuple[int, int]]:
        """Return the range of rows of each post's text: its body, or the whole post."""
        kinds = self._kinds()
        worth = {
            kind: sum(self._worth(row, int(self.page.end[row])) for row in found.values())
            for kind, found in kinds.items()
        }
        best = max(worth, key=worth.__getitem__, default="")
        while best:
            inner = [kind for kind in worth if self._is_within(kind, best, kinds, worth)]
            if not inner:
                break
            best = max(inner, key=worth.__getitem__)
        whole = sum(self._worth(start, stop) for start, stop in self.ranges)
        found = kinds[best] if best and worth[best] >= HALF * whole else {}
        return [
            (found[at], int(self.page.end[found[at]])) if at in found else rows
            for at, rows in enumerate(self.ranges)
        ]

    def _kinds(self) -> dict[str, dict[int, int]]:
        """Return kind → number of the post → row, of what half of the posts have, mostly once."""
        page = self.page
        kinds: dict[str, dict[int, int]] = defaultdict(dict)
        several: Counter[str] = Counter()
        for at, (start, stop) in enumerate(self.ranges):
            own = (page.tag[start:stop] != tags.TEXT) & (page.length[start:stop] > 0)
            for head in self.heads[at]:
                if head >= start:
                    own[: head - start + 1] &= page.end[start : head + 1] <= head
            for row in (np.flatnonzero(own) + start).tolist():
                kind = self.marks.kind(row)
                if at in kinds[kind]:
                    several[kind] += 1
                else:
                    kinds[kind][at] = row
        least = HALF * len(self.ranges)
        return {
            kind: found
            for kind, found in kinds.items()
            if len(found) >= least and several[kind] <= 0.2 * len(found)
        }

    def _is_within(
        self, kind: str, best: str, kinds: dict[str, dict[int, int]], worth: dict[str, int]
    ) -> bool:
        """Tell whether a kind stands in the best one and holds nearly all of its text."""
        if kind == best or worth[kind] < BODY_SHARE * worth[best]:
            return False
        pairs = [(row, kinds[kind][at]) for at, row in kinds[best].items() if at in kinds[kind]]
        return bool(pairs) and all(row < inner < self.page.end[row] for row, inner in pairs)

    def _worth(self, start: int, stop: int) -> int:
        """Return how much text outside links and usual lines a range holds, as far as it counts."""
        first = self.marks.blocks.first
        sums = self._sums
        a, b = int(first.searchsorted(start)), int(first.searchsorted(stop))
        return min(int(sums[b] - sums[a]), MOST_WORTH)

    @cached_property
    def _sums(self) -> NDArray[np.int64]:
        blocks = self.marks.blocks
        own = (blocks.length - blocks.link_length).astype(np.int64)
        spans = blocks.first.searchsorted(self.ranges).tolist() if self._usual else ()
        for start, stop in spans:
            for number in range(start, stop):
                if (
                    blocks.length[number] <= BUTTON
                    and self._key(blocks.text(number)) in self._usual
                ):
                    own[number] = 0
        return np.concatenate([[0], np.cumsum(own)])

    def _lines(self, start: int, stop: int, heads: tuple[int, ...] = ()) -> list[str]:
        """Return the lines of a range, without the short ones that hold author or date."""
        blocks, page = self.marks.blocks, self.page
        first = int(blocks.first.searchsorted(start))
        last = int(blocks.first.searchsorted(stop))
        out = []
        for number in range(first, last):
            at, end = int(blocks.first[number]), int(blocks.last[number])
            head = any(row >= 0 and row < end and at < page.end[row] for row in heads)
            if not (head and blocks.length[number] <= LONGEST):
                out.append(blocks.text(number))
        return out

    @cached_property
    def _usual(self) -> frozenset[str]:
        """Short lines that half of the posts have, numbers aside: buttons and labels."""
        counts: Counter[str] = Counter()
        for start, stop in self.ranges:
            counts.update({self._key(x) for x in self._lines(start, stop) if len(x) <= BUTTON})
        few = len(self.ranges) < 4  # noqa: PLR2004  half of three is no habit
        least = len(self.ranges) if few else HALF * len(self.ranges)
        return frozenset(line for line, count in counts.items() if count >= least)

    @staticmethod
    def _key(line: str) -> str:
        return _NUMBERS.sub("#", line)
