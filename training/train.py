"""One command from labelled corpora to weights: ``python -m training.train --out weights.npz``.

It labels and caches the pages, fits and measures five ensembles on held-out domains (``--folds 0``
leaves that out), and fits the one that is shipped on all pages that may be trained on.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "2")  # before numpy is loaded

# isort: split

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods.learned import Learned
from chaffinch.model.block_scores import join_networks, save
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.verdict import Content
from training.dataset import (
    HELD_OUT,
    PAGE_TYPES,
    TRAINING_CORPORA,
    Dataset,
    build,
    registrable,
    usable,
)
from training.fit import Distilled, Recipe, fit_ensemble, scores, word_f1
from training.torch_network import Network

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

    What is said is by alignment, all its networks asked of every page; `bench.quality.pages` goes
    by whole trips.
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


_BINS = 15


def export(  # noqa: PLR0913  options are keyword-only
    networks: Sequence[Network],
    path: Path,
    *,
    dataset: Dataset,
    pages: NDArray[np.intp],
    curve: NDArray[np.float64],
    recipe: dict[str, Any],
) -> None:
    """Write the weights with the corpora and the commit that made them."""
    corpora = {
        str(one): int((dataset.corpus[pages] == one).sum()) for one in np.unique(dataset.corpus)
    }
    header = {
        "kinds": list(PAGE_TYPES),
        "curve": np.round(curve, 4).tolist(),
        "corpora": {name: count for name, count in corpora.items() if count},
        "domains_left_out_of": [*HELD_OUT, "sites"],
        "recipe": recipe,
        "commit": commit(),
    }
    save(path, join_networks([network.arrays() for network in networks]), header)


def curve_of(expected: NDArray[np.float64], true: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[2, k]: mean expected and mean true F1 of bins of as many pages each."""
    order = np.argsort(expected, kind="stable")
    bins = np.array_split(order, _BINS)
    x = np.array([expected[one].mean() for one in bins])
    y = np.maximum.accumulate([true[one].mean() for one in bins])
    return np.stack([x, y])


def commit() -> str:
    """Return the commit of the working tree."""
    found = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or "unknown"


def table(dataset: Dataset, pages: NDArray[np.intp], true: NDArray[np.float64]) -> str:
    """Return mean word F1 (as the alignment gives it) by corpus, and by page type of wcxb."""
    corpus, kind = dataset.corpus[pages], dataset.kind[pages]
    lines = []
    for name in np.unique(corpus):
        rows = corpus == name
        lines.append(f"  {name} {true[rows].mean():.4f} ({rows.sum()} pages)")
    for name in PAGE_TYPES:
        rows = (corpus == "wcxb") & (kind == name)
        if rows.any():
            lines.append(f"  wcxb {name} {true[rows].mean():.4f} ({rows.sum()} pages)")
    return "\n" + "\n".join(lines)


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
