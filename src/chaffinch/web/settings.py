"""Bounds of requests and of crawls, and manners: what callers set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chaffinch.errors import OptionError, require_between, require_one_of, require_whole


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """Bounds of one request, redirects included.

    Attributes:
        connect: seconds to connect to one address, the TLS handshake included.
        read: seconds that the server may be silent.
        total: seconds in all, name resolution left out.
        max_bytes: size of the page, decompressed.
        max_redirects: redirects followed.

    Raises:
        OptionError: one is negative, or a time or size is zero.
    """

    connect: float = 10.0
    read: float = 20.0
    total: float = 60.0
    max_bytes: int = 64 << 20
    max_redirects: int = 10

    def __post_init__(self) -> None:
        for name in ("connect", "read", "total", "max_bytes"):
            if not getattr(self, name) > 0:
                raise OptionError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.max_redirects < 0:
            raise OptionError(f"max_redirects must be 0 or more, not {self.max_redirects}")


BINDING: Final = ("robots", "tdm")
"""Opt-outs that can be binding: robots meta tags and X-Robots-Tag; text-mining reservations."""

_REQUESTS_A_PAGE: Final = 20
_FURTHER_REQUESTS: Final = 100
_MOST_REQUESTS: Final = 1_000_000
"""Bounds of requests where none is given: a choice of caution. The hosts of the example web take
1.02 requests a page; duplicates, redirects and retries of real sites several."""


@dataclass(frozen=True, kw_only=True)
class CrawlLimits:
    """How far a crawl goes.

    Attributes:
        pages: pages in all, without duplicates; None for no limit.
        requests: requests in all, those of robots.txt, sitemaps, redirects and retries included;
            None for 100 and 20 for each of ``pages``, or a million without ``pages``.
        depth: links from a start page.
        map_depth: sitemaps from a start, each named by the one before.
        addresses: addresses that are known at a time; further ones aren't taken.
        redirects: redirects in a row.
        idle_pages: pages of one address shape in a row that bring nothing new, after which the
            shape is a crawl trap. See `chaffinch.web.frontier`.
    """

    pages: int | None = None
    requests: int | None = None
    depth: int = 64
    map_depth: int = 4
    addresses: int = 2_000_000
    redirects: int = 10
    idle_pages: int = 20

    def __post_init__(self) -> None:
        for name in ("pages", "requests"):
            if getattr(self, name) is not None:
                require_whole(name, getattr(self, name), 1)
        for name in ("depth", "map_depth", "redirects"):
            require_whole(name, getattr(self, name), 0)
        for name in ("addresses", "idle_pages"):
            require_whole(name, getattr(self, name), 1)

    def most_requests(self, pages: int | None) -> int:
        """Return the bound of requests of a crawl of up to ``pages`` pages."""
        if self.requests is not None:
            return self.requests
        return _MOST_REQUESTS if pages is None else _FURTHER_REQUESTS + _REQUESTS_A_PAGE * pages


@dataclass(frozen=True, kw_only=True)
class Politeness:
    """How much load a crawl puts on servers.

    Attributes:
        delay: seconds between two requests to one host; Crawl-delay in robots.txt may raise it.
        per_host: requests to one host at a time.
        at_once: requests at a time, over all hosts.
        retries: retries after a transient failure.
        back_off: seconds before the first retry, doubled for each later one; Retry-After may
            raise it.
        longest_wait: seconds; a host whose Crawl-delay or Retry-After is longer is left.
        failures: requests to a host that fail in a row, after which it is left.
        blocks: block pages of a host in a row (captchas and the like), after which it is left.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        binding: members of `BINDING`: opt-outs that are obeyed, not only recorded.
    """

    delay: float = 1.0
    per_host: int = 2
    at_once: int = 16
    retries: int = 3
    back_off: float = 1.0
    longest_wait: float = 300.0
    failures: int = 50
    blocks: int = 5
    contact: str = ""
    binding: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("delay", "back_off", "longest_wait"):
            require_between(name, getattr(self, name), 0)
        for name in ("per_host", "at_once", "failures", "blocks"):
            require_whole(name, getattr(self, name), 1)
        require_whole("retries", self.retries, 0)
        for one in self.binding:
            require_one_of("binding", one, BINDING)


SIBLINGS: Final = 8
"""Default number of siblings of a page."""
