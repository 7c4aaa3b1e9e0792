"""Pages fetched for callers: politely by host, as robots.txt allows, kept in a cache if any.

Each request, redirects included, is a request of its own through the guard of addresses, robots.txt
and the delay of its host. What is known of hosts is forgotten after an hour, or when it is of many:
a host that was left gets another chance, and memory stays bounded.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from chaffinch.errors import FetchError, RefusedError
from chaffinch.service.fair_shares import FairShares
from chaffinch.service.media_kinds import MARKDOWN, SUCCESS, MediaKinds, is_page_of_failure
from chaffinch.service.page_cache import PageCache, validated
from chaffinch.service.problems import ProblemError, RobotsError
from chaffinch.siblings.url_shapes import host_of
from chaffinch.web.client import (
    REDIRECT_STATUSES,
    charset_of,
    decoded_body,
    describe_status,
    header_text,
    media_type,
)
from chaffinch.web.guard import parse_target, port_of, redirect_target
from chaffinch.web.polite import PoliteClient, StoppedError
from chaffinch.web.robots import RobotsCache
from chaffinch.web.settings import FetchLimits, Politeness

if TYPE_CHECKING:
    from chaffinch.service.settings import ServiceSettings
    from chaffinch.web.client import RawResponse

_LASTING: Final = 3600.0  # seconds for which rules and delays of hosts are remembered
_MOST_HOSTS: Final = 10_000
_AT_ONCE: Final = 32
_NOT_MODIFIED: Final = 304


@dataclass(frozen=True, kw_only=True)
class WebPage:
    """A page as it was fetched.

    Attributes:
        url: address after redirects.
        status: of the response.
        body: decompressed.
        encoding: charset of its Content-Type, if any.
        media_type: of its Content-Type, in lower case; "" for none.
        headers: of the response.
        redirects: addresses before ``url``, the given one first.
        cache: ``fresh``, ``validated``, or "" where it came from its server.
    """

    url: str
    status: int
    body: bytes = field(repr=False)
    encoding: str | None
    media_type: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    redirects: tuple[str, ...] = ()
    cache: str = ""

    @property
    def is_markdown(self) -> bool:
        """Whether the server had Markdown."""
        return self.media_type in MARKDOWN


class StatusError(ProblemError):
    """A server that answers with a failure.

    Args:
        status: of the answer.
        page: what it sent; None where that is no page.
    """

    def __init__(self, status: int, page: WebPage | None) -> None:
        super().__init__("fetch", describe_status(status), upstream_status=status)
        self.page = page


@dataclass
class _KnownHosts:
    """What is known of hosts for a while."""

    client: PoliteClient
    robots: RobotsCache
    since: float = field(default_factory=time.monotonic)
    hosts: set[str] = field(default_factory=set)


class WebPages:
    """Fetches pages.

    Args:
        settings: of the service.

    Raises:
        OptionError: the cache can't be written.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self._settings = settings
        self._limits = FetchLimits(
            total=float(settings.deadline), max_bytes=settings.max_page << 20
        )
        self._politeness = Politeness(
            delay=settings.delay,
            at_once=_AT_ONCE,
            retries=1,
            longest_wait=float(settings.deadline),
            contact=settings.contact,
        )
        self._cache: PageCache | None = None
        if settings.cache and settings.data is not None:
            self._cache = PageCache(settings.data / "pages.sqlite", settings.cache << 20)
        self._known: _KnownHosts | None = None
        self._shares = FairShares(_AT_ONCE, spares=True)

    def close(self) -> None:
        """Send no more requests, and close the cache."""
        if self._known is not None:
            self._known.client.stop()
            self._known.client.close()
        if self._cache is not None:
            self._cache.close()

    async def fetch(
        self,
        url: str,
        *,
        markdown: bool = False,
        texts: bool = False,
        max_age: int | None = None,
    ) -> WebPage:
        """Return the page at an address.

        Args:
            url: http or https.
            markdown: whether Markdown will do, too, and is offered to the server first.
            texts: whether any text will do.
            max_age: seconds of age at which a kept copy will do; None for what its server allows.

        Raises:
            StatusError: its server answers with a failure.
            ProblemError: it is no address.
            FetchError: the address is refused, can't be fetched, or is no page.
        """
        require_address(url)
        kinds = MediaKinds(markdown=markdown, texts=texts)
        requested: list[str] = []
        while True:
            async with self._shares.place():
                url = await self._checked(url)
                response, origin = await self._response(url, kinds, max_age)
            location = response.header("location")
            if response.status not in REDIRECT_STATUSES or not location:
                break
            requested.append(url)
            if len(requested) > self._limits.max_redirects:
                raise FetchError(f"more than {self._limits.max_redirects} redirects")
            url = redirect_target(url, header_text(location))
        page = await asyncio.to_thread(self._page, url, response)
        return replace(page, redirects=tuple(requested), cache=origin)

    def _page(self, url: str, response: RawResponse) -> WebPage:
        content_type = response.header("content-type")
        return WebPage(
            url=url,
            status=response.status,
            body=decoded_body(response, self._limits),
            encoding=charset_of(content_type),
            media_type=media_type(content_type),
            headers=response.headers,
        )

    async def check(self, url: str) -> str:
        """Return an address in its normal form if it may be fetched, for a browser to fetch it.

        Raises:
            ProblemError: it is no address.
            FetchError: it may not.
        """
        require_address(url)
        return await self._checked(url)

    async def _checked(self, url: str) -> str:
        """Return an address in its normal form.

        Raises:
            RefusedError: it is none that is fetched, or of a private network, or robots.txt or its
                host forbid it.
        """
        target = parse_target(url)
        host = str(target.host).strip("[]")
        # Said at once and plainly here; the connection is made to addresses that are checked again.
        await asyncio.to_thread(self._settings.guard.addresses, host, port_of(target))
        known = self._hosts(target.url)
        if self._settings.obeys_robots:
            rules = await known.robots.rules(target.url)
            if rules.problem:  # which may name addresses of private networks
                raise RobotsError("robots.txt can't be had, which forbids everything (RFC 9309)")
            if rules.refusal(target.url):
                raise RobotsError("robots.txt forbids this address")
        if left := known.client.left.get(host_of(target.url)):
            raise FetchError(f"the host gets no requests for a while: {left}")
        return target.url

    def _hosts(self, url: str) -> _KnownHosts:
        """Return what is known of hosts, begun anew where it is old or much."""
        known = self._known
        if known is not None:
            is_old = time.monotonic() - known.since > _LASTING
            if is_old or len(known.hosts) >= _MOST_HOSTS:
                known = None
        if known is None:
            client = PoliteClient(self._limits, self._settings.guard, self._politeness)
            known = self._known = _KnownHosts(client, RobotsCache(client, None))
        known.hosts.add(host_of(url))
        return known

    async def _response(
        self, url: str, kinds: MediaKinds, max_age: int | None
    ) -> tuple[RawResponse, str]:
        """Return the response of a server or of the cache, and which it is."""
        copy = None
        if self._cache is not None:
            copy = await asyncio.to_thread(self._cache.get, url, kinds.accept)
            if copy is not None and not kinds.take(copy.response.header("content-type")):
                copy = None
        if copy is not None and copy.is_fresh(max_age):
            return copy.response, "fresh"
        extra = {"accept": kinds.accept, **(copy.conditions if copy is not None else {})}
        client = self._hosts(url).client
        try:
            download = await client.get(url, reads_body=kinds, extra=extra)
        except StoppedError as error:
            raise ProblemError("unavailable", "the service is being stopped") from error
        response, origin = download.response, ""
        if response is None:
            raise FetchError(download.problem)
        if response.status == _NOT_MODIFIED and copy is not None:
            response, origin = validated(copy.response, response), "validated"
        elif response.status not in SUCCESS and not _redirects(response):
            is_page = is_page_of_failure(response.status, response.header("content-type"))
            page = await asyncio.to_thread(self._page, url, response) if is_page else None
            raise StatusError(response.status, page)
        elif not _redirects(response) and not kinds.take(response.header("content-type")):
            kind = media_type(response.header("content-type"))
            raise FetchError(f"not a page: the server calls it {kind[:100]!r}")
        if self._cache is not None:
            await asyncio.to_thread(self._cache.put, url, kinds.accept, response)
        return response, origin


def require_address(url: str) -> None:
    """Check that text is an address, of whatever scheme.

    Raises:
        ProblemError: it isn't.
    """
    try:
        parse_target(url)
    except RefusedError:
        return  # an address, which is refused where it would be fetched
    except FetchError as error:
        raise ProblemError("invalid", "url is not an http or https address") from error


def _redirects(response: RawResponse) -> bool:
    return response.status in REDIRECT_STATUSES and bool(response.header("location"))
