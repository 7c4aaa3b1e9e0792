"""What HTTP and MCP have in common: a page is found, and something is made of it in time."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote

from chaffinch.errors import PageError
from chaffinch.page.bounds import Limits
from chaffinch.service.metrics import Metrics
from chaffinch.service.page_jobs import GivenPage, run_job
from chaffinch.service.problems import ProblemError
from chaffinch.service.web_pages import StatusError, WebPages
from chaffinch.service.work_queue import WorkQueue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from chaffinch.service.browser import ServiceBrowser
    from chaffinch.service.request_models import NamedPage
    from chaffinch.service.settings import ServiceSettings
    from chaffinch.service.web_pages import WebPage

_ORDER: Final = ("never", "auto", "always")
_READ_HEADERS: Final = frozenset({"x-robots-tag", "tdm-reservation", "tdm-policy"})
"""Headers of a response that metadata are read from."""

_URI: Final = "!#$%&'()*+,/:;=?@[]~"
"""What stands for itself in an address, beside letters, digits, «-», «.» and «_» (RFC 3986, 2)."""


def percent_encoded(value: str) -> str:
    """Return what a page or its server chose with all but characters of addresses encoded.

    So it has neither spaces nor ends of lines, in a header or in a sentence of this service.
    """
    return quote(value, safe=_URI, errors="replace")


@dataclass(frozen=True)
class FoundPage:
    """A page and where it is from.

    Attributes:
        given: as it goes to a child.
        web: as it was fetched; None for a source, and for what a browser fetched itself.
        is_rendered: whether a browser made it.
    """

    given: GivenPage
    web: WebPage | None = None
    is_rendered: bool = False

    @property
    def origin(self) -> dict[str, str]:
        """Where it is from, as percent-encoded headers of a response."""
        found = {} if self.given.url is None else {"chaffinch-url": self.given.url}
        if self.web is not None:
            found["chaffinch-media-type"] = self.web.media_type or "unknown"
            found["chaffinch-cache"] = self.web.cache or "miss"
        if self.is_rendered:
            found["chaffinch-rendered"] = "true"
        return {name: percent_encoded(value) for name, value in found.items()}


class Reader:
    """Reads pages for callers.

    Args:
        settings: of the service.

    Raises:
        OptionError: the cache can't be written.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.web = WebPages(settings)
        self.queue = WorkQueue(
            workers=settings.workers,
            waiting=settings.waiting,
            seconds=settings.deadline,
            memory=settings.memory,
            size=max(settings.max_page, settings.max_body),
        )
        self.metrics = Metrics(lambda: self.queue.count)
        self.limits = Limits(max_bytes=settings.max_page << 20, seconds=float(settings.deadline))
        self._browser: ServiceBrowser | None = None

    async def start(self) -> None:
        """Start the children."""
        await asyncio.to_thread(self.queue.start)

    async def close(self) -> None:
        """End the children and the browser, once the pages in work are done."""
        self.web.close()
        if self._browser is not None:
            await asyncio.to_thread(self._browser.close)
        await asyncio.to_thread(self.queue.close)

    @asynccontextmanager
    async def deadline(self) -> AsyncIterator[None]:
        """Bound the time of what is done within.

        Raises:
            ProblemError: it takes too long.
        """
        try:
            async with asyncio.timeout(self.settings.deadline):
                yield
        except TimeoutError as error:
            seconds = self.settings.deadline
            raise ProblemError("deadline", f"not done within {seconds} s") from error

    async def find(self, wanted: NamedPage, *, markdown: bool = False) -> FoundPage:
        """Return the page that is requested, fetched and rendered where that is wanted.

        Args:
            wanted: the page.
            markdown: whether a server's own Markdown will do.

        Raises:
            ProblemError: rendering isn't allowed here, or too many pages wait.
            PageError: it can't be fetched or rendered.
            SetupError: no browser runs here.
        """
        self._require_rendering(wanted.render)
        if (source := wanted.source) is not None:
            given = GivenPage(html=source, url=wanted.url, limits=self.limits)
            return await self.find_source(given, wanted.render)
        url = str(wanted.url)
        if wanted.render == "always":
            page = await self.browser.render(await self.web.check(url))
            return FoundPage(GivenPage(html=page, url=page.url, limits=self.limits), None, True)
        markdown = markdown and wanted.render == "never"
        web = await self.fetch(url, markdown=markdown, max_age=wanted.max_age)
        return await self.rendered(FoundPage(self.given(web), web), wanted.render)

    async def find_source(self, given: GivenPage, render: str) -> FoundPage:
        """Return a page whose source is at hand, rendered where that is wanted; see `find`."""
        self._require_rendering(render)
        source = given.html
        if not isinstance(source, bytes | str):  # a browser has made it already
            return FoundPage(given, is_rendered=True)
        if not await self._needs_browser(render, given):
            return FoundPage(given)
        url = given.url or ""
        page = await self.browser.render(source, url=url, encoding=given.encoding)
        return FoundPage(replace(given, html=page), is_rendered=True)

    async def fetch(self, url: str, **options: Any) -> WebPage:
        """Return the page at an address; arguments are those of `WebPages.fetch`.

        Raises:
            ProblemError: it is no address; or its server answers with a failure, whose page is
                assessed.
            FetchError: as of `WebPages.fetch`.
        """
        try:
            return await self.web.fetch(url, **options)
        except StatusError as error:
            if error.page is None:
                raise
            try:
                made = json.loads(await self.make("assess", self.given(error.page), {}))
            except PageError:  # the failure is reported without it
                raise error from None
            words = f"{error.detail}; its page looks like {made['state']}: {made['next_step']}"
            raise ProblemError("fetch", words, **error.members, assessment=made) from error

    async def rendered(self, found: FoundPage, render: str) -> FoundPage:
        """Return a fetched page, rendered where that is wanted; errors as of `find`."""
        if not await self._needs_browser(render, found.given):
            return found
        page = await self.browser.render(str(found.given.url))
        return FoundPage(replace(found.given, html=page, url=page.url), found.web, True)

    def given(self, web: WebPage) -> GivenPage:
        """Return a fetched page as it goes to a child."""
        headers = tuple(one for one in web.headers if one[0].lower() in _READ_HEADERS)
        return GivenPage(
            html=web.body, url=web.url, encoding=web.encoding, headers=headers,
            status=web.status, limits=self.limits,
        )  # fmt: skip

    async def make(self, job: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
        """Return what a job makes of a page; see `run_job`, and `WorkQueue.run` for errors."""
        made: bytes = await self.queue.run(run_job, job, page, options)
        return made

    @property
    def automatic_render(self) -> Literal["never", "auto"]:
        """When pages are rendered for callers that name none: as needed, where that is allowed."""
        return "never" if self.settings.render == "never" else "auto"

    @property
    def browser(self) -> ServiceBrowser:
        """The browser, made when it is first needed."""
        if self._browser is None:
            from chaffinch.service.browser import ServiceBrowser  # noqa: PLC0415  an extra

            self._browser = ServiceBrowser(self.settings)
        return self._browser

    async def _needs_browser(self, render: str, page: GivenPage) -> bool:
        return render == "always" or (
            render == "auto" and await self.make("waits", page, {}) == b"true"
        )

    def _require_rendering(self, render: str) -> None:
        if _ORDER.index(render) > _ORDER.index(self.settings.render):
            raise ProblemError("forbidden", f"render={render} isn't allowed by the operator")
