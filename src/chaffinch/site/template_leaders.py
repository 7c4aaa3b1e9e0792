"""Clusters of pages into templates, by leader clustering in time linear in their number.

A page joins the template whose leader is most similar, or leads a new one. Leaders are looked up by
bands of their sketches (locality-sensitive hashing: Broder 1997; Leskovec, Rajaraman and Ullman,
«Mining of Massive Datasets», section 3.4), so that a page is compared with few of them; pages are
clustered in the order of their keys, so that the result doesn't depend on their order in the input.

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

SAME_TEMPLATE: Final = 0.5
"""Least likeness of a page to the leader of the template that it joins; ``python -m
bench.quality.sites --sweep`` measures other values."""

_ROWS: Final = 2
"""Bins of a band: at a likeness of 0.5 two sketches share one of the 32 bands with a chance of
0.9999, at 0.1 with 0.28."""

_COMMON: Final = 16
"""Templates that share a band, beyond which it doesn't discriminate between them."""


@dataclass
class TemplateLeaders:
    """Sketches of the leaders of templates, looked up by bands.

    Attributes:
        sketches: uint64[BINS] of each leader, in the order in which they were added.
    """

    sketches: list[Hashes] = field(default_factory=list)
    _having: dict[bytes, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, sketches: Iterable[Hashes]) -> TemplateLeaders:
        """Return the leaders with given sketches."""
        leaders = cls()
        for sketch in sketches:
            leaders.add(sketch)
        return leaders

    def add(self, sketch: Hashes) -> int:
        """Add a leader; return its number."""
        number = len(self.sketches)
        self.sketches.append(sketch)
        for band in _bands(sketch):
            self._having.setdefault(band, []).append(number)
        return number

    def nearest(self, sketch: Hashes) -> tuple[int, float]:
        """Return number and likeness of the most similar leader, the first of them; or (-1, 0)."""
        found = [held for band in _bands(sketch) if (held := self._having.get(band))]
        # Bands that many templates share come from elements of all pages of the site; they don't
        # discriminate, and comparing all of their templates would take time linear in these.
        rare = [held for held in found if len(held) <= _COMMON] or found
        near = sorted({number for held in rare for number in held})
        if not near:
            return -1, 0.0
        alike = likeness(sketch, np.stack([self.sketches[number] for number in near]))
        best = int(np.argmax(alike))
        return near[best], float(alike[best])

    def join(self, sketch: Hashes) -> int:
        """Return the number of the template that a page of this sketch joins, or leads anew."""
        number, alike = self.nearest(sketch)
        return number if alike >= SAME_TEMPLATE else self.add(sketch)


def _bands(sketch: Hashes) -> list[bytes]:
    """Return the bands, each preceded by its number, without those that have an empty bin.

    Pages of few slots have hardly a band without an empty bin; for them every band counts that
    isn't empty throughout.
    """
    data, width = sketch.tobytes(), 8 * _ROWS
    bands = [bytes([at]) + data[at * width : (at + 1) * width] for at in range(BINS // _ROWS)]
    empty = b"\xff" * 8
    full = [band for band in bands if empty not in band]
    return full if len(full) >= len(bands) // 2 else [b for b in bands if b[1:] != empty * _ROWS]
