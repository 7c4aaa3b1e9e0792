"""Kills runs, children and nodes at random points and looks whether the rows are the same.

Run ``python -m bench.safety.kills --rounds 60`` (``make soak`` does, too). A round is: kill -9 of
the run and --resume until it is through; kill -9 of one child after the other; the loss of a Ray
node.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq

from bench.lib.archive import Shape, write_archive
from chaffinch.corpus import PageLimits, Plan, Recipe, run

# Ray takes an address on loopback for the machine's own on its network, where nothing listens here,
# unless it is told that this machine is no part of a cluster beyond itself.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # on a machine that is busy
os.environ.setdefault("RAY_worker_niceness", "0")  # else workers wait for all that isn't nice

SHAPE = Shape(pages=400, files=8, hosts=12, large=0, has_perils=False, paragraphs=4)
METHOD = "block_density"
COLUMNS = (
    "file", "offset", "url", "host", "status", "language", "page_type", "title", "authors",
    "text", "markdown", "score", "confidence", "template", "method", "error", "error_detail",
    "truncated",
)  # fmt: skip


def rows_of(out: Path) -> Counter[str]:
    """Return how often each row stands in the pages of a run."""
    rows: Counter[str] = Counter()
    for path in sorted(out.glob("pages/*/*.parquet")):
        rows.update(repr(row) for row in pq.ParquetFile(path).read(COLUMNS).to_pylist())
    return rows


def plan_for(out: Path, **others: Any) -> Plan:
    """Return the plan of the runs that are killed."""
    return Plan(out=str(out), buckets=4, recipe=Recipe(method=METHOD), **others)


def perilous_plan(out: Path) -> Plan:
    """Return the plan of runs over an archive that does harm."""
    return plan_for(
        out,
        extractor="bench.lib.perils:Perilous",
        limits=PageLimits(wall=8, cpu=300, memory=400),
    )


def kill_run(source: Path, out: Path, dice: random.Random) -> int:
    """Kill -9 runs until one comes through; return how many were killed."""
    command = [
        sys.executable, "-m", "chaffinch", "run", str(source), "--output", str(out), "--method",
        METHOD, "--buckets", "4", "--workers", "2",
    ]  # fmt: skip
    killed, patience = 0, 1.0
    while True:
        more = ["--resume"] if (out / "run.json").exists() else []
        process = subprocess.Popen(
            [*command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            _, errors = process.communicate(timeout=dice.uniform(0, patience))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
            patience *= 1.5  # so that slow machines come to the later points, too, and to an end
            continue
        if process.returncode:
            raise RuntimeError(errors.decode())
        return killed


def kill_children(source: Path, out: Path, dice: random.Random, *, most: int = 5) -> int:
    """Kill -9 children of a run, one after the other; return how many were killed."""
    killed: list[int] = []
    is_over = threading.Event()
    assassin = threading.Thread(target=_kill_some, args=(dice, most, killed, is_over))
    assassin.start()
    try:
        run([str(source)], plan_for(out), workers=2)
    finally:
        is_over.set()
        assassin.join()
    return len(killed)


def _kill_some(dice: random.Random, most: int, killed: list[int], is_over: threading.Event) -> None:
    while len(killed) < most and not is_over.wait(dice.uniform(0.05, 0.5)):
        for child in _children():
            child.kill()
            killed.append(child.pid)
            break


def _children() -> Iterator[psutil.Process]:
    for child in psutil.Process(os.getpid()).children():
        try:
            if "chaffinch.workers.child" in child.cmdline():
                yield child
        except psutil.Error:
            continue


def kill_node(source: Path, out: Path, dice: random.Random) -> int:
    """Kill one of two Ray nodes on this machine while both work; return 1 if it was in time."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    node: dict[str, Any] = {
        "num_cpus": 1,
        "node_ip_address": "127.0.0.1",
        "object_store_memory": 100 << 20,
    }
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    second = cluster.add_node(**node)
    in_time: list[int] = []
    is_over = threading.Event()

    def kill() -> None:
        while not any(out.glob("done/*")) and not is_over.wait(0.05):
            pass
        if not is_over.wait(dice.uniform(0, 0.5)):
            for processes in second.all_processes.values():
                for one in processes:
                    one.process.send_signal(signal.SIGKILL)
            in_time.append(1)

    assassin = threading.Thread(target=kill)
    assassin.start()
    try:
        run([str(source)], plan_for(out), engine="ray", address=cluster.address)
    finally:
        is_over.set()
        assassin.join()
        cluster.shutdown()  # type: ignore[no-untyped-call]  # ray has none
    return len(in_time)


KILLS = (kill_run, kill_children, kill_node)


def main() -> None:
    """Kill in rounds; stop at the first difference."""
    names = [one.__name__ for one in KILLS]
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=60)
    options.add_argument("--first", type=int, default=0, help="seed of the first round")
    options.add_argument("--kinds", nargs="+", choices=names, default=names, help="skip the others")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "archive")
        write_archive(source, SHAPE)
        run([str(source)], plan_for(Path(folder, "untouched")), workers=2)
        wanted = rows_of(Path(folder, "untouched"))
        for number in range(chosen.first, chosen.first + chosen.rounds):
            kill = KILLS[number % len(KILLS)]
            if kill.__name__ not in chosen.kinds:
                continue
            out = Path(folder, f"round-{number}")
            start = time.monotonic()
            count = kill(source, out, random.Random(number))  # noqa: S311 - no secrets
            found = rows_of(out)
            print(
                f"round {number}: {kill.__name__}, {count} killed, {found.total()} rows, "
                f"{time.monotonic() - start:.1f} s",
                flush=True,
            )
            if found != wanted:
                sys.exit(f"other rows: {list((found - wanted) + (wanted - found))[:3]}")


if __name__ == "__main__":
    main()
