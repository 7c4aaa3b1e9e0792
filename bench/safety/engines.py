"""The whole test archive on every engine: the same rows, the bad ones labelled.

Run ``python -m bench.safety.engines`` for 20,000 pages of 50 hosts in 16 files, three pages of 20
MB and all harm; ``--pages`` and ``--large`` for fewer. The tests do the same with a small archive.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.dataset as ds

from bench.lib.archive import Shape, write_archive
from bench.safety.kills import rows_of
from chaffinch.batch import PageLimits, Plan, Recipe, run

EXPECTED = {"hang": "time", "hold": "time", "exit": "exit", "segfault": "crash", "memory": "memory"}


def labels(out: Path, urls: dict[str, str]) -> dict[str, str]:
    """Return what became of the pages that do harm: peril → error."""
    table = ds.dataset(out / "pages", partitioning="hive").to_table(columns=["url", "error"])
    errors = dict(zip(table["url"].to_pylist(), table["error"].to_pylist(), strict=True))
    return {peril: errors[url] for peril, url in urls.items()}


def main() -> None:
    """Run all engines and compare."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=20_000)
    options.add_argument("--large", type=int, default=20_000_000)
    options.add_argument("--method", default="auto")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--wall", type=int, default=60, help="seconds; two pages hang that long")
    options.add_argument("--engines", nargs="+", default=["local", "ray", "spark"])
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "archive")
        manifest = write_archive(source, Shape(pages=chosen.pages, large=chosen.large))
        wanted = None
        for engine in chosen.engines:
            out = Path(folder, engine)
            plan = Plan(
                out=str(out),
                extractor="bench.lib.perils:Perilous",
                recipe=Recipe(method=chosen.method),
                limits=PageLimits(wall=chosen.wall),
            )
            start = time.monotonic()
            report = run([str(source)], plan, engine=engine, workers=chosen.workers)
            seconds = time.monotonic() - start
            found, seen = rows_of(out), labels(out, manifest.perils)
            large = set(labels(out, {url: url for url in manifest.large}).values())
            print(
                f"{engine}: {found.total():,} rows, {seconds:,.0f} s, errors "
                f"{dict(sorted(report.tally.errors.items()))}, large pages {sorted(large)}, "
                f"largest child (the one that eats memory) {report.tally.peak / 1024:,.0f} MiB",
                flush=True,
            )
            wanted = wanted or found
            if found != wanted or seen != EXPECTED:
                other = [row[:300] for row in (found - wanted) + (wanted - found)]
                sys.exit(f"not the same: {seen}, {other[:2]}")


if __name__ == "__main__":
    main()
