"""Entries and fields of labelled list pages: by structure, by site models, and beside baselines.

An entry is right where it has nine tenths of a labelled one's characters and no more; a field is
right in a right entry with the labelled value (an author within it, a summary with word F1 of 0.8).
Baselines have no entries: their values are counted alone, on pages that none was taught on.
``--sweep`` draws settings of `ListRules` and takes for each site those that are best on the others.

    python -m bench.quality.records
    python -m bench.quality.records --baselines
    python -m bench.quality.records --sweep
"""

from __future__ import annotations

import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

import click

from bench.lib.record_baselines import TaughtScraper, declared_values
from bench.lib.record_labels import EXAMPLE, SINGLE, LabelledList, labelled_lists, site_files
from bench.lib.record_scores import Counts, PageScores, Values, score_entries, score_values
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
DRAWN, SEED = 60, 11
_CHOICES = {
    "least_alike": (0.4, 0.5, 0.6),
    "least_share": (0.3, 0.4, 0.5),
    "least_linked": (0.5, 0.6, 0.7),
    "most_text": (200, 400, 800),
    "unkept": (0.1, 0.3, 0.5),
    "apart": (0.1, 0.3, 0.5),
    "most_beside": (40, 80, 160),
    "like_power": (0.5, 1.0, 2.0),
    "least_score": (0.3, 0.5, 0.7),
}


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


def baselines(lists: list[Subject]) -> None:
    """Print fields by themselves, ours and those of baselines, on pages that none is taught on."""
    taught: dict[str, TaughtScraper] = {}
    answers: dict[str, PageScores] = defaultdict(PageScores)
    for one in lists:
        labelled = one.labelled
        if labelled.site not in taught:
            taught[labelled.site] = TaughtScraper(labelled)
            continue
        ours: Values = {
            name: [value for entry in one.extract.records if (value := entry.value(name))]
            for name in TYPED
        }
        systems = {
            "chaffinch, by structure": ours,
            "autoscraper, taught one entry a site": taught[labelled.site](labelled),
            "extruct, what is declared": declared_values(labelled),
        }
        for name, values in systems.items():
            score_values(values, labelled, answers[name])
    click.echo("| values by themselves | " + " | ".join(TYPED) + " |")
    click.echo("|---|" + "---:|" * len(TYPED))
    for name, scores in answers.items():
        click.echo(f"| {name} | " + " | ".join(_f1(scores.fields.get(f)) for f in TYPED) + " |")


def sweep(lists: list[Subject], others: dict[str, list[Extract]]) -> None:
    """Print what settings that are chosen without each site give on it."""
    draw = random.Random(SEED)  # noqa: S311  no secret
    usual = ListRules()
    choices: list[dict[str, Any]] = [
        {name: draw.choice(of) for name, of in _CHOICES.items()} for _ in range(DRAWN)
    ]
    drawn = [usual, *(replace(usual, **choice) for choice in choices)]
    by_site: dict[str, list[Subject]] = defaultdict(list)
    for one in lists:
        by_site[one.labelled.site].append(one)
    table = [
        {site: _value(rules, own, others.get(site, [])) for site, own in by_site.items()}
        for rules in drawn
    ]
    chosen = {}
    for site in by_site:
        best = max(
            range(len(drawn)), key=lambda n: sum(v for s, v in table[n].items() if s != site)
        )
        chosen[site] = table[best][site]
    means = [statistics.mean(row.values()) for row in table]
    best = max(range(len(drawn)), key=means.__getitem__)
    click.echo(f"settings as they are: {means[0]:.4f}; chosen without each site: "
               f"{statistics.mean(chosen.values()):.4f}; best of all: {means[best]:.4f}, worst: "
               f"{min(means):.4f}")  # fmt: skip
    click.echo(f"the best: {asdict(drawn[best])}")


def _value(rules: ListRules, own: list[Subject], others: list[Extract]) -> float:
    """Return the mean of the entries' F1 and of the share of other pages without entries."""
    scores = PageScores()
    for one in own:
        score_entries(entries(one.extract.in_rows, rules), one.labelled, scores)
    right = [not entries(one.in_rows, rules) for one in others]
    return statistics.mean([scores.entries.f1, statistics.mean(right) if right else 1.0])


@click.command()
@click.option("--site", "only", default="", help="Sites whose name contains this.")
@click.option("--baselines", "with_baselines", is_flag=True, help="Compare with baselines.")
@click.option("--sweep", "sweeping", is_flag=True, help="Choose settings without each site.")
def main(only: str, with_baselines: bool, sweeping: bool) -> None:  # noqa: FBT001
    """Print the tables in Markdown."""
    found = subjects(only)
    several = [one for one in found if one.labelled.kind != SINGLE]
    if with_baselines:
        baselines(several)
        click.echo(f"\n{versions('chaffinch', 'autoscraper', 'extruct')}; {machine()}")
        return
    if sweeping:
        sweep(several, articles(only))
        return
    print_scores(scored(several, by_structure, "site"), "by structure, site")
    print_scores(scored(found, by_structure, "kind"), "by structure, kind of page")
    print_false(ListRules(), articles(only))
    for mode in ("full", "rules"):
        print_scores(scored(found, by_sites(found, mode), "kind"), f"by site models, {mode}")
    click.echo(f"{versions('chaffinch')}; {machine()}")


if __name__ == "__main__":
    main()
