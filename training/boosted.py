"""Boosted trees on the numbers of blocks: a yardstick for the network, and a teacher beside it.

``python -m training.boosted pages.npz --folds 0 1`` fits trees to the other folds and measures
them by alignment, as `training.train` does networks. A tree sees what the network sees but names
and words: the numbers of a block, those of the text before and after it, their means over blocks
that hang alike, over the container and over the page, tags, and the facts of the head.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import lightgbm
import numpy as np

from chaffinch.model import features
from chaffinch.page.selectors import positions
from training.dataset import Dataset, rows_of, usable
from training.fit import page_weights, word_f1
from training.report import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TEXT: Final = len(features.TEXT_NAMES)
_LEAST: Final = 1e-5
_BESIDE: Final = (-2, -1, 1, 2)
_LONGEST: Final = 2500
"""Blocks of a page; a few longer pages are as long as hundreds of others."""


@dataclass(frozen=True, kw_only=True)
class Trees:
    """How to grow.

    Attributes:
        rounds: trees.
        rate: learning rate.
        leaves: of one tree, at most.
        a_domain: pages of one domain, at most.
        seed: of everything random.
    """

    rounds: int = 100
    rate: float = 0.1
    leaves: int = 63
    a_domain: int = 8
    seed: int = 0


def grow(dataset: Dataset, pages: NDArray[np.intp], recipe: Trees) -> lightgbm.Booster:
    """Return trees fitted to ``pages`` of ``dataset``."""
    order = np.random.default_rng(recipe.seed).permutation(pages)
    _, domains = np.unique(dataset.domain[order], return_inverse=True)
    few = positions(domains.astype(np.int32), None) < recipe.a_domain
    chosen = np.sort(order[few & (dataset.sizes[order] <= _LONGEST)])
    data = lightgbm.Dataset(
        np.concatenate([seen(dataset, page) for page in chosen]),
        label=np.concatenate([dataset.arrays["share"][rows_of(dataset, page)] for page in chosen]),
        weight=_weights(dataset, chosen),
        params={"max_bin": 63},
    )
    settings = {
        "objective": "cross_entropy",
        "learning_rate": recipe.rate,
        "num_leaves": recipe.leaves,
        "min_data_in_leaf": 100,
        "feature_fraction": 0.3,
        "bagging_fraction": 0.5,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "max_bin": 63,
        "num_threads": 1,
        "deterministic": True,
        "verbose": -1,
        "seed": recipe.seed,
    }
    return lightgbm.train(settings, data, num_boost_round=recipe.rounds)


def logits(
    trees: lightgbm.Booster, dataset: Dataset, pages: NDArray[np.intp]
) -> list[NDArray[np.float64]]:
    """Return what the trees say of each block of ``pages``, float64[m] a page."""
    out = []
    for page in pages:
        likely = np.clip(trees.predict(seen(dataset, page), num_threads=1), _LEAST, 1 - _LEAST)
        out.append(np.log(likely / (1 - likely)))
    return out


def seen(dataset: Dataset, page: int) -> NDArray[np.float32]:
    """Return float32[m, k]: what the trees see of the blocks of one page."""
    rows, arrays = rows_of(dataset, page), dataset.arrays
    numbers = arrays["numbers"][rows].astype(np.float32)
    count, text = len(numbers), numbers[:, :_TEXT]
    edge = max(_BESIDE)
    wide = np.pad(text, ((edge, edge), (0, 0)))
    beside = [wide[edge + step : edge + step + count] for step in _BESIDE]
    units = np.maximum(arrays["units"][rows], 1)[:, None]
    of_page = (numbers * units).sum(axis=0) / units.sum()
    tags = arrays["sign_tag"][arrays["near"][rows]]
    alike, around = _alike(text, arrays["group"][rows]), _around(text, dataset, rows)
    whole = np.broadcast_to(of_page, numbers.shape)
    facts = np.broadcast_to(dataset.facts[page], (count, dataset.facts.shape[1]))
    parts = [numbers, *beside, alike, around, whole, tags, facts]
    return np.concatenate(parts, axis=1, dtype=np.float32)


def _alike(text: NDArray[np.float32], group: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return float64[m, k]: the mean over the blocks that hang alike."""
    _, number, count = np.unique(group, return_inverse=True, return_counts=True)
    sums = np.zeros((len(count), text.shape[1]))
    np.add.at(sums, number, text)
    means: NDArray[np.float64] = (sums / count[:, None])[number]
    return means


def _around(text: NDArray[np.float32], dataset: Dataset, rows: slice) -> NDArray[np.float64]:
    """Return float64[m, k]: the mean over the blocks of each block's container."""
    low, high = dataset.arrays["low"][rows], dataset.arrays["high"][rows]
    sums = np.zeros((len(text) + 1, text.shape[1]))
    np.cumsum(text, axis=0, out=sums[1:])
    means: NDArray[np.float64] = (sums[high] - sums[low]) / np.maximum(high - low, 1)[:, None]
    return means


def _weights(dataset: Dataset, pages: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the weight of each block: every page counts as the network's loss counts it."""
    of_page, parts = page_weights(dataset), []
    for page in pages:
        tokens = dataset.arrays["tokens"][rows_of(dataset, page)].astype(np.float64)
        spread = np.log1p(tokens)
        share = tokens / max(tokens.sum(), 1) + spread / max(spread.sum(), 1)
        parts.append(of_page[page] * share)
    weights = np.concatenate(parts)
    return weights / weights.mean()


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    dataset = Dataset.load(options.cache)
    folds = dataset.folds(options.of)
    measured, answers = [], []
    for fold in options.folds:
        trees = grow(dataset, np.flatnonzero((folds != fold) & usable(dataset)), Trees())
        pages = np.flatnonzero((folds == fold) & ~dataset.copied)
        measured.append(pages)
        said = logits(trees, dataset, pages)
        answers += [(1 / (1 + np.exp(-one / options.cooled))).astype(np.float32) for one in said]
    pages = np.concatenate(measured)
    sys.stdout.write(f"{table(dataset, pages, word_f1(dataset, pages, answers))}\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.boosted", description=__doc__)
    parser.add_argument("cache", type=Path, help="what --cache of training.train wrote")
    parser.add_argument("--folds", type=int, nargs="+", default=[0, 1], help="folds to measure")
    parser.add_argument("--of", type=int, default=5, help="how many folds there are")
    parser.add_argument("--cooled", type=float, default=1.5, help="what logits are divided by")
    return parser


if __name__ == "__main__":
    sys.exit(main())
