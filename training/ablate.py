"""What groups of features and corpora bring: ``python -m training.ablate pages.npz WHAT …``.

For each WHAT a network is fitted to the other folds without it, by a short schedule, and measured
on each of some folds by alignment: ``nothing`` (to compare with), ``words``, ``names``, ``head``,
``text``, ``tree``, ``noise`` (nothing is left out at random in training), the name of a corpus,
``unclear`` (the corpora whose labels carry GPL-3 or no licence), ``lang:el`` (pages in a language,
for whose pages of the folds a row is printed), or ``share:0.25`` (all but that share of the
domains: the learning curve).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

import numpy as np
import torch

from chaffinch.model import features, head_signals, words
from training.batches import Augment
from training.dataset import TRAINING_CORPORA, Dataset, usable
from training.fit import Recipe, fit, scores, word_f1
from training.report import table
from training.train import DEFAULT_POLICY

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNCLEAR: Final = ("daniel", "zh_news")
_HEAD: Final = ("title", "description", "body", "has_body")
_TEXT: Final = len(features.TEXT_NAMES)
_NOTHING: Final = Augment(page_names=0, names=0, page_words=0, words=0, policy=0.5, facts=0)
"""Policies stay unknown half of the time: without that the network would count on knowing them."""


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    torch.set_num_threads(options.threads)
    for what in options.what:
        recipe = Recipe(epochs=options.epochs, augment=_NOTHING if what == "noise" else Augment())
        dataset = Dataset.load(options.cache)
        folds = dataset.folds(options.folds)
        kept = usable(dataset) & left(dataset, what)
        hide(dataset, what)
        pages, true = [], []
        for fold in options.fold:
            others = np.flatnonzero((folds != fold) & kept)
            network = fit(dataset, others, recipe, report=lambda _: None)
            measured = np.flatnonzero((folds == fold) & ~dataset.copied)
            if what.startswith("lang:"):
                measured = measured[dataset.lang[measured] == what.removeprefix("lang:")]
            answers = scores(network, dataset, measured, policy=DEFAULT_POLICY)
            pages.append(measured)
            true.append(word_f1(dataset, measured, answers))
        head = f"without {what}: {int(kept.sum())} pages of all folds, measured {options.fold}"
        found = table(dataset, np.concatenate(pages), np.concatenate(true))
        sys.stdout.write(f"{head}{found}\n")
        sys.stdout.flush()
    return 0


def left(dataset: Dataset, what: str) -> NDArray[np.bool_]:
    """Return bool[pages]: the pages that are trained on without ``what``."""
    if what == "unclear":
        return ~np.isin(dataset.corpus, UNCLEAR)
    if what.startswith("lang:"):
        return dataset.lang != what.removeprefix("lang:")
    if what.startswith("share:"):
        least = float(what.removeprefix("share:"))
        drawn = [crc32(f"share {domain}".encode()) / (1 << 32) for domain in dataset.domain]
        return np.array(drawn) < least
    return dataset.corpus != what


def hide(dataset: Dataset, what: str) -> None:
    """Make a group of features the same for all pages."""
    arrays = dataset.arrays
    numbers = arrays["numbers"]
    if what == "words":
        arrays["word"] = np.full_like(arrays["word"], words.NONE)
        arrays["word"][:, -1] = 0
    elif what == "names":
        arrays["set_items"] = np.zeros_like(arrays["set_items"])
    elif what == "head":
        numbers[:, [features.TEXT_NAMES.index(name) for name in _HEAD]] = 0
        dataset.facts = np.zeros((len(dataset), len(head_signals.FACTS)), dtype=np.float32)
    elif what == "text":
        numbers[:, :_TEXT] = 0
    elif what == "tree":
        numbers[:, _TEXT : _TEXT + len(features.TREE_NAMES)] = 0


def _parser() -> argparse.ArgumentParser:
    groups = ["nothing", "words", "names", "head", "text", "tree", "noise", "unclear"]
    known = [*groups, *TRAINING_CORPORA]
    parser = argparse.ArgumentParser(prog="python -m training.ablate", description=__doc__)
    parser.add_argument("cache", type=Path, help="what --cache of training.train wrote")
    parser.add_argument("what", nargs="+", help=f"{', '.join(known)}, lang:NAME or share:NUMBER")
    parser.add_argument("--fold", type=int, nargs="+", default=[1])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
