"""Seconds until a site of many pages is open in the inspector, in a real browser.

    python -m bench.speed.opened_site [--pages 500]

The pages are those of the example site's English half over and over, with their numbers changed.
Counted from the address being opened, with the service ready: until the first pages are listed,
until the templates are shown, until all pages are judged by both modes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from playwright.sync_api import sync_playwright

import chaffinch
from bench.lib.running_inspector import inspector
from bench.lib.timing import machine, versions
from chaffinch.render.chromium import find_browser

_LEARNED = 36
_ALL = "() => !document.querySelector('.count').textContent.includes(' of ')"


def main() -> None:
    """Make the site, open it, print the seconds."""
    parser = argparse.ArgumentParser(description="Seconds until a site is open.")
    parser.add_argument("--pages", type=int, default=500, help="Pages of the site.")
    count = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "examples/make_site.py", folder], check=True)
        lines = Path(folder, "pages.jsonl").read_text("utf-8").splitlines()
        rows = [row for row in map(json.loads, lines) if row["lang"] == "en"]
        pages = Path(folder, "own")
        pages.mkdir()
        for number, row in enumerate(islice(cycle(rows), count)):
            html = row["html"].replace("20", f"{number % 80 + 10}")
            (pages / f"{number:05}.html").write_bytes(html.encode("latin-1"))
        model = Path(folder, "site.toml")
        chaffinch.Site.learn(sorted(pages.iterdir())[:_LEARNED]).save(model)
        _open(model, pages)
    print(machine(), versions())


def _open(model: Path, pages: Path) -> None:
    with inspector(model, pages) as address, sync_playwright() as playwright:
        program = find_browser(None)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 800})
        began = time.perf_counter()
        tab.goto(f"{address}/#/site")
        tab.wait_for_selector("table.pages a.entry")
        print(f"first pages listed after {time.perf_counter() - began:.2f} s")
        tab.click("nav.tabs a >> nth=1")
        tab.wait_for_selector("site-templates h2")
        print(f"templates shown after {time.perf_counter() - began:.2f} s")
        tab.click("nav.tabs a >> nth=0")
        tab.wait_for_function(_ALL)
        print(f"all pages judged after {time.perf_counter() - began:.2f} s")
        browser.close()


if __name__ == "__main__":
    main()
