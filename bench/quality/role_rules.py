"""Titles, authors and dates by the rules of site models, beside the general finder's.

Learned on every second page of a site, labels unseen; scored on the others. A title or name is
right where letters and digits are the labelled ones, a date where the day is.

    python -m bench.quality.role_rules
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from bench.lib.timing import corpora, machine, versions
from chaffinch import Site, parse
from chaffinch.elements.dates import day_of, parse_date
from chaffinch.metadata.text_cleaning import fold

if TYPE_CHECKING:
    from chaffinch.extraction.extract import Extract
    from chaffinch.result import Content

LISTS = "oa.jlu.edu.cn_lists"
MOST, LEAST = 44, 10  # pages of a site
FIELDS = ("title", "date", "author")


def labelled(path: Any) -> list[dict[str, Any]]:
    """Return the first labelled pages of a site."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["gold_text"]]
    return [row for row in rows if any(row.get(name) for name in FIELDS)][:MOST]


def want(row: dict[str, Any], name: str) -> str:
    """Return a labelled value, folded; "" for none."""
    value = row.get(name) or ""
    value = value if isinstance(value, str) else "; ".join(value)
    if name != "date":
        return fold(value)
    found = parse_date(value)
    return day_of(found).isoformat() if found else value


def got(found: Extract, name: str) -> str:
    """Return a value that was found, folded."""
    if name == "date":
        return found.date[:10]
    return fold(found.title if name == "title" else found.author)


def without_roles(found: Extract) -> Extract:
    """Return an extract without the rules for fields."""

    def bare(content: Content) -> Content:
        return replace(content, verdict=replace(content.verdict, roles=()))

    replaced = None if found.replaced is None else bare(found.replaced)
    return replace(found, content=bare(found.content), replaced=replaced)


@click.command()
def main() -> None:
    """Print the table in Markdown."""
    labels, general, ruled = Counter[str](), Counter[str](), Counter[str]()
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        rows = labelled(path)
        if len(rows) < LEAST or path.name.startswith(LISTS):
            continue
        pages = [parse(row["html"].encode("latin-1"), url=row["url"] or None) for row in rows]
        site = Site.learn(pages[::2], date="2026-11-22")
        for row, page in zip(rows[1::2], pages[1::2], strict=True):
            found = site.extract(page)
            plain = without_roles(found)
            for name in FIELDS:
                if wanted := want(row, name):
                    labels[name] += 1
                    general[name] += got(plain, name) == wanted
                    ruled[name] += got(found, name) == wanted
    click.echo("| field | labels | right by the general finder | right with learned rules |")
    click.echo("|---|---:|---:|---:|")
    for name in FIELDS:
        click.echo(f"| {name} | {labels[name]} | {general[name]} | {ruled[name]} |")
    click.echo(f"\n{versions('chaffinch')}; {machine()}")


if __name__ == "__main__":
    main()
