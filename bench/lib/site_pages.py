"""The labelled pages of one site, parsed; for the repeats of published experiments."""

from __future__ import annotations

import datetime as dt
import os
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

import numpy as np

from bench.lib.timing import corpora, machine, versions
from chaffinch import parse
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.output import text
from chaffinch.result import Content, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

LISTS = "sites/oa.jlu.edu.cn_lists"
"""A site of list pages: no rule of the sources is meant for them."""


@dataclass(frozen=True, eq=False)
class LabelledSite:
    """The pages of a site with their labelled content; None where a page has none."""

    name: str
    pages: list[Page]
    gold: list[str | None]
    titles: list[str]


def sites(only: str = "") -> Iterator[LabelledSite]:
    """Yield each site with labels whose name contains ``only``, but lists, in order of name."""
    os.environ.setdefault("CHAFFINCH_CORPORA", str(corpora()))
    for name in known_corpora():
        if not name.startswith("sites/") or name == LISTS or only not in name:
            continue
        rows = list(read_corpus(name))
        if any(row.gold_text for row in rows):
            yield LabelledSite(
                name.removeprefix("sites/"),
                [parse(row.html, url=row.url) for row in rows],
                [row.gold_text for row in rows],
                [row.title or "" for row in rows],
            )


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


def page_sources(only: str = "", *, most: int = 1000) -> list[bytes]:
    """Return the bytes of up to ``most`` pages, taken from all sites in turn."""
    os.environ.setdefault("CHAFFINCH_CORPORA", str(corpora()))
    every = [
        [row.html for row in read_corpus(name)]
        for name in known_corpora()
        if name.startswith("sites/") and name != LISTS and only in name
    ]
    turns = [data for turn in zip_longest(*every) for data in turn if data is not None]
    return turns[:most]
