"""How large is the house, and how far does a page go in it?

    python -m bench.size                     lines and files of each room, beside the plan's budgets
    python -m bench.size --trip [PAGE.html]  the files that a page enters for its text and its row

Lines are all lines of a file, in any language; compiled files, data (JSON, npz) and generated
reference pages don't count. A trip counts what is entered the second time: what is made once for
all pages doesn't count. Calls are those of Python and of C alike.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import chaffinch

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = Path(chaffinch.__file__).parent
CODE: Final = {".py", ".pyi", ".c", ".h", ".js", ".css", ".html"}
AROUND: Final = {
    "batch", "cli", "comparison", "corpus", "crawl", "evaluate", "fetch", "inspector", "plugins",
    "render", "reports", "service", "site", "warc", "web",
}  # fmt: skip
"""Rooms around the core."""
AIMS: Final = {
    "src": 56_000,
    "core": 36_000,
    "around": 20_000,
    "tests": 28_000,
    "bench + training": 13_000,
}
GENERATED: Final = {"docs/api.md", "docs/cli.md"}


def files(folder: str, suffixes: set[str]) -> list[tuple[Path, int]]:
    """Return (path from the root, lines) of the files under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "--", folder],  # noqa: S607  the git of whoever runs it
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    paths = [Path(name) for name in listed if Path(name).suffix in suffixes]
    return [(path, (ROOT / path).read_bytes().count(b"\n")) for path in paths]


def sizes() -> None:
    """Print a table of rooms, then the sums beside their budgets."""
    rooms: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for path, lines in files("src/chaffinch", CODE):
        room = path.parts[2] if len(path.parts) > 3 else "(top)"
        for name in (room, "around" if room in AROUND else "core", "src"):
            rooms[name] += lines
            counts[name] += 1
    for name, folders in (("tests", ["tests"]), ("bench + training", ["bench", "training"])):
        for folder in folders:
            found = files(folder, CODE)
            rooms[name] += sum(lines for _, lines in found)
            counts[name] += len(found)
    sums = list(AIMS)
    print("| | lines | files | aim |\n|---|---:|---:|---:|")
    for name in [*sorted(rooms.keys() - set(sums), key=lambda one: -rooms[one]), *sums]:
        aim = f"≤ {AIMS[name]:,}" if name in AIMS else ""
        print(f"| {name} | {rooms[name]:,} | {counts[name]:,} | {aim} |")
    pages = [path for path, _ in files("docs", {".md"}) if str(path) not in GENERATED]
    words = sum(len((ROOT / path).read_text("utf-8").split()) for path in pages)
    print(f"| docs, words | {words:,} | {len(pages)} | ≤ 48,000, ≤ 36 |")


def trip(of: Callable[[bytes], object], html: bytes) -> tuple[dict[str, int], int]:
    """Return file → calls into it from other files, in the order of the first, and all calls."""
    entered: dict[str, int] = {}
    calls = 0
    of(html)

    def follow(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(PACKAGE)):
            above = frame.f_back
            while above is not None and not above.f_code.co_filename.startswith(str(PACKAGE)):
                above = above.f_back
            if above is None or above.f_code.co_filename != name:
                short = str(Path(name).relative_to(PACKAGE))
                entered[short] = entered.get(short, 0) + 1

    sys.setprofile(follow)
    try:
        of(html)
    finally:
        sys.setprofile(None)
    return entered, calls


def text(html: bytes) -> object:
    """Read a page to its text."""
    return chaffinch.extract(html).text


def row(html: bytes) -> object:
    """Read a page to what a run's row has."""
    content = chaffinch.extract(html)
    return content.text, content.markdown(), content.metadata, content.confidence


def trips(page: Path | None) -> None:
    """Print the files of both trips, and calls."""
    if page is not None:
        html = page.read_bytes()
    else:
        sys.path.insert(0, str(ROOT / "examples"))
        from site_maker import pages  # noqa: PLC0415  found only after the line above

        html = next(one["html"].encode("latin-1") for one in pages() if "2024" in one["url"])
    for name, of, aim in (("text", text, 30), ("row", row, 50)):
        entered, calls = trip(of, html)
        for place, (file, times) in enumerate(entered.items(), start=1):
            print(f"{place:3} {file:45} {times:4}")
        print(f"{name}: {len(entered)} files (aim {aim}), {calls:,} calls, {len(html):,} bytes\n")


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.size",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("page", nargs="?", type=Path, help="a file; default: an example page")
    parser.add_argument("--trip", action="store_true", help="files that a page enters")
    given = parser.parse_args()
    if given.trip or given.page is not None:
        trips(given.page)
    else:
        sizes()


if __name__ == "__main__":
    main()
