"""Where a block stands: its containers, what else they hold, and what repeats beside it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, starmap
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.model import containers, groups, places
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.ancestors import Ancestors
    from chaffinch.model.groups import Groups
    from chaffinch.model.marks import Marks
    from chaffinch.model.text_features import TextFeatures
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows


def _table(kinds: tuple[str, ...]) -> NDArray[np.int32]:
    """Return int32[kinds, tags]: 1 where a tag is of a kind."""
    return np.stack([tags.table(names.split()) for names in kinds]).astype(np.int32)


_KINDS: Final = _table(
    (
        "a",
        "img picture video audio iframe svg canvas object embed",
        "input button select textarea form label",
        "p blockquote pre",
        "h1 h2 h3 h4 h5 h6",
        "li dt dd tr option",
        "time address",
        "nav aside footer header",
    )
)
_MEDIA: Final = 1
_INSIDE: Final = _table(
    (
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
)
"""The last is for elements that a style hides."""

_INSIDE_NAMES: Final = (
    "in_list in_table in_sectioning in_article_or_main in_form in_bar in_figure in_inline_heading"
    " hidden"
).split()
_OF_GROUPS: Final = "log_group log_group_units".split()
_PARTS: Final = (
    containers.NAMES,
    _INSIDE_NAMES,
    groups.REPEATS,
    _OF_GROUPS,
    places.NAMES,
    groups.NAMES,
)
NAMES: Final = tuple(chain.from_iterable(_PARTS))
_EDGES: Final = tuple(accumulate(map(len, _PARTS), initial=0))
_SLICES: Final = tuple(starmap(slice, pairwise(_EDGES)))
_COUNTS: Final = slice(_EDGES[1], _EDGES[4])
"""Columns of which logarithms are taken once all are there."""


class Given(NamedTuple):
    """What is known of the page and its m blocks.

    Attributes:
        above: the elements above the blocks.
        marks: names by row.
        text: text features.
    """

    above: Ancestors
    marks: Marks
    text: TextFeatures


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


def read(given: Given) -> TreeFeatures:
    """Return the tree features of the blocks below what is ``given``."""
    above, marks, text = given
    blocks, page = above.blocks, above.blocks.page
    count, owner = len(blocks), blocks.owner
    parent = np.maximum(page.parent, 0)
    over, element = parent[owner], parent[blocks.first]
    columns = np.empty((len(NAMES), count), dtype=np.float32)
    held_rows, inside, repeats, of_groups, place, shares = (columns[some] for some in _SLICES)
    kinds = np.zeros((len(_KINDS), len(page) + 1), dtype=np.int32)
    np.add.accumulate(_KINDS.take(page.tag, axis=1), axis=1, out=kinds[:, 1:])
    around = containers.containers(above)
    held = containers.Held.of(above, around, kinds)
    held.write(text, held_rows)
    inside[:] = _inside(page, above, marks)
    signs = page.tag + (marks.alike.astype(np.uint64) << np.uint64(9))
    groups.write_repeats(signs, parent, around, repeats)
    alike = groups.Groups.of(
        groups.mixed(signs[owner], signs[over], signs[parent[over]], signs[element])
    )
    units, linked = alike.sums(text.sums[:2])
    of_groups[0] = alike.sizes[alike.of_block]
    of_groups[1] = (units / alike.sizes)[alike.of_block]
    counts = columns[_COUNTS]
    counts += 1
    np.log(counts, out=counts)
    near = np.empty((count, 4), dtype=np.int32)
    near[:, 0], near[:, 1], near[:, 2], near[:, 3] = element, owner, over, around[1]
    heading = places.write_places(page, blocks, kinds[_MEDIA], place)
    groups.group_columns(alike, units, linked).take(alike.of_block, axis=1, out=shares)
    return TreeFeatures(
        columns=columns,
        near=near,
        groups=alike,
        low=held.low[2 * count : 3 * count],
        high=held.high[2 * count : 3 * count],
        heading=heading,
        section=heading[held.low[count : 2 * count]],
    )


def _inside(page: Page, above: Ancestors, marks: Marks) -> NDArray[np.int32]:
    """Return int32[kinds, m]: how many elements of each kind are above each block, and hidden."""
    kinds = _INSIDE.take(page.tag[above.rows], axis=1)
    kinds[-1, above.place[marks.hidden]] = 1
    return above.sums(kinds)
