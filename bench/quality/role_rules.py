"""Titles, authors, dates and images by the rules of site models, beside the general finder's.

Learned on every second page of a site, labels unseen; scored on the others. A title or name is
right where letters and digits are the labelled ones, a date where the day is. Some labels of titles
are whole title elements: there the title is right, too, if all else in the label returns on pages
that were learned. Images have no labels: one that another page of the site names, too, is the
site's and not the page's.

    python -m bench.quality.role_rules
    python -m bench.quality.role_rules --titles   # titles that a model changes, one by one, instead
    python -m bench.quality.role_rules --titles --domains   # on domains of the corpora
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from bench.lib.domain_sites import CORPORA
from bench.lib.timing import machine, versions
from chaffinch import Site, parse
from chaffinch.elements.dates import day_of, parse_date
from chaffinch.evaluate.corpora import corpora_root, known_corpora, read_corpus
from chaffinch.metadata.text_cleaning import fold
from chaffinch.metadata.title_parts import split_title
from training.dataset import registrable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.extraction.extract import Extract
    from chaffinch.result import Content

LISTS = "oa.jlu.edu.cn_lists"
MOST, LEAST = 44, 10  # pages of a site
MOST_READ = 80  # of those whose titles are printed
FIELDS = ("title", "date", "author")


def sites() -> Iterator[list[LabelledPage]]:
    """Yield the first labelled pages of each site."""
    for path in sorted((corpora_root() / "sites").glob("*.jsonl.xz")):
        name = path.name.removesuffix(".jsonl.xz")
        if name != LISTS:
            pages = (page for page in read_corpus(f"sites/{name}") if page.gold_text)
            rows = [page for page in pages if any(getattr(page, field) for field in FIELDS)][:MOST]
            if len(rows) >= LEAST:
                yield rows


def want(row: LabelledPage, name: str) -> str:
    """Return a labelled value, folded; "" for none."""
    value: str = getattr(row, name) or ""
    if name != "date":
        return fold(value)
    found = parse_date(value)
    return day_of(found).isoformat() if found else value


def got(found: Extract, name: str) -> str:
    """Return a value that was found, folded."""
    if name == "date":
        return found.date[:10]
    return fold(found.title if name == "title" else found.author)


def is_right(found: Extract, name: str, wanted: str, boilerplate: set[str]) -> bool:
    """Return whether a value is the labelled one, but for ``boilerplate`` of title elements."""
    own = got(found, name)
    if own == wanted or name != "title" or not own:
        return own == wanted
    before, _, after = wanted.partition(own)
    rest = {fold(part) for part in split_title(found.page.head.title)} - {own, ""}
    return own in wanted and bool(before or after) and rest <= boilerplate


def without_rules(found: Extract) -> Extract:
    """Return an extract without the rules for fields and what is left out of titles."""

    def bare(content: Content) -> Content:
        verdict = replace(content.verdict, roles=(), title_boilerplate=())
        return replace(content, verdict=verdict)

    replaced = None if found.replaced is None else bare(found.replaced)
    return replace(found, content=bare(found.content), replaced=replaced)


@dataclass
class Figures:
    """By field and way what was right; images by way, site by site."""

    right: Counter[tuple[str, str]]
    images: dict[str, list[list[str]]]

    def measure(self, rows: list[LabelledPage]) -> None:
        """Learn from every second page, read the others."""
        pages = [parse(row.html, url=row.url) for row in rows]
        site = Site.learn(pages[::2], date="2026-11-24")
        boilerplate = set(map(fold, site.title_boilerplate))
        for by_way in self.images.values():
            by_way.append([])
        for row, page in zip(rows[1::2], pages[1::2], strict=True):
            found = site.extract(page)
            for way, one in {"general": without_rules(found), "rules": found}.items():
                if image := one.metadata.value("lead_image"):
                    self.images[way][-1].append(image)
                for name in FIELDS:
                    if wanted := want(row, name):
                        self.right[name, "labels"] += way == "rules"
                        self.right[name, way] += is_right(one, name, wanted, boilerplate)

    def lines(self) -> Iterator[str]:
        """Yield the rows of the table in Markdown."""
        for name in FIELDS:
            right = (str(self.right[name, key]) for key in ("labels", "general", "rules"))
            yield f"| {name} | {' | '.join(right)} |"
        cells = [
            f"{sum(map(len, site))}, {sum(map(returning, site))} of them return"
            for site in self.images.values()
        ]
        yield f"| image | – | {' | '.join(cells)} |"


def returning(images: list[str]) -> int:
    """Return how many of a site's images another page of it names, too."""
    return sum(count for count in Counter(images).values() if count > 1)


def print_changed_titles(given: Iterable[list[LabelledPage]]) -> None:
    """Print each title that a model of every second page changes on the others."""
    read = changed = 0
    for rows in given:
        pages = [parse(row.html, url=row.url) for row in rows]
        site = Site.learn(pages[::2], date="2026-11-24")
        for page in pages[1::2]:
            found = site.extract(page)
            before, after = without_rules(found).title, found.title
            read += 1
            if before != after:
                changed += 1
                click.echo(f"{before!r} -> {after!r}  of {page.head.title!r}")
    click.echo(f"{changed} of {read} pages")


def whole_sites() -> Iterator[list[LabelledPage]]:
    """Yield pages of each site, labelled or not."""
    for name in known_corpora():
        if name.startswith("sites/"):
            yield list(read_corpus(name))[:MOST_READ]


def domains() -> Iterator[list[LabelledPage]]:
    """Yield the pages of each domain of the corpora that has enough."""
    for corpus in CORPORA:
        by_domain: defaultdict[str, list[LabelledPage]] = defaultdict(list)
        for page in read_corpus(corpus):
            by_domain[registrable(page)].append(page)
        yield from (pages for name, pages in by_domain.items() if name and len(pages) >= LEAST)


@click.command()
@click.option("--titles", is_flag=True, help="print titles that a model changes")
@click.option("--domains", "of_domains", is_flag=True, help="with --titles: on domains")
def main(*, titles: bool, of_domains: bool) -> None:
    """Print the table in Markdown."""
    if titles:
        print_changed_titles(domains() if of_domains else whole_sites())
        return
    click.echo("| field | labels | right by the general finder | right with learned rules |")
    click.echo("|---|---:|---:|---:|")
    figures = Figures(Counter(), {"general": [], "rules": []})
    for rows in sites():
        figures.measure(rows)
    click.echo("\n".join(figures.lines()))
    click.echo(f"\n{versions('chaffinch')}; {machine()}")


if __name__ == "__main__":
    main()
