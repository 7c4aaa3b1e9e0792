"""Where the processor time of batch goes on real pages: what docs/scale.md counts by.

Run ``python -m bench.speed.batch_stages`` (needs the labelled corpora). The pages of a corpus are
packed as a WARC file like Common Crawl's and taken through each stage by itself, in this one
process. What a crawl of 2.5 billion pages takes follows by arithmetic, in a second table.
"""

from __future__ import annotations

import argparse
import datetime as dt
import pickle
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

from bench.lib.archive import packed
from bench.lib.timing import machine, pages, versions
from chaffinch.batch import Plan, Recipe, find_shards
from chaffinch.batch.extraction import Extraction
from chaffinch.batch.record import Record
from chaffinch.batch.schema import schema_of
from chaffinch.batch.sources import read
from chaffinch.batch.storage import Storage
from chaffinch.batch.writers import Buckets

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PAGES = 2_500_000_000
FILES = 90_000
"""Of one Common Crawl."""

CORES = 64
"""Of a machine that the arithmetic reckons with."""


def cost(work: Callable[[], object], count: int, *, rounds: int) -> float:
    """Return milliseconds of processor time a page, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return 1000 * best / count


def stages(
    folder: Path, html: Sequence[bytes], rounds: int
) -> tuple[dict[str, float], float, float]:
    """Return stage → milliseconds a page, and kB a page in the source and in the output.

    The first two stages and the last are the parent's.
    """
    source = folder / "pages.warc.gz"
    members = (packed(f"https://{n % 50}.example/{n}", one) for n, one in enumerate(html))
    source.write_bytes(b"".join(members))
    plan = Plan(out=str(folder / "out"), recipe=Recipe())
    (shard,) = find_shards([str(source)])
    records = [one for one in read(shard, plan) if isinstance(one, Record)]
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
    return costs, source.stat().st_size / len(records) / 1000, size / len(records) / 1000


def arithmetic(cost: float, packed_size: float, written: float) -> list[tuple[str, str, str]]:
    """Return what one crawl takes, from milliseconds and kB a page: what, how it is reckoned, that.

    Prices of a core hour and of stored bytes are assumed.
    """
    hours = PAGES * cost / 3_600_000
    on_20, on_100 = hours / (20 * CORES), hours / (100 * CORES)
    read_tb, written_tb = PAGES * packed_size / 1e9, PAGES * written / 1e9
    a_file, every = PAGES / FILES, "2.5 × 10⁹"
    all_hours, all_written = f"{hours:,.0f}", f"{written_tb * 1000:,.0f}"
    rate = read_tb * 1e6 / 20 / on_20 / 3600
    minutes = a_file * cost / 60_000
    return [
        ("pages a file", f"{PAGES:,} / {FILES:,}", f"{a_file:,.0f}"),
        ("a file on one core", f"{a_file:,.0f} × {cost:.2f} ms", f"{minutes:.1f} min"),
        ("all files on one core", f"{every} × {cost:.2f} ms / 3600 s", f"{all_hours} core hours"),
        ("20 machines of 64 cores", f"{all_hours} / {20 * CORES}", f"{on_20:.1f} h"),
        ("100 machines of 64 cores", f"{all_hours} / {100 * CORES}", f"{on_100:.1f} h"),
        *(
            (f"at {price} $ a core hour ({kind}, assumed)", f"{all_hours} × {price}", _money(spent))
            for price, kind in ((0.015, "spot"), (0.045, "on demand"))
            for spent in (hours * price,)
        ),
        ("read", f"{every} × {packed_size:.1f} kB", f"{read_tb:.0f} TB"),
        ("by each of 20 machines", f"{read_tb:.0f} TB / 20 / {on_20:.1f} h", f"{rate:,.0f} MB/s"),
        ("written", f"{every} × {written:.1f} kB", f"{written_tb:.0f} TB"),
        (
            "stored for a month at 0.023 $ a GB (assumed)",
            f"{all_written} × 0.023",
            _money(written_tb * 23),
        ),
    ]


def _money(amount: float) -> str:
    return f"{amount:,.0f} $"


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
        costs, packed_size, written = stages(Path(folder), html, chosen.rounds)
    if not chosen.markdown:
        today = f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}"
        print(f"{today}, {machine()}; {versions('chaffinch', 'pyarrow')}")
        print(f"{len(html)} pages of {chosen.corpus}, {size:.0f} kB in the mean; ", end="")
        print(f"{packed_size:.1f} kB a page in the source, {written:.1f} in the output\n")
    print("| stage | ms a page |\n|---|---:|")
    for name, value in costs.items():
        print(f"| {name} | {value:.2f} |")
    print(f"| all | {sum(costs.values()):.2f} |")
    print("\n| | | |\n|---|---|---:|")
    for row in arithmetic(sum(costs.values()), packed_size, written):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
