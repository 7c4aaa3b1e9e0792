"""Teachers and students: the luck of one network is evened out.

Hinton, Vinyals and Dean 2015, «Distilling the Knowledge in a Neural Network», section 2: a network
learns from the mean of the labels and of what several others say. Departures: the others' logits
are averaged, not their probabilities; labels and teachers count alike; no temperature.

Boosted trees as teachers were no better than networks alone (EXPERIMENTS.md, cv6).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from training.dataset import Dataset, rows_of
from training.fit import Recipe, fit, scores
from training.torch_network import Network

_LEAST = 1e-5
_SEEDS_APART = 10


@dataclass(frozen=True, kw_only=True)
class Distilled:
    """How to fit with teachers.

    Attributes:
        student: how the network is fitted that is kept.
        teachers: networks that are fitted before it, each with a seed of its own.
        passes: passes over the pages of each of them.
        labels: weight of the labels against the teachers, in 0..1.
        networks: students, each with teachers of its own; see `chaffinch.model.network`.
    """

    student: Recipe
    teachers: int = 3
    passes: int = 6
    labels: float = 0.5
    networks: int = 3


def fit_ensemble(
    dataset: Dataset,
    pages: NDArray[np.intp],
    recipe: Distilled,
    *,
    report: Callable[[str], None] = print,
) -> list[Network]:
    """Return the networks of an ensemble, fitted alike to ``pages`` but for their seeds."""
    seeds = [recipe.student.seed + _SEEDS_APART * number for number in range(recipe.networks)]
    recipes = [replace(recipe, student=replace(recipe.student, seed=seed)) for seed in seeds]
    return [fit_distilled(dataset, pages, one, report=report) for one in recipes]


def fit_distilled(
    dataset: Dataset,
    pages: NDArray[np.intp],
    recipe: Distilled,
    *,
    report: Callable[[str], None] = print,
) -> Network:
    """Return a network fitted to ``pages`` of ``dataset`` and to what its teachers say of them."""
    if not recipe.teachers:
        return fit(dataset, pages, recipe.student, report=report)
    shown = np.union1d(pages, dataset.copies()[pages])
    voices = _networks(dataset, pages, shown, recipe, report)
    mixed = dataset.arrays["share"].copy()
    for page, said in zip(shown, voices, strict=True):
        rows = rows_of(dataset, page)
        likely = 1 / (1 + np.exp(-said))
        mixed[rows] = recipe.labels * mixed[rows] + (1 - recipe.labels) * likely
    taught = replace(dataset, arrays={**dataset.arrays, "share": mixed})
    return fit(taught, pages, recipe.student, report=report)


def _networks(
    dataset: Dataset,
    pages: NDArray[np.intp],
    shown: NDArray[np.intp],
    recipe: Distilled,
    report: Callable[[str], None],
) -> list[NDArray[np.float64]]:
    """Return the mean logits of networks fitted to ``pages``, float64[m] for each one ``shown``."""
    sums = [np.zeros(dataset.sizes[page], dtype=np.float64) for page in shown]
    for number in range(recipe.teachers):
        seed = recipe.student.seed + 1 + number
        teacher = fit(
            dataset,
            pages,
            replace(recipe.student, epochs=recipe.passes, seed=seed),
            report=lambda line, number=number: report(f"teacher {number}: {line}"),
        )
        with torch.no_grad():
            teacher.cooling.fill_(1.0)
        for total, answer in zip(sums, scores(teacher, dataset, shown), strict=True):
            likely = np.clip(answer.astype(np.float64), _LEAST, 1 - _LEAST)
            np.add(total, np.log(likely / (1 - likely)), out=total)
    return [total / recipe.teachers for total in sums]
