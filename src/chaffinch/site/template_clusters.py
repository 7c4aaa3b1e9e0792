"""Templates: pages of a site that are built alike, found in time that grows with their number.

A page joins the template whose leader it is most like, or leads a new one. Leaders are looked up by
bands of their sketches (locality-sensitive hashing: Broder 1997; Leskovec, Rajaraman and Ullman,
«Mining of Massive Datasets», section 3.4), so that a page is compared with a few of them only, and
pages are taken in the order of their keys, so that the outcome doesn't depend on how they came.

page-clustering, section 4, clusters by the same paths but compares every page with every cluster;
`chaffinch.siblings.clusters` has that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.page_sketch import BINS, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.page.arrays import Hashes

LIKE: Final = 0.5
"""Least likeness of a page to the leader of the template that it joins; ``python -m
bench.quality.sites --sweep`` tries others."""

_ROWS: Final = 2
"""Bins of a band: at a likeness of 0.5 two sketches share one of the 32 bands with a chance of
0.9999, at 0.1 with 0.28."""

_COMMON: Final = 16
"""Templates that have a band, beyond which it doesn't tell one from another."""


@dataclass
class Leaders:
    """Layouts that lead templates, looked up by bands.

    Attributes:
        sketches: one uint64[BINS] a template, in the order in which they were opened.
    """

    sketches: list[Hashes] = field(default_factory=list)
    _having: dict[bytes, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, sketches: Iterable[Hashes]) -> Leaders:
        """Return the leaders with given sketches."""
        leaders = cls()
        for sketch in sketches:
            leaders.open(sketch)
        return leaders

    def open(self, sketch: Hashes) -> int:
        """Add a leader; return its number."""
        number = len(self.sketches)
        self.sketches.append(sketch)
        for band in _bands(sketch):
            self._having.setdefault(band, []).append(number)
        return number

    def nearest(self, sketch: Hashes) -> tuple[int, float]:
        """Return the leader most like ``sketch``, the oldest of those, and how much; or (-1, 0)."""
        found = [held for band in _bands(sketch) if (held := self._having.get(band))]
        # Bands that many templates have are of parts that all pages of the site have; they tell
        # nothing, and looking at all of their templates would take time that grows with these.
        telling = [held for held in found if len(held) <= _COMMON] or found
        near = sorted({number for held in telling for number in held})
        if not near:
            return -1, 0.0
        alike = likeness(sketch, np.stack([self.sketches[number] for number in near]))
        best = int(np.argmax(alike))
        return near[best], float(alike[best])

    def join(self, sketch: Hashes) -> int:
        """Return the template that a page of this sketch joins or opens."""
        number, alike = self.nearest(sketch)
        return number if alike >= LIKE else self.open(sketch)


def _bands(sketch: Hashes) -> list[bytes]:
    """Return the bands, each with its place, those with an empty bin left out where others aren't.

    Pages of few slots have hardly a band without an empty bin; for them every band counts that
    isn't empty throughout.
    """
    data, width = sketch.tobytes(), 8 * _ROWS
    bands = [bytes([at]) + data[at * width : (at + 1) * width] for at in range(BINS // _ROWS)]
    hollow = b"\xff" * 8
    full = [band for band in bands if hollow not in band]
    return full if len(full) >= len(bands) // 2 else [b for b in bands if b[1:] != hollow * _ROWS]
