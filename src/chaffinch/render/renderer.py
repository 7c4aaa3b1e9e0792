"""Pages rendered by a real headless browser, one after the other."""

from __future__ import annotations

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from chaffinch.errors import MissingExtraError, OptionError, RenderError
from chaffinch.fetch import AddressGuard
from chaffinch.fetch.request_urls import parse_target, port_of
from chaffinch.page.encoding.decoding import readable
from chaffinch.page.guard.limits import bound
from chaffinch.render.gate import Gate
from chaffinch.render.limits import RenderLimits
from chaffinch.render.snapshot import page_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from chaffinch.page.columns import Page

_ADDRESS: Final = re.compile(
    r"\s*(?:[a-z][a-z0-9+.-]*:[^\s<>]*\s*\Z|(?:https?|file|data|blob|javascript|view-source):)",
    re.IGNORECASE,
)
NO_ADDRESS: Final = "http://page.invalid/"
"""What a source without an address is shown under; the name belongs to nobody (RFC 2606)."""

_GRACE: Final = 20.0  # seconds beyond `total` for starting and ending the browser


class Rendered(NamedTuple):
    """A rendered page and what came along.

    Attributes:
        page: the page, with layout columns.
        picture: a PNG of the whole page where it was asked for, else b"".
        refused: host:port → why the browser mustn't or couldn't reach it.
    """

    page: Page
    picture: bytes
    refused: Mapping[str, str]


class Renderer:
    """Renders pages in one browser, which is started when it is first needed.

    May be used from any thread; pages are rendered one after the other. Each has a browser context
    of its own (no cookies, storage or cache of another). A browser that crashed, hung or was ended
    for taking too much is replaced for the next page. Close it, or use it in a ``with``.

    Args:
        browser: path or name of the browser's program; None to look for one.
        allow: hosts that may be in a private network, as of `chaffinch.fetch.AddressGuard`.
        resolve: names whose address is told, each ``name=address``, as there.
        hosts: the only hosts that may be asked, for documents and whatever they load, each
            ``host`` or ``host:port``; None for all public ones.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        limits: bounds on time, memory and traffic.
        images: whether pictures are loaded; without them those of no stated size take no room.
        width: of the window, pixels.
        height: of the window, pixels.

    Raises:
        OptionError: a host or the contact is malformed.
    """

    def __init__(  # noqa: PLR0913  options are keyword-only
        self,
        *,
        browser: str | Path | None = None,
        allow: Sequence[str] = (),
        resolve: Sequence[str] = (),
        hosts: Sequence[str] | None = None,
        contact: str = "",
        limits: RenderLimits | None = None,
        images: bool = False,
        width: int = 1280,
        height: int = 1024,
    ) -> None:
        if not contact.isprintable() or not contact.isascii():
            raise OptionError(f"not a contact address: {contact!r}")
        self.limits = limits or RenderLimits()
        self._program = browser
        self._contact = contact
        self._looks = {"images": images, "width": width, "height": height}
        self._gate = Gate(
            guard=AddressGuard(tuple(allow), tuple(resolve)),
            hosts=hosts,
            max_bytes=self.limits.max_bytes,
        )
        self._chromium: Any = None
        self._thread = ThreadPoolExecutor(1, "chaffinch-render")
        self._turn = threading.Lock()
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def render(
        self,
        source: bytes | str,
        *,
        base_url: str | None = None,
        encoding: str | None = None,
        scripts: bool = True,
    ) -> Page:
        """Return the page as the browser shows it when it has settled; see `rendered`."""
        return self.rendered(source, base_url=base_url, encoding=encoding, scripts=scripts).page

    def rendered(
        self,
        source: bytes | str,
        *,
        base_url: str | None = None,
        encoding: str | None = None,
        scripts: bool = True,
        picture: bool = False,
    ) -> Rendered:
        """Render a page.

        Args:
            source: an address, or a page's source as bytes or text. A source is shown with the
                network off: only what stands in it has an effect.
            base_url: address that a source is shown under, http or https.
            encoding: the label that came with a source, as of `parse`.
            scripts: whether the page's scripts run. Without them nothing is waited for.
            picture: whether a picture of the page is taken.

        Raises:
            FetchError: the address is refused or can't be fetched; the message is as of `fetch`.
            RenderError: the browser crashed, hung, took too much, or got something else.
            PageError: the page is too big.
            BrowserError: no browser is found, or it doesn't start.
            OptionError: it is closed.
            MissingExtraError: the extra «render» isn't installed.
        """
        if self._is_closed:
            raise OptionError("the renderer is closed")
        html = None
        if base_url is not None or isinstance(source, bytes) or not _ADDRESS.match(source):
            html, read_as = _utf8(source, encoding, self.limits)
            target = parse_target(base_url or NO_ADDRESS)
        else:
            target = parse_target(str(source))
            # Said here in the words of `fetch`; the gate looks again at each connection.
            self._gate.guard.addresses(str(target.host).strip("[]"), port_of(target))
        order = {
            **self._looks, "url": target.url, "html": html, "scripts": scripts, "picture": picture,
        }  # fmt: skip
        with self._turn:
            taken = self._in_time(order)
        page = page_of(
            taken.captured,
            url=base_url if html is not None else None,
            scripts=scripts,
            limits=self.limits.page,
        )
        if html is not None:
            page = replace(page, url=base_url, encoding=read_as)
        return Rendered(page, taken.picture, dict(self._gate.problems))

    def close(self) -> None:
        """End the browser and everything that belongs to it; twice does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._chromium is not None and self._turn.locked():
            self._chromium.kill()  # another thread is still in a page
        self._thread.submit(self._discard).result()
        self._thread.shutdown()
        self._gate.close()

    def _in_time(self, order: Mapping[str, Any]) -> Any:
        """Visit in the thread that the browser's connection lives in."""
        work = self._thread.submit(self._visit, order)
        try:
            return work.result(self.limits.total + _GRACE)
        except TimeoutError as error:
            if self._chromium is not None:
                self._chromium.kill(with_driver=True)
            raise RenderError(f"not done within {self.limits.total:g} s") from error
        except BaseException:
            if not work.done() and self._chromium is not None:
                self._chromium.kill()
            raise

    def _visit(self, order: Mapping[str, Any]) -> Any:
        try:
            from chaffinch.render.chromium import Chromium, Watch, find_browser  # noqa: PLC0415
            from chaffinch.render.visit import Order, Visit  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise MissingExtraError.of(str(error.name).partition(".")[0], "render") from error
        if self._chromium is not None and not self._chromium.is_running:
            self._discard()
        if self._chromium is None:
            program = find_browser(self._program)
            self._chromium = Chromium(program, proxy=self._gate.address)
        chromium, limits = self._chromium, self.limits
        if order["html"] is None:
            self._gate.open()
        agent = _agent(chromium.browser.version, self._contact)
        try:
            with Watch(chromium, total=limits.total, memory=limits.memory) as watch:
                visit = Visit(chromium, self._gate, watch, Order(**order, agent=agent), limits)
                return visit.snapshot()
        finally:
            self._gate.shut()
            if not chromium.is_running:
                self._discard()

    def _discard(self) -> None:
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            chromium.close()


def render(
    source: bytes | str,
    *,
    base_url: str | None = None,
    scripts: bool = True,
    **options: Any,
) -> Page:
    """Render one page in a browser of its own; for several, a `Renderer` is faster.

    Args:
        source: an address, or a page's source; see `Renderer.rendered`.
        base_url: address that a source is shown under.
        scripts: whether the page's scripts run.
        **options: those of `Renderer`.

    Returns:
        The page as the browser shows it, with layout columns.

    Raises:
        PageError: see `Renderer.rendered`.
        SetupError: see `Renderer.rendered`.
    """
    with Renderer(**options) as renderer:
        return renderer.render(source, base_url=base_url, scripts=scripts)


def _utf8(source: bytes | str, label: str | None, limits: RenderLimits) -> tuple[bytes, str | None]:
    """Return (page in UTF-8, name of the encoding it was in): decoded and bounded as by `parse`."""
    name = None
    if not isinstance(source, str):
        limits.page.check_size(len(source))
        source, name = readable(source, transport=label)
    source = bound(source, limits.page)
    return (source.encode("utf-8", "replace") if isinstance(source, str) else source), name


def _agent(version: str, contact: str) -> str:
    """Return what the browser calls itself: the browser it is, and who sends it."""
    major = version.split(".", maxsplit=1)[0]
    own = f"Chaffinch/{metadata.version('chaffinch')}" + (f" (+{contact})" if contact else "")
    return (
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
        f"Chrome/{major}.0.0.0 Safari/537.36 {own}"
    )
