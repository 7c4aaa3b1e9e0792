"""A service under load, beside other extractors behind the same application, on loopback.

    python -m bench.speed.service                        200 pages, all systems
    python -m bench.speed.service --connections 1 16 256 10000 --requests 4000 --markdown
    python -m bench.speed.service --corpus zh_news --largest 6000 --memory 100000

Each system runs as a server process with two guarded children; the load comes from this process,
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
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import psutil

from bench.lib.http_load import Load, send_load
from bench.lib.timing import machine, versions
from bench.lib.timing import pages as corpus_pages

OWN = "chaffinch"
SYSTEMS = (OWN, "trafilatura", "readability-lxml")
CORPUS = "scrapinghub"
WORKERS = 2
WAITING = 20_000
DEADLINE = 900


HANDLES = (psutil.Process.num_fds, psutil.Process.num_threads)


class Row(NamedTuple):
    """One system under one load."""

    system: str
    connections: int
    load: Load
    processor: float
    alone: float


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=SYSTEMS)
    parser.add_argument("--connections", nargs="+", type=int, default=[1, 16, 256])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=200, help="different pages")
    parser.add_argument("--corpus", default=CORPUS, help="whose pages are sent")
    parser.add_argument("--largest", type=int, default=0, help="bytes of a page; 0 for any size")
    parser.add_argument("--memory", type=int, default=0, help="requests over which memory is seen")
    parser.add_argument("--markdown", action="store_true", help="print tables for the docs")
    parser.add_argument("--serve", choices=SYSTEMS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve_system(given.serve)
        return
    raise_file_limit()
    every = corpus_pages(given.corpus)
    pages = [one for one in every if not given.largest or len(one) <= given.largest][: given.pages]
    print(f"{machine()}; {versions(*given.systems, 'starlette', 'uvicorn')}")
    size = sum(map(len, pages)) // len(pages) // 1000
    print(f"{len(pages)} pages of {size} kB in the mean\n")
    if given.memory:
        for system in given.systems:
            see_memory(system, pages, given.memory)
        return
    print_head(markdown=given.markdown)
    for system in given.systems:
        for row in under_load(system, pages, given):
            print_row(row, markdown=given.markdown)


def under_load(system: str, pages: Sequence[bytes], given: argparse.Namespace) -> Iterator[Row]:
    """Yield a system under each load."""
    with running(system) as (process, port):
        asyncio.run(send_load(port, pages, connections=WORKERS, requests=len(pages)))
        for connections in given.connections:
            alone = [to_json_seconds(pages)]
            before = processor_seconds(process)
            count = max(given.requests, connections)
            load = asyncio.run(send_load(port, pages, connections=connections, requests=count))
            spent = processor_seconds(process) - before
            alone.append(to_json_seconds(pages))
            yield Row(system, connections, load, spent / count, sum(alone) / 2)


def raise_file_limit() -> None:
    """Let this process have as many connections open as the system allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def see_memory(system: str, pages: Sequence[bytes], requests: int) -> None:
    """Print memory, files and threads of a server and of its children as requests go by."""
    with running(system) as (process, port):
        done, step = 0, max(1, requests // 10)
        while done < requests:
            load = asyncio.run(send_load(port, pages, connections=16, requests=step))
            done += step
            server, *children = (one.memory_info().rss >> 20 for one in family(process))
            files, threads = ([count(one) for one in family(process)] for count in HANDLES)
            failed = sum(load.statuses.values()) - load.statuses[200]
            print(
                f"{done:>8,} requests: server {server} MiB, children {children}, files {files}, "
                f"threads {threads}, {failed} failed, {load.seconds:.0f} s",
                flush=True,
            )


@contextmanager
def running(system: str) -> Iterator[tuple[psutil.Process, int]]:
    """Run a system's server; yield its process and port."""
    command = [sys.executable, "-m", "bench.speed.service", "--serve", system]
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
                raise SystemExit(f"{system} doesn't start")
            yield psutil.Process(process.pid), port
        finally:
            process.terminate()


def serve_system(system: str) -> None:
    """Be the server of a system, until told to stop; its log has no line a request."""
    from chaffinch.service.problems import LOG  # noqa: PLC0415  of the server alone
    from chaffinch.service.server import serve  # noqa: PLC0415  the same
    from chaffinch.service.settings import ServiceSettings  # noqa: PLC0415  the same

    settings = ServiceSettings(
        port=0, workers=WORKERS, waiting=WAITING, deadline=DEADLINE, connections=30_000,
        bodies=8192, body_seconds=DEADLINE,
    )  # fmt: skip
    LOG.addFilter(lambda record: record.getMessage() != "request")
    if system == OWN:
        serve(settings)
        return
    from bench.lib.service_baselines import PeerReader  # noqa: PLC0415  of baselines alone

    serve(settings, PeerReader(settings, system))


def family(process: psutil.Process) -> list[psutil.Process]:
    """Return a process and its children."""
    return [process, *process.children(recursive=True)]


def processor_seconds(process: psutil.Process) -> float:
    """Return the processor time of a server and of its children, ended ones included."""
    total = 0.0
    for one in family(process):
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
    import pickle  # noqa: PLC0415  for the other process alone

    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(pages), capture_output=True, check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    return float(done.stdout)


NAMES = (
    "system",
    "connections",
    "pages/s",
    "p50 ms",
    "p99 ms",
    "CPU ms a page",
    "to_json alone",
    "ratio",
)


def print_head(*, markdown: bool) -> None:
    """Print the names of the columns."""
    if markdown:
        print("| " + " | ".join(NAMES) + " |\n|---|" + "---:|" * (len(NAMES) - 1))
    else:
        print("  ".join(f"{one:>16}" for one in NAMES))


def print_row(row: Row, *, markdown: bool) -> None:
    """Print a row, and what failed."""
    load = row.load
    cells = (
        row.system,
        f"{row.connections:,}",
        f"{load.statuses[200] / load.seconds:.0f}",
        f"{1000 * load.percentile(0.5):,.0f}",
        f"{1000 * load.percentile(0.99):,.0f}",
        f"{1000 * row.processor:.2f}",
        f"{1000 * row.alone:.2f}",
        f"{row.processor / row.alone:.2f}",
    )
    line = f"| {' | '.join(cells)} |" if markdown else "  ".join(f"{one:>16}" for one in cells)
    print(line, flush=True)
    failed = {status: count for status, count in load.statuses.items() if status != 200}
    if failed:
        print(f"{row.system} at {row.connections}: failed {failed}", file=sys.stderr)


if __name__ == "__main__":
    began = time.perf_counter()
    main()
    print(f"\n{time.perf_counter() - began:.0f} s in all", file=sys.stderr)
