"""Speed on the scrapinghub pages, side by side with baselines in one run, one core, from bytes."""

from __future__ import annotations

import argparse
import datetime as dt
import statistics

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

from collections.abc import Callable
from contextlib import suppress

import lxml.html
import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree
from selectolax.lexbor import LexborHTMLParser

import chaffinch
from bench.lib.timing import best_times, machine, pages, versions
from chaffinch.methods import METHODS
from chaffinch.page.decoding import decode


def resiliparse_text(page: bytes) -> str:
    """Return resiliparse's main content, as its documentation does it for bytes."""
    tree = HTMLTree.parse_from_bytes(page, detect_encoding(page) or "utf-8")
    text: str = extract_plain_text(tree, main_content=True)
    return text


def systems() -> dict[str, Callable[[bytes], object]]:
    """Return what is timed, by the name in the table."""
    ours = {
        f"chaffinch {name}, bytes to text": lambda page, name=name: (
            chaffinch.extract(page, method=name).text
        )
        for name in ("auto", *METHODS)
        if name == "auto" or not METHODS[name].needs_siblings
    }
    found: dict[str, Callable[[bytes], object]] = {
        "Lexbor parse alone": LexborHTMLParser,
        "lxml parse alone": lxml.html.document_fromstring,
        "chaffinch page table": chaffinch.parse,
        **ours,
        "resiliparse main content": resiliparse_text,
        "trafilatura": trafilatura.extract,
    }
    with suppress(ImportError):  # of no locked set but baselines.txt
        from readability import Document  # noqa: PLC0415

        found["readability-lxml"] = lambda page: Document(decode(page).text).summary()
    return found


def main() -> None:
    """Time all systems and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", default="scrapinghub")
    options.add_argument("--limit", type=int, default=None)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    given = pages(chosen.corpus)[: chosen.limit]
    size = statistics.mean(map(len, given)) / 1000
    times = best_times(systems(), given, rounds=chosen.rounds)
    lexbor = sum(times["Lexbor parse alone"])
    resiliparse = sum(times["resiliparse main content"])
    print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}")
    print(versions("chaffinch", "selectolax", "lxml", "resiliparse", "trafilatura"))
    print(f"{len(given)} pages of {chosen.corpus}, {size:.0f} kB in the mean\n")
    print("| | ms a page | median | pages/s | × Lexbor | × resiliparse |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, each in times.items():
        mean, median = statistics.mean(each) * 1000, statistics.median(each) * 1000
        cells = (
            name, f"{mean:.2f}", f"{median:.2f}", f"{1000 / mean:.0f}",
            f"{sum(each) / lexbor:.2f}", f"{sum(each) / resiliparse:.2f}",
        )  # fmt: skip
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
