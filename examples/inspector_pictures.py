"""The inspector's pictures in the docs, made anew: ``python examples/inspector_pictures.py``.

Opens pages of the example site in the inspector, in Chromium, and writes ``docs/pictures/``
``inspector*.png``. Needs the extras ``serve`` and ``render``.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from chaffinch.render.chromium import find_browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
ARTICLE = "birds/2024/finches-in-the-stubble.html"
PRODUCT = "shop/grain-probe.html"
WIDE, NARROW = (1280, 800), (400, 800)


@contextmanager
def inspected(page: Path) -> Iterator[str]:
    """Run the inspector on a page, and give its address without the view's parameters."""
    command = [sys.executable, "-m", "chaffinch", "inspect", str(page), "--no-open", "-w", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        found = re.search(r"http://\S+/#/page\?given=0", process.stderr.readline())
        try:
            yield found[0]
        finally:
            process.terminate()


def picture(
    browser: Browser,
    name: str,
    address: str,
    size: tuple[int, int],
    act: Callable[[Page], object] = lambda _: None,
    **options: str,
) -> None:
    """Write a picture of a view."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **options)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("page-frame[data-built]")
    act(page)
    page.wait_for_timeout(800)
    path = PICTURES / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")


def reasons(page: Page) -> None:
    """Choose a block, so that its reasons are shown."""
    page.click(".row.kept >> nth=1")
    page.wait_for_selector(".evidence")


def outputs(page: Page) -> None:
    """Show Markdown, and mark where a part of it came from."""
    page.click("#tab-markdown")
    page.hover("output-view .scrolled.part, output-view li p.part")


def narrow(page: Page) -> None:
    """Show the blocks on a narrow screen."""
    page.click("[data-value=data]")
    page.click(".row.kept >> nth=0")
    page.wait_for_selector(".evidence")


def versions(page: Page, old: str, new: str) -> None:
    """Compare two versions of a page."""
    page.goto(f"{page.url.partition('#')[0]}#/beside")
    page.fill("[name=a-source]", old)
    page.fill("[name=b-source]", new)
    page.click("button.first")
    page.hover(".change.changed")


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        maker = [sys.executable, str(ROOT / "examples" / "make_site.py"), folder]
        subprocess.run(maker, check=True, stdout=subprocess.DEVNULL)
        site = Path(folder, "grain.example")
        old = (site / ARTICLE).read_text(encoding="utf-8")
        new = old.replace("grey morning", "bright morning").replace("four hens", "five hens")
        new = new.replace("for six winters", "for seven winters")
        browser = playwright.chromium.launch(executable_path=find_browser(None))
        with inspected(site / ARTICLE) as address:
            picture(browser, "inspector", address, WIDE, reasons)
            picture(
                browser, "inspector-versions", address, WIDE, lambda page: versions(page, old, new)
            )
        with inspected(site / PRODUCT) as address:
            dark = f"{address}&paint=score&pdoc=6"
            picture(browser, "inspector-outputs", dark, WIDE, outputs, color_scheme="dark")
            picture(browser, "inspector-narrow", address, NARROW, narrow)
        browser.close()


if __name__ == "__main__":
    main()
