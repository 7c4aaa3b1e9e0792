"""Pages fetched one by one through the polite client, as robots.txt allows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chaffinch.crawl.parsed_response import reads_body
from chaffinch.errors import FetchError, RefusedError
from chaffinch.fetch.failures import describe_status
from chaffinch.fetch.raw_request import decoded_body
from chaffinch.fetch.request import (
    PAGE_TYPES,
    REDIRECT_STATUSES,
    charset_of,
    header_text,
    media_type,
)
from chaffinch.page import parse
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from chaffinch.crawl.polite_client import Download, PoliteClient
    from chaffinch.crawl.robots import RobotsCache
    from chaffinch.crawl.visits import UrlRole
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page

_SUCCESS = range(200, 300)


@dataclass
class PageFetcher:
    """Fetches pages, sitemaps and feeds of the hosts that robots.txt is read of.

    Attributes:
        client: sends the requests.
        robots: the rules, whose scope is that of all requests.
        loader: renders pages where that is wanted; None for never.
        downloads: address → download, of everything that was fetched.
    """

    client: PoliteClient
    robots: RobotsCache
    loader: Loader | None = None
    downloads: dict[str, Download] = field(default_factory=dict)

    async def page(self, url: str) -> tuple[str, Page]:
        """Return the page at ``url`` and the address that it has after redirects.

        Raises:
            FetchError: it can't be fetched, or robots.txt forbids it.
            PageError: it can't be parsed or rendered.
        """
        found, body, charset = await self.fetch(url, "page")
        if self.loader is None:
            return found, parse(body, url=found, encoding=charset)
        page = self.loader.parsed(body, url=found, encoding=charset)
        return found, await asyncio.to_thread(self.loader.rendered, page)

    async def fetch(self, url: str, role: UrlRole) -> tuple[str, bytes, str | None]:
        """Return (address after redirects, decoded body, charset).

        Raises:
            FetchError: it can't be fetched, or robots.txt forbids it.
        """
        scope = self.robots.scope
        for _ in range(self.client.limits.max_redirects + 1):
            if scope is not None and host_of(url) not in scope.hosts:
                raise RefusedError(f"redirected to another host: {url}")
            if refusal := (await self.robots.rules(url)).refusal(url):
                raise RefusedError(refusal)
            download = self.downloads.get(url)
            if download is None:
                download = await self.client.get(url, reads_body=reads_body(role))
            response = download.response
            if response is None:
                raise FetchError(download.problem)
            self.downloads[url] = download
            if response.status in REDIRECT_STATUSES and (location := response.header("location")):
                url = plain_url(header_text(location), url)
                continue
            if response.status not in _SUCCESS:
                raise FetchError(describe_status(response.status))
            kind = media_type(response.header("content-type"))
            if role == "page" and kind not in PAGE_TYPES:
                raise FetchError(f"not a page: the server calls it {kind!r}")
            charset = charset_of(response.header("content-type"))
            return url, decoded_body(response, self.client.limits), charset
        raise FetchError(f"more than {self.client.limits.max_redirects} redirects")
