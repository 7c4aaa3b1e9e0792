"""Repetition on a page: groups of similar blocks, and elements similar to those around a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from chaffinch import kernels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chaffinch.kernels.plain.containers import Containers
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows

COUNTS: Final = (
    "log_siblings_0 log_siblings_1 log_siblings_2 log_alike_0 log_alike_1 log_alike_2"
    " log_group log_group_units"
).split()
"""Columns that `read` writes as counts with 1 added: of them logarithms are to be taken."""
SHARES: Final = ("group_link_share group_page_share group_page_links group_span group_rank").split()
"""The other columns of `read`."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of similar blocks.

    Their three nearest elements have the same tags and names, digits left out.

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


class Columns(NamedTuple):
    """What `read` writes to.

    Attributes:
        counts: float32[len(COUNTS), m], the similar siblings of three containers, the similar
            elements of the page, the blocks of the group and their mean units.
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
    """Return the groups of the m blocks of ``page``, and write the columns of repetition.

    Similar elements are counted in hashed bins: a rare collision adds to a count.

    Args:
        page: the page.
        alike: int32[n], the same number for rows with the same names but for digits.
        around: the containers of the blocks.
        sums: int32[>= 2, m], units of text and units in links.
        out: what to write to.
    """
    found = kernels.groups(
        *(page.tag, alike, page.parent, around.near, around.rows, sums, out.counts, out.shares)
    )
    of_block, order, edges = found
    return Groups(of_block, order, edges, edges[1:] - edges[:-1])
