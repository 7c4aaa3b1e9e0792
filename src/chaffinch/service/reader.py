"""What HTTP and MCP have in common: a page is found, and something is made of it in time.

Pages are fetched politely by host, as robots.txt allows, and kept for a while if the operator says
so. Each request, redirects included, is a request of its own through the guard of addresses,
robots.txt and the delay of its host. What is known of hosts is forgotten after an hour, or when it
is of many: a host that was left gets another chance, and memory stays bounded.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar
from urllib.parse import quote

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from chaffinch.errors import FetchError, PageError, RefusedError
from chaffinch.loading.loader import Loader
from chaffinch.metadata.page_fields import OPT_OUT_HEADERS
from chaffinch.page import Page
from chaffinch.page.bounds import Limits
from chaffinch.service.jobs import GivenPage, SiteFile, run_job, site_file
from chaffinch.service.problems import FIELDS, LOG, ProblemError, problem_of
from chaffinch.service.settings import RENDERING, ServiceSettings
from chaffinch.service.work import CALLER, FairShares, WorkQueue
from chaffinch.siblings.url_shapes import host_of
from chaffinch.site.file import is_model
from chaffinch.version import __version__
from chaffinch.web.client import (
    FAILED,
    PAGE_TYPES,
    SUCCESS,
    RawResponse,
    Way,
    charset_of,
    decoded_body,
    describe_status,
    media_type,
    no_page,
)
from chaffinch.web.guard import parse_target, port_of
from chaffinch.web.polite import PoliteClient, RobotsCache, StoppedError
from chaffinch.web.settings import FetchLimits, Politeness

if TYPE_CHECKING:
    from chaffinch.service.requests import NamedPage

Kind = TypeVar("Kind", Counter, Gauge, Histogram)

_LASTING: Final = 3600.0  # seconds for which rules and delays of hosts are remembered
_MOST_HOSTS: Final = 10_000
_KEPT: Final = 600.0  # seconds
_FETCHES: Final = 32  # at a time
_NEVER: Final = 1 << 62
"""Failures after which a host is left: addresses of one caller that fail close it to no other."""
_RENDERINGS: Final = 16  # pages in the browser or waiting for it; of one caller half
_MARKDOWN: Final = frozenset({"text/markdown", "text/x-markdown"})
_TEXTS: Final = frozenset({"application/json", "application/yaml", "application/javascript"})
"""Media types of text, besides ``text/…`` and those that end in ``+json`` or ``+xml``."""
_ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1"
_URI: Final = "!#$%&'()*+,/:;=?@[]~"
"""What stands for itself in an address, beside letters, digits, «-», «.» and «_» (RFC 3986, 2)."""


def percent_encoded(value: str) -> str:
    """Return what a page or its server chose with all but characters of addresses encoded.

    So it has neither spaces nor ends of lines, in a header or in a sentence of this service.
    """
    return quote(value, safe=_URI, errors="replace")


@dataclass(frozen=True)
class Kinds:
    """Media types of responses that are read: pages, Markdown where it will do, other text."""

    markdown: bool = False
    texts: bool = False

    @property
    def accept(self) -> str:
        """The Accept header: Markdown first where it will do."""
        if not self.markdown:
            return _ACCEPT
        return f"text/markdown,{_ACCEPT.replace('html,', 'html;q=0.9,', 1)}"

    def take(self, content_type: str) -> bool:
        kind = media_type(content_type)
        is_text = kind.startswith("text/") or kind in _TEXTS or kind.endswith(("+json", "+xml"))
        return (
            kind in PAGE_TYPES or (self.markdown and kind in _MARKDOWN) or (self.texts and is_text)
        )

    def __call__(self, status: int, headers: Mapping[str, str]) -> bool:
        kind = headers.get("content-type", "")
        is_failed_page = status in FAILED and media_type(kind) in PAGE_TYPES
        return is_failed_page or (status in SUCCESS and self.take(kind))


@dataclass(frozen=True, kw_only=True)
class FoundPage:
    """A page and where it is from.

    The media type is what its server calls it, in lower case; None where no server was asked.
    """

    given: GivenPage
    media_type: str | None = None
    is_kept: bool = False
    is_rendered: bool = False

    @property
    def markdown(self) -> str | None:
        html = self.given.html
        if self.media_type not in _MARKDOWN or not isinstance(html, bytes):
            return None
        return html.decode("utf-8", "replace").replace("\0", "\ufffd")

    @property
    def origin(self) -> dict[str, str]:
        """Where it is from, as percent-encoded headers of a response."""
        found = {} if self.given.url is None else {"chaffinch-url": self.given.url}
        if self.media_type is not None:
            found["chaffinch-media-type"] = self.media_type or "unknown"
            found["chaffinch-cache"] = "fresh" if self.is_kept else "miss"
        if self.is_rendered:
            found["chaffinch-rendered"] = "true"
        return {name: percent_encoded(value) for name, value in found.items()}


class Held:
    """Values by key, within a bound of bytes; those used least lately go first."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._values: OrderedDict[Hashable, tuple[int, Any]] = OrderedDict()

    def get(self, key: Hashable) -> Any:
        """Return a value; None for none."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key, (0, None))[1]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Hold a value in place of the key's last one; None, and more bytes than may be, aren't."""
        self._size -= self._values.pop(key, (0, None))[0]
        if value is not None and size <= self._most:
            self._values[key] = size, value
            self._size += size
        while self._size > self._most:
            self._size -= self._values.popitem(last=False)[1][0]


class KeptResponses(Held):
    """Responses that are kept for `_KEPT` seconds.

    Each is its caller's alone: what another one has read, nobody learns by its speed. What a server
    calls private, or not to be stored, isn't kept.
    """

    def young(self, key: tuple[str, ...], max_age: float | None) -> RawResponse | None:
        """Return the response of a key, if it is there and young enough; see `keep`."""
        since, response = self.get(key) or (0.0, None)
        most = _KEPT if max_age is None else min(max_age, _KEPT)
        return response if time.monotonic() - since < most else None

    def keep(self, key: tuple[str, ...], response: RawResponse) -> None:
        """Keep a response for a caller, an address and what was accepted."""
        control = response.header("cache-control").lower()
        size = len(response.body) + sum(len(name) + len(value) for name, value in response.headers)
        is_private = "no-store" in control or "private" in control
        is_shared = not is_private and response.header("vary").strip() != "*"
        is_fit = is_shared and response.status == 200  # noqa: PLR2004
        self.put(key, (time.monotonic(), response) if is_fit else None, size)


class Metrics:
    """Counts for Prometheus, in a registry of this service's own; failures in the log."""

    def __init__(self, pages: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()

        def new(kind: type[Kind], name: str, meaning: str, *labels: str) -> Kind:
            return kind(f"chaffinch_{name}", meaning, labels, registry=self._registry)

        words = "Requests by route, method and status."
        self._requests = new(Counter, "requests", words, "route", "method", "status")
        words = "Time from a request's head to the end of its response."
        self._seconds = new(Histogram, "request_seconds", words, "route")
        words = "Answers that are problems, by kind; calls of tools count, too."
        self._problems = new(Counter, "problems", words, "kind")
        new(Gauge, "pages_in_work", "Pages in work or waiting.").set_function(pages)
        new(Gauge, "build", "The version.", "version").labels(__version__).set(1)

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request; ``route`` is its path as it is declared, so that there are few."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def noted(self, failure: Exception, request_id: str) -> ProblemError:
        """Return the problem that a failure is; it is counted, and logged where it is our own."""
        problem = problem_of(failure)
        self._problems.labels(problem.kind).inc()
        if problem.kind == "bug":
            LOG.error("a request failed", exc_info=failure, extra={FIELDS: {"id": request_id}})
        if problem.kind == "storage":
            fields = {"id": request_id, "error": str(failure)}
            LOG.error("the disk can't be used", extra={FIELDS: fields})
        return problem

    def text(self) -> bytes:
        return generate_latest(self._registry)


@dataclass
class _KnownHosts:
    client: PoliteClient
    robots: RobotsCache
    since: float = field(default_factory=time.monotonic)
    hosts: set[str] = field(default_factory=set)


class Reader:
    """Reads pages for callers."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        seconds, most = float(settings.deadline), settings.max_page << 20
        self.limits = Limits(max_bytes=most, seconds=seconds)
        self.queue = WorkQueue(
            workers=settings.workers,
            waiting=settings.waiting,
            seconds=settings.deadline,
            memory=settings.memory,
            size=max(settings.max_page, settings.max_body),
        )
        self.metrics = Metrics(lambda: self.queue.shares.asked)
        self._fetch_limits = FetchLimits(total=seconds, max_bytes=most)
        self._politeness = Politeness(
            delay=settings.delay, at_once=_FETCHES, retries=1, longest_wait=seconds,
            failures=_NEVER, contact=settings.contact,
        )  # fmt: skip
        self._kept = KeptResponses(settings.cache << 20)
        self._known: _KnownHosts | None = None
        self._shares = FairShares(_FETCHES, spares=True)
        self._loader = Loader(
            render="always",
            browser=settings.browser,
            allow=settings.allow,
            resolve=settings.resolve,
            contact=settings.contact,
            fetch_limits=replace(self._fetch_limits, total=min(FetchLimits().total, seconds)),
            limits=Limits(max_bytes=most),
        )
        self._browser = FairShares(1, spares=False, most=_RENDERINGS)

    async def start(self) -> None:
        await asyncio.to_thread(self.queue.start)

    async def close(self) -> None:
        """End the children and the browser, once the pages in work are done."""
        if self._known is not None:
            self._known.client.stop()
            self._known.client.close()
        await asyncio.to_thread(self._loader.close)
        await asyncio.to_thread(self.queue.close)

    @asynccontextmanager
    async def deadline(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self.settings.deadline):
                yield
        except TimeoutError as error:
            seconds = self.settings.deadline
            raise ProblemError("deadline", f"not done within {seconds} s") from error

    async def make(self, job: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
        """Return what a job makes of a page; see `run_job`, and `WorkQueue.run` for errors.

        Of a ``site`` that is named among the options the job gets the file.
        """
        if (name := options.get("site")) is not None:
            file = await asyncio.to_thread(kept_site, self.settings, name)
            options = {**options, "site": file}
        made: bytes = await self.queue.run(run_job, job, page, options)
        return made

    async def find(self, wanted: NamedPage, *, markdown: bool = False) -> FoundPage:
        """Return the page that is requested, fetched and rendered where that is wanted."""
        render, url = wanted.render, str(wanted.url)
        shown = {"wait": wanted.wait, "expand": wanted.expand}
        self._require_rendering(render)
        if (source := wanted.source) is not None:
            found = FoundPage(given=GivenPage(html=source, url=wanted.url, limits=self.limits))
        elif render == "always":
            _require_address(url)
            page = await self._in_turn(self._loader.live, await self._checked(url), **shown)
            given = GivenPage(html=page, url=page.url, limits=self.limits)
            return FoundPage(given=given, is_rendered=True)
        else:
            kinds = Kinds(markdown=markdown and render == "never")
            found = await self.fetch(url, kinds, wanted.max_age)
        return await self.rendered(found, render, shown)

    async def rendered(
        self, found: FoundPage, render: str, shown: Mapping[str, Any] = {}
    ) -> FoundPage:
        """Return a page, rendered where that is wanted: from its server if it was fetched."""
        self._require_rendering(render)
        given = found.given
        if isinstance(given.html, Page):
            return replace(found, is_rendered=True)
        if render == "never" or (
            render == "auto" and await self.make("waits", given, {}) != b"true"
        ):
            return found
        if found.media_type is not None:
            page = await self._in_turn(self._loader.live, str(given.url), **shown)
            given = replace(given, url=page.url)
        else:
            about = {"url": given.url, "encoding": given.encoding}
            page = await self._in_turn(self._loader.source, given.html, **about, **shown)
        return replace(found, given=replace(given, html=page), is_rendered=True)

    async def _in_turn(self, load: Callable[..., Page], *given: Any, **options: Any) -> Page:
        """Return a page as the browser shows it; pages go one after the other, and few may wait."""
        async with self._browser:  # each that waits in a thread would be a thread less for all
            return await asyncio.to_thread(load, *given, **options)

    @property
    def automatic_render(self) -> Literal["never", "auto"]:
        """When pages are rendered for callers that name none: as needed, where that is allowed."""
        return "never" if self.settings.render == "never" else "auto"

    def _require_rendering(self, render: str) -> None:
        if RENDERING.index(render) > RENDERING.index(self.settings.render):
            raise ProblemError("forbidden", f"render={render} isn't allowed by the operator")

    # Fetching

    async def fetch(self, url: str, kinds: Kinds, max_age: float | None = None) -> FoundPage:
        """Return the page at an http or https address.

        A kept response will do that is younger than ``max_age`` seconds; None for the operator's.
        """
        _require_address(url)
        way = Way(url, self._fetch_limits)
        body = None
        while body is None:
            async with self._shares:
                way.url = await self._checked(way.url)
                response, is_kept = await self._response(way.url, kinds, max_age)
            if not response.location and response.status not in SUCCESS:
                raise await self._failure(way.url, response)
            body = await asyncio.to_thread(way.follow, response)
        return replace(self._page(way.url, response, body), is_kept=is_kept)

    async def _failure(self, url: str, response: RawResponse) -> ProblemError:
        """Return the problem of a server's failure, assessed by the page that it sent, if any."""
        problem = ProblemError(
            "fetch", describe_status(response.status), upstream_status=response.status
        )
        if response.status not in FAILED or response.media_type not in PAGE_TYPES:
            return problem
        body = await asyncio.to_thread(decoded_body, response, self._fetch_limits)
        try:
            made = json.loads(await self.make("assess", self._page(url, response, body).given, {}))
        except PageError:  # the failure is reported without it
            return problem
        words = f"{problem.detail}; its page looks like {made['state']}: {made['next_step']}"
        return ProblemError("fetch", words, **problem.members, assessment=made)

    def _page(self, url: str, response: RawResponse, body: bytes) -> FoundPage:
        given = GivenPage(
            html=body,
            url=url,
            encoding=charset_of(response.header("content-type")),
            headers=tuple(one for one in response.headers if one[0].lower() in OPT_OUT_HEADERS),
            status=response.status,
            limits=self.limits,
        )
        return FoundPage(given=given, media_type=response.media_type)

    async def _checked(self, url: str) -> str:
        """Return an address in its normal form, if it may be fetched."""
        target = parse_target(url)
        host = str(target.host).strip("[]")
        # Said at once and plainly here; the connection is made to addresses that are checked again.
        await asyncio.to_thread(self.settings.guard.addresses, host, port_of(target))
        known = self._hosts(target.url)
        if self.settings.obeys_robots:
            rules = await known.robots.rules(target.url)
            if rules.problem:  # which may name addresses of private networks
                words = "robots.txt can't be had, which forbids everything (RFC 9309)"
                raise ProblemError("robots", words)
            if rules.refusal(target.url):
                raise ProblemError("robots", "robots.txt forbids this URL")
        if left := known.client.left.get(host_of(target.url)):
            raise FetchError(f"the host gets no requests for a while: {left}")
        return target.url

    def _hosts(self, url: str) -> _KnownHosts:
        """Return what is known of hosts, begun anew where it is old or much."""
        known = self._known
        if (
            known is None
            or time.monotonic() - known.since > _LASTING
            or len(known.hosts) >= _MOST_HOSTS
        ):
            turns = partial(FairShares, 1, spares=False)
            guard = self.settings.guard
            client = PoliteClient(self._fetch_limits, guard, self._politeness, turns=turns)
            known = self._known = _KnownHosts(client, RobotsCache(client, None))
        known.hosts.add(host_of(url))
        return known

    async def _response(
        self, url: str, kinds: Kinds, max_age: float | None
    ) -> tuple[RawResponse, bool]:
        """Return the response of an address, and whether it was kept."""
        key = (CALLER.get() if self.settings.tokens else "", url, kinds.accept)
        kept = self._kept.young(key, max_age)
        if kept is not None and kinds.take(kept.header("content-type")):
            return kept, True
        try:
            download = await self._hosts(url).client.get(
                url, reads_body=kinds, extra={"accept": kinds.accept}
            )
        except StoppedError as error:
            raise ProblemError("unavailable", "the service is being stopped") from error
        response = download.response
        if response is None:
            raise FetchError(download.problem)
        if response.status in SUCCESS:
            if not kinds.take(response.header("content-type")):
                raise FetchError(no_page(response.header("content-type")))
            self._kept.keep(key, response)
        return response, False


# Site models below the operator's folder, which requests name and none changes. A name is a few
# letters, digits, dots and hyphens, so no name is a path. A model that was changed is read anew.

_SITE: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9-]{1,63}){0,8}")
"""Names of sites, such as hosts have."""


def _sites_of(settings: ServiceSettings) -> Path:
    if settings.data is None:
        raise ProblemError("not-found", "this service keeps no sites: it has no --data")
    return settings.data / "sites"


def kept_sites(settings: ServiceSettings) -> list[str]:
    folder = _sites_of(settings)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(one.name for one in found if _SITE.fullmatch(one.name) and is_model(one))


def kept_site(settings: ServiceSettings, name: str) -> SiteFile:
    path = _sites_of(settings) / name
    if not _SITE.fullmatch(name) or not is_model(path):
        raise ProblemError("not-found", "there is no site of that name")
    return site_file(path)


def _require_address(url: str) -> None:
    """Check that text is an address; one that is refused is refused where it would be fetched."""
    try:
        parse_target(url)
    except RefusedError:
        return
    except FetchError as error:
        raise ProblemError("invalid", "url is not an http or https URL") from error
