"""Fields of one's own: by labels, by one example, and by rules that a person wrote.

    python -m bench.quality.fields [--shops 60]

Pages are those of the labelled site with attributes (publisher, number, date) and of made-up shops
(`bench.lib.made_sites.made_facts`): of each shop two parameters, which some of its pages lack. By
labels: the words before the value. By one example: the value on the first page that has it, from
which a rule is proposed on half of the pages. By hand: XPaths that say the label and where the
value stands, the same for every site of a form. A cell is the share of the other half's pages on
which the field is right, which on pages without it means that none is given.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from bench.lib.made_sites import made_facts
from bench.quality.kinds import LANGUAGES
from chaffinch import Site, extract, parse
from chaffinch.evaluate.corpora import corpus_path
from chaffinch.loading.json_lines import read_rows
from chaffinch.page import Page
from chaffinch.site.rules import Rule
from chaffinch.site.teach import Mark, SamplePage, propose

FIELD: Final = "field:own"
BOOKS: Final = {"publisher": "Publisher", "isbn_13": "ISBN-13", "publication_date": "Date"}
OF_BOOKS: Final = "substring-after(//li[strong='{}'], ': ')"
OF_FORMS: Final = {
    "table with th": "//tr[th='{}']/td",
    "table": "//tr[td[1]='{}']/td[2]",
    "dl": "//dt[.='{}']/following-sibling::dd[1]",
    "dl in groups": "//dt[.='{}']/following-sibling::dd[1]",
    "rows of divs": "//div[.='{}']/following-sibling::div[1]",
    "list": "//li[span[1]='{}']/span[2]",
}


class Asked(NamedTuple):
    """One field of one site: form, label, rule by hand, pages with their values, "" for none."""

    form: str
    label: str
    by_hand: str
    pages: list[tuple[Page, str]]


def of_books() -> Iterator[Asked]:
    """Yield the fields of the labelled site."""
    path = corpus_path("sites/booksamillion")
    with path.open("rb") as file:
        rows = [row for _, row in read_rows(file, path.name) if isinstance(row, dict)]
    pages = [parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    for key, label in BOOKS.items():
        values = ["".join(row["attributes"].get(key, [])[:1]).lstrip(": ") for row in rows]
        yield Asked("books", label, OF_BOOKS.format(label), list(zip(pages, values, strict=True)))


def of_shops(count: int) -> Iterator[Asked]:
    """Yield two fields of each of some made-up shops."""
    for number in range(1, 2 * count, 2):
        code = LANGUAGES[number // 2 % len(LANGUAGES)]
        made = [made_facts(code, number, page) for page in range(16)]
        names = list(dict.fromkeys(name for _, facts in made[:8] for name, _ in facts.pairs))
        pages = [parse(page.html, url=page.url) for page, _ in made]
        for label in (names[0], names[-1]):
            values = [dict(facts.pairs).get(label, "") for _, facts in made]
            by_hand = OF_FORMS[made[0][1].form].format(label)
            yield Asked(made[0][1].form, label, by_hand, list(zip(pages, values, strict=True)))


def taught(site: Site, pages: list[tuple[Page, str]]) -> Site:
    """Return a site with the rule that is proposed for the field's value on its first page."""
    number = next(at for at, (_, value) in enumerate(pages) if value)
    page, value = pages[number]
    says = [row for row in range(len(page)) if value in page.folded(row)]
    row = min(says, key=lambda one: (page.length[one], -one))
    made = propose([SamplePage.of(site, one) for one, _ in pages], [Mark(number, row, FIELD)])
    return by_rule(site, made.best.select) if made.best else site


def by_rule(site: Site, select: str) -> Site:
    """Return a site with a rule for the field."""
    return Site(templates=site.templates, rules=(Rule(kind=FIELD, select=select, by_hand=True),))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(prog="python -m bench.quality.fields", description=__doc__)
    options.add_argument("--shops", type=int, default=60)
    shops = options.parse_args().shops
    shares: dict[str, list[tuple[bool, ...]]] = defaultdict(list)
    for one in (*of_books(), *of_shops(shops)):
        half = len(one.pages) // 2
        learned = Site.learn([page for page, _ in one.pages[:half]])
        sites = taught(learned, one.pages[:half]), by_rule(learned, one.by_hand)
        for page, value in one.pages[half:]:
            found = extract(page).fields({"own": one.label}).get("own")
            ruled = (extract(page, method=site).fields().get("own") for site in sites)
            given = ("" if field is None else field.value for field in (found, *ruled))
            shares[one.form].append(tuple(each == value for each in given))
    print("| form | pages | by labels | by one example | rules by hand |")
    print("|---|---:|---:|---:|---:|")
    for form, right in (*shares.items(), ("all", [*chain.from_iterable(shares.values())])):
        means = (f"{sum(column) / len(right):.3f}" for column in zip(*right, strict=True))
        print(f"| {form} | {len(right)} |", " | ".join(means), "|")


if __name__ == "__main__":
    main()
