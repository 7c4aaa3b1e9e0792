"""Pages by a grammar and by mutation, guided by coverage and cost, through all that reads a page.

Each page is parsed, extracted by every method and written to every output; every call of a kernel
is made by both back ends. Whatever isn't a `PageError` or a `SetupError` is a finding, and so is
what takes time, memory or room out of proportion (`bench.lib.fuzz_trial`). Pages that lead to lines
in an order in which none led before, or cost some output half as much again a byte as any before,
are kept and changed further; labelled pages are cut and changed, too, where `CHAFFINCH_CORPORA` has
some. One page in fifty is a unit repeated at growing sizes, whose costs tell how outputs grow.

In the fast lane a page is parsed, read by one method and written to three outputs, all chosen at
random, by the native back end alone; those that lead elsewhere or are dear go through everything.

A run goes on where it was ended; the report tells all that its folder holds.

    python -m bench.safety.fuzz --fast                    1,000,000 pages: make fuzz
    python -m bench.safety.fuzz --pages 2000 --workers 4
    python -m bench.safety.fuzz --report                  what the folder holds
    python -m bench.safety.fuzz --try PAGE.html           one page again
    python -m bench.safety.fuzz --shrink PAGE.html        the shortest that shows its first finding
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Final

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench import ROOT
from bench.lib.fuzz_pumps import growth, unit
from bench.lib.fuzz_report import report
from bench.lib.fuzz_store import Store, stores
from bench.lib.fuzz_trial import Finding, Outcome, Trial
from bench.lib.hostile_grammar import Grammar
from bench.lib.hostile_outputs import COMPARED, OUTPUTS
from bench.lib.line_coverage import LineCoverage
from bench.lib.output_costs import load_outputs
from bench.lib.page_mutations import cut, mutated
from bench.lib.shrinking import shrunk
from bench.lib.source_words import PACKAGE
from bench.lib.timing import corpora

PAGES: Final = 1_000_000
LABELLED: Final = (
    "wcxb",
    "magic_html_forum",
    "harvest_forum",
    "daniel",
    "zh_news",
    "fundus",
    "recipes",
)
"""Corpora whose pages are changed; never those that are for benchmarks alone."""
_OF_EACH: Final = 60
_LARGEST: Final = 6_000
_PUMPED_EVERY: Final = 50
_PUMPED_EVERY_FAST: Final = 2_000
_GLANCES: Final = 3
_OF_ONE_PAGE: Final = tuple(one for one in OUTPUTS if one != "parse" and one not in COMPARED)
_METHODS: Final = tuple(one for one in _OF_ONE_PAGE if one.startswith("method "))
_WRITTEN: Final = tuple(one for one in _OF_ONE_PAGE if one not in _METHODS)
_COVERED_EVERY: Final = 2
_COVERED_EVERY_BRIEF: Final = 6
_COVERED_EVERY_FAST: Final = 4
_SAVED_EVERY: Final = 500
_CRASHES: Final = 200  # of a worker, from where on it isn't started again


class Fuzzer:
    """One worker: makes pages, tries them, keeps what is worth it.

    Args:
        store: where all is kept.
        seed: of the random numbers.
        labelled: pages that are changed.
        brief: small pages, of each a twentieth of the outputs.
        fast: only pages that lead elsewhere go through everything.
    """

    def __init__(
        self, store: Store, seed: int, labelled: list[bytes], *, brief: bool, fast: bool
    ) -> None:
        self.store = store
        self.random = random.Random(seed)  # noqa: S311  no secrets
        self.grammar = Grammar(self.random)
        self.trial = Trial(brief=brief)
        self.most_bytes = _LARGEST // 10 if brief else _LARGEST
        seldom = _COVERED_EVERY_FAST if fast else _COVERED_EVERY
        self.covered_every = _COVERED_EVERY_BRIEF if brief else seldom
        self.pumped_every = 0 if brief else _PUMPED_EVERY_FAST if fast else _PUMPED_EVERY
        self.is_fast = fast
        self.coverage = LineCoverage(PACKAGE)
        self.coverage.seen = store.seen
        self.labelled = labelled

    def run(self, pages: int) -> None:
        """Try so many more pages."""
        until = self.store.counts.get("pages", 0) + pages
        while self.store.counts.get("pages", 0) < until:
            if self.pumped_every and not self.random.randrange(self.pumped_every):
                self._pumped()
            else:
                self._one()
            if self.store.counts["pages"] % _SAVED_EVERY == 0:
                self.store.save()
        self.store.save()

    def _one(self) -> None:
        html = self._made()
        self.store.begin(html)
        is_new = False
        try_ = self._glanced if self.is_fast else self.trial.run
        if self.random.randrange(self.covered_every):
            outcome = try_(html)
        else:
            with self.coverage:
                outcome = try_(html)
            is_new = self.coverage.new > 0
            outcome = outcome._replace(seconds={})  # of watching, too
        is_kept = self._note(html, outcome, is_new=is_new)
        if self.is_fast and is_kept:
            whole = self.trial.run(html)
            self._judge(html, whole)
        self.store.count("through all outputs", int(is_kept or not self.is_fast))

    def _glanced(self, html: bytes) -> Outcome:
        dice = self.random
        return self.trial.glance(html, [dice.choice(_METHODS), *dice.sample(_WRITTEN, _GLANCES)])

    def _pumped(self) -> None:
        pool = self.store.pages if self.store.pages and self.random.random() < 0.6 else []
        page = self.random.choice(pool) if pool else self.grammar.page(self.random.randint(1, 4))
        parts = unit(page, self.random)
        self.store.begin(repr(parts).encode())
        for html, outcome in growth(self.trial, parts):
            self.store.count("pumped")
            self.store.count("through all outputs")
            self._note(html, outcome, is_new=False)

    def _made(self) -> bytes:
        dice, chosen = self.random, self.random.random()
        if chosen < 0.4 and self.store.pages:
            self.store.count("kept pages changed")
            return mutated(self.store.pages, self._piece, dice)[: self.most_bytes]
        if chosen < 0.6 and self.labelled:
            self.store.count("labelled pages changed")
            stretches = [cut(dice.choice(self.labelled), dice, self.most_bytes) for _ in range(2)]
            return mutated(stretches, self._piece, dice)[: 2 * self.most_bytes]
        self.store.count("grammar")
        return self.grammar.page(dice.choice([1, 2, 4, 8, 15]))[: 2 * self.most_bytes]

    def _piece(self) -> bytes:
        return self.grammar.piece().encode("utf-8", "surrogatepass")

    def _note(self, html: bytes, outcome: Outcome, *, is_new: bool) -> bool:
        """Count a page, keep what is worth it; return whether it is."""
        store = self.store
        store.count("pages")
        store.count("bytes", len(html))
        store.count("refused", int(outcome.refused))
        is_kept = self._judge(html, outcome) or is_new
        if is_kept:
            store.count("led elsewhere", int(is_new))
            store.keep(html)
        return is_kept

    def _judge(self, html: bytes, outcome: Outcome) -> bool:
        """Note findings and costs; return whether the page is dear."""
        for finding in outcome.findings:
            self.store.count("findings")
            self.store.find(finding, html)
        return self.store.weigh(outcome.seconds, outcome.memory, html)


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
        if not options.brief:
            load_outputs()
        seed = number * 1_000_003 + store.counts.get("pages", 0)
        labelled = [] if options.made_up else labelled_pages(number)
        Fuzzer(store, seed, labelled, brief=options.brief, fast=options.fast).run(left)


def _supervise(options: argparse.Namespace) -> None:
    """Start workers, and start those again that a page ended, which is a finding, too."""
    share = -(-options.pages // options.workers)
    command = [
        sys.executable,
        "-m",
        "bench.safety.fuzz",
        "--folder",
        str(options.folder),
        "--pages",
        str(share),
    ]
    command += ["--made-up"] * options.made_up + ["--brief"] * options.brief
    command += ["--fast"] * options.fast

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
    outcome = Trial().run(path.read_bytes())
    for finding in outcome.findings:
        print(finding.name, finding.what, finding.trace, sep="\n")
    dear = sorted(outcome.seconds.items(), key=lambda one: -one[1])[:5]
    print(
        f"{len(outcome.findings)} findings; {', '.join(f'{o} {s * 1e3:.1f} ms' for o, s in dear)}"
    )
    return bool(outcome.findings)


def _shrink(path: Path) -> int:
    load_outputs()
    trial = Trial()
    html = path.read_bytes()
    names = {finding.name for finding in trial.run(html).findings[:1]}
    print(shrunk(html, lambda one: names <= {found.name for found in trial.run(one).findings}))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "fuzz")
    parser.add_argument("--made-up", action="store_true", help="no labelled pages")
    parser.add_argument(
        "--brief", action="store_true", help="small pages, a twentieth of the outputs"
    )
    parser.add_argument(
        "--fast", action="store_true", help="a method and three outputs of most pages"
    )
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
        _work(options)
        return 0
    if not options.report:
        _supervise(options)
    print("\n".join(report(options.folder)))
    return int(any(store.findings for store in stores(options.folder)))


if __name__ == "__main__":
    sys.exit(main())
