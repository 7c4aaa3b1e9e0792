"""A page from its address or its source, rendered by a browser where needed.

Pages are fetched by one polite request (`chaffinch.web`) and parsed. Where rendering is «auto», a
browser (`chaffinch.render`) renders only pages that wait for their scripts
(`chaffinch.assessment.shell`) and don't have their content as embedded data
(`chaffinch.decision.declared`); where it is «always», the browser fetches and renders all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

from chaffinch import errors
from chaffinch.assessment.shell import needs_browser
from chaffinch.page import Page, parse
from chaffinch.page.bounds import Limits
from chaffinch.page.source import read_source
from chaffinch.render import renderer
from chaffinch.render.limits import RenderLimits
from chaffinch.web import client as request
from chaffinch.web.settings import FetchLimits

RENDER: Final = ("auto", "always", "never")
"""When a page is rendered: only if it is a shell, always, never."""


@dataclass(frozen=True, kw_only=True)
class LoadingOptions:
    """How pages are loaded, for whatever purpose.

    Attributes:
        render: whether a browser runs the page's scripts: 'auto' where the page waits for them.
            Files are rendered with the network off.
        browser: the browser's program; None for the first Chromium found.
        wait: what a rendered page is waited for once it has settled.
        expand: click «load more» and «read the full text» on rendered pages, a few times.
        allow: fetch from this host although it is in a private network; may be repeated.
        resolve: take this IP address for a host, instead of looking it up; may be repeated.

    Raises:
        OptionError: one is unknown or malformed.
    """

    render: str = "never"
    browser: str | PathLike[str] | None = None
    wait: str | float | None = None
    expand: bool = False
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        errors.require_one_of("render", self.render, RENDER)
        if self.browser is not None:
            errors.require_path("browser", self.browser)
        for name in ("allow", "resolve"):
            several = getattr(self, name)
            if isinstance(several, str | bytes) or not isinstance(several, Sequence):
                raise errors.OptionError(f"{name} is a list, not {several!r}")
            object.__setattr__(self, name, tuple(several))

    @property
    def loading(self) -> dict[str, Any]:
        """These options alone, for a `Loader` or others that load by them."""
        return {one.name: getattr(self, one.name) for one in fields(LoadingOptions)}


class Loader:
    """Loads pages, one after the other; a browser is started when the first page needs it.

    The options are those of `load`, which loads a single page. A page that can't be fetched, read
    or rendered is a `PageError`, a browser that is wanted and isn't there a `SetupError`.

    Raises:
        OptionError: an option is unknown or malformed.
    """

    def __init__(
        self,
        *,
        contact: str = "",
        fetch_limits: FetchLimits | None = None,
        limits: Limits | None = None,
        **options: Any,
    ) -> None:
        errors.require_text("contact", contact)
        errors.require_kind("fetch_limits", fetch_limits, FetchLimits)
        errors.require_kind("limits", limits, Limits)
        self._options = LoadingOptions(**{"render": "auto", **options})
        self._contact = contact
        self._limits = limits
        self._fetch_limits = fetch_limits or FetchLimits()
        self._renderer: renderer.Renderer | None = None
        self._starting = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def address(self, url: str, *, encoding: str | None = None) -> Page:
        """Return the page at an http(s) address; without a label its encoding is the server's."""
        errors.require_text("url", url)
        errors.require_kind("encoding", encoding, str)
        own = self._options
        if own.render == "always":
            return self.live(url)
        given: dict[str, Any] = {"allow": own.allow, "resolve": own.resolve}
        found = request.fetch(url, limits=self._fetch_limits, contact=self._contact, **given)
        label = encoding or found.encoding
        page = self.parsed(found.body, url=found.url, encoding=label)
        return self.rendered(page.with_status(found.status))

    def parsed(
        self, html: bytes | str, *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Return the page of a source as it is, not rendered."""
        return parse(html, url=url, encoding=encoding, limits=self._limits)

    def rendered(self, page: Page) -> Page:
        """Return a page that was fetched from its address, rendered anew where that is wanted."""
        if self._is_to_be_rendered(page):
            return self.live(page.url or "").with_status(page.status)
        return page

    def _is_to_be_rendered(self, page: Page) -> bool:
        render = self._options.render
        return render == "always" or (render == "auto" and needs_browser(page))

    def path(
        self, path: str | PathLike[str], *, url: str | None = None, encoding: str | None = None
    ) -> Page:
        """Return the page of a file, which may be MHTML or packed by gzip, as `source` does."""
        errors.require_path("path", path)
        errors.require_kind("url", url, str)
        errors.require_kind("encoding", encoding, str)
        found = read_source(Path(path), limits=self._limits or Limits())
        label, address = encoding or found.encoding, url or found.url
        return self.source(found.html, url=address, encoding=label)

    def source(
        self,
        html: bytes | str,
        *,
        url: str | None = None,
        encoding: str | None = None,
        **options: Any,
    ) -> Page:
        """Return the page of a source; where it is rendered, with the network off.

        ``options`` are ``wait`` and ``expand`` for this page alone.
        """
        page = self.parsed(html, url=url, encoding=encoding)
        if not self._is_to_be_rendered(page):
            return page
        is_web = url is not None and url.lower().startswith(("http:", "https:"))
        options |= {"base_url": url if is_web else renderer.NO_ADDRESS, "encoding": encoding}
        return replace(self._in_browser().render(html, **options), url=url)

    def live(self, url: str, **options: Any) -> Page:
        """Return the page that a browser makes of an address; one that stays a shell is an error.

        ``options`` are ``wait`` and ``expand`` for this page alone.
        """
        page, _, lacks = self._in_browser().rendered(url, **options)
        if lacks and needs_browser(page):
            named = "; ".join(f"{address}: {why}" for address, why in list(lacks.items())[:3])
            raise errors.RenderError(f"the page's scripts wait for what didn't come: {named}")
        return page

    def close(self) -> None:
        """End the browser, if there is one; twice does no harm."""
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _in_browser(self) -> renderer.Renderer:
        with self._starting:
            if self._renderer is None:
                total, most = self._fetch_limits.total, self._fetch_limits.max_bytes
                bounds: dict[str, Any] = {"page": self._limits} if self._limits else {}
                own = self._options.loading
                del own["render"]
                limits = RenderLimits(total=total, max_bytes=most, **bounds)
                self._renderer = renderer.Renderer(limits=limits, contact=self._contact, **own)
            return self._renderer


def load(  # noqa: PLR0913  options are keyword-only
    source: str | PathLike[str],
    *,
    render: str = "auto",
    url: str | None = None,
    encoding: str | None = None,
    browser: str | PathLike[str] | None = None,
    allow: Sequence[str] = (),
    resolve: Sequence[str] = (),
    contact: str = "",
    fetch_limits: FetchLimits | None = None,
    limits: Limits | None = None,
    wait: str | float | None = None,
    expand: bool = False,
) -> Page:
    """Return the page at an address or path, rendered where its scripts insert the content.

    Args:
        source: an http or https address, or the path of a file: HTML, MHTML, either packed by gzip.
        render: "auto", "always" or "never".
        url: address of a file's page; MHTML has its own.
        encoding: label of the encoding; None for the server's.
        browser: path or name of the browser's program; None to look for one.
        allow: hosts that may be in a private network; see `chaffinch.web.AddressGuard`.
        resolve: names with a fixed address, each ``name=address``.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        fetch_limits: bounds of a request; its time and size are bounds of rendering, too.
        limits: bounds of a page's size and structure.
        wait: what a rendered page is waited for: seconds, or a selector of CSS.
        expand: whether «load more» and «read the full text» are clicked on a rendered page.

    Raises:
        PageError: it can't be fetched, read or rendered, or is no page (a feed, a PDF).
        SetupError: an option is wrong, or there is no browser where one is needed.
    """
    errors.require_path("an address or path", source)
    with Loader(
        render=render,
        browser=browser,
        allow=allow,
        resolve=resolve,
        contact=contact,
        fetch_limits=fetch_limits,
        limits=limits,
        wait=wait,
        expand=expand,
    ) as loader:
        if isinstance(source, str) and "://" in source:
            return loader.address(source, encoding=encoding)
        return loader.path(source, url=url, encoding=encoding)
