"""Entries and fields of labelled list pages: by structure and by site models.

An entry is right where it has nine tenths of a labelled one's characters and no more; a field is
right in a right entry with the labelled value (an author within it, a summary with word F1 of 0.8).

    python -m bench.quality.records [--site NAME]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import click

from bench.lib.record_labels import (
    EXAMPLE,
    SINGLE,
    Counts,
    LabelledList,
    PageScores,
    labelled_lists,
    score_entries,
    site_files,
)
from bench.lib.timing import machine, versions
from chaffinch import Site, extract, parse
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.extraction.extracted import Extract
from chaffinch.lists.entries import entries
from chaffinch.lists.entry_fields import TYPED, Entry
from chaffinch.lists.entry_search import ListRules
from chaffinch.page import Page

ARTICLES = 6
"""Labelled pages of each site that are no lists, on which entries are false."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A labelled list page with its extract by the default."""

    labelled: LabelledList
    extract: Extract


def subjects(only: str) -> list[Subject]:
    """Return the labelled pages, extracted."""
    return [Subject(one, extract(one.page)) for one in labelled_lists(only)]


def articles(only: str) -> dict[str, list[Extract]]:
    """Return site → extracts of some of its pages that are no lists."""
    out: dict[str, list[Extract]] = {}
    for site in dict.fromkeys(one.site for one in labelled_lists(only)):
        if site not in {EXAMPLE, "oa.jlu.edu.cn_lists"}:
            rows = (row for row in read_corpus(f"sites/{site}") if row.gold_text)
            out[site] = [extract(row.html, url=row.url) for row in islice(rows, ARTICLES)]
    return out


def by_structure(subject: Subject) -> list[Entry]:
    """Return the entries that the page's structure tells."""
    return subject.extract.records


def by_sites(lists: Iterable[Subject], mode: str) -> Callable[[Subject], list[Entry]]:
    """Return a finder by models of the sites, each learned from all of its pages, labels unseen."""
    models: dict[str, Site] = {}
    for site in dict.fromkeys(one.labelled.site for one in lists):
        models[site] = Site.learn(_parsed(site), mode=mode, date="2026-11-22")
    return lambda subject: models[subject.labelled.site].records(subject.labelled.page)


def _parsed(site: str) -> Iterator[Page]:
    for html, url in site_files(site):
        try:
            yield parse(html, url=url)
        except PageError:
            continue


def scored(
    lists: Iterable[Subject], find: Callable[[Subject], list[Entry]], group: str
) -> dict[str, PageScores]:
    """Return the counts by ``group``, an attribute of the labelled page."""
    out: dict[str, PageScores] = defaultdict(PageScores)
    for one in lists:
        score_entries(find(one), one.labelled, out[getattr(one.labelled, group)])
    return out


def print_scores(found: dict[str, PageScores], what: str) -> None:
    """Print a table of entries, and of fields by F1."""
    click.echo(f"| {what} | entries | precision | recall | " + " | ".join(TYPED) + " |")
    click.echo("|---|---:|---:|---:|" + "---:|" * len(TYPED))
    for name, scores in found.items():
        own = scores.entries
        fields = " | ".join(_f1(scores.fields.get(field)) for field in TYPED)
        line = f"{own.wanted} | {own.precision:.3f} | {own.recall:.3f}"
        click.echo(f"| {name} | {line} | {fields} |")
    click.echo()


def _f1(counts: Counts | None) -> str:
    if counts is None or not counts.found + counts.wanted:
        return ""
    return f"{counts.precision:.2f} / {counts.recall:.2f}"


def print_false(rules: ListRules, by_site: dict[str, list[Extract]]) -> None:
    """Print on how many pages that are no lists entries are found."""
    every = [one for pages in by_site.values() for one in pages]
    false = sum(bool(entries(one.in_rows, rules)) for one in every)
    click.echo(f"Entries on {false} of {len(every)} pages that are no lists.\n")


@click.command()
@click.option("--site", "only", default="", help="Sites whose name contains this.")
def main(only: str) -> None:
    """Print the tables in Markdown."""
    found = subjects(only)
    several = [one for one in found if one.labelled.kind != SINGLE]
    print_scores(scored(several, by_structure, "site"), "by structure, site")
    print_scores(scored(found, by_structure, "kind"), "by structure, kind of page")
    print_false(ListRules(), articles(only))
    for mode in ("full", "rules"):
        print_scores(scored(found, by_sites(found, mode), "kind"), f"by site models, {mode}")
    click.echo(f"{versions('chaffinch')}; {machine()}")


if __name__ == "__main__":
    main()
