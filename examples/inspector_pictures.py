"""The inspector's pictures in the docs, made anew: ``python examples/inspector_pictures.py``.

Opens pages of the example site in the inspector, in Chromium, and writes ``docs/pictures/``
``inspector*.png``. Needs the extras ``serve`` and ``render``, and a font with Chinese characters
(``apt-get install fonts-noto-cjk``).
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

import chaffinch
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
def inspected(*given: Path | str) -> Iterator[str]:
    """Run the inspector, and give the address of its first view."""
    command = [sys.executable, "-m", "chaffinch", "inspect", *map(str, given), "--no-open"]
    with subprocess.Popen([*command, "-w", "1"], stderr=subprocess.PIPE, text=True) as process:
        found = re.search(r"http://[^\s;]+", process.stderr.readline())
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
    page.wait_for_selector("page-frame[data-built], table.pages a.entry")
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


def layers(page: Page) -> None:
    """Lay what four methods would keep beside the decision, two of which compare pages."""
    for number in "1356":
        page.keyboard.press(number)
    page.wait_for_selector("#block-0 .layers .mark:nth-of-type(4)")
    page.click(".row.title")


def all_read(page: Page) -> None:
    """Wait until all pages of a site are read."""
    page.wait_for_function("() => !/ of |共/.test(document.querySelector('.count').textContent)")


def templates(page: Page) -> None:
    """Show a template: its slots, and its pages side by side."""
    all_read(page)
    page.click(".tabs a >> nth=1")
    page.wait_for_selector("table.beside tbody tr")


def teaching(page: Page) -> None:
    """Say that the titles of a shop's cards are content."""
    all_read(page)
    page.fill("input[type=search]", "/shop/index")
    page.click("table.pages a.entry")
    page.wait_for_selector(".teach-view[data-page]")
    if page.is_visible(".sides"):
        page.click(".sides [data-value=paper]")
    page.frame_locator("page-frame iframe").locator("div.card h2").first.click()
    if page.text_content(".path .here") == "a":
        page.keyboard.press("ArrowUp")
    page.keyboard.press("c")
    page.wait_for_selector(".rule-part .keep", state="attached")
    if page.is_visible(".sides"):
        page.click(".sides [data-value=data]")


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
        with inspected(site / ARTICLE, "--siblings", site / "birds") as address:
            picture(browser, "inspector-layers", address, WIDE, layers)
        pages = sorted(one for one in site.rglob("*.html") if "/zh/" not in one.as_posix())
        model = Path(folder, "grain.toml")
        chaffinch.Site.learn(pages).save(model)
        with inspected(model, site) as address:
            picture(browser, "inspector-site", address, WIDE, templates)
            picture(browser, "inspector-teach", address, WIDE, teaching)
            picture(browser, "inspector-teach-zh", address, NARROW, teaching, locale="zh-CN")
        browser.close()


if __name__ == "__main__":
    main()
