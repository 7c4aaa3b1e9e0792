"""One visit of a browser to one page: loaded, settled, opened where asked, scrolled, captured.

All scripts here run in an isolated world of the DevTools protocol: they see neither the page's
changes to built-in objects, nor does its content security policy apply to them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Error
from playwright.sync_api import TimeoutError as Late

from chaffinch.errors import FetchError, OptionError, PageError, RenderError
from chaffinch.render.chromium import Chromium, Watchdog
from chaffinch.render.guard_proxy import GuardProxy
from chaffinch.render.limits import RenderJob, RenderLimits
from chaffinch.render.snapshot import STYLES
from chaffinch.web.client import FAILED, PAGE_TYPES, SUCCESS, describe_status, media_type, no_page
from chaffinch.web.guard import PORTS, printable_url

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, CDPSession, Page, Request, Response, Route

_NEEDED: Final = frozenset({"document", "stylesheet", "script", "xhr", "fetch", "eventsource"})
"""Kinds of requests that make a page's text and its layout; others are media, fonts, beacons."""

_STREAMS: Final = frozenset({"websocket", "eventsource", "ping", "media"})
_DATA: Final = frozenset({"script", "xhr", "fetch"})
_TRACKER: Final = re.compile(
    r"(?:^|[/._\-=&?])(?:analytics?|telemetry|beacons?|track(?:er|ing)?|pixels?|metrics|stats?"
    r"|gtag|gtm|tagmanager|doubleclick|adservices?|adsystem|adsbygoogle|adserver|syndication"
    r"|ads?|collect|heatmap|retarget\w*|rum|matomo|piwik)(?=[/._\-=&?]|$)",
    re.IGNORECASE,
)
"""Words in the address of a third-party request that stand for tracking and advertising."""
_NET: Final = re.compile(r"net::(ERR_[A-Z_]+)")
_WORDS: Final[Mapping[str, Any]] = json.loads(
    resources.files(__package__).joinpath("words.json").read_text(encoding="utf-8")
)
"""What errors of the browser's ``network`` mean; and the beginnings, as regular expressions of
JavaScript, of texts of controls by which a page is to ``expand``."""
_CLOSING: Final = 5.0  # seconds; a page that hangs is ended with its browser
_TO_SAY: Final = 1.0  # seconds before a page's time is over in which it is said what it lacks
_GONE: Final = "the page crashed the browser"
_HANGS: Final = "a script of the page doesn't end"

_POLL: Final = 100.0  # milliseconds
_LONG_POLL: Final = 4.0  # seconds; longer requests of a page with text wait for news, not for it
_LITTLE: Final = 200  # characters of text: a menu and a footer, not yet a page
_SOME: Final = 2000  # characters from which on a page isn't one whose text is still to come
_MOST_LACKS: Final = 20  # requests without an answer that are named

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

# Clicks the next control that says «load more» or «read the full text»; none of a form, and none
# that leads to another site. One that brought nothing isn't clicked again; others take turns.
_EXPAND: Final = """(() => {
  const words = new RegExp(WORDS, "iu");
  const size = document.body ? document.body.innerText.length : 0;
  const clicked = globalThis.clicked = globalThis.clicked || new Map();
  let next = null, fewest = Infinity;
  for (const one of document.querySelectorAll("button, summary, a, [role=button]")) {
    const [before, times] = clicked.get(one) || [-1, 0];
    if (before >= size || times >= fewest) continue;
    if (one.closest("form") || one.disabled || one.getAttribute("target") === "_blank") continue;
    const label = (one.innerText || one.getAttribute("aria-label") || "").trim();
    if (label.length > 60 || !words.test(label)) continue;
    const box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(one).visibility !== "visible") continue;
    if (one.href && !/^javascript:/i.test(one.href) && one.origin !== location.origin) continue;
    if (one.tagName === "SUMMARY" && one.parentElement && one.parentElement.open) continue;
    next = one;
    fewest = times;
  }
  if (!next) return false;
  clicked.set(next, [size, fewest + 1]);
  next.click();
  return true;
})()""".replace("WORDS", json.dumps(rf"^[^\p{{L}}]*(?:{'|'.join(_WORDS['expand'])})"))


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
        self.job, self.limits = job, limits
        self._chromium, self._proxy, self._watchdog = chromium, proxy, watchdog
        self._page: Page
        self._session: CDPSession
        self._request_count = self._rows = 0
        self._url = job.url
        self._redirects = -1
        self._response: Response | None = None
        self._has_crashed = self._is_served = self._stays = False
        self._pending: dict[Request, float] = {}
        self._last = time.monotonic()  # when a request began or ended
        self.lacks: dict[str, str] = {}  # address → why it didn't come

    def snapshot(self) -> dict[str, Any]:
        """Return the answer of DOMSnapshot.captureSnapshot, of the page when it has settled."""
        job = self.job
        try:
            context = self._chromium.browser.new_context(
                viewport={"width": 1280, "height": 1024},
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

    def _capture(self, context: BrowserContext) -> dict[str, Any]:
        limits, at_most = self.limits, self._watchdog.at_most
        page = self._page = context.new_page()
        context.on("page", lambda other: other.close())
        context.route("**/*", self._route)
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.on("crash", self._note_crash)
        page.on("framenavigated", self._note_document)
        page.on("response", self._note_response)
        page.on("request", self._note_request)
        page.on("requestfinished", self._note_end)
        page.on("requestfailed", self._note_failure)
        self._session = context.new_cdp_session(page)
        self._load()
        if self.job.scripts:
            longest = limits.answer + max(limits.settle, limits.slow)
            with at_most(longest, _HANGS):
                self._settle()
            self._wait()
            if self.job.expand:
                with at_most(limits.clicks * longest, _HANGS):
                    self._expand()
            with at_most(limits.scrolls * longest, "the page doesn't come to an end"):
                self._scroll()
        self._check()
        if self._rows > limits.page.max_rows:
            raise PageError(f"more than {limits.page.max_rows:,} rows")
        for request in self._pending:
            self._lack(request, "no answer yet")
        with at_most(limits.answer, _HANGS):
            captured: dict[str, Any] = self._session.send(
                "DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)}
            )
        self._check()
        return captured

    def _load(self) -> None:
        milliseconds = 1000 * min(self.limits.load, max(self._watchdog.left, 0.001))
        try:
            self._page.goto(self.job.url, wait_until="commit", timeout=milliseconds)
        except Late as error:
            raise FetchError(f"no answer within {self.limits.load:g} s") from error
        try:
            self._page.wait_for_load_state(
                "domcontentloaded" if self.job.scripts else "load", timeout=milliseconds
            )
        except Late:
            return  # the page is captured as far as it is loaded

    def _run(self, script: str) -> Any:
        send = self._session.send
        try:
            frame = send("Page.getFrameTree")["frameTree"]["frame"]["id"]
            world = send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "chaffinch"})
            answer = send(
                "Runtime.evaluate",
                {
                    "expression": script, "contextId": world["executionContextId"],
                    "awaitPromise": True, "returnByValue": True,
                },
            )  # fmt: skip
        except Error:
            if self._page.is_closed() or not self._chromium.is_running:
                raise
            return None
        return answer["result"].get("value")

    def _settle(self) -> None:
        begun = time.monotonic()
        while True:
            self._check()
            state = self._run(_STATE)
            waits = False
            if state is not None:
                self._rows = int(state["rows"])
                is_thin = bool(state["scripts"]) and state["text"] < _SOME
                waits = is_thin and any(one.resource_type in _DATA for one in self._pending)
                if not state["loading"] and self._is_settled(state, is_thin=is_thin):
                    return
            longest = max(self.limits.settle, self.limits.slow if waits else 0.0)
            if self._rows > self.limits.page.max_rows or time.monotonic() - begun >= longest:
                return
            self._page.wait_for_timeout(_POLL)

    def _is_settled(self, state: dict[str, float], *, is_thin: bool) -> bool:
        now = time.monotonic()
        is_loading = any(
            now - since < _LONG_POLL or (is_thin and one.resource_type in _DATA)
            for one, since in self._pending.items()
        )
        still = 0.0 if is_loading else now - self._last
        if not state["scripts"]:
            return still > 0
        quiet = self.limits.bare if state["text"] < _LITTLE else self.limits.quiet
        return min(state["still"], still) >= quiet

    def _wait(self) -> None:
        wait = self.job.wait
        if isinstance(wait, int | float):
            self._page.wait_for_timeout(1000 * wait)
        elif wait is not None:
            within = max(min(self.limits.load, self._watchdog.left - _TO_SAY), 0.001)
            try:
                self._page.wait_for_selector(f"css={wait}", state="attached", timeout=1000 * within)
            except Late as error:
                raise RenderError(f"no element {wait!r} within {within:.3g} s") from error
            except Error as error:
                if "selector" not in error.message.partition("\n")[0].partition(": ")[2]:
                    raise
                raise OptionError(f"not a selector to wait for: {wait!r}") from error
            self._settle()

    def _expand(self) -> None:
        self._stays = True
        for _ in range(self.limits.clicks):
            if not self._run(_EXPAND):
                break
            self._settle()
        self._stays = False

    def _scroll(self) -> None:
        has_moved = False
        for _ in range(self.limits.scrolls):
            rows = self._rows
            done = self._run(_SCROLL)
            if done is None or not done["moved"]:
                break
            has_moved = True
            self._settle()
            if self._rows > self.limits.page.max_rows:
                return
            if not done["grown"] and self._rows <= rows:
                break
        if has_moved:
            self._run(_BACK)

    # Events of the page

    def _route(self, route: Route) -> None:
        request = route.request
        self._request_count += 1
        is_document = request.is_navigation_request()
        if self.job.html is not None and is_document and not self._is_served:
            self._is_served = True
            route.fulfill(body=self.job.html, content_type="text/html; charset=utf-8")
        elif is_document and (self.job.html is not None or self._stays):
            route.fulfill(status=204)  # «no content»: the browser stays where it is
        elif (
            self.job.html is not None
            or self._request_count > self.limits.max_requests
            or not self._is_needed(request)
        ):
            route.abort("blockedbyclient")
        else:
            route.continue_()

    def _is_needed(self, request: Request) -> bool:
        kind = request.resource_type
        if kind not in _NEEDED and not (self.job.images and kind == "image"):
            return False
        return kind == "document" or not is_tracker(request.url, self.job.url)

    def _note_crash(self, *_: object) -> None:
        self._has_crashed = True

    def _note_document(self, frame: Any) -> None:
        if frame == self._page.main_frame:
            self._url = frame.url

    def _note_request(self, request: Request) -> None:
        self._last = time.monotonic()
        if request.resource_type not in _STREAMS:
            self._pending[request] = self._last

    def _note_end(self, request: Request) -> None:
        if self._pending.pop(request, None) is not None:
            self._last = time.monotonic()

    def _note_failure(self, request: Request) -> None:
        self._note_end(request)
        why = request.failure or ""
        if "BLOCKED_BY_CLIENT" not in why and "ERR_ABORTED" not in why:
            found = _NET.search(why)
            self._lack(request, self._network_message(found[1]) if found else "it failed")

    def _note_response(self, response: Response) -> None:
        request = response.request
        if response.status in FAILED:
            self._lack(request, describe_status(response.status))
        if request.is_navigation_request() and response.frame == self._page.main_frame:
            self._redirects += 1
            if not 300 <= response.status < 400:  # noqa: PLR2004 - redirects, another response follows
                self._response = response

    def _lack(self, request: Request, why: str) -> None:
        if request.resource_type in _DATA and len(self.lacks) < _MOST_LACKS:
            self.lacks[printable_url(request.url)] = why

    def _check(self) -> None:
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
        own, url = urlsplit(self.job.url), urlsplit(response.url)
        port = url.port or PORTS.get(url.scheme, 0)
        if problem := self._proxy.problems.get(f"{(url.hostname or '').lower()}:{port}"):
            is_own = (own.hostname, own.port) == (url.hostname, url.port)
            way = "" if is_own else f"redirected to {printable_url(response.url)}: "
            raise type(problem)(f"{way}{problem}")
        if self._proxy.passed > self.limits.max_bytes:
            raise FetchError(f"page too big: more than {self.limits.max_bytes:,} bytes")
        if response.status not in SUCCESS:
            raise FetchError(describe_status(response.status))
        kind = response.headers.get("content-type", "")
        if media_type(kind) not in PAGE_TYPES:
            raise FetchError(no_page(kind))

    def _error_of(self, error: Error) -> PageError:
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
        return str(_WORDS["network"].get(code, f"the browser reports {code}"))


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
