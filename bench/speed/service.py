"""A service under load on loopback, beside the extraction alone.

    python -m bench.speed.service                        200 pages
    python -m bench.speed.service --connections 1 16 256 10000 --requests 4000
    python -m bench.speed.service --corpus zh_news --largest 6000

The server runs as a process with two guarded children; the load comes from this process,
over as many connections as are requested, each with one request at a time. Processor time is that
of the server and its children, beside that of ``extract(page).to_json()`` in a process of its own
on the same pages, before and after each load, since a machine's pace changes. The pages are those
of a labelled corpus, without their labels.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pickle
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import psutil

from bench.lib.http_load import Load, send_load
from bench.lib.processes import family
from bench.lib.timing import machine, versions
from bench.lib.timing import pages as corpus_pages
from chaffinch.service.problems import LOG
from chaffinch.service.server import serve
from chaffinch.service.settings import ServiceSettings

CORPUS = "scrapinghub"
WORKERS = 2
WAITING = 20_000
DEADLINE = 900


class Row(NamedTuple):
    """The service under one load."""

    connections: int
    load: Load
    processor: float
    alone: float


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", nargs="+", type=int, default=[1, 16, 256])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=200, help="different pages")
    parser.add_argument("--corpus", default=CORPUS, help="whose pages are sent")
    parser.add_argument("--largest", type=int, default=0, help="bytes of a page; 0 for any size")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve_quietly()
        return
    raise_file_limit()
    every = corpus_pages(given.corpus)
    pages = [one for one in every if not given.largest or len(one) <= given.largest][: given.pages]
    print(f"{machine()}; {versions('chaffinch', 'starlette', 'uvicorn')}")
    size = sum(map(len, pages)) // len(pages) // 1000
    print(f"{len(pages)} pages of {size} kB in the mean\n")
    print(HEAD)
    for row in under_load(pages, given):
        print_row(row)


def under_load(pages: Sequence[bytes], given: argparse.Namespace) -> Iterator[Row]:
    """Yield the service under each load."""
    with running() as (process, port):
        asyncio.run(send_load(port, pages, connections=WORKERS, requests=len(pages)))
        for connections in given.connections:
            alone = [to_json_seconds(pages)]
            before = processor_seconds(process)
            count = max(given.requests, connections)
            load = asyncio.run(send_load(port, pages, connections=connections, requests=count))
            spent = processor_seconds(process) - before
            alone.append(to_json_seconds(pages))
            yield Row(connections, load, spent / count, sum(alone) / 2)


def raise_file_limit() -> None:
    """Let this process have as many connections open as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextmanager
def running() -> Iterator[tuple[psutil.Process, int]]:
    """Run the server; yield its process and port."""
    command = [sys.executable, "-m", "bench.speed.service", "--serve"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None  # noqa: S101  for the type checker
        try:
            port = None
            for line in process.stderr:
                values = json.loads(line) if line.startswith("{") else {}
                port = int(values["address"].rpartition(":")[2]) if "address" in values else port
                if values.get("message") == "Application startup complete.":
                    break
            if port is None:
                raise SystemExit("the service doesn't start")
            yield psutil.Process(process.pid), port
        finally:
            process.terminate()


def serve_quietly() -> None:
    """Be the server, until told to stop; its log has no line a request."""
    settings = ServiceSettings(port=0, workers=WORKERS, waiting=WAITING, deadline=DEADLINE)
    LOG.addFilter(lambda record: record.getMessage() != "request")
    serve(settings)


def processor_seconds(process: psutil.Process) -> float:
    """Return the processor time of a server and of its children, ended ones included."""
    total = 0.0
    for one in family(process.pid):
        times = one.cpu_times()
        total += times.user + times.system
        if one.pid == process.pid:
            total += times.children_user + times.children_system
    return total


def to_json_seconds(pages: Sequence[bytes]) -> float:
    """Return the processor time of a page's JSON in a process of its own, in the mean."""
    code = (
        "import pickle, sys, time; from chaffinch import extract\n"
        "pages = pickle.load(sys.stdin.buffer)\n"
        "for page in pages: extract(page).to_json()\n"
        "began = time.process_time()\n"
        "for page in pages: extract(page).to_json()\n"
        "print((time.process_time() - began) / len(pages))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(pages), capture_output=True, check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    return float(done.stdout)


HEAD = """\
| connections | pages/s | p50 ms | p99 ms | CPU ms a page | to_json alone | ratio |
|---:|---:|---:|---:|---:|---:|---:|"""


def print_row(row: Row) -> None:
    """Print a row, and what failed."""
    load = row.load
    cells = (
        f"{row.connections:,}",
        f"{load.statuses[200] / load.seconds:.0f}",
        f"{1000 * load.percentile(0.5):,.0f}",
        f"{1000 * load.percentile(0.99):,.0f}",
        f"{1000 * row.processor:.2f}",
        f"{1000 * row.alone:.2f}",
        f"{row.processor / row.alone:.2f}",
    )
    print(f"| {' | '.join(cells)} |", flush=True)
    failed = {status: count for status, count in load.statuses.items() if status != 200}
    if failed:
        print(f"{row.connections} connections: failed {failed}", file=sys.stderr)


if __name__ == "__main__":
    began = time.perf_counter()
    main()
    print(f"\n{time.perf_counter() - began:.0f} s in all", file=sys.stderr)
