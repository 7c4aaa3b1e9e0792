"""Renders pages in a headless browser, one after the other."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from chaffinch.errors import OptionError, RenderError, from_extra
from chaffinch.page.bounds import bound
from chaffinch.page.decoding import readable
from chaffinch.page.page import Page
from chaffinch.render.guard_proxy import GuardProxy
from chaffinch.render.limits import RenderJob, RenderLimits
from chaffinch.render.snapshot import page_of
from chaffinch.web.client import agent_name
from chaffinch.web.guard import AddressGuard, parse_target, port_of

_ADDRESS: Final = re.compile(
    r"\A\s*+(?:[a-z][a-z0-9+.-]*:[^\s<>]*\s*\Z|(?:https?|file|data|blob|javascript|view-source):)",
    re.IGNORECASE,
)
NO_ADDRESS: Final = "http://page.invalid/"
"""The address under which a source without one is loaded; the name is reserved (RFC 2606)."""

_BROWSER: Final = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{}.0.0.0 Safari/537.36"
)
"""User agent of a browser, by its major version, before the name of this program."""
_GRACE: Final = 20.0  # seconds beyond `total` for starting and ending the browser


class Rendered(NamedTuple):
    """A rendered page."""

    page: Page  # the page, with layout columns
    refused: Mapping[str, str]  # host:port → why the browser wasn't connected to it
    lacks: Mapping[str, str]  # address → why it didn't come, of what the page's scripts asked for


class Renderer:
    """Renders pages in one browser, which is started when it is first needed.

    May be used from any thread; pages are rendered one after the other. Each has a browser context
    of its own (no cookies, storage or cache of another). A browser that crashed, hung or was ended
    for taking too much is replaced for the next page. Close it, or use it in a ``with``.

    Args:
        browser: path or name of the browser's program; None to look for one.
        allow: hosts that may be in a private network, as of `chaffinch.web.AddressGuard`.
        resolve: names with a fixed address, each ``name=address``, as there.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        limits: bounds on time, memory and traffic.
        wait: what is waited for once a page has settled: seconds, or a selector of CSS, of whose
            elements one has to be there.
        expand: whether controls that say «load more» or «read the full text» are clicked, `clicks`
            of the limits at most: none of a form, and none that leads away.
        images: whether pictures are loaded; otherwise those without a stated size have no area.

    Raises:
        OptionError: a host, the contact or what is waited for is malformed.
    """

    def __init__(  # noqa: PLR0913  options are keyword-only
        self,
        *,
        browser: str | Path | None = None,
        allow: Sequence[str] = (),
        resolve: Sequence[str] = (),
        contact: str = "",
        limits: RenderLimits | None = None,
        wait: str | float | None = None,
        expand: bool = False,
        images: bool = False,
    ) -> None:
        self.limits = limits or RenderLimits()
        self._program = browser
        self._agent = agent_name(contact)
        self._job = RenderJob(images=images, wait=wait, expand=expand)
        self._proxy = GuardProxy(
            guard=AddressGuard(tuple(allow), tuple(resolve)),
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

    def render(self, source: bytes | str, **options: Any) -> Page:
        """Return the page as the browser shows it when it has settled; see `rendered`."""
        return self.rendered(source, **options).page

    def rendered(  # noqa: PLR0913  options are keyword-only
        self,
        source: bytes | str,
        *,
        base_url: str | None = None,
        encoding: str | None = None,
        scripts: bool = True,
        wait: str | float | None = None,
        expand: bool = False,
    ) -> Rendered:
        """Render a page.

        Args:
            source: an address, or a page's source as bytes or text. A source is loaded
                with the network off, so that nothing else is loaded.
            base_url: address under which a source is loaded, http or https.
            encoding: the transport's label of a source's encoding, as of `parse`.
            scripts: whether the page's scripts run. Without them nothing is waited for.
            wait: what is waited for; None for what the renderer's own says.
            expand: whether controls are clicked though the renderer's own says nothing of it.

        Raises:
            FetchError: the address is refused or can't be fetched; the message is as of `fetch`.
            RenderError: the browser crashed, hung, took too much, or got something else.
            PageError: the page is too big.
            BrowserError: no browser is found, or it doesn't start.
            OptionError: it is closed, or what is waited for is malformed.
            MissingExtraError: the extra «render» isn't installed.
        """
        if self._is_closed:
            raise OptionError("the renderer is closed")
        html = None
        if base_url is not None or isinstance(source, bytes) or not _ADDRESS.match(source):
            html, encoding_name = _utf8(source, encoding, self.limits)
            target = parse_target(base_url or NO_ADDRESS)
        else:
            target = parse_target(str(source))
            # Refused here with the message of `fetch`; the proxy checks each connection again.
            self._proxy.guard.addresses(str(target.host).strip("[]"), port_of(target))
        job = replace(
            self._job,
            url=target.url,
            html=html,
            scripts=scripts,
            wait=self._job.wait if wait is None else wait,
            expand=expand or self._job.expand,
        )
        with self._turn:
            captured, lacks = self._run_in_time(job)
        page = page_of(captured, scripts=scripts, limits=self.limits.page)
        if html is not None:
            page = replace(page, url=base_url, encoding=encoding_name)
        refused = {to: str(why) for to, why in self._proxy.problems.items()}
        return Rendered(page, refused, lacks)

    def close(self) -> None:
        """End the browser and everything that belongs to it; twice does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._chromium is not None and self._turn.locked():
            self._chromium.kill()  # another thread is still in a page
        self._thread.submit(self._discard).result()
        self._thread.shutdown()
        self._proxy.close()

    def _run_in_time(self, job: RenderJob) -> Any:
        work = self._thread.submit(self._run, job)
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

    def _run(self, job: RenderJob) -> Any:
        with from_extra("render"):
            from chaffinch.render.chromium import Chromium, Watchdog, find_browser  # noqa: PLC0415
            from chaffinch.render.visit import BrowserVisit  # noqa: PLC0415
        if self._chromium is not None and not self._chromium.is_running:
            self._discard()
        if self._chromium is None:
            program = find_browser(self._program)
            self._chromium = Chromium(program, proxy=self._proxy.address)
        chromium, limits = self._chromium, self.limits
        if job.html is None:
            self._proxy.open()
        browser = _BROWSER.format(chromium.browser.version.partition(".")[0])
        job = replace(job, agent=f"{browser} {self._agent}")
        try:
            with Watchdog(chromium, total=limits.total, memory=limits.memory) as watchdog:
                visit = BrowserVisit(chromium, self._proxy, watchdog, job, limits)
                return visit.snapshot(), visit.lacks
        finally:
            self._proxy.shut()
            if not chromium.is_running:
                self._discard()

    def _discard(self) -> None:
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            chromium.close()


def _utf8(source: bytes | str, label: str | None, limits: RenderLimits) -> tuple[bytes, str | None]:
    """Return (page in UTF-8, name of the encoding it was in): decoded and bounded as by `parse`."""
    name = None
    if not isinstance(source, str):
        limits.page.check_size(len(source))
        source, name = readable(source, transport=label)
    source = bound(source, limits.page)
    return (source.encode("utf-8", "replace") if isinstance(source, str) else source), name
