"""Teachers and a student: one network's luck is evened out, at the price of training only.

Hinton, Vinyals and Dean 2015, «Distilling the Knowledge in a Neural Network», section 2: a network
learns from the mean of the labels and of what several others say. Departures: the others' logits
are averaged, not their probabilities; labels and teachers count alike; no temperature.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch

from training.fit import Recipe, fit, scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from training.dataset import Dataset
    from training.torch_network import Network

_LEAST = 1e-5


@dataclass(frozen=True, kw_only=True)
class Distilled:
    """How to fit with teachers.

    Attributes:
        student: how the network is fitted that is kept.
        teachers: networks that are fitted before it, each with a seed of its own; 0 for none.
        passes: passes over the pages of each teacher.
        labels: weight of the labels against the teachers, in 0..1.
    """

    student: Recipe
    teachers: int = 3
    passes: int = 5
    labels: float = 0.5


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
    shares = [dataset.arrays["share"][_rows(dataset, page)] for page in pages]
    sums = [np.zeros(len(share), dtype=np.float64) for share in shares]
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
        for place, answer in enumerate(scores(teacher, dataset, pages)):
            likely = np.clip(answer.astype(np.float64), _LEAST, 1 - _LEAST)
            sums[place] += np.log(likely / (1 - likely))
    mixed = dataset.arrays["share"].copy()
    for page, share, total in zip(pages, shares, sums, strict=True):
        said = 1 / (1 + np.exp(-total / recipe.teachers))
        mixed[_rows(dataset, page)] = recipe.labels * share + (1 - recipe.labels) * said
    taught = replace(dataset, arrays={**dataset.arrays, "share": mixed})
    return fit(taught, pages, recipe.student, report=report)


def _rows(dataset: Dataset, page: int) -> slice:
    return slice(int(dataset.starts[page]), int(dataset.starts[page + 1]))
