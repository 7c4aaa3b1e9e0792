"""One visit of a browser to one page: from the address or its source to a snapshot of its DOM.

All scripts here run in an isolated world (CDP): they see neither the page's changes to built-in
objects, nor does its content security policy apply to them.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Error
from playwright.sync_api import TimeoutError as Late

from chaffinch.errors import FetchError, PageError, RenderError
from chaffinch.render.snapshot import STYLES
from chaffinch.web.client import PAGE_TYPES, describe_status
from chaffinch.web.guard import PORTS, printable_url

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import (
        BrowserContext,
        CDPSession,
        Dialog,
        Page,
        Request,
        Response,
        Route,
    )

    from chaffinch.render.chromium import Chromium, Watchdog
    from chaffinch.render.guard_proxy import GuardProxy
    from chaffinch.render.limits import RenderLimits


_WORLD: Final = "chaffinch"
_POLL: Final = 100.0  # milliseconds
_LONG_POLL: Final = 4.0  # seconds; longer requests wait for news, not for content
_LITTLE: Final = 200  # characters of text: a menu and a footer, not yet a page
_STREAMS: Final = frozenset({"websocket", "eventsource", "ping", "media"})

_STATE: Final = """(() => {
  if (globalThis.lastChange === undefined) {
    globalThis.lastChange = performance.now();
    new MutationObserver(() => { globalThis.lastChange = performance.now(); }).observe(
      document, {subtree: true, childList: true, characterData: true});
  }
  return {
    still: (performance.now() - globalThis.lastChange) / 1000,
    rows: document.getElementsByTagName("*").length,
    loading: document.readyState === "loading",
    scripts: document.scripts.length,
    text: document.body ? document.body.innerText.trim().length : 0,
  };
})()"""

# The page, or the largest box in it that scrolls by itself, as lists of applications do. It is
# gone through by the window's height, for what loads when it comes into view.
_SCROLL: Final = """(async (most) => {
  const page = document.scrollingElement || document.documentElement;
  if (!page) return {moved: false, grown: false};
  let box = page, room = 0;
  if (page.scrollHeight <= innerHeight * 1.2)
    for (const one of document.body ? document.body.querySelectorAll("*") : []) {
      if (one.clientHeight < innerHeight / 3) continue;
      if (one.scrollHeight <= one.clientHeight * 1.2) continue;
      if (!/auto|scroll/.test(getComputedStyle(one).overflowY)) continue;
      const area = one.clientWidth * one.clientHeight;
      if (area > room) { box = one; room = area; }
    }
  const frame = () => Promise.race([
    new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
    new Promise(done => setTimeout(done, 100))]);
  const step = Math.max(200, box.clientHeight || innerHeight);
  const before = box.scrollHeight;
  let from = box.scrollTop;
  if (before <= box.clientHeight + 1) return {moved: false, grown: false};
  for (let n = 0; n < most && from + step < box.scrollHeight; n++) {
    from += step;
    box.scrollTo({top: from, behavior: "instant"});
    await frame();
  }
  box.scrollTo({top: box.scrollHeight, behavior: "instant"});
  await frame();
  return {moved: true, grown: box.scrollHeight > before};
})(60)"""

_BACK: Final = """(async () => {
  for (const one of [document.scrollingElement, ...document.querySelectorAll("*")])
    if (one && one.scrollTop) one.scrollTo({top: 0, behavior: "instant"});
  await new Promise(done => setTimeout(done, 50));
})()"""


class PendingRequests:
    """The requests of a page that are in flight."""

    def __init__(self, page: Page) -> None:
        self._since: dict[Any, float] = {}
        self.last = time.monotonic()
        page.on("request", self._started)
        page.on("requestfinished", self._finished)
        page.on("requestfailed", self._finished)

    def _started(self, request: Any) -> None:
        self.last = time.monotonic()
        if request.resource_type not in _STREAMS:
            self._since[request] = self.last

    def _finished(self, request: Any) -> None:
        if self._since.pop(request, None) is not None:
            self.last = time.monotonic()

    def still(self) -> float:
        """Return the seconds since the last request began or ended; 0 while one is in flight."""
        now = time.monotonic()
        if any(now - since < _LONG_POLL for since in self._since.values()):
            return 0.0
        return now - self.last


class IsolatedWorld:
    """An isolated world in a page: a context of its own for scripts.

    Args:
        page: the page.
        session: a session of the Chrome DevTools Protocol with it.
    """

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page = page
        self._session = session

    def run(self, script: str) -> Any:
        """Return the value of ``script``; None while the page navigates to another document."""
        try:
            frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            context = self._session.send(
                "Page.createIsolatedWorld", {"frameId": frame, "worldName": _WORLD}
            )["executionContextId"]
            answer = self._session.send(
                "Runtime.evaluate",
                {
                    "expression": script,
                    "contextId": context,
                    "awaitPromise": True,
                    "returnByValue": True,
                },
            )
        except Error:
            if self._page.is_closed() or not self._page.context.browser.is_connected():  # type: ignore[union-attr]
                raise
            return None
        return answer["result"].get("value")


class PageSettler:
    """Waits for a page to settle, and scrolls it, within bounds.

    The page's first navigation must have begun. ``check`` is called at each poll, and raises where
    the page can't be rendered any more.

    Attributes:
        rows: elements of the page at the last poll.
    """

    def __init__(
        self,
        page: Page,
        world: IsolatedWorld,
        requests: PendingRequests,
        limits: RenderLimits,
        check: Callable[[], None],
    ) -> None:
        self._page = page
        self._world = world
        self._requests = requests
        self._limits = limits
        self._check = check
        self.rows = 0

    def settle(self, seconds: float) -> None:
        """Wait until document and requests haven't changed for a while, ``seconds`` at most."""
        stop = time.monotonic() + seconds
        while time.monotonic() < stop:
            self._check()
            state = self._world.run(_STATE)
            if state is not None:
                self.rows = int(state["rows"])
                if not state["loading"] and self._is_settled(state):
                    return
            if self.rows > self._limits.page.max_rows:
                return
            self._page.wait_for_timeout(_POLL)

    def _is_settled(self, state: Mapping[str, float]) -> bool:
        still = self._requests.still()
        if not state["scripts"]:
            return still > 0
        is_bare = state["text"] < _LITTLE
        quiet = self._limits.bare if is_bare else self._limits.quiet
        return min(state["still"], still) >= quiet

    def scroll(self) -> None:
        """Scroll to the end, again while the page grows by it; then back to the top."""
        has_moved = False
        for _ in range(self._limits.scrolls):
            rows = self.rows
            done = self._world.run(_SCROLL)
            if done is None or not done["moved"]:
                break
            has_moved = True
            self.settle(self._limits.settle)
            if self.rows > self._limits.page.max_rows:
                return
            if not done["grown"] and self.rows <= rows:
                break
        if has_moved:
            self._world.run(_BACK)


_NEEDED: Final = frozenset({"document", "stylesheet", "script", "xhr", "fetch", "eventsource"})
"""Kinds of requests that make a page's text and its layout; others are media, fonts, beacons."""

# Words in the address of a third-party request that stand for tracking and advertising.
_TRACKER: Final = re.compile(
    r"(?:^|[/._\-=&?])(?:analytics?|telemetry|beacons?|track(?:er|ing)?|pixels?|metrics|stats?"
    r"|gtag|gtm|tagmanager|doubleclick|adservices?|adsystem|adsbygoogle|adserver|syndication"
    r"|ads?|collect|heatmap|retarget\w*|rum|matomo|piwik)(?=[/._\-=&?]|$)",
    re.IGNORECASE,
)
_NET: Final = re.compile(r"net::(ERR_[A-Z_]+)")
_MESSAGES: Final = {
    "ERR_NAME_NOT_RESOLVED": "unknown host",
    "ERR_CONNECTION_RESET": "the server reset the connection",
    "ERR_CONNECTION_CLOSED": "the server closed the connection without an answer",
    "ERR_EMPTY_RESPONSE": "the server closed the connection without an answer",
    "ERR_INVALID_HTTP_RESPONSE": "the answer is not HTTP",
    "ERR_INVALID_REDIRECT": "redirected to what is no address",
    "ERR_UNSAFE_REDIRECT": "redirected to what is neither http nor https",
    "ERR_TOO_MANY_REDIRECTS": "more redirects than a browser follows",
    "ERR_CONTENT_DECODING_FAILED": "the answer isn't compressed as declared",
    "ERR_INCOMPLETE_CHUNKED_ENCODING": "the server broke off its answer",
    "ERR_CONTENT_LENGTH_MISMATCH": "the server broke off its answer",
}
_CLOSING: Final = 5.0  # seconds; a page that hangs is ended with its browser
_GONE: Final = "the page crashed the browser"


@dataclass(frozen=True)
class CapturedPage:
    """The result of a visit: the answer of DOMSnapshot.captureSnapshot, and a picture."""

    captured: dict[str, Any]
    picture: bytes = b""


@dataclass(frozen=True, kw_only=True)
class RenderJob:
    """What to render, and how: options of `chaffinch.render.Renderer` and of its `rendered`.

    Attributes:
        url: address; of a given source, the one that the browser loads it under.
        html: the source in UTF-8; None where the address is fetched.
        agent: the User-Agent.
    """

    url: str
    html: bytes | None
    scripts: bool
    images: bool
    picture: bool
    agent: str
    width: int
    height: int


class BrowserVisit:
    """One page in one browser context, from request to snapshot."""

    def __init__(
        self,
        chromium: Chromium,
        proxy: GuardProxy,
        watchdog: Watchdog,
        job: RenderJob,
        limits: RenderLimits,
    ) -> None:
        self.job = job
        self.limits = limits
        self._chromium = chromium
        self._proxy = proxy
        self._watchdog = watchdog
        self._request_count = 0
        self._url = job.url
        self._redirects = -1
        self._response: Response | None = None
        self._has_crashed = False
        self._is_served = False

    def snapshot(self) -> CapturedPage:
        """Return the page as it is when it has settled.

        Raises:
            FetchError: it can't be fetched.
            RenderError: it can't be rendered.
        """
        job = self.job
        try:
            context = self._chromium.browser.new_context(
                viewport={"width": job.width, "height": job.height},
                user_agent=job.agent,
                java_script_enabled=job.scripts,
                accept_downloads=False,
                service_workers="block",
                reduced_motion="reduce",
            )
            try:
                return self._capture(context)
            finally:
                with self._watchdog.at_most(_CLOSING, "the page doesn't let go"):
                    context.close()
        except Error as error:
            raise self._error_of(error) from error

    def _capture(self, context: BrowserContext) -> CapturedPage:
        page = context.new_page()
        context.on("page", lambda other: other.close())
        context.route("**/*", self._route)
        page.on("dialog", _dismiss)
        page.on("crash", self._record_crash)
        page.on("framenavigated", lambda frame: self._record_document(page, frame))
        page.on("response", lambda response: self._record_response(page, response))
        requests = PendingRequests(page)
        session = context.new_cdp_session(page)
        settler = PageSettler(
            page, IsolatedWorld(page, session), requests, self.limits, self._check
        )
        self._load(page)
        with self._watchdog.at_most(
            self.limits.answer + self.limits.settle, "a script of the page doesn't end"
        ):
            if self.job.scripts:
                settler.settle(self.limits.settle)
        self._check()
        if self.job.scripts:
            longest = self.limits.scrolls * (self.limits.settle + self.limits.answer)
            with self._watchdog.at_most(longest, "the page doesn't come to an end"):
                settler.scroll()
        self._check()
        if settler.rows > self.limits.page.max_rows:
            raise PageError(f"more than {self.limits.page.max_rows:,} rows")
        with self._watchdog.at_most(self.limits.answer, "a script of the page doesn't end"):
            captured = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)})
            picture = page.screenshot(full_page=True) if self.job.picture else b""
        self._check()
        return CapturedPage(captured, picture)

    def _load(self, page: Page) -> None:
        """Navigate to the page, and wait until its document is parsed, `load` seconds at most."""
        milliseconds = 1000 * min(self.limits.load, max(self._watchdog.left, 0.001))
        try:
            page.goto(self.job.url, wait_until="commit", timeout=milliseconds)
        except Late as error:
            raise FetchError(f"no answer within {self.limits.load:g} s") from error
        try:
            page.wait_for_load_state(
                "domcontentloaded" if self.job.scripts else "load", timeout=milliseconds
            )
        except Late:
            return  # the page is captured as far as it is loaded

    # Events of the page

    def _route(self, route: Route) -> None:
        """Continue a request of the page, serve it the given source, or abort it."""
        request = route.request
        self._request_count += 1
        if self.job.html is not None:
            if not self._is_served and request.is_navigation_request():
                self._is_served = True
                route.fulfill(body=self.job.html, content_type="text/html; charset=utf-8")
            elif request.is_navigation_request():
                route.fulfill(status=204)  # «no content»: the browser stays where it is
            else:
                route.abort("blockedbyclient")
        elif self._request_count > self.limits.max_requests or not self._is_needed(request):
            route.abort("blockedbyclient")
        else:
            route.continue_()

    def _is_needed(self, request: Request) -> bool:
        kind = request.resource_type
        if kind not in _NEEDED and not (self.job.images and kind == "image"):
            return False
        return kind == "document" or not is_tracker(request.url, self.job.url)

    def _record_crash(self, *_: object) -> None:
        self._has_crashed = True

    def _record_document(self, page: Page, frame: Any) -> None:
        if frame == page.main_frame:
            self._url = frame.url

    def _record_response(self, page: Page, response: Response) -> None:
        if response.request.is_navigation_request() and response.frame == page.main_frame:
            self._redirects += 1
            if not 300 <= response.status < 400:  # noqa: PLR2004 - redirects, another response follows
                self._response = response

    def _check(self) -> None:
        """Raise where the page can't be rendered any more: a crash, an error status, no page."""
        if self._has_crashed:
            raise RenderError(_GONE)
        if urlsplit(self._url).scheme not in PORTS:
            raise RenderError(f"the page went away to {printable_url(self._url)}")
        if self.job.html is not None:
            return
        if self._redirects > self.limits.max_redirects:
            raise FetchError(f"more than {self.limits.max_redirects} redirects")
        if self._response is not None:
            self._check_response(self._response)

    def _check_response(self, response: Response) -> None:
        if problem := self._connection_problem(response.url):
            raise type(problem)(self._with_redirect(response.url, str(problem)))
        if self._proxy.passed > self.limits.max_bytes:
            raise FetchError(f"page too big: more than {self.limits.max_bytes:,} bytes")
        if not 200 <= response.status < 300:  # noqa: PLR2004 - the range of success
            raise FetchError(describe_status(response.status))
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in PAGE_TYPES:
            raise FetchError(f"not a page: the server calls it {kind!r}")

    def _connection_problem(self, url: str) -> FetchError | None:
        """Return why the proxy didn't connect to the host of ``url``; None if it did."""
        where = urlsplit(url)
        port = where.port or PORTS.get(where.scheme, 0)
        return self._proxy.problems.get(f"{(where.hostname or '').lower()}:{port}")

    def _with_redirect(self, url: str, problem: str) -> str:
        own, other = urlsplit(self.job.url), urlsplit(url)
        same = (own.hostname, own.port) == (other.hostname, other.port)
        return problem if same else f"redirected to {printable_url(url)}: {problem}"

    def _error_of(self, error: Error) -> PageError:
        """Return the error to raise for an error of the browser."""
        if self._watchdog.reason or self._has_crashed or not self._chromium.is_running:
            return RenderError(self._watchdog.reason or _GONE)
        if "Download is starting" in error.message:
            return FetchError("not a page: a download")
        found = _NET.search(error.message)
        if found is None:
            return RenderError(f"the browser failed: {error.message.splitlines()[0]}")
        if found[1] == "ERR_TUNNEL_CONNECTION_FAILED" and self._proxy.problems:
            return next(reversed(self._proxy.problems.values()))
        return FetchError(self._network_message(found[1]))

    def _network_message(self, code: str) -> str:
        if self._proxy.passed > self.limits.max_bytes:
            return f"page too big: more than {self.limits.max_bytes:,} bytes"
        if code.startswith("ERR_CERT"):
            return f"the server's certificate is not trusted: {code}"
        return _MESSAGES.get(code, f"the browser reports {code}")


def is_tracker(url: str, page_url: str) -> bool:
    """Return whether a request is for tracking or advertisements, by its address alone.

    Only third-party requests can be: those whose last two labels of the host name differ from the
    page's. This is a heuristic; what is blocked by mistake is missing from the page.
    """
    target, page = urlsplit(url), urlsplit(page_url)
    if _site(target.hostname) == _site(page.hostname):
        return False
    return _TRACKER.search(f"{target.hostname}{target.path}") is not None


def _site(host: str | None) -> tuple[str, ...]:
    return tuple((host or "").split(".")[-2:])


def _dismiss(dialog: Dialog) -> None:
    dialog.dismiss()
