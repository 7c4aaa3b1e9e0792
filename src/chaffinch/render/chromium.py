"""The browser's program and its processes: found, started, watched, ended."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import psutil
from playwright.sync_api import Error, sync_playwright

from chaffinch.errors import BrowserError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

NAMES: Final = (
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
    "microsoft-edge-stable",
)  # fmt: skip
"""Programs looked for on the path, the first one found is taken."""

_MAC: Final = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_HOW: Final = (
    "install Chromium (Debian, Ubuntu: apt-get install chromium; elsewhere: playwright install "
    "chromium) or name the program with --browser PATH or CHAFFINCH_BROWSER"
)
_FLAGS: Final = (
    "--disable-quic",
    "--block-new-web-contents",  # no windows of the page's own
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # the proxy resolves names
    "--dns-prefetch-disable",
    "--mute-audio",
    "--no-pings",
    "--disable-features=WebTransport,Translate,OptimizationHints,MediaRouter",
)
_TICK: Final = 0.25  # seconds between two checks of the watchdog
_ENDING: Final = 5.0  # seconds for processes to end after they were killed


def find_browser(given: str | Path | None) -> str:
    """Return the path of the browser's program: of the one given, or of ``CHAFFINCH_BROWSER``.

    Else of the first of `NAMES` on the path, or of what ``playwright install`` put in its place.
    """
    given = given or os.environ.get("CHAFFINCH_BROWSER")
    if given:
        found = shutil.which(str(given))
        if found is None:
            raise BrowserError(f"no browser at {given}: {_HOW}")
        return found
    if found := next(filter(None, map(shutil.which, (*NAMES, *_MAC))), None):
        return found
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    if not Path(path).exists():
        raise BrowserError(f"no browser found: {_HOW}")
    return path


class Chromium:
    """One running browser, all of whose traffic goes to a proxy."""

    def __init__(self, program: str, *, proxy: str) -> None:
        self._was_killed = False
        self._mark = f"--chaffinch-run={secrets.token_hex(8)}"
        self._playwright: Playwright = sync_playwright().start()
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        try:
            self.browser: Browser = self._playwright.chromium.launch(
                executable_path=program,
                chromium_sandbox=not is_root,  # Chromium has none for root
                args=[*_FLAGS, self._mark],
                proxy={"server": proxy, "bypass": "<-loopback>"},
            )
        except Error as error:
            self._playwright.stop()
            raise BrowserError(f"the browser {program} doesn't start: {_reason(error)}") from error
        self._driver = self._find_driver()

    @property
    def is_running(self) -> bool:
        return not self._was_killed and self.browser.is_connected()

    def _find_driver(self) -> psutil.Process | None:
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if self._mark in child.cmdline():
                    return child.parent()
        return None

    def processes(self) -> list[psutil.Process]:
        if self._driver is None:
            return []
        with contextlib.suppress(psutil.Error):
            return [*self._driver.children(recursive=True), self._driver]
        return []

    def memory(self) -> int:
        total = 0
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                used = process.memory_info()
                total += used.rss - getattr(used, "shared", 0)
        return total

    def kill(self, *, with_driver: bool = False) -> None:
        """End the browser at once; may be called from any thread.

        The driver (Playwright's), which reports that the browser is gone, is ended on request.
        """
        self._was_killed = True
        for process in self.processes():
            if process != self._driver or with_driver:
                with contextlib.suppress(psutil.Error):
                    process.kill()

    def close(self) -> None:
        left = self.processes()
        with contextlib.suppress(Exception):  # whatever a failing driver raises, it has to end
            self.browser.close()
        with contextlib.suppress(Exception):
            self._playwright.stop()
        stop = time.monotonic() + _ENDING
        while time.monotonic() < stop and any(map(_runs, left)):
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            time.sleep(_TICK / 10)


def _reason(error: Error) -> str:
    lines = [line.strip() for line in error.message.splitlines() if line.strip()]
    candidates = (line for word in ("sandbox!", "rror") for line in lines if word in line)
    return next(candidates, lines[0])


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


class Watchdog:
    """Ends a browser that takes more seconds in all, or bytes of memory; ``reason`` says why."""

    def __init__(self, chromium: Chromium, *, total: float, memory: int) -> None:
        self.reason = ""
        self._chromium = chromium
        self._memory = memory
        self._deadlines: list[tuple[float, str]] = [
            (time.monotonic() + total, f"not done within {total:g} s")
        ]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._check, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def left(self) -> float:
        return self._deadlines[0][0] - time.monotonic()

    @contextlib.contextmanager
    def at_most(self, seconds: float, reason: str) -> Iterator[None]:
        """Bound a block to so many seconds; ``reason`` is the message if it takes longer."""
        self._deadlines.append((time.monotonic() + seconds, reason))
        try:
            yield
        finally:
            self._deadlines.pop()

    def _check(self) -> None:
        while not self._over.wait(_TICK):
            now = time.monotonic()
            late = [reason for stop, reason in list(self._deadlines) if now > stop]
            if not late and self._chromium.memory() > self._memory:
                late = [f"more than {self._memory >> 20:,} MiB of memory"]
            if late:
                self.reason = late[-1]
                self._chromium.kill()
                return
