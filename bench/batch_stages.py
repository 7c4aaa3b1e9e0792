"""Where the processor time of batch goes on real pages: what docs/scale.md counts by.

Run ``python bench/batch_stages.py`` (needs the labelled corpora). The pages of a corpus are packed
as a WARC file like Common Crawl's and taken through each stage by itself, in this one process.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import pickle
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

from archive import packed  # noqa: E402  after the thread settings
from chaffinch.batch import Plan, Recipe, find_shards  # noqa: E402
from chaffinch.batch.extraction import Extraction  # noqa: E402
from chaffinch.batch.schema import schema_of  # noqa: E402
from chaffinch.batch.sources import read  # noqa: E402
from chaffinch.batch.storage import Storage  # noqa: E402
from chaffinch.batch.writers import Buckets  # noqa: E402
from timing import machine, pages, versions  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def cost(work: Callable[[], object], count: int, *, rounds: int) -> float:
    """Return milliseconds of processor time a page, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1000 * best / count


def stages(folder: Path, html: Sequence[bytes], rounds: int) -> tuple[dict[str, float], str]:
    """Return stage → milliseconds a page, and the sizes in words.

    The first two stages and the last are the parent's.
    """
    source = folder / "pages.warc.gz"
    members = (packed(f"https://{n % 50}.example/{n}", one) for n, one in enumerate(html))
    source.write_bytes(b"".join(members))
    plan = Plan(out=str(folder / "out"), recipe=Recipe())
    (shard,) = find_shards([str(source)])
    records = list(read(shard, plan))
    work = Extraction(plan.recipe)
    rows = [work(record) for record in records]

    def write() -> None:
        with Buckets(Storage(plan.out), schema_of(plan), "parquet") as files:
            for number, row in enumerate(rows):
                files.add(f"{number % plan.buckets}.parquet", row)

    todo = {
        "read, unpacked, checked": lambda: list(read(shard, plan)),
        "handed to the child and back": lambda: [
            pickle.loads(pickle.dumps(one, -1))  # noqa: S301 - our own
            for group in (records, rows)
            for one in group
        ],
        "extracted: all columns of the row": lambda: [work(record) for record in records],
        "written": write,
    }
    costs = {name: cost(one, len(records), rounds=rounds) for name, one in todo.items()}
    size = sum(path.stat().st_size for path in (folder / "out").iterdir())
    packed_size = source.stat().st_size / len(records)
    said = f"packed {packed_size:,.0f} bytes a page in the source, "
    return costs, said + f"{size / len(records):,.0f} in the output"


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", default="scrapinghub")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--limit", type=int, default=None)
    options.add_argument("--markdown", action="store_true", help="the table alone")
    chosen = options.parse_args()
    html = pages(chosen.corpus)[: chosen.limit]
    size = sum(map(len, html)) / len(html) / 1000
    with tempfile.TemporaryDirectory() as folder:
        costs, said = stages(Path(folder), html, chosen.rounds)
    if not chosen.markdown:
        today = f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}"
        print(f"{today}, {machine()}; {versions('chaffinch', 'pyarrow')}")
        print(f"{len(html)} pages of {chosen.corpus}, {size:.0f} kB in the mean; {said}\n")
    print("| stage | ms a page |\n|---|---:|")
    for name, value in costs.items():
        print(f"| {name} | {value:.2f} |")
    print(f"| all | {sum(costs.values()):.2f} |")


if __name__ == "__main__":
    main()
