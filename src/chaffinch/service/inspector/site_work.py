"""The one guarded child that has sites open, the operator's or kept ones, and what it is sent."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import PageError
from chaffinch.page.bounds import Limits
from chaffinch.service.inspector.site_views import site_view
from chaffinch.service.page_jobs import GivenPage
from chaffinch.service.work_queue import WorkQueue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.service.inspector.site_subject import SampledSite
    from chaffinch.service.settings import ServiceSettings

PORTION: Final = 25
"""Pages that are sent at a time."""
_WAITING: Final = 64
_PAGES_AT_ONCE: Final = 4
"""The child has so many times the memory of one page, for it holds all pages."""


def site_queue(settings: ServiceSettings) -> WorkQueue:
    """Return the queue of the child that has sites open; it starts with the first view."""
    return WorkQueue(
        workers=1,
        waiting=_WAITING,
        seconds=settings.deadline,
        memory=settings.memory * _PAGES_AT_ONCE,
        size=settings.max_page,
    )


class SiteWork:
    """A site that is open in the child.

    Args:
        subject: the site.
        queue: of the child.
        settings: of the service.
    """

    def __init__(self, subject: SampledSite, queue: WorkQueue, settings: ServiceSettings) -> None:
        self.subject = subject
        self.limits = Limits(max_bytes=settings.max_page << 20, seconds=float(settings.deadline))
        self._queue = queue
        self._turn = asyncio.Lock()

    async def view(self, name: str, options: Mapping[str, Any], *, needed: int = 0) -> bytes:
        """Return a view of the site.

        Args:
            name: a key of `chaffinch.service.inspector.site_views.VIEWS`.
            options: what it takes.
            needed: pages that it needs, counted from the first one.

        Raises:
            ProblemError: too many requests wait.
            PageError: the page can't be processed.
            SetupError: the model can't be read, or an option is impossible.
        """
        file = await asyncio.to_thread(self.subject.file)
        made = await self._queue.run(site_view, name, file, options, needed, ())
        if made is None:
            async with self._turn:
                await self._send(needed)
                made = await self._queue.run(site_view, name, file, options, needed, ())
        out: bytes = made
        return out

    async def _send(self, needed: int) -> None:
        """Let the child take in the first pages of the site."""
        file = await asyncio.to_thread(self.subject.file)
        for start in range(0, needed, PORTION):
            numbers = range(start, min(start + PORTION, needed))
            pages = await asyncio.to_thread(self._given, numbers)
            await self._queue.run(site_view, "pages", file, {"numbers": []}, 0, pages)

    async def read(self, start: int) -> bytes:
        """Return what is known of a portion of the pages, which are read where they weren't."""
        count = len(await asyncio.to_thread(lambda: self.subject.pages))
        stop = min(start + PORTION, count)
        options = {"numbers": list(range(start, stop))}
        file = await asyncio.to_thread(self.subject.file)
        async with self._turn:
            made = await self._queue.run(site_view, "pages", file, options, stop, ())
            if made is None:
                pages = await asyncio.to_thread(self._given, range(start, stop))
                made = await self._queue.run(site_view, "pages", file, options, 0, pages)
        out: bytes = made
        return out

    def given(self, number: int) -> GivenPage:
        """Return a page of the subject.

        Raises:
            ProblemError: there is none.
            PageError: it can't be read.
        """
        return self.subject.page(str(number), self.limits)

    def _given(self, numbers: Sequence[int]) -> list[tuple[int, GivenPage]]:
        """Return pages by their numbers; one that can't be read is empty."""
        out = []
        for number in numbers:
            try:
                out.append((number, self.given(number)))
            except PageError:
                url = self.subject.pages[number].url
                out.append((number, GivenPage(html=b"", url=url, limits=self.limits)))
        return out
