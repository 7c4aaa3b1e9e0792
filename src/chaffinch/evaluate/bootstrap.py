"""Confidence intervals by drawing whole domains again, with repetition.

Source: Efron and Tibshirani 1993, «An Introduction to the Bootstrap», chapter 13 (percentile
interval) and 8.4 (drawing clusters). Pages of one domain share their template, so an extractor
succeeds or fails on them together; intervals that draw single pages would be too narrow. With
few domains (zh_news has 6) any such interval is rough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

CONFIDENCE = 0.95
"""Share of draws between the two ends of an interval."""


def resampled_sums(
    addends: NDArray[np.float64], clusters: Sequence[str], *, draws: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return the column sums of ``draws`` samples of clusters.

    Args:
        addends: float64[pages, columns], whose column sums the figures are made of.
        clusters: the cluster (domain) of each page.
        draws: number of samples.
        seed: the same seed gives the same samples.

    Returns:
        float64[draws, columns]. Every sample draws as many clusters as there are.
    """
    names, at = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sums = np.zeros((names.size, addends.shape[1]))
    np.add.at(sums, at, addends)
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(names.size, np.full(names.size, 1 / names.size), size=draws)
    return weights @ sums


def percentile_interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of drawn figures; None where no draw has a value.

    Args:
        values: float64[draws]; nan where a draw has no page that the figure is defined on.
    """
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(known, [tail, 1 - tail])
    return float(low), float(high)
