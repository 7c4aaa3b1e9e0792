"""Scores cross-validation by the whole trip of each page: ``python -m training.score_folds DIR``.

Every page of a training corpus goes from bytes to text by the method itself, with the weights of
the fold that has not seen its domain, and its text is compared with the gold as
``chaffinch evaluate`` compares it: no alignment, no label of a block is involved.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from zlib import crc32

import numpy as np

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.methods.learned import Learned
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.result import Content
from training.dataset import PAGE_TYPES, TRAINING_CORPORA, registrable


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    methods = [
        Learned(favor=options.favor, weights=str(options.folder / f"fold{fold}.npz"))
        for fold in range(options.folds)
    ]
    for corpus in options.corpora:
        groups: defaultdict[str, list[float]] = defaultdict(list)
        for page in read_corpus(corpus):
            if not page.gold_text:
                continue
            fold = crc32(registrable(page).encode()) % options.folds
            score = _score(page.html, page.url, methods[fold], page.gold_text)
            groups["all"].append(score)
            if page.page_type in PAGE_TYPES:
                groups[page.page_type].append(score)
            groups[page.lang or "?"].append(score)
        for name, found in groups.items():
            sys.stdout.write(f"{corpus}\t{name}\t{len(found)}\t{np.mean(found):.4f}\n")
        sys.stdout.flush()
    return 0


def _score(html: bytes, url: str | None, method: Learned, gold: str) -> float:
    try:
        page = parse(html, url=url)
    except PageError:
        return 0.0
    output = text.render(Content(page, method(page)))
    return word_score(tokenize(output), tokenize(gold)).f1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.score_folds", description=__doc__)
    parser.add_argument("folder", type=Path, help="what --fold-weights of training.train wrote")
    parser.add_argument("corpora", nargs="*", default=list(TRAINING_CORPORA))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--favor", default="balanced")
    return parser


if __name__ == "__main__":
    sys.exit(main())
