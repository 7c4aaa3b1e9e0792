"""What each part of a page adds to the default extraction, in shares of its time.

A page is parsed and its text extracted; then each part is requested on a fresh extraction, and what
that added counts. «All parts» asks for them one after the other on one extraction, where they share
what they read. The pages are those of a labelled corpus; the best of the rounds counts.

    CHAFFINCH_CORPORA=../shared python -m bench.speed.parts_cost
    CHAFFINCH_CORPORA=../shared python -m bench.speed.parts_cost --corpus fundus --pages 60
"""

from __future__ import annotations

import datetime as dt
import gc
import statistics
import time
from functools import partial
from typing import TYPE_CHECKING

import click

import chaffinch
from bench.lib.timing import machine, pages, versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PARTS: dict[str, Callable[[chaffinch.Extract], object]] = {
    "metadata, six fields": lambda extract: extract.metadata.to_dict(),
    "images": lambda extract: extract.images,
    "tables": lambda extract: extract.tables,
    "code": lambda extract: extract.code_blocks,
    "formulas": lambda extract: extract.formulas,
    "posts": lambda extract: extract.posts,
}
ALL = "all parts"
BASE = "default extraction: bytes to text"


def spent(work: Callable[[], object]) -> float:
    """Return the processor seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(given: Sequence[bytes], rounds: int) -> dict[str, list[float]]:
    """Return for the extraction, each part and all parts the best seconds of each page."""
    best = {name: [float("inf")] * len(given) for name in (BASE, *PARTS, ALL)}

    def note(name: str, number: int, seconds: float) -> None:
        best[name][number] = min(best[name][number], seconds)

    for _ in range(rounds):
        gc.collect()
        for number, html in enumerate(given):
            note(BASE, number, spent(partial(_text, html)))
            for name, part in PARTS.items():
                extract = chaffinch.extract(html)
                _ = extract.text
                note(name, number, spent(partial(part, extract)))
            extract = chaffinch.extract(html)
            _ = extract.text
            whole = spent(partial(_all_parts, extract))
            note(ALL, number, whole)
    return best


def _text(html: bytes) -> str:
    return chaffinch.extract(html).text


def _all_parts(extract: chaffinch.Extract) -> None:
    for part in PARTS.values():
        part(extract)


@click.command()
@click.option("--corpus", default="scrapinghub", show_default=True)
@click.option("--pages", "count", type=int, help="So many pages, the first ones.")
@click.option("--rounds", default=5, show_default=True)
def main(corpus: str, count: int | None, rounds: int) -> None:
    """Print the table in Markdown."""
    best = measure(pages(corpus)[:count], rounds)
    base = statistics.fmean(best[BASE])
    today = dt.datetime.now(dt.UTC).date()
    click.echo(
        f"{len(best[BASE])} pages of {corpus}, {versions('chaffinch')}, {machine()}, {today}\n"
    )
    click.echo("| asked for | ms a page, mean | median | share of the extraction, % |")
    click.echo("|---|---:|---:|---:|")
    for name, times in best.items():
        mean, median = 1000 * statistics.fmean(times), 1000 * statistics.median(times)
        click.echo(f"| {name} | {mean:.2f} | {median:.2f} | {mean / base / 10:.0f} |")


if __name__ == "__main__":
    main()
