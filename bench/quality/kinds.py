"""How often methods tell what kind a page is, and keep a product's parameters.

    python -m bench.quality.kinds [--part tune] [--pages 12]

Made-up pages (`bench.lib.made_sites.made_kind`) are articles, articles in one element with breaks,
threads, manuals, products of a shop without JSON-LD, its categories, lists of teasers, lists of
links, pages of pictures, tables and filled forms, each in Chinese, Japanese, Russian, Arabic and
English, each page of a design of its own. Labelled pages are the corpora's, by their types, and
sites whose kind is known. Figures of the rules were chosen on ``--part tune`` (even numbers of
made-up pages, even CRC-32 of domains; the three
sites are in both); ``--part report``, the default, is the other half.

A cell is the share told right. ``anchor_blocks`` knows topic, directory and table,
``information_blocks`` image as well; for both a product's page may be a topic or a table. The
default knows seven types; the made-up kinds that are none of them aren't counted, nor is wcxb, on
which it was trained (`training.page_types` has its figures, domains left out).

The second table is of made-up shops (`bench.lib.made_sites.made_facts`), by the form of the
parameters of their products, by their place, and by whether JSON-LD declares a product: on how many
pages the default and a site model, learned on half of a shop's pages, keep all names and values,
and on how many something of other products.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple
from zlib import crc32

from bench.lib.made_sites import made_facts, made_kind
from chaffinch import Site, extract, parse
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.methods import Learned, build
from chaffinch.page import Page

LANGUAGES: Final = ("zh", "ja", "ru", "ar", "en")
METHODS: Final = ("anchor_blocks", "information_blocks", "learned")
_TOPIC: Final = ("topic", "topic")
_LIST: Final = ("directory", "directory")
MADE: Final = {
    "article": (*_TOPIC, "article"),
    "breaks": (*_TOPIC, "article"),
    "thread": (*_TOPIC, "forum"),
    "manual": (*_TOPIC, "documentation"),
    "shop": ("topic table", "topic table", "product"),
    "listing": (*_LIST, "listing"),
    "links": (*_LIST, "listing"),
    "index": ("", "", "listing"),
    "category": (*_LIST, "collection"),
    "images": ("", "image", ""),
    "table": ("table", "table", ""),
    "form": ("table", "table", ""),
}
"""Kind → what `METHODS` should say, in their order; "" isn't counted."""
TYPES: Final = {
    "article": (*_TOPIC, ""),
    "documentation": (*_TOPIC, ""),
    "forum": (*_TOPIC, ""),
    "product": ("topic table", "topic table", ""),
    "listing": (*_LIST, ""),
    "collection": (*_LIST, ""),
}
"""Type of a page of wcxb → likewise; a service's page may be of any kind."""
SOURCES: Final = {
    "zh_news": MADE["article"],
    "daniel": MADE["article"],
    "harvest_forum": MADE["thread"],
    "magic_html_forum": MADE["thread"],
    "sites/httpx_docs": MADE["manual"],
    "sites/trpl-zh": MADE["manual"],
    "sites/oa.jlu.edu.cn_lists": MADE["links"],
}
"""Corpora and sites whose pages are all of one kind → likewise."""
HALF: Final = 8
"""Pages of a shop that a site model is learned from, and as many that it is measured on."""
MOST: Final = 400
"""Pages of a corpus."""


class Given(NamedTuple):
    """A page, what it is of, and what each method should say."""

    name: str
    page: Page
    right: tuple[str, ...]


def made(pages: int, part: int) -> Iterator[Given]:
    """Yield the made-up pages of a half: so many of each kind and language."""
    for kind, right in MADE.items():
        for code in LANGUAGES:
            for number in range(part, 2 * pages, 2):
                one = made_kind(kind, code, number)
                yield Given(f"{kind} | {code}", parse(one.html, url=one.url), right)


def labelled(part: int) -> Iterator[Given]:
    """Yield the labelled pages of a half."""
    for name in ("wcxb", *SOURCES):
        rows = iter(read_corpus(name))
        if not name.startswith("sites/"):
            rows = (row for row in rows if crc32(row.domain.encode()) % 2 == part)
        for row in islice(rows, MOST if name in SOURCES else None):
            right = SOURCES.get(name) or TYPES.get(row.page_type)
            if right:
                label = name.rpartition("/")[2] if name in SOURCES else f"{name}, {row.page_type}"
                yield Given(label, parse(row.html, url=row.url), right)


def parameters(shops: int, part: int) -> dict[str, Counter[str]]:
    """Return form, place, language → pages, and on how many of them each method keeps them all."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(part, 2 * shops, 2):
        code = LANGUAGES[number // 2 % len(LANGUAGES)]
        pages = [made_facts(code, number, page) for page in range(2 * HALF)]
        site = Site.learn([page.html for page, _ in pages[:HALF]])
        methods = {"default": Learned(), "site model": site}
        for page, facts in pages[HALF:]:
            declared = "with JSON-LD" if facts.declared else "without JSON-LD"
            for name in (own := (facts.form, facts.place, declared, code, "all")):
                counts[name].update(pages=1)
            for name, method in methods.items():
                text = extract(page.html, url=page.url, method=method).text
                kept = all(one in text and value in text for one, value in facts.pairs)
                noise = any(one in text for one in facts.others)
                for group in own:
                    counts[group].update({name: kept, f"{name}, noise": noise})
    return counts


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(prog="python -m bench.quality.kinds", description=__doc__)
    options.add_argument("--part", choices=["tune", "report"], default="report")
    options.add_argument("--pages", type=int, default=12, help="made-up ones a kind and language")
    options.add_argument("--said", action="store_true", help="print what was said instead")
    chosen = options.parse_args()
    methods = [build(name) for name in METHODS]
    part = int(chosen.part == "report")
    said: dict[str, list[Counter[str]]] = defaultdict(lambda: [Counter() for _ in METHODS])
    rights: dict[str, tuple[str, ...]] = {}
    for given in (*made(chosen.pages, part), *labelled(part)):
        kind, _, code = given.name.partition(" | ")
        rights[kind] = given.right
        for at, method in enumerate(methods):
            if given.right[at] and (told := method(given.page).page_type or ""):
                is_right = told in given.right[at].split()
                said[kind][at].update([told, "pages", "right" if is_right else "wrong"])
                if code:
                    said[code][at].update(["pages", "right" if is_right else "wrong"])
    print("| pages | " + " | ".join(f"`{name}`" for name in METHODS) + " |")
    print("|---|" + "---:|" * len(METHODS))
    for name, counts in said.items():
        cells = [_cell(each, details=chosen.said) for each in counts]
        print(f"| {name} | " + " | ".join(cells) + " |")
    columns = [f"{name}{rest}" for rest in ("", ", noise") for name in ("default", "site model")]
    print("\n| parameters | pages |", " | ".join(columns), "|\n|---|" + "---:|" * 5)
    for name, one in sorted(parameters(10 * chosen.pages, part).items()):
        print(f"| {name} | {one['pages']} |", " | ".join(str(one[key]) for key in columns), "|")


def _cell(counts: Counter[str], *, details: bool) -> str:
    if not counts["pages"]:
        return "–"
    share = f"{counts['right'] / counts['pages']:.2f} of {counts['pages']}"
    told = ", ".join(f"{n} {k}" for k, n in counts.most_common() if k not in _TALLIES)
    return f"{share} ({told})" if details and told else share


_TALLIES: Final = ("pages", "right", "wrong")


if __name__ == "__main__":
    main()
