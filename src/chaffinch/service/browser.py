"""The browser of a service: pages are rendered one after the other, and few may wait."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from chaffinch.page.bounds import Limits
from chaffinch.render.limits import RenderLimits
from chaffinch.render.renderer import NO_ADDRESS, Renderer
from chaffinch.service.problems import ProblemError
from chaffinch.web.settings import FetchLimits

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.service.settings import ServiceSettings

_MOST: Final = 16


class ServiceBrowser:
    """Renders pages behind the guard of addresses; the browser starts with the first page.

    Args:
        settings: of the service.
    """

    def __init__(self, settings: ServiceSettings) -> None:
        size = settings.max_page << 20
        total = min(FetchLimits().total, float(settings.deadline))
        self._renderer = Renderer(
            browser=settings.browser,
            allow=settings.allow,
            resolve=settings.resolve,
            contact=settings.contact,
            limits=RenderLimits(total=total, max_bytes=size, page=Limits(max_bytes=size)),
        )
        self._waiting = 0

    async def render(
        self, source: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Return a page as the browser shows it.

        Args:
            source: its address, where ``url`` is None; else its source, loaded without network.
            url: the address of a source; "" for none.
            encoding: of a source.

        Raises:
            ProblemError: too many pages wait.
            FetchError: the address is refused or can't be fetched.
            RenderError: the browser failed.
            BrowserError: no browser runs here.
        """
        if self._waiting >= _MOST:
            raise ProblemError("busy", "too many pages wait for the browser")
        self._waiting += 1
        try:
            if url is None:
                return await asyncio.to_thread(self._renderer.render, source)
            base_url = url if url.lower().startswith(("http:", "https:")) else NO_ADDRESS
            return await asyncio.to_thread(
                self._renderer.render, source, base_url=base_url, encoding=encoding
            )
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the browser."""
        self._renderer.close()
