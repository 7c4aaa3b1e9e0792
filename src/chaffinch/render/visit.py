"""One visit of a browser to one page: from the address or its source to a snapshot of its DOM."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Error
from playwright.sync_api import TimeoutError as Late

from chaffinch.errors import FetchError, PageError, RenderError
from chaffinch.fetch.failures import describe_status, printable_url
from chaffinch.fetch.request import PAGE_TYPES
from chaffinch.fetch.request_urls import PORTS
from chaffinch.render.settle import Patience, Requests, World
from chaffinch.render.visibility import STYLES

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Page, Request, Response, Route

    from chaffinch.render.chromium import Chromium, Watch
    from chaffinch.render.gate import Gate
    from chaffinch.render.limits import RenderLimits

_WANTED: Final = frozenset({"document", "stylesheet", "script", "xhr", "fetch", "eventsource"})
"""Kinds of requests that make a page's text and its layout; others are media, fonts, beacons."""

# Words in the address of a request to another site that stand for counting and advertising.
_TRACKER: Final = re.compile(
    r"(?:^|[/._\-=&?])(?:analytics?|telemetry|beacons?|track(?:er|ing)?|pixels?|metrics|stats?"
    r"|gtag|gtm|tagmanager|doubleclick|adservices?|adsystem|adsbygoogle|adserver|syndication"
    r"|ads?|collect|heatmap|retarget\w*|rum|matomo|piwik)(?=[/._\-=&?]|$)",
    re.IGNORECASE,
)
_NET: Final = re.compile(r"net::(ERR_[A-Z_]+)")
_WORDS: Final = {
    "ERR_NAME_NOT_RESOLVED": "unknown host",
    "ERR_CONNECTION_RESET": "the server reset the connection",
    "ERR_CONNECTION_CLOSED": "the server closed the connection without an answer",
    "ERR_EMPTY_RESPONSE": "the server closed the connection without an answer",
    "ERR_INVALID_HTTP_RESPONSE": "the answer is not HTTP",
    "ERR_INVALID_REDIRECT": "redirected to what is no address",
    "ERR_UNSAFE_REDIRECT": "redirected to what is neither http nor https",
    "ERR_TOO_MANY_REDIRECTS": "more redirects than a browser follows",
    "ERR_CONTENT_DECODING_FAILED": "the answer isn't compressed as it says",
    "ERR_INCOMPLETE_CHUNKED_ENCODING": "the server broke off its answer",
    "ERR_CONTENT_LENGTH_MISMATCH": "the server broke off its answer",
}
_CLOSING: Final = 5.0  # seconds; a page that hangs is ended with its browser
_GONE: Final = "the page crashed the browser"


@dataclass(frozen=True)
class Snapshot:
    """What a visit brings home: the answer of DOMSnapshot.captureSnapshot, and a picture."""

    captured: dict[str, Any]
    picture: bytes = b""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What to visit, and how.

    Attributes:
        url: address; of a page that is given, the one it is shown under.
        html: the page in UTF-8; None where the address is fetched.
        scripts: whether the page's scripts run.
        images: whether pictures are loaded.
        picture: whether a picture of the page is wanted.
        agent: how the browser calls itself.
        width: of the window, pixels.
        height: of the window, pixels.
    """

    url: str
    html: bytes | None
    scripts: bool
    images: bool
    picture: bool
    agent: str
    width: int
    height: int


class Visit:
    """One page in one browser; `snapshot` does it all.

    Args:
        chromium: the browser.
        gate: its way to the network.
        watch: what ends the browser when it takes too long.
        order: what to visit.
        limits: bounds.
    """

    def __init__(
        self, chromium: Chromium, gate: Gate, watch: Watch, order: Order, limits: RenderLimits
    ) -> None:
        self.order = order
        self.limits = limits
        self._chromium = chromium
        self._gate = gate
        self._watch = watch
        self._asked = 0
        self._here = order.url
        self._hops = -1
        self._answer: Response | None = None
        self._crashed = False
        self._served = False

    def snapshot(self) -> Snapshot:
        """Return the page as it is when it has settled.

        Raises:
            FetchError: it can't be fetched.
            RenderError: it can't be rendered.
        """
        order = self.order
        try:
            context = self._chromium.browser.new_context(
                viewport={"width": order.width, "height": order.height},
                user_agent=order.agent,
                java_script_enabled=order.scripts,
                accept_downloads=False,
                service_workers="block",
                reduced_motion="reduce",
            )
            try:
                return self._taken(context)
            finally:
                with self._watch.at_most(_CLOSING, "the page doesn't let go"):
                    context.close()
        except Error as error:
            raise self._in_words(error) from error

    def _taken(self, context: BrowserContext) -> Snapshot:
        page = context.new_page()
        context.on("page", lambda other: other.close())
        context.route("**/*", self._decide)
        page.on("dialog", _dismiss)
        page.on("crash", self._note_crash)
        page.on("framenavigated", lambda frame: self._note_document(page, frame))
        page.on("response", lambda answer: self._note_answer(page, answer))
        requests = Requests(page)
        session = context.new_cdp_session(page)
        patience = Patience(page, World(page, session), requests, self.limits, self._check)
        self._load(page)
        with self._watch.at_most(
            self.limits.answer + self.limits.settle, "a script of the page doesn't end"
        ):
            if self.order.scripts:
                patience.settle(self.limits.settle)
        self._check()
        if self.order.scripts:
            longest = self.limits.scrolls * (self.limits.settle + self.limits.answer)
            with self._watch.at_most(longest, "the page doesn't come to an end"):
                patience.scroll()
        self._check()
        if patience.rows > self.limits.page.max_rows:
            raise PageError(f"more than {self.limits.page.max_rows:,} rows")
        with self._watch.at_most(self.limits.answer, "a script of the page doesn't end"):
            captured = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": list(STYLES)})
            picture = page.screenshot(full_page=True) if self.order.picture else b""
        self._check()
        return Snapshot(captured, picture)

    def _load(self, page: Page) -> None:
        """Go to the page and wait until its source is read, or the time for that is over."""
        milliseconds = 1000 * min(self.limits.load, max(self._watch.left, 0.001))
        try:
            page.goto(self.order.url, wait_until="commit", timeout=milliseconds)
        except Late as error:
            raise FetchError(f"no answer within {self.limits.load:g} s") from error
        try:
            page.wait_for_load_state(
                "domcontentloaded" if self.order.scripts else "load", timeout=milliseconds
            )
        except Late:
            return  # what is there is taken

    # What the page does

    def _decide(self, route: Route) -> None:
        """Let a request of the page pass, serve it the page that was given, or drop it."""
        request = route.request
        self._asked += 1
        if self.order.html is not None:
            if not self._served and request.is_navigation_request():
                self._served = True
                route.fulfill(body=self.order.html, content_type="text/html; charset=utf-8")
            elif request.is_navigation_request():
                route.fulfill(status=204)  # «no content»: the browser stays where it is
            else:
                route.abort("blockedbyclient")
        elif self._asked > self.limits.max_requests or not self._is_wanted(request):
            route.abort("blockedbyclient")
        else:
            route.continue_()

    def _is_wanted(self, request: Request) -> bool:
        kind = request.resource_type
        if kind not in _WANTED and not (self.order.images and kind == "image"):
            return False
        return kind == "document" or not is_tracker(request.url, self.order.url)

    def _note_crash(self, *_: object) -> None:
        self._crashed = True

    def _note_document(self, page: Page, frame: Any) -> None:
        if frame == page.main_frame:
            self._here = frame.url

    def _note_answer(self, page: Page, answer: Response) -> None:
        if answer.request.is_navigation_request() and answer.frame == page.main_frame:
            self._hops += 1
            if not 300 <= answer.status < 400:  # noqa: PLR2004 - redirects, another answer follows
                self._answer = answer

    def _check(self) -> None:
        """Raise where the page isn't one to go on with."""
        if self._crashed:
            raise RenderError(_GONE)
        if urlsplit(self._here).scheme not in PORTS:
            raise RenderError(f"the page went away to {printable_url(self._here)}")
        if self.order.html is not None:
            return
        if self._hops > self.limits.max_redirects:
            raise FetchError(f"more than {self.limits.max_redirects} redirects")
        if self._answer is not None:
            self._check_answer(self._answer)

    def _check_answer(self, answer: Response) -> None:
        if problem := self._refused(answer.url):
            raise FetchError(self._sent_on(answer.url, problem))
        if self._gate.passed > self.limits.max_bytes:
            raise FetchError(f"page too big: more than {self.limits.max_bytes:,} bytes")
        if not 200 <= answer.status < 300:  # noqa: PLR2004 - the range of success
            raise FetchError(describe_status(answer.status))
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind not in PAGE_TYPES:
            raise FetchError(f"not a page: the server calls it {kind!r}")

    def _refused(self, url: str) -> str:
        """Return why the gate didn't let the browser reach the host of ``url``; "" if it did."""
        where = urlsplit(url)
        port = where.port or PORTS.get(where.scheme, 0)
        return self._gate.problems.get(f"{(where.hostname or '').lower()}:{port}", "")

    def _sent_on(self, url: str, problem: str) -> str:
        own, other = urlsplit(self.order.url), urlsplit(url)
        same = (own.hostname, own.port) == (other.hostname, other.port)
        return problem if same else f"redirected to {printable_url(url)}: {problem}"

    def _in_words(self, error: Error) -> PageError:
        """Return what an error of the browser means."""
        if self._watch.why or self._crashed or not self._chromium.is_running:
            return RenderError(self._watch.why or _GONE)
        if "Download is starting" in error.message:
            return FetchError("not a page: a download")
        found = _NET.search(error.message)
        if found is None:
            return RenderError(f"the browser failed: {error.message.splitlines()[0]}")
        return FetchError(self._net_words(found[1]))

    def _net_words(self, code: str) -> str:
        if code == "ERR_TUNNEL_CONNECTION_FAILED" and self._gate.problems:
            return next(reversed(self._gate.problems.values()))
        if self._gate.passed > self.limits.max_bytes:
            return f"page too big: more than {self.limits.max_bytes:,} bytes"
        if code.startswith("ERR_CERT"):
            return f"the server's certificate is not trusted: {code}"
        return _WORDS.get(code, f"the browser says {code}")


def is_tracker(url: str, page_url: str) -> bool:
    """Return whether a request counts visitors or brings advertisements, by its address alone.

    Only requests to another site are judged: their last two labels of the host name differ. An
    address doesn't tell for sure; what is blocked by mistake is missing from the page.
    """
    asked, page = urlsplit(url), urlsplit(page_url)
    if _site(asked.hostname) == _site(page.hostname):
        return False
    return _TRACKER.search(f"{asked.hostname}{asked.path}") is not None


def _site(host: str | None) -> tuple[str, ...]:
    return tuple((host or "").split(".")[-2:])


def _dismiss(dialog: Dialog) -> None:
    dialog.dismiss()
