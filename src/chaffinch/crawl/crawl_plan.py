"""What a crawl is to fetch, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from chaffinch.crawl.frontier import Scope
from chaffinch.crawl.settings import CrawlLimits, Politeness
from chaffinch.errors import OptionError, require_one_of
from chaffinch.fetch import FetchLimits
from chaffinch.loading.loader import RENDER, Loader
from chaffinch.metadata.language import primary
from chaffinch.siblings.url_blacklist import UrlBlacklist
from chaffinch.siblings.url_shapes import host_of, plain_url

Extent = Literal["site", "sitemap", "same-layer"]
EXTENTS: Final[tuple[Extent, ...]] = get_args(Extent)

SIBLINGS: Final = 8
"""Default number of siblings of a page."""

_DEFAULT_FETCH: Final = FetchLimits(max_bytes=16 << 20)


@dataclass(frozen=True, kw_only=True)
class CrawlPlan:
    """What to crawl, and how.

    Attributes:
        urls: start addresses.
        extent: ``site``, links on the hosts of the start addresses are followed; ``sitemap``,
            entries of their sitemaps are fetched; ``same-layer``, each start address and
            pages of its layer.
        hosts: further hosts to follow links to, with the port where it isn't the usual one.
        limits: bounds of the crawl. For ``same-layer``, ``pages`` counts for each start address,
            itself included; 9 if not given.
        politeness: delays, retries, binding opt-outs.
        fetch: bounds of one request.
        allow: hosts that may be in a private network; see `AddressGuard`.
        resolve: names with a fixed address; see `AddressGuard`.
        render: when a browser runs the scripts of a page: ``auto``, where it waits for them,
            ``always`` or ``never``. Links are those of the rendered page.
        browser: path or name of the browser's program; None to look for one.
        languages: codes of languages, such as ``("en",)``: a page in another one is left out, and
            its links aren't followed unless it is a start page; links that declare another one
            (``hreflang``) aren't, either. A page whose language isn't known is taken. Empty for
            all.
        url_blacklist: addresses that aren't requested; one that ends with ``*`` stands for all that
            begin so.

    Raises:
        OptionError: there is no start address, or a value is impossible.
    """

    urls: tuple[str, ...]
    extent: Extent = "site"
    hosts: tuple[str, ...] = ()
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    politeness: Politeness = field(default_factory=Politeness)
    fetch: FetchLimits = _DEFAULT_FETCH
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()
    render: str = "never"
    browser: str | None = None
    languages: tuple[str, ...] = ()
    url_blacklist: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_one_of("extent", self.extent, EXTENTS)
        require_one_of("render", self.render, RENDER)
        if not self.urls:
            raise OptionError("a crawl needs a start address")
        for url in self.urls:
            if not plain_url(url):
                raise OptionError(f"not a web address: {url!r}")
        codes = tuple(map(primary, self.languages))
        if not all(codes):
            raise OptionError(f"no codes of languages: {', '.join(self.languages)}")
        object.__setattr__(self, "languages", codes)
        UrlBlacklist.of(self.url_blacklist)

    def loader(self) -> Loader:
        """Return what renders the pages."""
        return Loader(
            render=self.render,
            browser=self.browser,
            allow=self.allow,
            resolve=self.resolve,
            contact=self.politeness.contact,
            fetch_limits=self.fetch,
        )

    @property
    def scope(self) -> Scope:
        """The hosts that the crawl may request."""
        own = (host_of(plain_url(url)) for url in self.urls)
        return Scope(
            hosts=frozenset((*own, *map(str.lower, self.hosts))),
            follows=self.extent == "site",
            blacklist=UrlBlacklist.of(self.url_blacklist),
        )

    @property
    def most_requests(self) -> int:
        """How many requests the crawl may send; see `CrawlLimits.requests`."""
        pages = self.limits.pages
        if self.extent == "same-layer":
            pages = len(self.urls) * (pages or SIBLINGS + 1)
        return self.limits.most_requests(pages and max(pages, len(self.urls)))

    @property
    def saved(self) -> dict[str, str]:
        """What must be the same when a crawl is resumed: fields of the file's warcinfo record."""
        chosen = {
            "chaffinch-languages": " ".join(sorted(self.languages)),
            "chaffinch-url-blacklist": " ".join(sorted(self.url_blacklist)),
        }
        return {
            "chaffinch-urls": " ".join(plain_url(url) for url in self.urls),
            "chaffinch-extent": self.extent,
            "chaffinch-hosts": " ".join(sorted(self.scope.hosts)),
            "robots": "obeyed",
            **{name: value for name, value in chosen.items() if value},
        }
