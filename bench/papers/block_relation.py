"""The relation of blocks in `anchor_blocks`, its threshold chosen with domains left out.

For each corpus: mean precision, recall and F1 of words as published, with each value of
``relation``, and with the value that has the best mean F1 over the pages of all corpora whose
domain falls into the other folds.

    python -m bench.papers.block_relation [--limit 300]
"""

from __future__ import annotations

import argparse
from statistics import mean
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np

from bench.lib.site_pages import heading
from bench.papers.anchor_blocks import Labelled
from chaffinch.methods import build

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.evaluate.words import Score

CORPORA: Final = ("wcxb", "daniel", "zh_news", "fundus")
VALUES: Final = (None, 0, 0.2, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6)
FOLDS: Final = 10


def cells(scores: Sequence[Score]) -> str:
    """Return mean precision, recall and F1, as a cell of a table."""
    parts = (mean(getattr(one, part) for one in scores) for part in ("precision", "recall", "f1"))
    return " / ".join(f"{part:.3f}" for part in parts)


def fold(domain: str) -> int:
    """Return the fold of a domain, the same in every corpus."""
    return crc32(domain.encode()) % FOLDS


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--limit", type=int, default=300, help="pages a corpus")
    chosen = options.parse_args()
    print(heading())
    given = [Labelled(name, chosen.limit) for name in CORPORA]
    scores: list[list[list[Score]]] = []
    for value in VALUES:
        method = build("anchor_blocks", relation=value)
        scores.append([one.scores([method(page) for page in one.pages]) for one in given])
    print(
        "\n| `relation` | " + " | ".join(f"{one.name} ({len(one.pages)})" for one in given) + " |"
    )
    print("|---|" + "---|" * len(given))
    for value, by_corpus in zip(VALUES, scores, strict=True):
        print(f"| `{value}` | " + " | ".join(map(cells, by_corpus)) + " |")
    folds = np.concatenate([[fold(domain) for domain in one.domains] for one in given])
    f1 = np.array([[s.f1 for some in by_corpus for s in some] for by_corpus in scores])
    best = [int(f1[:, folds != number].mean(axis=1).argmax()) for number in range(FOLDS)]
    unseen = [
        cells([scores[best[fold(domain)]][at][page] for page, domain in enumerate(one.domains)])
        for at, one in enumerate(given)
    ]
    print("| chosen with domains left out | " + " | ".join(unseen) + " |")
    print("chosen:", [VALUES[at] for at in best])


if __name__ == "__main__":
    main()
