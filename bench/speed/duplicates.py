"""How finding duplicates grows with the pages: in one process, and through engines' shuffles.

    python -m bench.speed.duplicates                    up to 5,000,000 made-up signatures
    python -m bench.speed.duplicates --engines ray spark --pages 250000 500000

The signatures are those of `bench.lib.made_up_signatures`, three of ten pages copies. Each engine
runs in a process of its own with two workers. Memory is that of all of its processes together, what
they share counted once, and of the largest one (Linux); processor time is that of all of them,
their start included. Ray's object store is bounded to 1 GiB, so
that what doesn't fit is spilled to disk, as on a machine where it doesn't fit. The clusters of all
engines must be the same.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pyarrow.parquet as pq

from bench.lib.made_up_signatures import write_signatures
from bench.lib.timing import machine, versions
from bench.lib.watched_process import watched
from chaffinch.batch.duplicates import CLUSTERS, find_clusters
from chaffinch.batch.engines import engine_of
from chaffinch.batch.shuffled_duplicates import PAGES_AT_A_TIME
from chaffinch.batch.shuffled_duplicates import find_clusters as find_by_shuffle
from chaffinch.batch.storage import SIGNATURES, Storage

if TYPE_CHECKING:
    from bench.lib.watched_process import Watched

_STORE: Final = 1 << 30
"""Bytes of Ray's object store."""

_SHARD: Final = 25_000
"""Pages of a shard, as many as a file of Common Crawl has."""


def find(engine: str, folder: str, pages: int) -> tuple[int, int]:
    """Find the clusters of a folder of signatures."""
    storage = Storage(folder)
    with engine_of(engine, workers=2) as executor:
        exchange = executor.exchange(max(1, -(-pages // PAGES_AT_A_TIME)))
        if exchange is None:
            return find_clusters(storage)
        return find_by_shuffle(exchange, folder, storage.names(SIGNATURES, ".parquet"))


def measured(engine: str, folder: Path, pages: int) -> Watched:
    """Find the clusters in a process of its own, which prints their number."""
    command = [sys.executable, "-m", "bench.speed.duplicates", "--one", engine, str(folder)]
    bound = {"RAY_DEFAULT_OBJECT_STORE_MAX_MEMORY_BYTES": str(_STORE)}
    # Ray's workers are otherwise nicer than all other programs here.
    quiet = {"RAY_worker_niceness": "0", "RAY_BACKEND_LOG_LEVEL": "error"}
    return watched([*command, str(pages)], {**os.environ, **bound, **quiet})


def digest_of(folder: Path) -> str:
    """Return a digest of all clusters, in whatever files they stand."""
    digest = hashlib.blake2b()
    for path in sorted((folder / CLUSTERS).glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches():
            digest.update(repr(batch.to_pydict()).encode())
    return digest.hexdigest()


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(find(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
        return
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = [250_000, 500_000, 1_000_000, 2_000_000, 5_000_000]
    options.add_argument("--pages", type=int, nargs="+", default=every)
    options.add_argument("--engines", nargs="+", default=["local", "ray", "spark"])
    options.add_argument("--folder", help="for the signatures; 512 bytes a page")
    chosen = options.parse_args()
    there = versions("chaffinch", "numpy", "pyarrow", "pyspark", "ray")
    print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}; {there}\n")
    heads = "seconds", "processor s", "µs a page", "MiB, all", "MiB, largest process", "clusters"
    print(f"| pages | engine | {' | '.join(heads)} |\n|---:|---|{'---:|' * len(heads)}")
    for pages in chosen.pages:
        with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
            folder = Path(name)
            write_signatures(folder, pages, shards=max(2, pages // _SHARD))
            digests = {}
            for engine in chosen.engines:
                took = measured(engine, folder, pages)
                digests[engine] = digest_of(folder)
                found = json.loads(took.output.splitlines()[-1])
                print(
                    f"| {pages:,} | {engine} | {took.seconds:,.0f} | {took.spent:,.0f} | "
                    f"{1e6 * took.spent / pages:.0f} | {took.memory >> 20:,} | "
                    f"{max(took.main, took.other) >> 20:,} | {found[0]:,} |",
                    flush=True,
                )
            if len(set(digests.values())) > 1:
                sys.exit(f"other clusters: {digests}")


if __name__ == "__main__":
    main()
