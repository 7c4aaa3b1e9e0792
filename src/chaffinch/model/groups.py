"""What repeats on a page: blocks that hang alike, and elements like those around a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Rows

NAMES: Final = "group_link_share group_page_share group_page_links group_span group_rank".split()
"""Columns of `group_columns`."""
REPEATS: Final = (
    "log_siblings_0 log_siblings_1 log_siblings_2 log_alike_0 log_alike_1 log_alike_2"
).split()
"""Columns of `write_repeats`, which are counts still."""
_BIN_SHIFT: Final = np.uint64(64 - 14)
_MIX_SHIFT: Final = np.uint64(29)
_FIRST_ODD: Final = np.uint64(0x9E3779B97F4A7C15)
_SECOND_ODD: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_THIRD_ODD: Final = np.uint64(0x165667B19E3779F9)
_LAST_ODD: Final = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, eq=False)
class Groups:
    """Blocks that hang alike: in elements with the same tags and names but for digits, three up.

    Attributes:
        of_block: int32[m], number of each block's group.
        order: intp[m], the blocks, group by group.
        edges: intp[g + 1], where in ``order`` each group starts.
        sizes: intp[g], how many blocks each group has.
    """

    of_block: Rows
    order: NDArray[np.intp]
    edges: NDArray[np.intp]
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, keys: NDArray[np.uint64]) -> Groups:
        """Return the groups of blocks with the same key, uint64[m]."""
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        edge = np.ones(len(keys) + 1, dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=edge[1:-1])
        of_block = np.empty(len(keys), dtype=np.int32)
        of_block[order] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
        edges = np.flatnonzero(edge)
        return cls(of_block, order, edges, edges[1:] - edges[:-1])

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return int32[k, g]: sums of ``values``, int32[k, m], over each group."""
        sums: NDArray[np.int32] = np.add.reduceat(values[:, self.order], self.edges[:-1], axis=1)
        return sums


def group_columns(groups: Groups, units: NDArray[np.int32], linked: NDArray[np.int32]) -> Floats:
    """Return float32[5, g]: share in links, shares of the page's text and links, span and rank.

    The span is the share of the page between the first and the last of the group, the rank counts
    the groups with more text: 1 / (rank + 1) is the column.
    """
    out = np.empty((5, len(units)), dtype=np.float32)
    first, last = groups.order[groups.edges[:-1]], groups.order[groups.edges[1:] - 1]
    out[0] = linked / units
    out[1] = units / np.add.reduce(units)
    out[2] = linked / max(int(np.add.reduce(linked)), 1)
    out[3] = (last - first) / len(groups.order)
    out[4, np.argsort(-units, kind="stable")] = 1 / np.arange(1, len(units) + 1)
    return out


def mixed(*keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return one hash of several, uint64[m] each."""
    joined = keys[0].copy()
    for key in keys[1:]:
        joined *= _FIRST_ODD
        joined += key
        joined ^= joined >> _MIX_SHIFT
    return joined


def write_repeats(
    signs: NDArray[np.uint64], parent: Rows, around: NDArray[np.intp], out: Floats
) -> None:
    """Write how many like siblings and like elements of the page three containers have.

    Counts are made in hashed bins: a rare collision adds to a count.
    """
    own = signs * _FIRST_ODD
    rows = around[:3].ravel()
    beside = (own ^ (parent.astype(np.uint64) * _SECOND_ODD)) >> _BIN_SHIFT
    alike = ((own ^ (signs[parent] * _THIRD_ODD)) * _LAST_ODD) >> _BIN_SHIFT
    for at, keys in enumerate((beside, alike)):
        bins = keys.astype(np.intp)
        counts = np.bincount(bins)
        out[3 * at : 3 * at + 3] = counts[bins[rows]].reshape(3, -1)
