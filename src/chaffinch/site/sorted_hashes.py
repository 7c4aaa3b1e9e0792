"""Columns of hashes: looked up in ascending order, and joined end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def indices(known: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.intp]:
    """Return intp[k]: the index in ``known``, ascending, of each of ``wanted``; -1 if absent."""
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.intp)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, at, -1)


def values_at(column: NDArray[Any], at: NDArray[np.intp]) -> NDArray[Any]:
    """Return the values of a column at `indices`, 0 where these are -1."""
    if not len(column):
        return np.zeros(len(at), dtype=column.dtype)
    found = column.take(at, mode="wrap")
    found[at < 0] = 0
    return found


def concatenated(columns: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    """Return the columns one after the other, as ``dtype``; empty where there are none."""
    return np.concatenate([*columns, np.zeros(0, dtype=dtype)]).astype(dtype)
