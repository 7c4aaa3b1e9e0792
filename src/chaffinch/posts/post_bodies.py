"""The text of each post: from the kind of element that holds most of it, without boilerplate.

Boilerplate is short lines that most posts have, such as buttons and labels.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.page import tags
from chaffinch.page_work import checked
from chaffinch.posts.post_dates import MAX_DATE_LINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.posts.post_features import PostFeatures

_NUMBERS: Final = re.compile(r"\d+")
_REPLY_TITLE: Final = re.compile(
    r"(?:re|aw|antw|sv|rv|wg)\s?(?:\[\d+\])?\s?[:：].{0,120}$", re.IGNORECASE
)
_SIGNATURE: Final = re.compile(
    r"(?:^|[\s_-])(?:(?:user|post|message)-?)?(?:signature|sig)(?=$|[\s_-]|\d)", re.IGNORECASE
)
_BEFORE_TEXT: Final = ":： \u3000"
HALF: Final = 0.5
BODY_SHARE: Final = 0.75
"""Share of the body's text from which on an inner element is taken as the body instead."""
MAX_PLAIN_LENGTH: Final = 1000
"""Characters of one post that count at most in the search for the body."""
BUTTON_LENGTH: Final = 30
"""Characters up to which a line that most posts have is taken for a button."""


class PostBodies:
    """The bodies of posts; posts are half-open ranges of rows in document order.

    ``bylines`` are the rows of author and date of each post, -1 for none.
    """

    def __init__(
        self,
        features: PostFeatures,
        ranges: Sequence[tuple[int, int]],
        bylines: Sequence[tuple[int, int]],
    ) -> None:
        self.page: Page = features.page
        self.features = features
        self.ranges = ranges
        self.bylines = bylines

    def texts(self) -> list[str]:
        """Return the text of each post, a line a block."""
        out = []
        for (start, stop), rows in zip(self._body_ranges(), self.bylines, strict=True):
            lines = self._lines(start, stop, bylines=rows)
            lines = [line for line in lines if self._key(line) not in self._boilerplate]
            if len(lines) > 1 and _REPLY_TITLE.match(lines[0]):
                del lines[0]
            out.append("\n".join(lines))
        return out

    def _body_ranges(self) -> list[tuple[int, int]]:
        """Return the range of rows of each post's body; the whole post where there is none."""
        kinds = self._kinds()
        lengths = {
            kind: sum(self._plain_length(row, self._stop(at, row)) for at, row in found.items())
            for kind, found in kinds.items()
        }
        best = max(lengths, key=lengths.__getitem__, default="")
        while best:
            inner = [kind for kind in lengths if self._is_within(kind, best, kinds, lengths)]
            if not inner:
                break
            best = max(inner, key=lengths.__getitem__)
        whole = sum(self._plain_length(start, stop) for start, stop in self.ranges)
        found = kinds[best] if best and lengths[best] >= HALF * whole else {}
        return [
            (found[at], self._stop(at, found[at])) if at in found else rows
            for at, rows in enumerate(self.ranges)
        ]

    def _stop(self, at: int, row: int) -> int:
        """Return where an element of a post ends, or before it the post, where replies begin."""
        return min(int(self.page.end[row]), self.ranges[at][1])

    def _kinds(self) -> dict[str, dict[int, int]]:
        """Return kind → number of the post → row, of kinds in half of the posts, mostly once."""
        page = self.page
        kinds: dict[str, dict[int, int]] = defaultdict(dict)
        several: Counter[str] = Counter()
        for at, (start, stop) in enumerate(checked(self.ranges, every=16)):
            own = (page.tag[start:stop] != tags.TEXT) & (page.length[start:stop] > 0)
            for byline in self.bylines[at]:
                if byline >= start:
                    own[: byline - start + 1] &= page.end[start : byline + 1] <= byline
            for row in (np.flatnonzero(own) + start).tolist():
                kind = self.features.kind(row)
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
        self, kind: str, best: str, kinds: dict[str, dict[int, int]], lengths: dict[str, int]
    ) -> bool:
        """Return whether elements of a kind are in those of ``best``, with most of their text."""
        if kind == best or lengths[kind] < BODY_SHARE * lengths[best]:
            return False
        pairs = [(row, kinds[kind][at]) for at, row in kinds[best].items() if at in kinds[kind]]
        return bool(pairs) and all(row < inner < self.page.end[row] for row, inner in pairs)

    def _plain_length(self, start: int, stop: int) -> int:
        """Return a range's characters outside links and boilerplate, up to a maximum."""
        return min(int(self._sums[stop] - self._sums[start]), MAX_PLAIN_LENGTH)

    @cached_property
    def _sums(self) -> NDArray[np.int64]:
        blocks, page = self.features.blocks, self.page
        own = np.where(page.in_link | (page.tag != tags.TEXT), 0, page.own_length).astype(np.int64)
        spans = blocks.first.searchsorted(self.ranges).tolist() if self._boilerplate else ()
        for start, stop in spans:
            for number in range(start, stop):
                if (
                    blocks.length[number] <= BUTTON_LENGTH
                    and self._key(blocks.text(number)) in self._boilerplate
                ):
                    own[blocks.first[number] : blocks.last[number]] = 0
        return np.concatenate([[0], np.cumsum(own)])

    def _lines(self, start: int, stop: int, bylines: tuple[int, ...] = ()) -> list[str]:
        """Return the lines of a range, without short ones that hold the byline.

        Where no line is left, the text that stands beside the byline in one.
        """
        blocks, page = self.features.blocks, self.page
        first = int(blocks.first.searchsorted(start, side="right")) - 1
        first += first < 0 or int(blocks.last[first]) <= start
        out, beside = [], []
        for number in range(first, int(blocks.first.searchsorted(stop))):
            if self._is_signature[int(blocks.first[number])]:
                continue
            at, end = max(int(blocks.first[number]), start), min(int(blocks.last[number]), stop)
            rows = [row for row in bylines if row >= 0 and row < end and at < page.end[row]]
            is_whole = at == blocks.first[number] and end == blocks.last[number]
            if not rows or blocks.length[number] > MAX_DATE_LINE:
                out.append(blocks.text(number) if is_whole else self._text(at, end))
            elif rest := self._beside(at, end, rows):
                beside.append(rest)
        return out if any(map(str.strip, out)) else beside

    @cached_property
    def _is_signature(self) -> Mask:
        """Rows in the signatures that a board puts below the posts of a user, bool[n]."""
        rows = self.page.rows_where("class", _names_signature, "sig")
        marked = np.zeros(len(self.page), dtype=bool)
        marked[list(rows)] = True
        return self.page.inside(marked)

    def _text(self, start: int, stop: int) -> str:
        """Return the text of a part of a line, without the colon that parts it from a name."""
        page = self.page
        text = " ".join(page.text[page.text_at[start] : page.text_at[stop]].split())
        return text.lstrip(_BEFORE_TEXT)

    def _beside(self, start: int, stop: int, bylines: list[int]) -> str:
        """Return the longest text of a line between the parts of a byline."""
        cuts = [start]
        for row in sorted(bylines):
            cuts += [max(row, start), int(self.page.end[row])]
        spans = pairwise([*cuts, max(stop, cuts[-1])])
        parts = [self._text(a, b) for at, (a, b) in enumerate(spans) if not at % 2 and a < b]
        return max(parts, key=len, default="")

    @cached_property
    def _boilerplate(self) -> frozenset[str]:
        """Short lines that half of the posts have, apart from numbers: buttons and labels."""
        counts: Counter[str] = Counter()
        for start, stop in checked(self.ranges, every=16):
            counts.update(
                {self._key(x) for x in self._lines(start, stop) if len(x) <= BUTTON_LENGTH}
            )
        few = len(self.ranges) < 4  # noqa: PLR2004  of three posts, all must have it
        least = len(self.ranges) if few else HALF * len(self.ranges)
        return frozenset(line for line, count in counts.items() if count >= least)

    @staticmethod
    def _key(line: str) -> str:
        return _NUMBERS.sub("#", line)


def _names_signature(names: str) -> bool:
    return _SIGNATURE.search(names) is not None
