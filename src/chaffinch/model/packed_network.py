"""A network's weights packed into one array for its kernel, and the call of the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.kernels.codes import NAME_WORDS, NETWORK_PADDED
from chaffinch.kernels.network_inputs import BlockColumns, NetworkWeights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats

_LINE: Final = 16
"""Floats in a line of the processor's cache, at which the weights begin."""
_WIDEST: Final = 2
"""The widest vectors that the kernel may use: AVX-512."""


@dataclass(frozen=True, eq=False)
class PackedNetwork:
    """Weights of a network, packed for `kernels.network`.

    Attributes:
        sizes: int64[8]: width, of vectors of names, of words; gates, size of pools, page types;
            words of a set of names, units of fixed-point numbers. Vectors' are padded.
        steps: int64[…] each, dilations of the convolutions before and after the second look.
        layers: float32[…], all layers in the order of ``Weights`` in ``kernels/native/network.h``.
        vectors: float32[…, e] each, of tags, names and words, padded with zeros.
    """

    sizes: NDArray[np.int64]
    steps: tuple[NDArray[np.int64], NDArray[np.int64]]
    layers: Floats
    vectors: tuple[Floats, Floats, Floats]

    @classmethod
    def of(
        cls,
        weights: Mapping[str, Floats],
        *,
        steps: tuple[Sequence[int], Sequence[int]],
        units: int,
        path_scale: float,
    ) -> PackedNetwork:
        """Return the weights of a `chaffinch.model.network.Network`, packed.

        Args:
            weights: its arrays.
            steps: its dilations.
            units: of the fixed-point numbers in which it sums names.
            path_scale: what such sums are multiplied by, but for the units.
        """
        names, words = weights["name_vectors"].shape[1], weights["word_vectors"].shape[1]
        path = len(weights["names.weight"]) - 3 * words
        near, phrases = np.split(weights["names.weight"].copy(), [path])
        near[-names:] *= path_scale / units
        stretched = [_stretched(near, names), _stretched(phrases, words)]
        arrays = {**weights, "names.weight": np.concatenate(stretched)}
        sizes = [
            *(len(weights["enter.bias"]), _up(names), _up(words), len(weights["gate.bias"])),
            *(weights["pool.weight"].shape[1] // 2, len(weights["cooling"]), NAME_WORDS, units),
        ]
        return cls(
            np.array(sizes),
            (np.array(steps[0]), np.array(steps[1])),
            _aligned([_padded(arrays[name]).ravel() for name in _order(*map(len, steps))]),
            (
                _padded(weights["tag_vectors"]),
                _padded(weights["name_vectors"]),
                _padded(weights["word_vectors"]),
            ),
        )

    @cached_property
    def _given(self) -> NetworkWeights:
        """All of it, as the kernel takes it."""
        return NetworkWeights(self.sizes, *self.steps, self.layers, *self.vectors)

    def __call__(
        self, found: Features, facts: Floats, widest: int = _WIDEST
    ) -> tuple[Floats, Floats]:
        """Return float32[m], probability of each block, and float32[types], of each page type.

        Args:
            found: features of at least one block.
            facts: float32[flags + facts], policy and facts of the head.
            widest: the widest vectors that may be used: 0 any machine's, 1 AVX2, 2 AVX-512.
        """
        page, names, above, groups = found.blocks.page, found.names, found.above, found.groups
        blocks = BlockColumns(
            np.ascontiguousarray(found.numbers.T),
            *(page.tag, names.of_row, above.place, above.rows, above.up, above.over),
            *(np.ascontiguousarray(names.buckets.T), found.near, found.words),
            *(found.heading, found.section, found.low, found.high),
            *(groups.of_block, groups.sizes),
        )
        return kernels.network(self._given, facts, blocks, widest)


def _order(first: int, last: int) -> list[str]:
    """Return the names of the layers' arrays in the order in which the kernel finds them."""
    return [
        *("facts.weight", "enter.bias", "numbers.weight", "names.weight"),
        *("gate.weight", "gate.bias", "context.weight", "context.bias", "second.weight"),
        *_convolutions("first_convolutions", first),
        *("pool.weight", "together.weight", "together.bias", "early.weight", "early.bias"),
        *("prototypes.weight", "prototypes.bias", "third.weight"),
        *_convolutions("last_convolutions", last),
        *("kind.weight", "kind.bias", "cooling", "leave.weight", "leave.bias"),
    ]


def _convolutions(name: str, count: int) -> list[str]:
    return [f"{name}.{number}.{part}" for number in range(count) for part in ("weight", "bias")]


def _up(size: int) -> int:
    """Return the next multiple of `NETWORK_PADDED`."""
    return -(-size // NETWORK_PADDED) * NETWORK_PADDED


def _padded(array: Floats) -> Floats:
    """Return the array with zeros at the end of its rows up to a multiple of `NETWORK_PADDED`."""
    rows = np.atleast_2d(array)
    if rows.shape[1] % NETWORK_PADDED == 0:
        return rows
    padded = np.zeros((len(rows), _up(rows.shape[1])), dtype=np.float32)
    padded[:, : rows.shape[1]] = rows
    return padded


def _stretched(matrix: Floats, size: int) -> Floats:
    """Return the matrix with zeros after each ``size`` rows up to a multiple of the padding."""
    parts = matrix.reshape(-1, size, matrix.shape[1])
    out = np.zeros((len(parts), _up(size), matrix.shape[1]), dtype=np.float32)
    out[:, :size] = parts
    return out.reshape(-1, matrix.shape[1])


def _aligned(parts: list[Floats]) -> Floats:
    """Return all parts in one array that begins with a line of the cache."""
    size = sum(map(len, parts))
    room: Floats = np.empty(size + _LINE, dtype=np.float32)
    start = -(room.ctypes.data // room.itemsize) % _LINE
    aligned: Floats = room[start : start + size]
    np.concatenate(parts, out=aligned)
    return aligned
