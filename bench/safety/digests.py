"""Digests of every output over the example pages and the labelled pages, and what differs.

    python -m bench.safety.digests check                        each difference
    python -m bench.safety.digests check --corpus wcxb
    python -m bench.safety.digests show wcxb 0003 markdown      the present output of a page
    python -m bench.safety.digests write --output tables_html   makes stored digests anew

``check`` exits with 1 where anything differs. The commit that changes outputs on purpose says which
and why. To see what an output was before, run ``show`` in a checkout of the older version, too.

Metadata leaves out dates later than tomorrow, so the digests of a page that names a later day
change once that day has come.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bench.lib import digest_store as stored
from bench.lib.digest_outputs import cases_of
from bench.lib.digest_store import INPUT, Digests, Value

FOLDER: Final = Path(__file__).parent / "digests"
MODEL: Final = "(site)"
"""What stands for the page where the model of a site is meant."""
_SHARD: Final = 6 << 20  # bytes of a compressed corpus that one job takes


@dataclass(frozen=True)
class Job:
    """Some pages of a collection for one process."""

    collection: str
    every: int
    limit: int | None
    shard: int = 0
    shards: int = 1
    only: str = ""

    def chosen(self, pages: Sequence[stored.Source]) -> list[int]:
        """Return the numbers of its pages."""
        if self.only:
            return [number for number, page in enumerate(pages) if page.id == self.only]
        step = max(self.every, -(-len(pages) // self.limit) if self.limit else 1)
        return list(range(0, len(pages), step))[self.shard :: self.shards]


@dataclass
class Results:
    """What a job found: number, id and outputs of each page, and of the site's model."""

    job: Job
    pages: list[tuple[int, str, dict[str, Value]]] = field(default_factory=list)
    model: dict[str, Value] = field(default_factory=dict)
    count: int = 0
    seconds: float = 0.0


def run(job: Job) -> Results:
    """Digest the outputs of the pages of a job."""
    start = time.process_time()
    pages = stored.read(job.collection)
    found = Results(job, count=len(pages))
    reader = cases_of(job.collection, pages)
    for number in job.chosen(pages):
        found.pages.append((number, *reader.values(number)))
    found.model = reader.model_values()
    found.seconds = time.process_time() - start
    return found


def show(job: Job, output: str) -> str:
    """Return the present output of one page (of the model, if the page is ``MODEL``)."""
    pages = stored.read(job.collection)
    reader = cases_of(job.collection, pages)
    if job.only == MODEL:
        value = reader.model_output(output)
    else:
        chosen = job.chosen(pages)
        if not chosen:
            raise SystemExit(f"no page {job.only!r} in {job.collection}")
        value = reader.output(chosen[0], output)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)


def jobs(options: argparse.Namespace) -> list[Job]:
    """Return the jobs of a run, the longest first."""
    if unknown := sorted({*(options.corpus or ())} - {*stored.collections()}):
        raise SystemExit(f"no such collection: {', '.join(unknown)}")
    sized = []
    for name in options.corpus or stored.collections():
        size = stored.size_of(name)
        is_whole = options.limit or stored.is_site(name)  # each shard reads the corpus anew
        shards = 1 if is_whole else 1 + size // _SHARD
        sized += [
            (size / shards, Job(name, options.every, options.limit, shard, shards))
            for shard in range(shards)
        ]
    return [job for _, job in sorted(sized, key=lambda one: -one[0])]


def results(every_job: list[Job], workers: int) -> dict[str, Results]:
    """Return what the jobs found, by collection."""
    merged: dict[str, Results] = {}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        for done in as_completed([pool.submit(run, job) for job in every_job]):
            one = done.result()
            name = one.job.collection
            if name in merged:
                merged[name].pages += one.pages
                merged[name].seconds += one.seconds
            else:
                merged[name] = one
            print(f"{name}: {len(merged[name].pages)} pages", file=sys.stderr)
    for one in merged.values():
        one.pages.sort(key=lambda page: page[0])
    return merged


def write(options: argparse.Namespace) -> int:
    """Make the stored digests anew: those of the outputs that are named, or all."""
    for name, found in results(jobs(options), options.workers).items():
        path = options.folder / f"{name}.xz"
        new = Digests.of([row for _, _, row in found.pages], found.model)
        if options.output:
            old = Digests.load(path)
            old.columns |= {k: v for k, v in new.columns.items() if k in {*options.output, INPUT}}
            old.model |= {k: v for k, v in new.model.items() if k in options.output}
            new = old
        new.save(path)
        print(f"{name}: {len(new)} pages, {path.stat().st_size} bytes, {found.seconds:.0f} s")
    return 0


def check(options: argparse.Namespace) -> int:
    """Print each difference: collection, page, output. Return 1 if there is any."""
    counts: Counter[str] = Counter()
    pages, seconds = 0, 0.0
    for name, found in sorted(results(jobs(options), options.workers).items()):
        pages, seconds = pages + len(found.pages), seconds + found.seconds
        for page, output in compared(options.folder / f"{name}.xz", found):
            counts[output] += 1
            print(f"{name}\t{page}\t{output}")
    missing = {path.stem for path in options.folder.rglob("*.xz")}
    missing -= {name.rpartition("/")[2] for name in options.corpus or stored.collections()}
    if missing and not options.corpus:
        print(f"NOT AT HAND, so not checked: {', '.join(sorted(missing))}")
    told = ", ".join(f"{count} {output}" for output, count in counts.most_common())
    print(f"{pages} pages read in {seconds:.0f} s of processor time; differences: {told or 'none'}")
    return 1 if counts else 0


def compared(path: Path, found: Results) -> list[tuple[str, str]]:
    """Return page and output of each difference from a file of digests."""
    if not path.is_file():
        return [("(all)", "no digests are stored")]
    known = Digests.load(path)
    if len(known) != found.count:
        return [("(all)", f"{found.count} pages, {len(known)} when digests were made")]
    out = [
        (page, output)
        for number, page, row in found.pages
        for output in stored.differences(known, number, row)
    ]
    return out + [(MODEL, output) for output in stored.model_differences(known, found.model)]


def read_options(given: list[str] | None = None) -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what in (("write", "make digests anew"), ("check", "print what differs from them")):
        command = commands.add_parser(name, help=what)
        command.add_argument("--corpus", action="append", help="a collection; may be repeated")
        command.add_argument("--workers", type=int, default=1)
        command.add_argument("--folder", type=Path, default=FOLDER, help="of the digests")
    anew = commands.choices["write"]
    anew.add_argument("--output", action="append", help="this one alone; may be repeated")
    anew.set_defaults(every=1, limit=None)
    some = commands.choices["check"]
    some.add_argument("--every", type=int, default=1, help="each how-manieth page")
    some.add_argument("--limit", type=int, help="pages of a collection, spread over it")
    one = commands.add_parser("show", help="print the present output of a page")
    one.add_argument("corpus")
    one.add_argument("page", help=f"its id; {MODEL} for the model of a site")
    one.add_argument("output")
    return parser.parse_args(given)


def main() -> int:
    """Do what the command line asks for."""
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    options = read_options()
    if options.command == "show":
        print(show(Job(options.corpus, 1, None, only=options.page), options.output))
        return 0
    if options.command == "write":
        return write(options)
    return check(options)


if __name__ == "__main__":
    sys.exit(main())
