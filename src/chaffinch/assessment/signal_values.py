"""What a signal of a page is, and the forms that lengths and counts have in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Rows = tuple[int, ...]
Signal = tuple[str, float, Rows]
"""Name, value, rows that it was measured on."""

MOST_ROWS: Final = 8
"""Rows of a signal that are kept: the first ones."""
_LITTLE: Final = 600.0
"""Characters of content at which `MeasuredPage.emptiness` is a half: between an error's text and an
article's."""
_TEASER: Final = 700.0
"""Characters of a teaser before a wall, in the middle."""


class Logarithm(float):
    """The logarithm of a count or length, 0 for 0, which knows itself as one."""

    __slots__ = ()


def log_of(value: float) -> Logarithm:
    """Return the logarithm of a count or length, 0 for 0."""
    return Logarithm(np.log1p(value))


def first_rows(rows: Sequence[int] | NDArray[Any]) -> Rows:
    """Return the first `MOST_ROWS` of rows as plain numbers."""
    return tuple(int(row) for row in rows[:MOST_ROWS])


def emptiness_of(content: float) -> float:
    """Return 1 for no content, a half at `_LITTLE` characters, to 0."""
    return 1 / (1 + (content / _LITTLE) ** 2)


def middling(prose: float) -> float:
    """Return how much a length of prose is like that of a teaser: 1 at `_TEASER` characters."""
    return float(np.exp(-(np.log((prose + 1) / _TEASER) ** 2)))
