"""A page from its address or its source, rendered by a browser where that is wanted.

Pages are fetched by one polite request (`chaffinch.fetch`) and parsed. Where rendering is «auto», a
browser (`chaffinch.render`) is asked only for pages that wait for their scripts
(`chaffinch.loading.shell`) and don't carry their content as data
(`chaffinch.decision.embedded_text`); where it is «always», for all, and then they aren't fetched
before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from chaffinch.decision.embedded_text import find_embedded
from chaffinch.errors import require_one_of
from chaffinch.fetch import FetchLimits, fetch
from chaffinch.loading.shell import is_shell
from chaffinch.page import Page, parse
from chaffinch.render import NO_ADDRESS, Renderer, RenderLimits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chaffinch.page.guard.limits import Limits

RENDER: Final = ("auto", "always", "never")
"""When a page is rendered: where it is a shell, in any case, in no case."""


class Loader:
    """Loads pages, one after the other; a browser is started when the first page needs it.

    Args:
        render: one of `RENDER`.
        browser: path or name of the browser's program; None to look for one.
        allow: hosts that may be in a private network; see `chaffinch.fetch.AddressGuard`.
        resolve: names with a fixed address, each ``name=address``.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        fetch_limits: bounds of a request; its time and size are bounds of rendering, too.
        limits: bounds of a page's size and structure.

    Raises:
        OptionError: an option is unknown or malformed.
    """

    def __init__(  # noqa: PLR0913  options are keyword-only
        self,
        *,
        render: str = "auto",
        browser: str | Path | None = None,
        allow: Sequence[str] = (),
        resolve: Sequence[str] = (),
        contact: str = "",
        fetch_limits: FetchLimits | None = None,
        limits: Limits | None = None,
    ) -> None:
        require_one_of("render", render, RENDER)
        self._render = render
        self._limits = limits
        self._fetching: dict[str, Any] = {
            "allow": tuple(allow),
            "resolve": tuple(resolve),
            "contact": contact,
        }
        self._fetch_limits = fetch_limits or FetchLimits()
        self._browser = browser
        self._renderer: Renderer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def address(self, url: str, *, encoding: str | None = None) -> Page:
        """Return the page at an address.

        Args:
            url: an http or https address.
            encoding: label of the encoding; None for what the server says.

        Raises:
            PageError: it can't be fetched, rendered or read.
            SetupError: it has to be rendered, and there is no browser or the extra is missing.
        """
        if self._render == "always":
            return self._in_browser().render(url)
        found = fetch(url, limits=self._fetch_limits, **self._fetching)
        label = encoding or found.encoding
        page = parse(found.body, url=found.url, encoding=label, limits=self._limits)
        if self._render == "auto" and needs_browser(page):
            return self._in_browser().render(found.url)
        return page

    def source(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Return the page of a source; where it is rendered, with the network off.

        Args:
            html: the page as bytes or text.
            url: address of the page.
            encoding: label of the encoding.

        Raises:
            PageError: it can't be read or rendered.
            SetupError: it has to be rendered, and there is no browser or the extra is missing.
        """
        page = parse(html, url=url, encoding=encoding, limits=self._limits)
        if self._render == "always" or (self._render == "auto" and needs_browser(page)):
            shown_under = url if url and url.lower().startswith(("http:", "https:")) else NO_ADDRESS
            rendered = self._in_browser().render(html, base_url=shown_under, encoding=encoding)
            return replace(rendered, url=url)
        return page

    def close(self) -> None:
        """End the browser, if there is one; twice does no harm."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _in_browser(self) -> Renderer:
        if self._renderer is None:
            total, most = self._fetch_limits.total, self._fetch_limits.max_bytes
            bounds: dict[str, Any] = {"page": self._limits} if self._limits else {}
            self._renderer = Renderer(
                browser=self._browser,
                limits=RenderLimits(total=total, max_bytes=most, **bounds),
                **self._fetching,
            )
        return self._renderer


def needs_browser(page: Page) -> bool:
    """Return whether a page waits for scripts to bring what the default method doesn't find.

    A shell that carries its text in JSON-LD or in the state that its scripts start from needs none.
    """
    return is_shell(page) and find_embedded(page, kept_units=0) is None


def load(url: str, **options: Any) -> Page:
    """Return the page at an address, rendered by a browser where its scripts bring the content.

    Args:
        url: an http or https address.
        **options: those of `Loader`; ``render`` is "auto", "always" or "never".

    Raises:
        PageError: it can't be fetched, rendered or read.
        SetupError: an option is wrong, or there is no browser where one is needed.
    """
    with Loader(**options) as loader:
        return loader.address(url)
