"""Writes a fitted network as the package's file of weights, with what is known of it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch.model.decode import choose
from chaffinch.model.weights import save
from training.dataset import HELD_OUT, PAGE_TYPES

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from training.dataset import Dataset
    from training.torch_network import Network

TEMPERATURE = 2.0
"""What logits are divided by: the network is surer on what it was fitted to than on other sites.

Chosen on held-out folds (EXPERIMENTS.md): word F1 is flat from 2 to 3.
"""
_BINS = 15


def export(  # noqa: PLR0913  options are keyword-only
    network: Network,
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
        "commit": _commit(),
    }
    arrays = dict(network.arrays())
    for name in ("leave.weight", "leave.bias"):
        arrays[name] = arrays[name] / TEMPERATURE
    save(path, arrays, header)


def calibration(
    dataset: Dataset, pages: NDArray[np.intp], answers: list[NDArray[np.float32]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return expected and true word F1 of held-out pages, float64[pages] each."""
    expected, true = np.zeros(len(pages)), np.zeros(len(pages))
    for number, (page, answer) in enumerate(zip(pages.tolist(), answers, strict=True)):
        rows = slice(int(dataset.starts[page]), int(dataset.starts[page + 1]))
        arrays = {
            name: dataset.arrays[name][rows] for name in ("units", "group", "tokens", "share")
        }
        choice = choose(cooled(answer), arrays["units"], arrays["group"])
        matched = (arrays["share"] * arrays["tokens"])[choice.keep].sum()
        whole = arrays["tokens"][choice.keep].sum() + int(dataset.gold[page])
        expected[number], true[number] = choice.expected, 2 * matched / max(whole, 1)
    return expected, true


def cooled(answer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return scores in 0..1 with their logits divided by the temperature."""
    safe = np.clip(answer, 1e-6, 1 - 1e-6)
    found: NDArray[np.float32] = (1 / (1 + (1 / safe - 1) ** (1 / TEMPERATURE))).astype(np.float32)
    return found


def curve_of(expected: NDArray[np.float64], true: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[2, k]: mean expected and mean true F1 of bins of as many pages each."""
    order = np.argsort(expected, kind="stable")
    bins = np.array_split(order, _BINS)
    x = np.array([expected[one].mean() for one in bins])
    y = np.maximum.accumulate([true[one].mean() for one in bins])
    return np.stack([x, y])


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or "unknown"
