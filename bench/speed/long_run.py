"""A long run of small pages: whether throughput, memory and handles stay the same over time.

    python -m bench.speed.long_run                      200,000 pages of 5 kB, two workers
    python -m bench.speed.long_run --pages 20000

The archive is ``bench/lib/archive.py``'s, without harm, made in a process of its own. The engine is
the local one. A row of the table is a twentieth of the pages, printed when they are done: what they
took, and what the parent and its children hold. Processor time is that of the parent and all
children, so that neighbours on the machine don't count. At the end it says whether the second half
was flat, as `bench.lib.soak_samples` has it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import psutil

from bench.lib.soak_samples import Sample, rises, taken
from bench.lib.timing import machine, versions
from bench.speed.service import processor_seconds
from chaffinch.batch import Plan, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch.record import Record
    from chaffinch.batch.shard import ShardOutcome
    from chaffinch.batch.sources.shards import Shard
    from chaffinch.workers.messages import Reply

_ROWS: Final = 20
_EVERY: Final = 2.0  # seconds between two samples
_HEADS: Final = (
    "pages", "s", "pages/s", "processor ms a page", "parent MiB", "children MiB", "handles",
    "threads", "temporary files",
)  # fmt: skip


class Moment(NamedTuple):
    """The state of a run at a time.

    Attributes:
        pages: done so far.
        seconds: since it began.
        spent: processor seconds since it began.
        parent: what the parent holds.
        children: what its children hold.
    """

    pages: int
    seconds: float
    spent: float
    parent: Sample
    children: Sample


class Watch:
    """Listens to a run, takes a sample every other second, and prints some as rows of the table."""

    def __init__(self, pages: int, temporary: Path) -> None:
        self.moments: list[Moment] = []
        self._every = pages / _ROWS
        self._shown: Moment | None = None
        self._pages = 0
        self._lock = threading.Lock()
        self._temporary = temporary
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def begin(self, _shards: Sequence[Shard], _done: Sequence[ShardOutcome], /) -> None:
        """Begin to look."""
        self._own = psutil.Process()
        self._start, self._spent = time.monotonic(), processor_seconds(self._own)
        self._thread.start()

    def page(self, _record: Record, _reply: Reply, /) -> None:
        """Count a page; called from the threads of several shards."""
        with self._lock:
            self._pages += 1

    def shard(self, _outcome: ShardOutcome, /) -> None:
        """Pages are counted one by one."""

    def end(self) -> None:
        """Stop looking."""
        self._is_over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._is_over.wait(_EVERY):
            try:
                spent = processor_seconds(self._own) - self._spent
            except psutil.Error:  # a child ended meanwhile
                continue
            now = Moment(
                self._pages,
                time.monotonic() - self._start,
                spent,
                taken([self._own], self._temporary),
                taken(self._own.children(recursive=True), self._temporary),
            )
            self.moments.append(now)
            before = self._shown or self.moments[0]
            if now.pages // self._every > before.pages // self._every:
                self._shown = now
                print(row_of(before, now), flush=True)


def row_of(before: Moment, now: Moment) -> str:
    """Return a row of the table: what was done between two moments, and what is held at the end."""
    done = max(1, now.pages - before.pages)
    took = max(now.seconds - before.seconds, 0.001)
    cost = 1000 * (now.spent - before.spent) / done
    both = [before + after for before, after in zip(now.parent, now.children, strict=True)]
    cells = (
        f"{now.pages:,}", f"{now.seconds:,.0f}", f"{done / took:.0f}", f"{cost:.2f}",
        f"{now.parent.memory >> 20}", f"{now.children.memory >> 20}", *map(str, both[1:3]),
        str(now.parent.files),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Print the table; 1 where something rises."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--pages", type=int, default=200_000)
    options.add_argument("--files", type=int, default=16)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        counts = ["--pages", str(chosen.pages), "--files", str(chosen.files), "--clean"]
        make = [sys.executable, "-m", "bench.lib.archive", str(folder / "archive"), *counts]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        (folder / "temporary").mkdir()
        tempfile.tempdir = str(folder / "temporary")
        there = versions("chaffinch", "pyarrow")
        print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}; {there}\n")
        print(f"| {' | '.join(_HEADS)} |\n|{'---:|' * len(_HEADS)}", flush=True)
        watch = Watch(chosen.pages, folder / "temporary")
        try:
            plan = Plan(out=str(folder / "out"))
            report = run([str(folder / "archive")], plan, workers=chosen.workers, listener=watch)
        finally:
            watch.end()
            tempfile.tempdir = None
    errors = dict(report.tally.errors)
    print(f"\n{report.tally.rows:,} rows, errors {errors}, {report.rate:.0f} pages/s")
    why = list(rises([one.parent for one in watch.moments]))
    print(f"Second half, the parent: {'; '.join(why) or 'flat'}")
    return int(bool(why))


if __name__ == "__main__":
    sys.exit(main())
