"""Features of a block's place in the tree: its containers, their other content, repetition."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, starmap
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.model import block_positions, containers, groups
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.model.ancestors import Ancestors
    from chaffinch.model.groups import Groups
    from chaffinch.model.name_hashes import NameHashes
    from chaffinch.model.text_features import TextFeatures
    from chaffinch.page.arrays import Floats, Rows


_INSIDE: Final = tags.kinds(
    "ul ol dl menu",
    "table",
    "article section main",
    "article main",
    "form button select label fieldset",
    "nav aside footer header",
    "figure figcaption caption",
    "h1 h2 h3 h4 h5 h6 hgroup",
    "",
)
"""The last is for elements that a style hides."""
INSIDE_NAMES: Final = (
    "in_list in_table in_sectioning in_article_or_main in_form in_bar in_figure in_inline_heading"
    " hidden"
).split()
_PARTS: Final = (
    containers.NAMES,
    INSIDE_NAMES,
    groups.COUNTS,
    block_positions.NAMES,
    groups.SHARES,
)
NAMES: Final = tuple(chain.from_iterable(_PARTS))
_EDGES: Final = tuple(accumulate(map(len, _PARTS), initial=0))
_SLICES: Final = tuple(starmap(slice, pairwise(_EDGES)))
_COUNTS: Final = slice(_EDGES[1], _EDGES[3])
"""Columns of counts, of which logarithms are taken once all are written."""


@dataclass(frozen=True, eq=False)
class TreeFeatures:
    """Tree features of m blocks; for the other columns see `chaffinch.model.features.Features`.

    Attributes:
        columns: float32[len(NAMES), m].
    """

    columns: Floats
    near: Rows
    groups: Groups
    low: Rows
    high: Rows
    heading: Rows
    section: Rows


def read(above: Ancestors, names: NameHashes, text: TextFeatures) -> TreeFeatures:
    """Return the tree features of m blocks.

    Args:
        above: the elements above the blocks.
        names: hashed names by row.
        text: the text features of the blocks.
    """
    blocks, page = above.blocks, above.blocks.page
    columns = np.empty((len(NAMES), len(blocks)), dtype=np.float32)
    held, inside, repeats, place, shares = (columns[some] for some in _SLICES)
    around = containers.read(above, text.sums, held)
    _write_inside(above, names, inside)
    to = groups.Columns(repeats, shares)
    alike = groups.read(page, names.alike, around, text.sums, to)
    counts = columns[_COUNTS]
    np.log(counts, out=counts)
    heading = block_positions.write_places(blocks, place)
    return TreeFeatures(
        columns=columns,
        near=around.near,
        groups=alike,
        low=around.low[2],
        high=around.high[2],
        heading=heading,
        section=heading[around.low[1]],
    )


def _write_inside(above: Ancestors, names: NameHashes, out: Floats) -> None:
    """Write how many elements of each kind are above each block, and hidden, with 1 added."""
    of_elements = above.place, above.rows, above.up, above.over
    kernels.kinds_above(above.blocks.page.tag, *of_elements, names.hidden, _INSIDE, out)
