"""Throughput of batch side by side with others on one archive; memory by worker.

    python -m bench.speed.batch                       all of it, on an archive of 20,000 pages
    python -m bench.speed.batch --pages 2000          the same on fewer pages
    python -m bench.speed.batch --paragraphs 3        shorter pages

Each system runs in a process of its own, on the same number of worker processes, from the same WARC
files to the same kind of output. The archive is ``bench/lib/archive.py``'s, without harm. Processor
time is that of all of its processes, starts included: neighbours on the machine count less in it.

- batch: ``chaffinch run``, Parquet out
- datatrove: its local executor with its WARC reader, trafilatura and a JSON lines writer
- resiliparse: a loop with fastwarc and resiliparse's main content, one process, nothing written
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.lib.archive import Shape, write_archive
from bench.lib.processes import Watched, watched
from bench.lib.timing import machine, versions
from chaffinch.corpus.sources import Record

METHOD = "auto"


def batch(source: Path, out: Path, workers: int) -> None:
    """Extract by a run."""
    from chaffinch.corpus import Plan, Recipe, run  # noqa: PLC0415 - timed alone

    run([str(source)], Plan(out=str(out), recipe=Recipe(method=METHOD)), workers=workers)


def datatrove(source: Path, out: Path, workers: int) -> None:
    """Extract by trafilatura in datatrove's local executor."""
    from datatrove.executor import LocalPipelineExecutor  # noqa: PLC0415 - for this system alone
    from datatrove.pipeline.extractors import Trafilatura  # noqa: PLC0415
    from datatrove.pipeline.readers import WarcReader  # noqa: PLC0415
    from datatrove.pipeline.writers import JsonlWriter  # noqa: PLC0415

    LocalPipelineExecutor(
        pipeline=[
            WarcReader(str(source), glob_pattern="*.warc.gz"),
            Trafilatura(favour_precision=True, timeout=60),
            JsonlWriter(str(out / "pages")),
        ],
        logging_dir=str(out / "logs"),
        tasks=len(list(source.glob("*.warc.gz"))),
        workers=workers,
    ).run()


def resiliparse(source: Path, _out: Path, _workers: int) -> None:
    """Extract by resiliparse in a loop."""
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415 - as above
    from resiliparse.parse.encoding import detect_encoding  # noqa: PLC0415
    from resiliparse.parse.html import HTMLTree  # noqa: PLC0415

    for record in _records(source):
        tree = HTMLTree.parse_from_bytes(record.html, detect_encoding(record.html) or "utf-8")
        extract_plain_text(tree, main_content=True)


SYSTEMS = {one.__name__: one for one in (batch, datatrove, resiliparse)}


def _records(source: Path) -> Iterator[Record]:
    from chaffinch.corpus import Plan, find_shards  # noqa: PLC0415 - as above
    from chaffinch.corpus.sources import Record, read  # noqa: PLC0415  an extra

    plan = Plan(out="unused")
    for shard in find_shards([str(source)]):
        yield from (one for one in read(shard, plan) if isinstance(one, Record))


def measured(system: str, source: Path, workers: int, python: str) -> Watched:
    """Run a system in a process of its own."""
    out = Path(tempfile.mkdtemp(prefix="chaffinch-bench-"))
    command = [python, "-m", "bench.speed.batch", "--system", system]
    try:
        return watched([*command, str(source), str(out), str(workers)])
    finally:
        shutil.rmtree(out, ignore_errors=True)


def throughput(
    source: Path, count: int, workers: int, systems: Sequence[str], pythons: dict[str, str]
) -> None:
    """Print the table of the systems."""
    heads = "pages/s", "processor ms a page", "× the first", "main MiB", "worker MiB"
    print(f"| system | processes | {' | '.join(heads)} |\n|---|---:|{'---:|' * len(heads)}")
    first = 0.0
    for system in systems:
        took = measured(system, source, workers, pythons.get(system, sys.executable))
        processes = 1 if system == "resiliparse" else workers
        cost = 1000 * took.spent / count
        first = first or cost
        cells = (
            system, str(processes), f"{count / took.seconds:,.1f}", f"{cost:.2f}",
            f"{first / cost:.2f}", f"{took.main >> 20:,}", f"{took.other >> 20:,}",
        )  # fmt: skip
        print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Measure, or be one of the systems."""
    if sys.argv[1:2] == ["--system"]:
        _, _, system, source, out, workers = sys.argv
        SYSTEMS[system](Path(source), Path(out), int(workers))
        return
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--pages", type=int, default=20_000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--paragraphs", type=int, default=12, help="of a page, in the mean")
    options.add_argument("--systems", nargs="+", choices=list(SYSTEMS), default=list(SYSTEMS))
    options.add_argument("--datatrove-python", default=sys.executable, help="one that has it")
    chosen = options.parse_args()
    print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}")
    print(versions("chaffinch", "fastwarc", "pyarrow", "resiliparse"), "\n")
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "archive")
        shape = Shape(pages=chosen.pages, paragraphs=chosen.paragraphs, large=0, has_perils=False)
        count = write_archive(archive, shape).pages
        files = list(archive.glob("*.warc.gz"))
        size = sum(one.stat().st_size for one in files)
        print(json.dumps({"pages": count, "files": len(files), "packed": size}), "\n")
        pythons = {"datatrove": chosen.datatrove_python}
        throughput(archive, count, chosen.workers, chosen.systems, pythons)


if __name__ == "__main__":
    main()
