"""What networks and trees are worth on pages that they have not seen, as text."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from training.dataset import PAGE_TYPES, Dataset


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
