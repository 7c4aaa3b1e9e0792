"""Draws the reliability plot: what the model expects of its extraction, and what it was worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray


def draw(
    path: Path,
    expected: NDArray[np.float64],
    true: NDArray[np.float64],
    curve: NDArray[np.float64],
) -> None:
    """Write the plot of held-out pages as PNG.

    Args:
        path: the file to write.
        expected: expected F1 by page, as the scores give it.
        true: true F1 by page.
        curve: the calibration, [2, k].
    """
    figure = Figure(figsize=(5.5, 5))
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.scatter(expected, true, s=3, alpha=0.2, linewidths=0, label="one page")
    axes.plot(*curve, marker="o", color="tab:red", label="mean of pages with like expectation")
    axes.set(
        xlabel="expected word F1, before calibration",
        ylabel="word F1 on held-out domains",
        xlim=(0, 1),
        ylim=(0, 1),
    )
    axes.legend(loc="lower right")
    figure.savefig(path, format="png", dpi=90, bbox_inches="tight")
