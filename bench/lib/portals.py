"""The labelled pages of one site, parsed, for the repeats of published experiments."""

from __future__ import annotations

import datetime as dt
import os
import re
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from bench.lib.timing import corpora, machine, versions
from chaffinch import parse
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.output import text
from chaffinch.page import Page
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content, Verdict

LISTS = "sites/oa.jlu.edu.cn_lists"
"""A site of list pages: no rule of the sources is meant for them."""
PORTAL_CORPUS = "zh_news"
PORTAL_SITES = ("163.com",)
"""Chinese news portals: the hosts of the corpus, and those of the sites that are portals."""
POPULATIONS = ("portals", "sites")
"""The Chinese portals, whose kind of page the sources measured on; or each site with labels."""


@dataclass(frozen=True, eq=False)
class LabelledSite:
    """The pages of a site with their labelled content; None where a page has none."""

    name: str
    pages: list[Page]
    gold: list[str | None]
    titles: list[str]


def portal_rows(only: str = "") -> Iterator[tuple[str, list[LabelledPage]]]:
    """Yield the name and the pages of each Chinese portal whose name contains ``only``."""
    hosts: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for row in read_corpus(PORTAL_CORPUS):
        hosts[row.domain].append(row)
    for name in PORTAL_SITES:
        hosts[name] = list(read_corpus(f"sites/{name}"))
    yield from ((name, rows) for name, rows in hosts.items() if only in name)


def _rows(only: str, population: str) -> Iterator[tuple[str, list[LabelledPage]]]:
    os.environ.setdefault("CHAFFINCH_CORPORA", str(corpora()))
    return (portal_rows if population == "portals" else _site_rows)(only)


def _site_rows(only: str) -> Iterator[tuple[str, list[LabelledPage]]]:
    for name in known_corpora():
        if name.startswith("sites/") and name != LISTS and only in name:
            yield name.removeprefix("sites/"), list(read_corpus(name))


def add_population(options: ArgumentParser) -> None:
    """Add the options ``--population`` and ``--site``."""
    options.add_argument(
        "--population", choices=POPULATIONS, default=POPULATIONS[0],
        help="Chinese news portals, as in the sources (default), or all labelled sites",
    )  # fmt: skip
    options.add_argument("--site", default="", help="only sites whose name contains this")


def f1(page: Page, verdict: Verdict, gold: str) -> float:
    """Return the word F1 of what a verdict keeps."""
    kept = text.render(Content(page, verdict))
    return word_score(tokenize(kept), tokenize(gold)).f1


def heading() -> str:
    """Return date, machine and versions: what a figure needs beside it."""
    packages = versions("chaffinch", "numpy", "selectolax")
    return f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}\n{packages}"


def mean(values: list[float]) -> float:
    """Return the mean; 0 of nothing."""
    return float(np.mean(values)) if values else 0.0


def page_sources(only: str = "", population: str = "sites", *, most: int = 1000) -> list[bytes]:
    """Return the bytes of up to ``most`` pages, taken from all sites of a population in turn."""
    every = [[row.html for row in rows] for _, rows in _rows(only, population)]
    turns = [data for turn in zip_longest(*every) for data in turn if data is not None]
    return turns[:most]


def sites(only: str = "", population: str = "sites") -> Iterator[LabelledSite]:
    """Yield each site of a population with labels whose name contains ``only``, but lists."""
    for name, rows in _rows(only, population):
        if any(row.gold_text for row in rows):
            yield LabelledSite(
                name,
                [parse(row.html, url=row.url) for row in rows],
                [row.gold_text for row in rows],
                [row.title or "" for row in rows],
            )


# The lines of a page that the sources count as content and the labels mostly leave out: title,
# time, source and editor (layout-similarity, 3.3).
DATE = re.compile(r"(?:19|20)\d\d\s*[-年/.]\s*\d{1,2}")
SOURCE = re.compile("来源|作者|记者")
EDITOR = re.compile("责任编辑|责编|编辑[:：]|编辑\\s")
LONGEST = 60  # characters of a line that is only title, time, source or editor


def head_and_foot(page: Page) -> tuple[list[str], list[str]]:
    """Return the first lines of a page with title, time and source, and that with the editor."""
    title = page.head.title
    head: dict[str, str] = {}
    foot: list[str] = []
    for line in text_blocks(page).texts():
        if len(line) > LONGEST:
            continue
        if "title" not in head and len(line) >= len("six or") and line in title:
            head["title"] = line
        elif "date" not in head and DATE.search(line):
            head["date"] = line
        elif "source" not in head and SOURCE.search(line):
            head["source"] = line
        elif not foot and EDITOR.search(line):
            foot = [line]
    return list(head.values()), foot
