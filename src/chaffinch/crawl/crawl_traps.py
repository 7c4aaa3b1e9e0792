"""Crawl traps: calendars, session ids, endless queries and paths, which a crawl would never leave.

Two tests, neither of which knows a site. An address by itself is a trap when it is too long or too
deep, or repeats a directory or a key. A shape of addresses (`chaffinch.siblings.url_shapes`) is one
when the last ``idle_pages`` pages of that shape brought nothing new: they didn't exist, or their
text outside links, without digits, equals that of an earlier page; and they linked to no new
address of another shape. Pages of calendars differ in digits, of sessions not at all, of endless
queries in their links; articles and lists always bring something new. A sitemap brings something
new if it lists a page that wasn't known; the shape of those that only list further sitemaps ends.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from chaffinch.crawl.settings import CrawlLimits

_REPEATS = 3  # of one directory in an address make it a trap


def trap_reason(url: str, limits: CrawlLimits) -> str:
    """Return why an address looks like a crawl trap; "" where it doesn't."""
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
class ShapeMonitor:
    """Counts, for each shape of addresses, pages in a row that brought nothing new.

    Attributes:
        idle_pages: as in `CrawlLimits`.
        closed: shapes that are traps.
    """

    idle_pages: int
    closed: set[str] = field(default_factory=set)
    _idle: Counter[str] = field(default_factory=Counter)

    def record_page(self, shape: str, *, brings_new: bool) -> bool:
        """Count a page of a shape; return whether that closes the shape."""
        if brings_new:
            self._idle[shape] = 0
            return False
        self._idle[shape] += 1
        if self._idle[shape] < self.idle_pages or shape in self.closed:
            return False
        self.closed.add(shape)
        return True
