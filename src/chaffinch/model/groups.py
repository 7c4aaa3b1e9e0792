"""What repeats on a page: blocks that hang alike, and elements like those around a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.kernels import kernels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.containers import Containers
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Hashes, Rows

COUNTS: Final = (
    "log_siblings_0 log_siblings_1 log_siblings_2 log_alike_0 log_alike_1 log_alike_2"
    " log_group log_group_units"
).split()
"""Columns that `read` writes as counts with 1 added: of them logarithms are to be taken."""
SHARES: Final = ("group_link_share group_page_share group_page_links group_span group_rank").split()
"""The other columns of `read`."""
_LEVELS: Final = 3
"""Containers above each block for which elements like them are counted."""
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
    def of(cls, keys: Hashes) -> Groups:
        """Return the groups of blocks with the same key, uint64[m]."""
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        edge = np.ones(len(keys) + 1, dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=edge[1:-1])
        of_block = np.empty(len(keys), dtype=np.int32)
        of_block[order] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
        edges = np.flatnonzero(edge)
        return cls(of_block, order, edges, edges[1:] - edges[:-1])

    def sums(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return int64[k, g]: sums of ``values``, int32[k, m], over each group."""
        sums: NDArray[np.int64] = np.add.reduceat(values[:, self.order], self.edges[:-1], axis=1)
        return sums


class Columns(NamedTuple):
    """What `read` writes to.

    Attributes:
        counts: float32[len(COUNTS), m], the like siblings of three containers, the like elements of
            the page, the blocks of the group and their mean units.
        shares: float32[len(SHARES), m], the group's share in links, its shares of the page's text
            and links, its span and rank. The span is the share of the page between the first and
            the last of the group, the rank counts the groups with more text: 1 / (rank + 1) is the
            column.
    """

    counts: Floats
    shares: Floats


def read(
    page: Page, alike: Rows, around: Containers, sums: NDArray[np.int32], out: Columns
) -> Groups:
    """Return the groups of the m blocks of ``page``, and write what repeats.

    Like elements are counted in hashed bins: a rare collision adds to a count.

    Args:
        page: the page.
        alike: int32[n], the same number for rows with the same names but for digits.
        around: the containers of the blocks.
        sums: int32[>= 2, m], units of text and units in links.
        out: what to write to.
    """
    if compiled := kernels():
        count = sums.shape[1]
        of_block = np.empty(count, dtype=np.int32)
        order, edges = np.empty(count, dtype=np.intp), np.empty(count + 1, dtype=np.intp)
        number = compiled.groups(
            *(page.tag, alike, page.parent, around.near, around.rows, sums),
            *(of_block, order, edges, out.counts, out.shares),
        )
        edges = edges[: number + 1]
        return Groups(of_block, order, edges, edges[1:] - edges[:-1])
    parent = np.maximum(page.parent, 0)
    signs = page.tag + (alike.astype(np.uint64) << np.uint64(9))
    _write_repeats(signs, parent, around.rows[:_LEVELS], out.counts)
    element, owner, over, _ = around.near.T
    groups = Groups.of(_mixed(signs[owner], signs[over], signs[parent[over]], signs[element]))
    _write_groups(groups, sums, out)
    np.add(out.counts, 1, out=out.counts)
    return groups


def _write_groups(groups: Groups, sums: NDArray[np.int32], out: Columns) -> None:
    """Write the columns of the group of each block."""
    units, linked = groups.sums(sums[:2])
    columns = np.empty((len(SHARES), len(units)), dtype=np.float32)
    first, last = groups.order[groups.edges[:-1]], groups.order[groups.edges[1:] - 1]
    columns[0] = linked / units
    columns[1] = units / np.add.reduce(units)
    columns[2] = linked / max(int(np.add.reduce(linked)), 1)
    columns[3] = (last - first) / len(groups.order)
    columns[4, np.argsort(-units, kind="stable")] = 1 / np.arange(1, len(units) + 1)
    columns.take(groups.of_block, axis=1, out=out.shares)
    out.counts[-2] = groups.sizes[groups.of_block]
    out.counts[-1] = (units / groups.sizes)[groups.of_block]


def _mixed(*keys: Hashes) -> Hashes:
    """Return one hash of several, uint64[m] each."""
    joined = keys[0].copy()
    for key in keys[1:]:
        joined *= _FIRST_ODD
        joined += key
        joined ^= joined >> _MIX_SHIFT
    return joined


def _write_repeats(signs: Hashes, parent: Rows, rows: Rows, out: Floats) -> None:
    """Write how many like siblings and like elements ``rows`` have, int32[levels, m]."""
    own = signs * _FIRST_ODD
    beside = (own ^ (parent.astype(np.uint64) * _SECOND_ODD)) >> _BIN_SHIFT
    alike = ((own ^ (signs[parent] * _THIRD_ODD)) * _LAST_ODD) >> _BIN_SHIFT
    for at, keys in enumerate((beside, alike)):
        bins = keys.astype(np.intp)
        out[len(rows) * at : len(rows) * (at + 1)] = np.bincount(bins)[bins[rows]]
