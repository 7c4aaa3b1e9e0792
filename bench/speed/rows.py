"""What people wait for, in one table: the whole row, everything, small pages, a run, and starts.

    CHAFFINCH_CORPORA=../shared python -m bench.speed.rows
    CHAFFINCH_CORPORA=../shared python -m bench.speed.rows --only "whole row" --pages 60

Processor time of the thread, best of the rounds of each page; on each page all systems take turns,
so that whatever else the machine does hits all of them. What needs processes of its own (starts,
runs, memory) is counted by the system for those processes (`bench/lib/page_costs.py`).
"""

from __future__ import annotations

import argparse
import datetime as dt
import resource
import statistics
import threading
import time
from functools import partial
from typing import Final, NamedTuple

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

from collections.abc import Callable, Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser

import chaffinch
from bench.lib import page_costs
from bench.lib.archive import small_pages
from bench.lib.timing import machine, pages, turn_times, versions
from bench.speed.baselines import resiliparse_text
from chaffinch.corpus import Recipe
from chaffinch.corpus.rows import Extraction
from chaffinch.corpus.sources import Record
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.page.bounds import Limits, bound

PARTS: Final = ("chunks", "images", "tables", "posts", "records")
LEXBOR, TABLE, TEXT = "Lexbor parse", "page table", "default text"
BASELINE = "resiliparse main content"
ROW, ALL = "whole row", "everything"
MANY_TAGS: Final = 200_000
_SITES: Final = 3
_THREADS: Final = (1, 2, 16)


class Line(NamedTuple):
    """A line of the table.

    Attributes:
        what: is measured.
        cost: with its unit.
        ratio: to what; "" for none.
        aim: of the ratio, or of the cost where there is none.
    """

    what: str
    cost: str
    ratio: str = ""
    aim: str = ""


def default_text(page: bytes) -> str:
    """Return the text of a page by the default."""
    return chaffinch.extract(page).text


def everything(page: bytes) -> str:
    """Return a page as JSON with all that is in it."""
    return chaffinch.extract(page).to_json(parts=PARTS)


def row_maker() -> Callable[[bytes], object]:
    """Return what makes the row of a batch, with text, Markdown, metadata and confidence."""
    work = Extraction(Recipe())
    return lambda page: work(Record(file="", url="https://rows.example/page", html=page))


def real_pages(given: Sequence[bytes], rounds: int) -> Iterator[Line]:
    """Yield the lines of real pages."""
    systems: dict[str, Callable[[bytes], object]] = {
        LEXBOR: LexborHTMLParser, TABLE: chaffinch.parse, BASELINE: resiliparse_text,
        TEXT: default_text, ROW: row_maker(), ALL: everything,
    }  # fmt: skip
    mean = {
        name: statistics.fmean(times) * 1000
        for name, times in turn_times(systems, given, rounds=rounds).items()
    }
    for name, other, aim in (
        (LEXBOR, "", ""),
        (BASELINE, "", ""),
        (TABLE, LEXBOR, "≤ 1.4"),
        (TEXT, BASELINE, "≤ 0.9"),
        (ROW, TEXT, "≤ 1.5"),
        (ALL, TEXT, "≤ 2.2"),
    ):
        ratio = f"{mean[name] / mean[other]:.2f} × {other}" if other else ""
        yield Line(name, f"{mean[name]:.2f} ms", ratio, aim)
    for name in (TEXT, ROW):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for page in given:
            systems[name](page)
        faults = (resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) / len(given)
        yield Line(f"memory pages touched anew, {name}", f"{faults:.2f} a page")


def little_pages(rounds: int) -> Iterator[Line]:
    """Yield the lines of pages of 2 to 10 kB, by themselves and in a run."""
    given = small_pages(60, paragraphs=3) + small_pages(60, paragraphs=12)
    systems = {TEXT: default_text, ROW: row_maker()}
    found = turn_times(systems, given, rounds=rounds)
    size = statistics.fmean(map(len, given)) / 1000
    for name, aim in ((TEXT, ""), (ROW, "≤ 0.6 ms")):
        cost = f"{statistics.fmean(found[name]) * 1000:.2f} ms"
        yield Line(f"{name}, pages of {size:.1f} kB", cost, aim=aim)
    parent, children = page_costs.run_cost(1)
    share = f"{parent / children:.2f} parent / children"
    yield Line("a page of 5 kB in a run", f"{(parent + children) * 1000:.2f} ms", aim="≤ 0.8 ms")
    bare = page_costs.bare_cost()
    yield Line("the same page without a run, once", f"{bare * 1000:.2f} ms")
    yield Line("the run's parent", f"{parent * 1000:.2f} ms", share, "≤ 0.10")


def site_models(rounds: int) -> Iterator[Line]:
    """Yield the line of pages that a model of their site reads."""
    costs: list[tuple[float, ...]] = []
    for name in [name for name in known_corpora() if name.startswith("sites/")][:_SITES]:
        read = [(row.html, row.url) for row in read_corpus(name)]
        model = chaffinch.Site.learn(chaffinch.parse(html, url=url) for html, url in read[::2])
        systems: dict[str, Callable[[bytes], object]] = {
            TEXT: default_text,
            "site model": lambda html, model=model: model.extract(html).text,  # type: ignore[misc]
        }
        times = turn_times(systems, [html for html, _ in read[1:60:2]], rounds=rounds)
        costs += zip(*times.values(), strict=True)
    default, by_site = (statistics.fmean(cost[at] for cost in costs) * 1000 for at in range(2))
    what = f"site model, to text, {len(costs)} pages"
    yield Line(what, f"{by_site:.2f} ms", f"{by_site / default:.2f} × default text")


def threads(given: Sequence[bytes]) -> Iterator[Line]:
    """Yield the line of several threads in one process, elapsed time."""

    def elapsed(count: int) -> float:
        def work(number: int) -> None:
            for page in given[number::count]:
                default_text(page)

        workers = [threading.Thread(target=work, args=(one,)) for one in range(count)]
        start = time.perf_counter()
        for one in workers:
            one.start()
        for one in workers:
            one.join()
        return time.perf_counter() - start

    best = dict.fromkeys(_THREADS, float("inf"))
    for _ in range(5):
        for count in _THREADS:
            best[count] = min(best[count], elapsed(count))
    gains = f"{best[1] / best[2]:.2f} × by two, {best[1] / best[16]:.2f} × by sixteen"
    yield Line(
        "pages by one thread, elapsed", f"{1000 * best[1] / len(given):.2f} ms", gains, "≥ 1.8"
    )


def many_tags(rounds: int) -> Iterator[Line]:
    """Yield the lines of the guard, and of memory, of pages that are nearly all markup."""
    for what, source in (
        ("prose", "<p>some words of <b>prose</b> that stand here</p>\n" * (MANY_TAGS // 4)),
        ("open paragraphs", "<p>w" * MANY_TAGS),
    ):
        text = f"<html><body>{source}</body></html>"
        best = min(turn_times({"": partial(bound, limits=Limits())}, [text], rounds=rounds)[""])
        yield Line(
            f"guard, {MANY_TAGS:,} tags, {what}", f"{best / MANY_TAGS * 1e6:.2f} µs a tag",
            aim="≤ 0.2 µs a tag",
        )  # fmt: skip
    for kind, size in (("rows", 100_000), ("bytes", 10_000_000)):
        got = page_costs.measured(kind, size)
        aim = "≤ 150 ×" if kind == "rows" else ""
        times = f"{got['memory'] / got['bytes']:.0f} × its bytes"
        yield Line(f"memory, page by {kind}, {size:,}", times, aim=aim)


def starts() -> Iterator[Line]:
    """Yield the lines of a start."""
    for what, (command, aim) in page_costs.STARTS.items():
        yield Line(what, f"{page_costs.started(command):.2f} s", aim=aim)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", default="scrapinghub")
    options.add_argument("--pages", type=int, default=None, help="of the corpus, at most")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--only", default="", help="real, small, site, threads, tags or starts")
    chosen = options.parse_args()
    given = pages(chosen.corpus)[: chosen.pages]
    groups: dict[str, Callable[[], Iterator[Line]]] = {
        "real": lambda: real_pages(given, chosen.rounds),
        "small": lambda: little_pages(chosen.rounds),
        "site": lambda: site_models(chosen.rounds),
        "threads": lambda: threads(given[:60]),
        "tags": lambda: many_tags(chosen.rounds),
        "starts": starts,
    }
    print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}")
    print(versions("chaffinch", "selectolax", "resiliparse", "pyarrow"))
    print(f"{len(given)} pages of {chosen.corpus}\n\n| what | cost | ratio | aim |")
    print("|---|---:|---:|---:|")
    for name, group in groups.items():
        for line in group() if chosen.only in name else ():
            print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main()
