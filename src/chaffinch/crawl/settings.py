"""What a crawl may do: how far it goes, how polite it is, which wishes of owners bind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chaffinch.errors import require_between, require_one_of, require_whole

BINDING: Final = ("robots", "tdm")
"""What can be made binding: robots meta tags and X-Robots-Tag; reservations of text mining."""


@dataclass(frozen=True, kw_only=True)
class CrawlLimits:
    """How far a crawl goes.

    Attributes:
        pages: pages in all, duplicates left out; None for no limit.
        depth: links from a start page.
        redirects: redirects in a row.
        url_length: characters of an address.
        path_depth: directories of an address.
        query_pairs: key-value pairs of an address.
        idle_pages: pages of one address shape in a row that bring nothing new, before no more
            pages of that shape are asked for. See `traps`.

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
    """How a crawl treats servers.

    Attributes:
        delay: seconds between the beginnings of two requests to one host; robots.txt may ask for
            more by Crawl-delay.
        per_host: requests to one host at a time.
        in_all: requests at a time.
        retries: further tries after a failure that may pass.
        back_off: seconds before the first further try, doubled for each one after it; the server
            may ask for more by Retry-After.
        longest_wait: seconds; a server that asks to wait longer is not asked again.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        binding: members of `BINDING`: wishes of pages that are not only recorded but obeyed.

    Raises:
        OptionError: one is out of its range.
    """

    delay: float = 1.0
    per_host: int = 2
    in_all: int = 16
    retries: int = 3
    back_off: float = 1.0
    longest_wait: float = 300.0
    contact: str = ""
    binding: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("delay", "back_off", "longest_wait"):
            require_between(name, getattr(self, name), 0)
        for name in ("per_host", "in_all"):
            require_whole(name, getattr(self, name), 1)
        require_whole("retries", self.retries, 0)
        for one in self.binding:
            require_one_of("binding", one, BINDING)
