"""A real browser for tests: its path, or a skipped test; started so that it looks up no name."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from chaffinch.errors import BrowserError

OPTIONS = ("--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
"""Without the rule each image of a page waits for names that no server here resolves."""


def browser_path() -> str:
    """Return the path of a browser; the test is skipped where there is none."""
    pytest.importorskip("playwright.sync_api")
    from chaffinch.render.chromium import find_browser  # noqa: PLC0415  an extra

    try:
        return find_browser(None)
    except BrowserError as error:
        pytest.skip(f"NO BROWSER: {error}")


@contextlib.contextmanager
def started(path: str) -> Iterator[Any]:
    """Give a browser that ends with the block."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield browser
        browser.close()
