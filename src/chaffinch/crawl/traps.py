"""Places that a crawler could walk for ever: calendars, sessions, endless queries, deeper paths.

Two tests, neither of which knows a site. An address by itself is a trap when it is too long or too
deep, or repeats a directory or a key. A shape of addresses (`chaffinch.siblings.url_shapes`) is one
when the last ``idle_pages`` pages of that shape brought nothing new: they weren't there, or their
text outside links, digits left out, had been seen before; and they led to no new address of another
shape. Calendars differ in digits, sessions not at all, endless queries in their links; articles and
lists always bring something.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from chaffinch.crawl.settings import CrawlLimits

_REPEATS = 3  # times that a directory may not stand in one address


def trap_in(url: str, limits: CrawlLimits) -> str:
    """Return what of an address looks like a trap, in words; "" where nothing does."""
    split = urlsplit(url)
    segments = [segment for segment in split.path.split("/") if segment]
    pairs = parse_qsl(split.query, keep_blank_values=True)
    if len(url) > limits.url_length:
        return f"an address of more than {limits.url_length:,} characters"
    if len(segments) > limits.path_depth:
        return f"more than {limits.path_depth} directories"
    if len(pairs) > limits.query_pairs:
        return f"a query of more than {limits.query_pairs} pairs"
    if max(Counter(segments[:-1]).values(), default=0) >= _REPEATS:
        return "a directory that repeats"
    if max(Counter(pairs).values(), default=0) > 1:
        return "a query that repeats"
    return ""


@dataclass
class ShapeBook:
    """Which shapes still bring something new.

    Attributes:
        idle_pages: as in `CrawlLimits`.
        closed: shapes that are traps.
    """

    idle_pages: int
    closed: set[str] = field(default_factory=set)
    _idle: Counter[str] = field(default_factory=Counter)

    def note(self, shape: str, *, brings_new: bool) -> bool:
        """Note a page of a shape; return whether that closes the shape."""
        if brings_new:
            self._idle[shape] = 0
            return False
        self._idle[shape] += 1
        if self._idle[shape] < self.idle_pages or shape in self.closed:
            return False
        self.closed.add(shape)
        return True
