"""Which tables show data, against tables labelled by hand: the project's rules and the source's.

The labels (table_labels.json: CRC-32 of a table's text, 1 for data, 0 for layout) are of tables
drawn at random, one a page, from train-and-validate corpora, after the rules had been chosen on
others. Calendars count as data; lists of links, forms and boxes do not, whatever their markup.
Tables that could be called either were left out.

    CHAFFINCH_CORPORA=../shared python -m bench.quality.data_tables
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import click
import numpy as np

from chaffinch.elements.tables.data_tables import data_tables, shows_data
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.page import parse

CORPORA = ("magic_html_article", "magic_html_forum", "fundus", "daniel", "zh_news")
DRAWN, SEED = 120, 7  # pages of a corpus among which tables were drawn
LABELS = Path(__file__).with_name("table_labels.json")
FEW = 5  # links, controls or images in a cell, for the source's rules


def judged() -> dict[str, list[tuple[bool, bool]]]:
    """Return for each way to decide (decision, label) of every labelled table, each once."""
    labels: dict[str, int] = json.loads(LABELS.read_text())
    found: dict[str, list[tuple[bool, bool]]] = {}
    for corpus in CORPORA:
        for labelled in read_corpus(corpus, limit=DRAWN, seed=SEED):
            try:
                page = parse(labelled.html, url=labelled.url)
            except PageError:
                continue
            rows = np.flatnonzero(page.is_tag("table") & page.shown & (page.length > 0)).tolist()
            names = {row: f"{zlib.crc32(page.text_of(row).encode()):08x}" for row in rows}
            known = [row for row in rows if names[row] in labels]
            if not known:
                continue
            ways = {
                "shows_data": shows_data(page),
                f"the source's four rules, {FEW} in a cell": data_tables(
                    page, max_in_cell=FEW, hints=False
                ),
                "the same with hints of markup": data_tables(page, max_in_cell=FEW),
                "any th or caption": page.total(page.is_tag("th", "caption")) > 0,
            }
            for row in known:
                label = bool(labels.pop(names[row], None)) if names[row] in labels else None
                if label is not None:
                    for way, said in ways.items():
                        found.setdefault(way, []).append((bool(said[row]), label))
    return found


@click.command()
def main() -> None:
    """Print the table in Markdown."""
    found = judged()
    first = next(iter(found.values()))
    data = sum(label for _, label in first)
    click.echo(f"{len(first)} tables, {data} of data\n")
    click.echo("| decided by | right | data found | layout taken for data |\n|---|---:|---:|---:|")
    for way, pairs in found.items():
        right = sum(said == label for said, label in pairs)
        hits = sum(said and label for said, label in pairs)
        wrong = sum(said and not label for said, label in pairs)
        click.echo(f"| {way} | {right} / {len(pairs)} | {hits} / {data} | {wrong} |")


if __name__ == "__main__":
    main()
