"""Labelled sites for the benches of site models: learned on a half, scored on the other.

Sites are those of ``sites/``, domains of the labelled corpora (the page-level model was trained on
these, so each page is read by the weights of the fold without its domain), or made-up ones.
Every page is read by the page-level model once, and its reading is used for all of them; the
verdicts are those of the product.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from bench.lib.made_sites import COUNT, made_site
from bench.lib.portals import f1
from chaffinch import Site, parse
from chaffinch.errors import PageError
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.methods import DEFAULT, Learned, build
from chaffinch.model.block_scores import score_blocks, stored_model
from chaffinch.page import Page
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site import Statistics, apply, merged
from chaffinch.site import learn as learning
from chaffinch.site.evidence import EvidenceWeights, shipped_weights
from chaffinch.verdict import Verdict
from training.dataset import registrable
from training.labels import label_blocks

GOOD = 0.9
LOSS = 0.01
"""Loss of F1 against the default that is counted."""
FEW = 8
"""Pages of a site below which each is scored by a model of all the others, and not by halves."""
_READ: dict[int, tuple[Page, Any]] = {}
"""Page → itself and the page-level model's scores of its blocks."""
_DEFAULTS: dict[int, Verdict] = {}
"""Page → the page-level default's verdict, where it isn't that of the shipped weights."""
LEFT_OUT: dict[str, dict[str, float]] = {}
"""Site → the weights of the join that were learned without it, where they are given."""
HEAD = (
    "| | sites | mean F1 | worst quarter | spread within a site | F1 ≥ 0.9 | worst against default"
    " | sites that lose > 0.01 |\n|---|---:|---:|---:|---:|---:|---:|---:|"
)
default = build(DEFAULT)


@dataclass(frozen=True, eq=False)
class Sample:
    """One labelled page: parsed, judged by the default, as statistics; ``gold`` may be None."""

    html: bytes
    page: Page
    verdict: Verdict
    part: Statistics
    gold: str | None

    def score(self, verdict: Verdict) -> float:
        """Return the word F1 of a verdict."""
        return f1(self.page, verdict, self.gold or "")


class _RememberedDefault(Learned):
    """The page-level default where a site model falls back: its verdicts, if they are at hand."""

    def __call__(self, page: Page) -> Verdict:
        found = _DEFAULTS.get(id(page))
        return default(page) if found is None else found


def remember_readings() -> None:
    """Let the page-level model read each page once."""

    def remembered(page: Page) -> Any:
        if id(page) not in _READ:
            _READ[id(page)] = page, score_blocks(page)
        return _READ[id(page)][1]

    vars(apply)["score_blocks"] = remembered
    vars(apply)["Learned"] = _RememberedDefault


def weigh_for(name: str) -> None:
    """Let a site be learned and read with the weights that were learned without it, if known."""
    weights = EvidenceWeights(**LEFT_OUT[name]) if name in LEFT_OUT else shipped_weights()
    for module in (apply, learning):
        vars(module)["shipped_weights"] = lambda: weights


def sample(html: bytes, url: str | None, gold: str | None, method: Learned | None = None) -> Sample:
    """Return a page with what the default says of it, or the default by other weights."""
    page = parse(html, url=url)
    verdict = (method or default)(page)
    if method is not None and len(text_blocks(page)):
        _READ[id(page)] = page, score_blocks(page, model=stored_model(method.weights or ""))
        _DEFAULTS[id(page)] = verdict
    return Sample(html, page, verdict, Statistics.of_page(page, verdict=verdict, date="1"), gold)


def sites(only: str) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the sites that have labels, whose name contains ``only``."""
    for name in known_corpora():
        if name.startswith("sites/") and only in name:
            rows = list(read_corpus(name))
            if any(row.gold_text for row in rows):
                yield (
                    name.removeprefix("sites/"),
                    [sample(row.html, row.url, row.gold_text) for row in rows],
                )


def halves(samples: list[Sample]) -> list[tuple[list[Sample], list[Sample]]]:
    """Return what is learned and what is scored, both ways round; of few pages each by the rest."""
    if len(samples) < FEW:
        return [([one for one in samples if one is not each], [each]) for each in samples]
    return [(samples[::2], samples[1::2]), (samples[1::2], samples[::2])]


def learned(samples: Iterable[Sample]) -> Site:
    """Return the model of some pages."""
    return Site.of(merged([one.part for one in samples]))


def by_site(samples: list[Sample]) -> Callable[[Sample], float]:
    """Return the system that learns the site and applies it."""
    site = learned(samples)
    return lambda one: one.score(site(one.page))


def measured(given: dict[str, list[Sample]], system: Any) -> dict[str, list[float]]:
    """Return for each site the F1 of its labelled pages."""
    out = {}
    for name, samples in given.items():
        weigh_for(name)
        scores = []
        for learn, score in halves(samples):
            judge = system(learn)
            scores += [judge(one) for one in score if one.gold]
        if scores:
            out[name] = scores
    return out


def by_default(_samples: list[Sample]) -> Callable[[Sample], float]:
    """Return the page-level default, which learns nothing."""
    return lambda one: one.score(one.verdict)


def line(name: str, found: dict[str, list[float]], base: dict[str, list[float]]) -> str:
    """Return means of sites and of the worst quarter, spread, worst loss against ``base``."""
    means = np.array([np.mean(found[site]) for site in found])
    before = np.array([np.mean(base[site]) for site in found])
    worst = np.sort(means)[: max(len(means) // 4, 1)].mean()
    spread = np.mean([np.std(found[site]) for site in found])
    accurate = np.mean([np.mean(np.array(found[site]) >= GOOD) for site in found])
    return (
        f"| {name} | {len(found)} | {means.mean():.4f} | {worst:.4f} | {spread:.4f} "
        f"| {accurate:.3f} | {(means - before).min():+.4f} | {(means < before - LOSS).sum()} |"
    )


CORPORA = ("daniel", "wcxb", "zh_news", "fundus", "magic_html_article", "magic_html_forum")
FOLDS = 5
FOLDER = Path("training/folds")
LEAST = 3
"""Labelled pages that make a domain a site."""
MOST = 40
"""Pages of a domain that are read."""


def domain_sites(only: str) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the domains whose ``corpus: domain`` contains ``only``, with up to 40 pages."""
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
                samples = []
                for page in pages[:MOST]:
                    with suppress(PageError):
                        samples.append(sample(page.html, page.url, page.gold_text, method))
                if len(samples) >= LEAST:
                    yield name, samples


def made_up_sites(only: str) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the made-up sites whose name contains ``only``."""
    for number in range(COUNT):
        if only in (name := f"made {number}"):
            yield name, [sample(page.html, page.url, page.gold) for page in made_site(number)]


def by_labels(page: Page, gold: str) -> Verdict:
    """Return the verdict that keeps the text blocks most of whose words are labelled content."""
    found = text_blocks(page)
    keep = found.spread(label_blocks(found, gold).share > 0.5)
    return Verdict(keep, keep.astype(np.float32), np.zeros(len(page), dtype=np.int8))
