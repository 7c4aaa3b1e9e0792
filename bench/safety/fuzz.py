"""Pages by a grammar and by mutation, guided by coverage and cost, through all that reads a page.

Each page is parsed, extracted by every method and written to every output. Whatever isn't a
`PageError` or a `SetupError` is a finding, and so is what takes time, memory or room out of
proportion (`bench.lib.fuzzing`). Pages that lead to lines
in an order in which none led before, or cost some output half as much again a byte as any before,
are kept and changed further; labelled pages are cut and changed, too, where `CHAFFINCH_CORPORA` has
some. One page in a hundred, and each with ``--growth``, is short pieces of the grammar within tags
that stay open, repeated at growing sizes, whose costs tell how outputs grow. A page is read by one
method and written to three outputs, all chosen at random; those that lead elsewhere or are dear go
through everything.

A run goes on where it was ended; the report tells all that its folder holds.

    python -m bench.safety.fuzz                           1,000,000 pages: make fuzz
    python -m bench.safety.fuzz --growth --pages 100000
    python -m bench.safety.fuzz --report                  what the folder holds
    python -m bench.safety.fuzz --try PAGE.html           one page again
    python -m bench.safety.fuzz --shrink PAGE.html        the shortest that shows its first finding
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench import ROOT
from bench.lib.fuzzing import Finding, Fuzzer, Store, tried
from bench.lib.output_costs import load_outputs
from bench.lib.processes import end_with_parent
from bench.lib.timing import corpora, machine, versions

PAGES: Final = 1_000_000
LABELLED: Final = "wcxb magic_html_forum harvest_forum daniel zh_news fundus recipes".split()
"""Corpora whose pages are changed; never those that are for benchmarks alone."""
_OF_EACH: Final = 60
_CRASHES: Final = 200  # of a worker, from where on it isn't started again


def labelled_pages(seed: int) -> list[bytes]:
    """Return some pages of each corpus that is there, others for another seed."""
    found: list[bytes] = []
    for name in LABELLED:
        path = corpora() / "corpora" / f"{name}.jsonl.xz"
        if path.exists():
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                chosen = islice(lines, seed % 7, None, 7)
                found += [
                    json.loads(one)["html"].encode("latin-1") for one in islice(chosen, _OF_EACH)
                ]
    return found


def _work(options: argparse.Namespace) -> None:
    number = options.worker
    store = Store(options.folder / f"worker-{number}")
    left = options.pages - store.counts.get("pages", 0)
    if left > 0:
        if options.lane != "brief":
            load_outputs()
        seed = number * 1_000_003 + store.counts.get("pages", 0)
        labelled = [] if options.made_up else labelled_pages(number)
        Fuzzer(store, seed, labelled, options.lane).run(left)


def _supervise(options: argparse.Namespace) -> None:
    """Start workers, and start those again that a page ended, which is a finding, too."""
    share = -(-options.pages // options.workers)
    command = [sys.executable, "-m", "bench.safety.fuzz", "--folder", str(options.folder)]
    command += ["--pages", str(share)]
    command += ["--made-up"] * options.made_up + [f"--{options.lane}"] * (options.lane != "fast")

    def start(number: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*command, "--worker", str(number)], cwd=ROOT)

    running = {number: start(number) for number in range(options.workers)}
    crashes = 0
    try:
        while running:
            time.sleep(0.1)
            for number, process in list(running.items()):
                status = process.poll()
                if status is None:
                    continue
                del running[number]
                if status:
                    crashes += 1
                    _note_crash(options.folder / f"worker-{number}", status)
                    if crashes < _CRASHES:
                        running[number] = start(number)
    finally:
        for process in running.values():
            process.terminate()


def _note_crash(folder: Path, status: int) -> None:
    store = Store(folder)
    store.count("pages", 1)
    html = (folder / "current.html").read_bytes() if (folder / "current.html").exists() else b""
    store.find(Finding("process", f"ended with status {status}"), html)
    store.save()


def _try(path: Path) -> int:
    load_outputs()
    outcome = tried(path.read_bytes())
    for finding in outcome.findings:
        print(finding.name, finding.what, finding.trace, sep="\n")
    dear = sorted(outcome.seconds.items(), key=lambda one: -one[1])[:5]
    print(
        f"{len(outcome.findings)} findings; {', '.join(f'{o} {s * 1e3:.1f} ms' for o, s in dear)}"
    )
    return bool(outcome.findings)


def _shrink(path: Path) -> int:
    load_outputs()
    html = path.read_bytes()
    names = {finding.name for finding in tried(html).findings[:1]}
    print(shrunk(html, lambda one: names <= {found.name for found in tried(one).findings}))
    return 0


def shrunk(page: bytes, shows: Callable[[bytes], bool], tries: int = 600) -> bytes:
    """Return what is left of a page where stretches are cut out, halves first, then ever less."""
    length = len(page) // 2
    while length and tries > 0:
        at = 0
        while at < len(page) and tries > 0:
            shorter = page[:at] + page[at + length :]
            tries -= 1
            if shows(shorter):
                page = shorter
            else:
                at += length
        length //= 2
    return page


def report(folder: Path) -> Iterator[str]:
    """Yield lines in Markdown: what was tried, the dearest pages, and what was found."""
    found = _stores(folder)
    counts: dict[str, int] = {}
    for store in found:
        for name, count in store.counts.items():
            counts[name] = counts.get(name, 0) + count
    today = datetime.now(tz=UTC).date()
    yield f"{today}, {machine()}, {versions('chaffinch', 'selectolax', 'numpy')}"
    yield ""
    yield "| what | how many |"
    yield "|---|---:|"
    yield from (f"| {name} | {count:,} |" for name, count in counts.items())
    yield f"| steps from line to line | {len(set().union(*(store.seen for store in found))):,} |"
    yield ""
    yield "| output | most µs a byte |"
    yield "|---|---:|"
    dearest: dict[str, float] = {}
    for store in found:
        dearest.update({o: max(cost, dearest.get(o, 0.0)) for o, cost in store.dearest.items()})
    yield from (
        f"| {o} | {cost * 1e6:.0f} |"
        for o, cost in sorted(dearest.items(), key=lambda one: -one[1])
    )
    yield ""
    for store in found:
        for one in store.findings.values():
            page = f"{store.folder.name}/findings/{one['page']}"
            where = f"{one['where']}; {one['times']} times, {one['bytes']} bytes, {page}"
            yield f"- {one['stage']}: {one['what']} ({where})"


def _stores(folder: Path) -> list[Store]:
    return [Store(path) for path in sorted(folder.glob("worker-*"))]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz")
    parser.add_argument("--made-up", action="store_true", help="no labelled pages")
    for lane, what in (("growth", "repeated pieces alone"), ("brief", argparse.SUPPRESS)):
        parser.add_argument(f"--{lane}", dest="lane", action="store_const", const=lane, help=what)
    parser.set_defaults(lane="fast")
    parser.add_argument("--report", action="store_true", help="tell what the folder holds")
    parser.add_argument("--try", dest="page", type=Path, help="try one page")
    parser.add_argument("--shrink", type=Path, help="make one page shorter")
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Fuzz; print the report; 1 where something was found."""
    options = _options()
    if options.page:
        return _try(options.page)
    if options.shrink:
        return _shrink(options.shrink)
    if options.worker is not None:
        end_with_parent()
        _work(options)
        return 0
    if not options.report:
        _supervise(options)
    print("\n".join(report(options.folder)))
    return int(any(store.findings for store in _stores(options.folder)))


if __name__ == "__main__":
    sys.exit(main())
