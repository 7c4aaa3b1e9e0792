"""Whether memory, handles, threads and temporary files stay flat over very many pages.

Small pages extracted in this process, pages through batch, requests to the service, each with
samples of the process and its children; then runs, crawls, sites and services killed at random
points (`bench.safety.kills`). The second half of the samples must be flat.

    python -m bench.safety.soak                                     make soak: about an hour
    python -m bench.safety.soak --extractions 2000000 --pages 200000 --requests 200000 --kills 0
    python -m bench.safety.soak --parts extractions                 one part alone
    python -m bench.safety.soak --extractions 2000000 --minutes 40  what 40 minutes a part allow
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import psutil

import bench.lib.one_core  # noqa: F401  before numpy is loaded
import chaffinch
from bench.lib.archive import Shape, small_pages, write_archive
from bench.lib.http_load import send_load
from bench.lib.processes import Sample, family, rises, taken
from bench.lib.timing import machine, versions
from bench.speed.service import running
from chaffinch.corpus import Plan, Recipe, run

SAMPLES: Final = 40
_ROUND: Final = 500  # extractions or requests between two samples of a part that time ends
_ROW: Final = "| {} | {:,} | {:.0f} | {} | {} | {} | {} | {} |"
_HEAD: Final = """\
| part | pages | s | MB, at half and at the end | handles | threads | temporary files | flat |
|---|---:|---:|---|---|---|---|---|"""
_PARAGRAPHS: Final = 3
_CONNECTIONS: Final = 16


class Failure(Exception):  # noqa: N818  what the bench is for
    """A part did other than what was requested."""


class Soaked(NamedTuple):
    """What a part did: how many pages, and samples of what the processes held meanwhile."""

    pages: int
    samples: list[Sample]


def extractions(count: int, temporary: Path, end: float) -> Soaked:
    """Extract small pages in this process, every output of text in turn."""
    pages = small_pages(500, paragraphs=_PARAGRAPHS)
    own = [psutil.Process()]
    samples = []
    every = _every(count, end)
    for number in range(count):
        if number % every == 0:
            samples.append(taken(own, temporary))
            if time.monotonic() > end:
                return Soaked(number, samples)
        extract = chaffinch.extract(pages[number % len(pages)], url="https://farm.example/oats")
        made = (extract.text, extract.markdown, extract.to_json)[number % 3]
        if not (made if isinstance(made, str) else made()):
            raise Failure(f"nothing of page {number}")
    return Soaked(count, samples)


def batch(count: int, temporary: Path, end: float) -> Soaked:
    """Run pages of an archive through batch, with two children; time doesn't end it."""
    del end
    with tempfile.TemporaryDirectory(dir=temporary.parent) as folder:
        shape = Shape(pages=count, files=8, hosts=40, large=0, has_perils=False, paragraphs=3)
        write_archive(Path(folder, "archive"), shape)
        plan = Plan(out=str(Path(folder, "out")), buckets=4, recipe=Recipe())
        with _sampled(lambda: family(os.getpid()), temporary) as samples:
            run([str(Path(folder, "archive"))], plan, workers=2)
    return Soaked(count, samples)


def requests(count: int, temporary: Path, end: float) -> Soaked:
    """Send requests to a service, and sample it between rounds of them."""
    pages = small_pages(200, paragraphs=_PARAGRAPHS)
    samples, done = list[Sample](), 0
    with running() as (process, port):
        each = _every(count, end)
        while done < count and time.monotonic() < end:
            load = asyncio.run(send_load(port, pages, connections=_CONNECTIONS, requests=each))
            if set(load.statuses) != {200}:
                raise Failure(f"answers by status: {dict(load.statuses)}")
            done += each
            samples.append(taken(family(process.pid), temporary))
    return Soaked(done, samples)


def _every(count: int, end: float) -> int:
    """Return how many pages lie between two samples."""
    return max(count // SAMPLES, 1) if math.isinf(end) else _ROUND


PARTS: Final = {"extractions": extractions, "pages": batch, "requests": requests}
_COUNTS: Final = {"extractions": 400_000, "pages": 40_000, "requests": 40_000}


@contextmanager
def _sampled(
    processes: Callable[[], list[psutil.Process]], temporary: Path, every: float = 0.5
) -> Iterator[list[Sample]]:
    """Take samples in a thread."""
    samples: list[Sample] = []
    is_over = threading.Event()

    def watch() -> None:
        while not is_over.wait(every):
            samples.append(taken(processes(), temporary))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield samples
    finally:
        is_over.set()
        watcher.join()


def _line(part: str, soaked: Soaked, seconds: float, why: list[str]) -> str:
    count, samples = soaked
    middle, last = samples[len(samples) // 2], samples[-1]
    memory = f"{middle.memory >> 20}, {last.memory >> 20}"
    others = [f"{getattr(middle, n)}, {getattr(last, n)}" for n in ("handles", "threads", "files")]
    return _ROW.format(part, count, seconds, memory, *others, "; ".join(why) or "yes")


def main() -> int:
    """Print a line for each part; 1 where something rises or was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for part in PARTS:
        parser.add_argument(f"--{part}", type=int, default=_COUNTS[part])
    parser.add_argument("--minutes", type=float, default=math.inf, help="of a part, at most")
    parser.add_argument("--kills", type=int, default=60, help="0 for none")
    parser.add_argument("--parts", nargs="+", choices=[*PARTS, "kills"], default=[*PARTS, "kills"])
    options = parser.parse_args()
    failed = False
    print(
        f"{datetime.now(tz=UTC).date()}, {machine()}, {versions('chaffinch', 'numpy')}\n\n{_HEAD}"
    )
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder, "temporary")
        temporary.mkdir()
        os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)
        for part, soak in PARTS.items():
            if part in options.parts:
                start, count = time.monotonic(), getattr(options, part)
                soaked = soak(count, temporary, start + 60 * options.minutes)
                why = list(rises(soaked.samples))
                failed |= bool(why)
                print(_line(part, soaked, time.monotonic() - start, why), flush=True)
    if "kills" in options.parts and options.kills:
        command = [sys.executable, "-m", "bench.safety.kills", "--kills", str(options.kills)]
        failed |= bool(subprocess.run(command, check=False).returncode)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
