"""Waiting until a page has built itself, and scrolling what loads its parts when they are reached.

All scripts here run in a world of their own (a CDP isolated world): what the page's scripts did to
the names of the language doesn't reach them, and a content security policy doesn't bind them.
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
_PATIENCE: Final = 4.0  # seconds: a request that takes longer waits for news, not for content
_LITTLE: Final = 200  # characters of text: a menu and a footer, not yet a page
_ENDLESS: Final = frozenset({"websocket", "eventsource", "ping", "media"})

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


class Requests:
    """The requests of a page that are under way."""

    def __init__(self, page: Page) -> None:
        self._since: dict[Any, float] = {}
        self.last = time.monotonic()
        page.on("request", self._begun)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)

    def _begun(self, request: Any) -> None:
        self.last = time.monotonic()
        if request.resource_type not in _ENDLESS:
            self._since[request] = self.last

    def _ended(self, request: Any) -> None:
        if self._since.pop(request, None) is not None:
            self.last = time.monotonic()

    def still(self) -> float:
        """Return for how many seconds nothing has come; 0 while something is awaited."""
        now = time.monotonic()
        if any(now - since < _PATIENCE for since in self._since.values()):
            return 0.0
        return now - self.last


class World:
    """The world of our own in a page.

    Args:
        page: the page.
        session: a session of the Chrome DevTools Protocol with it.
    """

    def __init__(self, page: Page, session: CDPSession) -> None:
        self._page = page
        self._session = session

    def run(self, script: str) -> Any:
        """Return the value of ``script``; None where the page is on its way to another document."""
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


class Patience:
    """Waits for a page as long as its bounds allow.

    Args:
        page: the page, its first document begun.
        world: our world in it.
        requests: its requests.
        limits: how long.
        check: called now and then; raises where the page mustn't go on.
    """

    def __init__(
        self,
        page: Page,
        world: World,
        requests: Requests,
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
        """Wait until nothing has changed or come for a while, at most so many seconds."""
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
        wanted = self._limits.bare if is_bare else self._limits.quiet
        return min(state["still"], still) >= wanted

    def scroll(self) -> None:
        """Scroll to the end, again as long as the page grows by it; then back to the top."""
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
