"""The inspector's pictures in the docs, made anew: ``python examples/inspector_pictures.py``.

Opens pages of the example site in the inspector, in Chromium, and writes ``docs/pictures/``
``inspector.png`` and ``inspector-teach.png``. Needs the extras ``serve`` and ``render``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

import chaffinch
from chaffinch.render.chromium import find_browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
ARTICLE = "birds/2024/finches-in-the-stubble.html"


@contextmanager
def inspected(*given: Path | str) -> Iterator[str]:
    """Run the inspector, and give the address of its first view."""
    command = [sys.executable, "-m", "chaffinch", "inspect", "--no-open", "--workers", "1"]
    command += map(str, given)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.terminate()


def picture(
    browser: Browser,
    name: str,
    address: str,
    act: Callable[[Page], object],
) -> None:
    """Write a picture of a view."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.wait_for_selector("page-frame[data-built], a.entry")
    act(page)
    page.wait_for_timeout(800)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    page.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def reasons(page: Page) -> None:
    """Choose a block, so that its reasons are shown."""
    page.click(".row.kept >> nth=1")
    page.wait_for_selector(".spoke")


def teaching(page: Page) -> None:
    """Say that the titles of a shop's cards are content."""
    page.wait_for_function("() => !/ of |已读/.test(document.querySelector('.count').textContent)")
    page.fill("input[type=search]", "/shop/index")
    page.click("a.entry")
    page.wait_for_selector("page-frame[data-built]", state="attached")
    page.frame_locator("page-frame iframe").locator("div.card h2").first.click()
    if page.text_content(".path .here") == "a":
        page.keyboard.press("ArrowUp")
    page.keyboard.press("c")
    page.wait_for_selector(".rule-part .keep", state="attached")


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        maker = [sys.executable, str(ROOT / "examples" / "make_site.py"), folder]
        subprocess.run(maker, check=True, stdout=subprocess.DEVNULL)
        site = Path(folder, "grain.example")
        browser = playwright.chromium.launch(executable_path=find_browser(None))
        with inspected(site / ARTICLE) as address:
            picture(browser, "inspector", address, reasons)
        model = Path(folder, "grain")
        chaffinch.Site.learn(sorted((site).rglob("*.html"))).save(model)
        with inspected(model, site) as address:
            picture(browser, "inspector-teach", address, teaching)


if __name__ == "__main__":
    main()
