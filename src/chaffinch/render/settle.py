"""Waits until a page has settled, and scrolls pages that load content lazily.

All scripts here run in an isolated world (CDP): they see neither the page's changes to built-in
objects, nor does its content security policy apply to them.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import Error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import CDPSession, Page

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
