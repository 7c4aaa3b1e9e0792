"""The layers that the forward pass of the network is made of, and its weights by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.codes import NETWORK_PADDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Floats

_ONE_THREAD: Final = 1 << 18
"""Multiplications up to which OpenBLAS stays on one thread (65,536 times its threshold of 4)."""
_AT_ONCE: Final = 1 << 14
"""Blocks whose inputs are held at a time; pages of the corpora have fewer."""
_STEEPEST: Final = 87
"""Exponents up to which powers of e are numbers in float32."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of a network.

    Attributes:
        of: each layer's array by name, float32[inputs, outputs] or [outputs].
        gates: how many gates it has.
    """

    of: dict[str, Floats]
    gates: int

    @classmethod
    def unpacked(
        cls,
        packed: Floats,
        sizes: NDArray[np.int64],
        convolutions: tuple[int, int],
        given: tuple[int, int, int],
    ) -> Weights:
        """Return the weights that lie in one array, as views of it.

        Args:
            packed: float32[…].
            sizes: int64[8], as `network` takes them.
            convolutions: how many there are before and after the second look.
            given: how many facts, numbers, and inputs of names and words there are.
        """
        width, _, _, gates, pool, types, *_ = sizes.tolist()
        facts, numbers, inputs = given
        shapes = {
            **_dense("facts", facts, width, bias="enter"),
            "numbers.weight": (numbers, width),
            "names.weight": (inputs, width),
            **_dense("gate", width, gates),
            **_dense("context", (1 + gates) * width, width),
            "second.weight": (width, width),
            **_convolutions("first", convolutions[0], width),
            "pool.weight": (width, 2 * pool),
            **_dense("together", width + 2 * pool, width),
            **_dense("early", width, 1),
            **_dense("prototypes", 2 * width, width),
            "third.weight": (width, width),
            **_convolutions("last", convolutions[1], width),
            **_dense("kind", 2 * width, types),
            "cooling": (0, types),
            **_dense("leave", width, 1),
        }
        arrays, at = {}, 0
        for name, (rows, columns) in shapes.items():
            padded = -(-columns // NETWORK_PADDED) * NETWORK_PADDED
            stop = at + max(rows, 1) * padded
            array = packed[at:stop].reshape(-1, padded)[:, :columns]
            arrays[name] = array if rows else array[0]
            at = stop
        return cls(arrays, gates)


def _dense(name: str, inputs: int, outputs: int, bias: str = "") -> dict[str, tuple[int, int]]:
    """Return the shapes of a layer; a bias is a row, which counts as none."""
    return {f"{name}.weight": (inputs, outputs), f"{bias or name}.bias": (0, outputs)}


def _convolutions(which: str, count: int, width: int) -> dict[str, tuple[int, int]]:
    shapes: dict[str, tuple[int, int]] = {}
    for number in range(count):
        shapes |= _dense(f"{which}_convolutions.{number}", 3 * width, width)
    return shapes


def convolved(padded: Floats, margin: int, weights: Weights, name: str, step: int) -> Floats:
    """Return float32[m, e]: each block with those ``step`` before and after, mixed in.

    ``padded`` has ``margin`` rows of zeros before and after the m blocks.
    """
    matrix = weights.of[f"{name}.weight"]
    count = len(padded) - 2 * margin
    out = np.empty((count, matrix.shape[1]), dtype=np.float32)
    for some in slices(count):
        start, stop = some.start + margin, some.stop + margin
        three = [padded[start + by : stop + by] for by in (-step, 0, step)]
        times(np.concatenate(three, axis=1), matrix, out[some])
    return relu(out, weights.of[f"{name}.bias"])


def slices(count: int) -> Iterator[slice]:
    """Yield slices of ``count`` blocks: what is wide is made of some at a time."""
    for start in range(0, count, _AT_ONCE):
        yield slice(start, min(start + _AT_ONCE, count))


def times(rows: Floats, matrix: Floats, out: Floats | None = None) -> Floats:
    """Return float32[m, k]: ``rows`` (m, n) times ``matrix`` (n, k), some rows at a time.

    It is written to ``out`` where that is given.

    Numpy's OpenBLAS wakes its threads for larger products. For a page's few hundred blocks that
    costs more than it saves, and many times more where all cores are busy.
    """
    at_once = max(_ONE_THREAD // matrix.size, 1)
    if out is None:
        out = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    if len(rows) <= at_once:
        return np.matmul(rows, matrix, out=out)
    for start in range(0, len(rows), at_once):
        np.matmul(rows[start : start + at_once], matrix, out=out[start : start + at_once])
    return out


def relu(values: Floats, bias: Floats) -> Floats:
    """Return ``values`` + ``bias``, in place, 0 where that is negative."""
    values += bias
    return np.maximum(values, 0, out=values)


def means(h: Floats, weight: Floats) -> Floats:
    """Return float32[k * e]: k weighted means of ``h`` (m, e) by ``weight`` (k, m), drawn to 0.

    Sums of float32 would be too coarse for a long page.
    """
    sums = weight.astype(np.float64) @ h.astype(np.float64)
    sums /= np.add.reduce(weight, axis=1, dtype=np.float64, keepdims=True) + 1
    return sums.astype(np.float32).ravel()


def logistic_of_twice(values: Floats, bias: Floats | float = 0) -> Floats:
    """Return the logistic function of 2 (``values`` + ``bias``), in place, without overflow.

    Small ones are as exact as large ones, which half of 1 + tanh isn't: the means of a long page
    add up thousands of them.
    """
    values += bias
    values *= -2
    np.clip(values, -_STEEPEST, _STEEPEST, out=values)
    np.exp(values, out=values)
    values += 1
    return np.reciprocal(values, out=values)
