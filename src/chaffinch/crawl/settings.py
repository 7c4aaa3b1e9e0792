"""Settings of a crawl: its limits, its politeness, which opt-outs are binding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chaffinch.errors import require_between, require_one_of, require_whole

BINDING: Final = ("robots", "tdm")
"""Opt-outs that can be binding: robots meta tags and X-Robots-Tag; text-mining reservations."""


@dataclass(frozen=True, kw_only=True)
class CrawlLimits:
    """How far a crawl goes.

    Attributes:
        pages: pages in all, without duplicates; None for no limit.
        depth: links from a start page.
        redirects: redirects in a row.
        url_length: characters of an address.
        path_depth: directories of an address.
        query_pairs: key-value pairs of an address.
        idle_pages: pages of one address shape in a row that bring nothing new, after which the
            shape is a crawl trap. See `chaffinch.crawl.crawl_traps`.

    Raises:
        OptionError: one is out of its range.
    """

    pages: int | None = None
    depth: int = 64
    redirects: int = 10
    url_length: int = 2000
    path_depth: int = 20
    query_pairs: int = 8
    idle_pages: int = 20

    def __post_init__(self) -> None:
        if self.pages is not None:
            require_whole("pages", self.pages, 1)
        for name in ("depth", "redirects"):
            require_whole(name, getattr(self, name), 0)
        for name in ("url_length", "path_depth", "query_pairs", "idle_pages"):
            require_whole(name, getattr(self, name), 1)


@dataclass(frozen=True, kw_only=True)
class Politeness:
    """How much a crawl asks of servers.

    Attributes:
        delay: seconds between two requests to one host; Crawl-delay in robots.txt may raise it.
        per_host: requests to one host at a time.
        at_once: requests at a time, over all hosts.
        retries: retries after a transient failure.
        back_off: seconds before the first retry, doubled for each later one; Retry-After may
            raise it.
        longest_wait: seconds; where Retry-After is longer there is no retry.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        binding: members of `BINDING`: opt-outs that are obeyed, not only recorded.

    Raises:
        OptionError: one is out of its range.
    """

    delay: float = 1.0
    per_host: int = 2
    at_once: int = 16
    retries: int = 3
    back_off: float = 1.0
    longest_wait: float = 300.0
    contact: str = ""
    binding: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("delay", "back_off", "longest_wait"):
            require_between(name, getattr(self, name), 0)
        for name in ("per_host", "at_once"):
            require_whole(name, getattr(self, name), 1)
        require_whole("retries", self.retries, 0)
        for one in self.binding:
            require_one_of("binding", one, BINDING)
