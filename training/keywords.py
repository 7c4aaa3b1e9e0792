"""How many of the keywords that Chinese pages declare does `Extract.keywords` find among its ten?

Gold: a page's own keywords (`Metadata.tags`) that stand in its title or content, without those that
a fifth or more of its domain's pages declare, and without the title itself. Editors declare few,
and often names of sections, so that the figures say which of two systems is better, not how good
one is. Texts are those of the default; pages of fewer than 200 characters are left out.

The weights are fitted six times, each time without a sixth of the domains, whose pages are then
scored: the first line.

    python -m training.keywords          # the table
    python -m training.keywords --fit    # weights for chaffinch/reading/keywords.py
"""

from __future__ import annotations

import datetime as dt
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import chaffinch
from bench.lib.timing import machine, versions
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.reading import keywords as ranking
from chaffinch.reading.keywords import Keyword, distinct, keywords

System = Callable[["Sample"], Sequence[str]]


CORPORA = ("zh_news", "daniel", "magic_html_article", "magic_html_forum", "fundus")
LANGUAGE = "zh"
MOST = 10  # keywords of a page
LEAST_CHARACTERS = 200
LONGEST = 10  # characters of a declared keyword; longer ones are sentences
FOLDS = 6
PENALTY = 1.0  # of squared weights of standardised features
STEPS = 12
OF_MANY = 0.2  # share of a domain's pages from which a keyword says nothing of a page
FEW = 5  # pages of a domain, below which no such share can be told
SEPARATORS = re.compile(r"[\s,，、;；|_]+")
HAN = re.compile("[\u3400-\u9fff]")


class Sample(NamedTuple):
    """A page with what it declares."""

    domain: str
    title: str
    text: str
    gold: frozenset[str]

    @property
    def whole(self) -> str:
        """Title and text."""
        return f"{self.title}\n{self.text}"


def samples() -> list[Sample]:
    """Return the pages that declare keywords that they hold."""
    by_domain = defaultdict(list)
    for one in (page for corpus in CORPORA for page in _extracted(corpus)):
        by_domain[one.domain].append(one)
    return [one for pages in by_domain.values() for one in _informative(pages)]


def _extracted(corpus: str) -> Iterator[Sample]:
    for page in read_corpus(corpus):
        try:
            found = chaffinch.extract(page.html, url=page.url)
        except PageError:
            continue
        tags = found.metadata.tags
        if found.language == LANGUAGE and tags and len(found.text) >= LEAST_CHARACTERS:
            parts = {part for tag in tags.value for part in SEPARATORS.split(tag)}
            gold = frozenset(one for one in parts if 1 < len(one) <= LONGEST and HAN.search(one))
            yield Sample(page.domain or "", found.title, found.text, gold)


def _informative(pages: list[Sample]) -> Iterator[Sample]:
    """Yield the pages of a domain with the keywords that say something of them."""
    declared = Counter(keyword for page in pages for keyword in page.gold)
    for page in pages:
        gold = {
            one
            for one in page.gold - {page.title}
            if one in page.whole and (len(pages) < FEW or declared[one] < OF_MANY * len(pages))
        }
        if gold:
            yield page._replace(gold=frozenset(gold))


def fold_of(domain: str) -> int:
    """Return the fold of a domain."""
    return zlib.crc32(domain.encode()) % FOLDS


def fitted(pages: Sequence[Sample]) -> NDArray[np.float64]:
    """Return weights in the order of `ranking.WEIGHTS`, by Newton's method."""
    found = [(page, one) for page in pages for one in _candidates(page)]
    inputs = np.array([one.features for _, one in found])
    wanted = np.array([one.text in page.gold for page, one in found], float)
    scale = np.where(inputs.std(0) > 0, inputs.std(0), 1.0)
    inputs /= scale
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        guess = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (guess - wanted) + PENALTY * weights
        curve = (inputs * (guess * (1 - guess))[:, None]).T @ inputs
        weights -= np.linalg.solve(curve + PENALTY * np.eye(len(weights)), slope)
    out: NDArray[np.float64] = weights / scale
    return out


_KNOWN: dict[Sample, list[ranking.Candidate]] = {}


def _candidates(page: Sample) -> list[ranking.Candidate]:
    if page not in _KNOWN:
        _KNOWN[page] = ranking.candidates(page.title, page.text)
    return _KNOWN[page]


def by_folds(pages: Sequence[Sample]) -> System:
    """Return our keywords, by weights that have seen no page of the page's fold."""
    weights = {
        fold: fitted([one for one in pages if fold_of(one.domain) != fold]) for fold in range(FOLDS)
    }

    def found(page: Sample) -> list[str]:
        own = weights[fold_of(page.domain)]
        scores = [
            Keyword(one.text, float(own @ one.features), one.count) for one in _candidates(page)
        ]
        ranked = sorted(scores, key=lambda one: (-one.score, one.text))
        return [one.text for one in distinct(ranked, MOST)]

    return found


def shipped(page: Sample) -> list[str]:
    """Return our keywords, as they are shipped."""
    found = keywords(page.text, LANGUAGE, title=page.title, most=MOST)
    return [one.text for one in found]


def scores(found: Mapping[Sample, Sequence[str]]) -> tuple[float, float, float]:
    """Return precision, recall and F1, the mean over pages of each."""
    rows = []
    for page, texts in found.items():
        hits = len(page.gold.intersection(texts))
        count = len(page.gold) + len(texts)
        rows.append((hits / max(1, len(texts)), hits / len(page.gold), 2 * hits / count))
    precision, recall, both = np.mean(rows, axis=0)
    return float(precision), float(recall), float(both)


@click.command(help=__doc__)
@click.option("--fit", is_flag=True, help="print weights fitted on all pages")
def main(*, fit: bool) -> None:
    """Measure, or fit."""
    pages = samples()
    if fit:
        for name, weight in zip(ranking.WEIGHTS, fitted(pages), strict=True):
            click.echo(f'    "{name}": {weight:.3f},')
        return
    print("| | precision | recall | F1 |\n|---|---|---|---|")
    for name, system in (("domains left out", by_folds(pages)), ("as shipped", shipped)):
        row = scores({page: system(page) for page in pages})
        print(f"| {name} | " + " | ".join(f"{one:.3f}" for one in row) + " |")
    domains = len({page.domain for page in pages})
    about = f"{len(pages)} pages of {domains} domains ({', '.join(CORPORA)})"
    print(f"\n{about}; {versions('chaffinch')}; {machine()}; {dt.date.today()}.")  # noqa: DTZ011


if __name__ == "__main__":
    main()
