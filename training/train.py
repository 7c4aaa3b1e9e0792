"""One command from labelled corpora to weights: ``python -m training.train --out weights.npz``.

It labels and caches the pages, fits and measures five ensembles on held-out domains (``--folds 0``
leaves that out), and fits the one that is shipped on all pages that may be trained on.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "2")

from collections.abc import Iterable

import numpy as np
import torch

from training.dataset import Dataset, build, usable
from training.distil import Distilled, fit_ensemble
from training.export import curve_of, export
from training.fit import Recipe, scores, word_f1
from training.report import table
from training.score_folds import trips

DEFAULT_POLICY = np.array([-1, 0, 0, 0], dtype=np.float32)
"""The default policy: headline out, all else as labellers mostly did."""


_STRAIGHT = np.array([[0.0, 1.0], [0.0, 1.0]])


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    torch.set_num_threads(options.threads)
    if options.cache and options.cache.is_file():
        dataset = Dataset.load(options.cache)
    else:
        dataset = build()
        if options.cache:
            dataset.save(options.cache)
    student = Recipe(epochs=options.epochs, seed=options.seed)
    recipe = Distilled(
        student=student,
        teachers=options.teachers,
        networks=options.networks,
    )
    curve = _STRAIGHT
    if options.folds:
        wanted = range(options.folds) if options.fold is None else [options.fold]
        cross_validate(dataset, recipe, options.folds, options.fold_weights, wanted)
    if options.out is None:
        return 0
    if options.folds:
        curve = calibrated(options.fold_weights, options.folds)
    pages = np.flatnonzero(usable(dataset))
    networks = fit_ensemble(dataset, pages, recipe, report=_report)
    export(networks, options.out, dataset=dataset, pages=pages, curve=curve, recipe=asdict(recipe))
    return 0


def cross_validate(
    dataset: Dataset, recipe: Distilled, count: int, folder: Path, wanted: Iterable[int]
) -> None:
    """Fit the ensemble of each fold of ``count`` that is wanted, and say what it is worth there.

    What is said is by alignment, all its networks asked of every page; `training.score_folds` and
    `calibrated` go by whole trips.
    """
    folds = dataset.folds(count)
    folder.mkdir(parents=True, exist_ok=True)
    for fold in wanted:
        others = np.flatnonzero((folds != fold) & usable(dataset))
        networks = fit_ensemble(dataset, others, recipe, report=_report)
        export(
            networks,
            folder / f"fold{fold}.npz",
            dataset=dataset,
            pages=others,
            curve=_STRAIGHT,
            recipe=asdict(recipe),
        )
        for copied, name in ((False, ""), (True, ", in another script")):
            pages = np.flatnonzero((folds == fold) & (dataset.copied == copied))
            said = [scores(one, dataset, pages, policy=DEFAULT_POLICY) for one in networks]
            answers = [np.mean(of_page, axis=0) for of_page in zip(*said, strict=True)]
            found = table(dataset, pages, word_f1(dataset, pages, answers))
            _report(f"fold {fold}{name}: {found}")


def calibrated(folder: Path, count: int) -> np.ndarray:
    """Return the calibration curve of the networks in ``folder``."""
    pairs = np.array([(trip.expected, trip.f1) for trip in trips(folder, folds=count)])
    return curve_of(pairs[:, 0], pairs[:, 1])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.train", description=__doc__)
    parser.add_argument("--out", type=Path, help="the file of weights to write; none is left out")
    parser.add_argument("--cache", type=Path, help="file for the labelled features; made if absent")
    parser.add_argument("--folds", type=int, default=5, help="ensembles to measure; 0 for none")
    parser.add_argument("--fold", type=int, help="fit the ensemble of this fold alone")
    parser.add_argument("--networks", type=int, default=Distilled.networks)
    parser.add_argument("--teachers", type=int, default=Distilled.teachers)
    parser.add_argument(
        "--fold-weights",
        type=Path,
        default=Path("build/folds"),
        help="folder for the weights of each fold",
    )
    parser.add_argument("--epochs", type=int, default=Recipe.epochs)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    return parser


def _report(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
