"""Scores cross-validation by the whole trip of each page: ``python -m training.score_folds DIR``.

Every page of a training corpus goes from bytes to text by the method itself, with the weights of
the fold that has not seen its domain, and its text is compared with the gold as
``chaffinch evaluate`` compares it: no alignment, no label of a block is involved.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods.learned import Learned
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.verdict import Content
from training.dataset import PAGE_TYPES, TRAINING_CORPORA, registrable


class Trip(NamedTuple):
    """What one page of a corpus came to.

    Attributes:
        corpus, kind, lang: where the page is from; kind is a page type or "".
        expected: the F1 that the method expected, in 0..1.
        f1: word F1, in 0..1.
    """

    corpus: str
    kind: str
    lang: str
    expected: float
    f1: float


def trips(
    folder: Path, corpora: Iterable[str] = TRAINING_CORPORA, *, folds: int, favor: str = "balanced"
) -> Iterator[Trip]:
    """Yield the trip of every labelled page, by the weights of the fold of its domain."""
    methods = [
        Learned(favor=favor, weights=str(folder / f"fold{fold}.npz")) for fold in range(folds)
    ]
    for corpus in corpora:
        for page in read_corpus(corpus):
            if page.gold_text:
                method = methods[crc32(registrable(page).encode()) % folds]
                scored = _scored(page.html, page.url, method, page.gold_text)
                kind = page.page_type if page.page_type in PAGE_TYPES else ""
                yield Trip(corpus, kind or "", page.lang or "?", *scored)


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    for corpus in options.corpora:
        groups: defaultdict[str, list[float]] = defaultdict(list)
        for trip in trips(options.folder, [corpus], folds=options.folds, favor=options.favor):
            for group in {"all", trip.kind, trip.lang} - {""}:
                groups[group].append(trip.f1)
        for name, found in sorted(groups.items()):
            sys.stdout.write(f"{corpus}\t{name}\t{len(found)}\t{np.mean(found):.4f}\n")
        sys.stdout.flush()
    return 0


def _scored(html: bytes, url: str | None, method: Learned, gold: str) -> tuple[float, float]:
    """Return what was expected of a page, and its word F1."""
    try:
        page = parse(html, url=url)
    except PageError:
        return 0.0, 0.0
    verdict = method(page)
    output = text.render(Content(page, verdict))
    return verdict.confidence or 0.0, word_score(tokenize(output), tokenize(gold)).f1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.score_folds", description=__doc__)
    parser.add_argument("folder", type=Path, help="what --fold-weights of training.train wrote")
    parser.add_argument("corpora", nargs="*", default=list(TRAINING_CORPORA))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--favor", default="balanced")
    return parser


if __name__ == "__main__":
    sys.exit(main())
