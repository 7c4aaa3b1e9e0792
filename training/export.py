"""Writes fitted networks as the package's file of weights, with what is known of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaffinch.model.block_scores import join_networks, save
from training.dataset import HELD_OUT, PAGE_TYPES, Dataset
from training.torch_network import Network

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
