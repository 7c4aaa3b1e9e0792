"""Which reader of written dates is right how often, and what a string costs.

The strings are the texts of time elements and of elements whose class speaks of a date, on the
pages of fundus and wcxb that have a date as label, where some reader sees the labelled day.

    uv run --with python-dateutil --with dateparser python bench/dates.py
"""

from __future__ import annotations

import importlib.metadata
import time
import warnings
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

import click
import dateparser
import dateutil.parser
import numpy as np

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.page import parse

Reader = Callable[[str], "date | datetime | None"]


def by_dateutil(text: str) -> datetime | None:
    """Read a date with dateutil, other words allowed."""
    try:
        found: Any = dateutil.parser.parse(text, fuzzy=True)
    except (ValueError, OverflowError):
        return None
    return found if isinstance(found, datetime) else None


def by_dateparser(text: str) -> datetime | None:
    """Read a date with dateparser, which guesses the language."""
    found: datetime | None = dateparser.parse(text)
    return found


READERS: dict[str, Reader] = {
    "chaffinch": parse_date,
    f"dateutil {importlib.metadata.version('python-dateutil')}": by_dateutil,
    f"dateparser {importlib.metadata.version('dateparser')}": by_dateparser,
}


def strings(limit: int) -> Iterator[tuple[str, date]]:
    """Yield (text, labelled day) of short texts with a digit that pages give as dates."""
    for corpus in ("fundus", "wcxb"):
        for page in read_corpus(corpus, limit=limit):
            label = parse_date(page.date or "")
            if label is None:
                continue
            try:
                table = parse(page.html)
            except PageError:
                continue
            rows = np.flatnonzero(table.is_tag("time")).tolist()
            rows += [row for row, value in table.having("class") if "date" in value.lower()]
            texts = dict.fromkeys(table.folded(row) for row in rows[:10])
            for text in texts:
                if len(text) <= 60 and any(c.isdigit() for c in text):
                    yield text, day_of(label)


@click.command()
@click.option("--limit", default=150, show_default=True, help="Pages of a corpus.")
def main(limit: int) -> None:
    """Print the table in Markdown."""
    warnings.simplefilter("ignore")
    found = list(strings(limit))
    answers: dict[str, list[bool]] = {}
    cost: dict[str, float] = {}
    for name, reader in READERS.items():
        start = time.process_time()
        read = [reader(text) for text, _ in found]
        cost[name] = time.process_time() - start
        answers[name] = [
            one is not None and day_of(one) == label
            for one, (_, label) in zip(read, found, strict=True)
        ]
    some = np.any(list(answers.values()), axis=0)
    click.echo(f"{some.sum()} strings that some reader reads as the labelled day")
    click.echo("| reader | right, % | ms a string |\n|---|---:|---:|")
    for name, right in answers.items():
        share = 100 * np.sum(np.array(right) & some) / some.sum()
        click.echo(f"| {name} | {share:.1f} | {1000 * cost[name] / len(found):.3f} |")


if __name__ == "__main__":
    main()
