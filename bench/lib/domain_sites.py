"""Domains of the labelled corpora as sites: six times as many as there are whole sites.

The page-level model was trained on these corpora, so that each page is read by the weights of the
fold that hasn't seen its domain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import numpy as np

from bench.lib.labelled_sites import (
    HEAD,
    LOSS,
    Sample,
    by_default,
    by_site,
    line,
    measured,
    sample,
)
from chaffinch.errors import PageError
from chaffinch.evaluate import read_corpus
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.methods import Learned
from training.dataset import registrable

CORPORA = ("daniel", "wcxb", "zh_news", "fundus", "magic_html_article", "magic_html_forum")
FOLDS = 5
FOLDER = Path("training/folds")
LEAST = 3
"""Labelled pages that make a domain a site."""
MOST = 40
"""Pages of a domain that are read."""


def domain_sites(only: str) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the domains whose ``corpus: domain`` contains ``only``, with their pages."""
    methods = [Learned(weights=str(FOLDER / f"fold{fold}.npz")) for fold in range(FOLDS)]
    for corpus in CORPORA:
        by_domain: dict[str, list[LabelledPage]] = defaultdict(list)
        for page in read_corpus(corpus):
            if page.gold_text and (domain := registrable(page)):
                by_domain[domain].append(page)
        for domain, pages in sorted(by_domain.items()):
            name = f"{corpus}: {domain}"
            if len(pages) >= LEAST and only in name:
                method = methods[crc32(domain.encode()) % FOLDS]
                samples = list(_samples(pages[:MOST], method))
                if len(samples) >= LEAST:
                    yield name, samples


def _samples(pages: list[LabelledPage], method: Learned) -> Iterator[Sample]:
    for page in pages:
        try:
            yield sample(page.html, page.url, page.gold_text, method)
        except PageError:
            continue


def domain_table(given: dict[str, list[Sample]]) -> None:
    """Print default, full and rules by corpus, then the sites that lose or gain by a model."""
    systems = {
        "default": measured(given, by_default),
        "full": measured(given, by_site("full")),
        "rules": measured(given, by_site("rules")),
    }
    base = systems["default"]
    print(HEAD.replace("| |", "| corpus | |", 1).replace("|---|", "|---|---|", 1))
    for corpus in ("all", *CORPORA):
        names = [name for name in base if corpus == "all" or name.startswith(f"{corpus}: ")]
        for system, found in systems.items():
            if names:
                ours, before = ({n: one[n] for n in names} for one in (found, base))
                print(f"| {corpus} {line(system, ours, before)}", flush=True)
    print("\n| | lose > 0.01 | gain > 0.01 | the greatest losses |\n|---|---:|---:|---|")
    for system in ("full", "rules"):
        change = {n: float(np.mean(systems[system][n]) - np.mean(base[n])) for n in base}
        worst = sorted(change, key=lambda name: change[name])[:4]
        told = ", ".join(f"{name.split(': ')[1]} {change[name]:+.3f}" for name in worst)
        lose = sum(value < -LOSS for value in change.values())
        gain = sum(value > LOSS for value in change.values())
        print(f"| {system} | {lose} | {gain} | {told} |")
