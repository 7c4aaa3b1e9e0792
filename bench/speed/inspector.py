"""How quickly the inspector shows a big page: ``python -m bench.speed.inspector``.

A made-up page of 2 MB and some 20,000 rows, or a page that is given, in Chromium at 1280 pixels:
milliseconds until the table of blocks and the page itself stand there, and until another favour has
repainted them; frames a second while the table and the page scroll and while the pointer goes over
it, whose longest frame is printed, too; with ``--layers`` with the layers of these methods on.
Times of a machine that does other things mean little: the processor time of the decision alone is
printed beside them.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from playwright.sync_api import sync_playwright

import chaffinch
from chaffinch.render.chromium import find_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

_WORDS: Final = (
    "the chaffinch sings from top of birch and its song ends with flourish in spring garden seed "
    "insect nest egg brown spot wood"
).split()
_ENTRIES: Final = 2650
_SIZE: Final = 2_000_000
_FRAMES: Final = """
async () => {
  const grid = document.querySelector(".grid") ?? document.scrollingElement, times = [];
  for (let at = 0; at < 90; at++) {
    await new Promise((done) => requestAnimationFrame((now) => { times.push(now); done(); }));
    grid.scrollTop += 240;
  }
  return times;
}
"""
_TOOK: Final = re.compile(r"([\d,]+) ms")
"""How long the inspector says that a decision took, from the click to the repainted page."""
_RECORD: Final = """
() => {
  window.frames_ = [];
  const tick = (now) => { window.frames_.push(now); window.ticking = requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
}
"""


def made_up_page(entries: int) -> str:
    """Return a page of eight rows an entry; with the usual number it has 2 MB."""
    draw = random.Random(5)  # noqa: S311  not for secrets
    parts = ["<!doctype html><html lang=en><title>A long page</title><main><h1>A long page</h1>"]
    for number in range(entries):
        text = " ".join(draw.choices(_WORDS, k=45))
        parts.append(f"<div class='entry b{number % 7}'><h3>Entry {number}</h3><p>{text}.</p>")
        if number % 25 == 0:
            cells = "".join(f"<td>{draw.randrange(1000)}" for _ in range(6))
            parts.append("<table>" + f"<tr>{cells}" * 6 + "</table>")
        parts.append("</div>")
    text = "".join([*parts, "</main>"])
    return text + f"<!-- {'x' * (_SIZE * entries // _ENTRIES - len(text))} -->"


@contextmanager
def inspected(path: Path) -> Iterator[str]:
    """Run the inspector on a page, and give its address."""
    command = [sys.executable, "-m", "chaffinch", "inspect", str(path), "--no-open", "-w", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        line = process.stderr.readline() if process.stderr else ""
        try:
            yield next(word.rstrip(";") for word in line.split() if word.startswith("http"))
        finally:
            process.terminate()


def figures(page: Page, address: str) -> dict[str, float]:
    """Return the figures of one visit."""
    root = address.partition("#")[0]
    page.goto(root)
    page.wait_for_selector("button.first")
    page.goto(address)
    page.wait_for_selector("page-frame[data-built]", timeout=60_000)
    marks: dict[str, float] = page.evaluate(
        """() => {
          const begun = performance.getEntriesByType("resource")
            .find((one) => one.name.endsWith("/v1/inspect/page")).startTime;
          const at = (name) => performance.getEntriesByName(name)[0].startTime - begun;
          return { blocks: at("blocks shown"), page: at("page built") };
        }"""
    )
    found = {"blocks shown, ms": marks["blocks"], "page built, ms": marks["page"]}
    if "layers=" in address:
        page.wait_for_selector(".layers .mark", timeout=120_000)
    page.wait_for_timeout(1000)
    found |= _rates("scrolling", page.evaluate(_FRAMES))
    frame = next(one for one in page.frames if "/inspector/frame" in one.url)
    found |= _rates("page scrolling", frame.evaluate(_FRAMES))
    page.evaluate(_RECORD)
    for step in range(120):
        page.mouse.move(900 + step % 3, 330 + 3 * step)
    found |= _rates("hovering", page.evaluate("window.frames_"))
    page.evaluate("cancelAnimationFrame(window.ticking)")
    page.click("[data-value=recall]")
    while not (took := _TOOK.search(page.inner_text(".report"))):
        page.wait_for_timeout(5)
    found["another favour, ms"] = float(took[1].replace(",", ""))
    return found


def _rates(name: str, times: list[float]) -> dict[str, float]:
    gaps = [after - before for before, after in pairwise(times)]
    return {
        f"{name}, frames/s": 1000 * len(gaps) / sum(gaps),
        f"{name}, longest frame, ms": max(gaps),
    }


def decision_milliseconds(html: bytes | str) -> dict[str, float]:
    """Return the processor time of a decision again, and of the first one with reading."""
    found = chaffinch.extract(html)
    found.redecide(favor="recall")

    def milliseconds(work: Any) -> float:
        begun = time.process_time()
        for _ in range(10):
            work()
        return (time.process_time() - begun) * 100

    return {
        "rows": float(len(found.page)),
        "reading and decision, CPU ms": milliseconds(lambda: chaffinch.extract(html)),
        "decision again, CPU ms": milliseconds(lambda: found.redecide(favor="recall")),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, help="default: a made-up one")
    parser.add_argument("--entries", type=int, default=_ENTRIES, help="of the made-up page")
    parser.add_argument("--layers", default="", help="names of methods, with commas")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = given.page or Path(folder, "page.html")
        if given.page is None:
            path.write_text(made_up_page(given.entries), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=find_browser(None))
        with inspected(path) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            found = decision_milliseconds(path.read_bytes()) | figures(
                page, address + (f"&layers={given.layers}" if given.layers else "")
            )
        browser.close()
    for name, value in found.items():
        print(f"{name:32} {value:10,.1f}")


if __name__ == "__main__":
    main()
