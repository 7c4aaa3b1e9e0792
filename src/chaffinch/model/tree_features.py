"""Where a block stands: its containers, what else they hold, and what repeats beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.model.ancestors import sums_above
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.marks import Marks
    from chaffinch.model.text_features import TextFeatures
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

LEVELS: Final = 4
"""Containers looked at above each block, each with more blocks than the one before."""

_KINDS: Final = tuple(
    tags.table(names.split())
    for names in (
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
_KIND_TABLE: Final = np.stack(_KINDS, axis=1).astype(np.float32)
_BY_LEVEL: Final = (
    "log_units link_share log_blocks log_units_a_block log_ends_a_block page_share place"
).split()
_HELD: Final = "links media controls paragraphs headings items times bars".split()
NAMES: Final = (
    "position log_blocks depth depth_step_before depth_step_after same_owner_before"
    " same_owner_after heading_level in_list in_table in_sectioning in_article_or_main in_form"
    " hidden heading_distance after_h1 h1_distance log_siblings_0 log_siblings_1 log_siblings_2"
    " log_alike_0 log_alike_1 log_alike_2 log_group group_link_share log_group_units gap_before"
    " log_media_before in_bar in_figure in_inline_heading body_level".split()
    + [f"{name}_{level}" for level in range(LEVELS) for name in (*_BY_LEVEL, *_HELD)]
)
_BINS: Final = 1 << 14
_DEEP: Final = 64
"""Depth beyond which pages are built by accident, not by design."""
_CHAIN: Final = 5
"""Rounds of doubling: wrappers of wrappers are skipped up to 32 deep."""
_HEADING_LEVEL: Final = np.zeros(len(tags.NAMES), dtype=np.float32)
_HEADING_LEVEL[[tags.CODES[f"h{level}"] for level in range(1, 7)]] = [6, 5, 4, 3, 2, 1]
_INSIDE: Final = tuple(
    tags.table(names.split())
    for names in (
        "ul ol dl menu",
        "table",
        "article section main",
        "article main",
        "form button select label fieldset",
        "nav aside footer header",
        "figure figcaption caption",
        "h1 h2 h3 h4 h5 h6 hgroup",
    )
)
_INSIDE_TABLE: Final = np.stack(_INSIDE, axis=1)


@dataclass(frozen=True, eq=False)
class TreeFeatures:
    """Tree features of m blocks; for the other columns see `chaffinch.model.features.Features`."""

    numbers: Floats
    near: Rows
    group: Rows
    low: Rows
    high: Rows


def read(
    page: Page, blocks: TextBlocks, held: Rows, marks: Marks, text: TextFeatures
) -> TreeFeatures:
    """Return the tree features of ``blocks``; ``held`` is int32[n], blocks in each subtree."""
    count = len(blocks)
    chain = _containers(page, blocks, held)
    sums = _sums(text)
    by_level, low, high = _level_features(page, blocks, chain, sums)
    parent = np.maximum(page.parent, 0)
    owner = blocks.owner
    above, above2 = parent[owner], parent[parent[owner]]
    element = parent[blocks.first]
    signs = page.tag.astype(np.uint64) + (marks.of_row.astype(np.uint64) << np.uint64(9))
    keys = _mixed(signs[owner], signs[above], signs[above2], signs[element])
    _, group, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    group_units = np.bincount(group, weights=text.units)
    group_linked = np.bincount(group, weights=text.linked)
    columns = [
        *_place(page, blocks),
        *_inside(page, blocks, marks),
        *_heading_places(page, blocks),
        *_repeats(signs, parent, chain),
        np.log1p(sizes[group]),
        (group_linked / np.maximum(group_units, 1))[group],
        np.log1p(group_units / sizes)[group],
        *_gaps(page, blocks),
    ]
    numbers = np.empty((count, len(columns) + by_level.shape[1]), dtype=np.float32)
    for number, column in enumerate(columns):
        numbers[:, number] = column
    numbers[:, len(columns) :] = by_level
    near = np.stack([element, owner, above, chain[1]], axis=1)
    return TreeFeatures(numbers, near, group.astype(np.int32), low, high)


def _mixed(*keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    mixed = keys[0]
    for key in keys[1:]:
        mixed = mixed * np.uint64(0x9E3779B97F4A7C15) + key
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _containers(page: Page, blocks: TextBlocks, held: Rows) -> list[Rows]:
    """Return LEVELS arrays int32[m] of rows, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before.
    """
    parent = np.maximum(page.parent, 0)
    top = np.where(held[parent] == held, parent, np.arange(len(page), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top[top]
    chain = [top[blocks.owner]]
    for _ in range(LEVELS - 1):
        chain.append(top[parent[chain[-1]]])
    return chain


def _sums(text: TextFeatures) -> NDArray[np.float64]:
    """Return float64[m + 1, 3]: units, linked units and sentence ends before each block."""
    sums = np.zeros((len(text.units) + 1, 3))
    np.cumsum(np.stack([text.units, text.linked, text.ends], axis=1), axis=0, out=sums[1:])
    return sums


def _level_features(
    page: Page, blocks: TextBlocks, chain: list[Rows], sums: NDArray[np.float64]
) -> tuple[Floats, Rows, Rows]:
    """Return float32[m, LEVELS * features], and the block range of the container at level 2."""
    count = len(blocks)
    rows = np.concatenate(chain)
    ends = page.end[rows]
    low = np.searchsorted(blocks.first, rows)
    high = np.searchsorted(blocks.first, ends)
    units, linked, ends_held = (sums[high] - sums[low]).T
    amount = high - low
    kinds = np.zeros((len(page) + 1, len(_KINDS)), dtype=np.float32)
    np.cumsum(_KIND_TABLE[page.tag], axis=0, out=kinds[1:])
    held = np.log1p(kinds[ends] - kinds[rows])
    out = np.empty((len(rows), len(_BY_LEVEL) + len(_HELD)), dtype=np.float32)
    out[:, 0] = np.log1p(units)
    out[:, 1] = linked / units
    out[:, 2] = np.log1p(amount)
    out[:, 3] = np.log1p(units / amount)
    out[:, 4] = np.log1p(ends_held / amount)
    out[:, 5] = units / sums[-1, 0]
    out[:, 6] = (np.tile(np.arange(count), LEVELS) - low) / amount
    out[:, len(_BY_LEVEL) :] = held
    by_block = out.reshape(LEVELS, count, -1).transpose(1, 0, 2).reshape(count, -1)
    second = slice(2 * count, 3 * count)
    return by_block, low[second].astype(np.int32), high[second].astype(np.int32)


def _place(page: Page, blocks: TextBlocks) -> list[NDArray[Any]]:
    """Return where each block stands in the page, and how its depth and owner change."""
    count = len(blocks)
    depth = page.depth[blocks.owner].astype(np.float32)
    step = np.zeros(count + 1, dtype=np.float32)
    step[1:-1] = np.diff(depth)
    same = np.zeros(count + 1, dtype=bool)
    same[1:-1] = blocks.owner[1:] == blocks.owner[:-1]
    return [
        np.arange(count) / count,
        np.full(count, np.log1p(count)),
        np.minimum(depth, _DEEP) / 16,
        np.clip(step[:-1] / 4, -2, 2),
        np.clip(step[1:] / 4, -2, 2),
        same[:-1],
        same[1:],
        _HEADING_LEVEL[page.tag[blocks.owner]] / 3,
    ]


def _inside(page: Page, blocks: TextBlocks, marks: Marks) -> list[NDArray[Any]]:
    """Return what kinds of element are above each block, as log of how many, and hidden ones."""
    kinds = np.zeros((len(page), len(_INSIDE) + 1), dtype=np.int32)
    kinds[:, :-1] = _INSIDE_TABLE[page.tag]
    kinds[marks.hidden, -1] = 1
    marked = np.flatnonzero(kinds.any(axis=1))
    above = sums_above(marked, page.end[marked], kinds[marked], blocks.first)
    lists, tables, sections, articles, forms, bars, figures, headings, hidden = np.log1p(above).T
    return [lists, tables, sections, articles, forms, hidden, bars, figures, headings]


def _heading_places(page: Page, blocks: TextBlocks) -> list[NDArray[Any]]:
    """Return distances to the last heading and to the first h1."""
    count = len(blocks)
    numbers = np.arange(count)
    owner_tag = page.tag[blocks.owner]
    last = np.maximum.accumulate(np.where(tags.HEADING[owner_tag], numbers, -1))
    first = np.flatnonzero(owner_tag == tags.CODES["h1"])
    at = int(first[0]) if len(first) else -1
    distance = (numbers - at) / count if at >= 0 else np.zeros(count)
    return [
        np.where(last < 0, 6.0, np.log1p(numbers - last)),
        np.sign(distance) if at >= 0 else np.full(count, 2.0),
        distance,
    ]


def _repeats(signs: NDArray[np.uint64], parent: Rows, chain: list[Rows]) -> list[NDArray[Any]]:
    """Return how many like siblings and like elements of the page three containers have.

    Counts are made in hashed bins: a rare collision adds to a count.
    """
    own = signs * np.uint64(0x9E3779B97F4A7C15)
    beside = (own ^ (parent.astype(np.uint64) * np.uint64(0xC2B2AE3D27D4EB4F))) >> np.uint64(50)
    alike = ((own ^ (signs[parent] * np.uint64(0x165667B19E3779F9))) * _ODD) >> np.uint64(50)
    out: list[NDArray[Any]] = []
    for bins in (beside.astype(np.intp), alike.astype(np.intp)):
        counts = np.log1p(np.bincount(bins, minlength=_BINS))
        out.extend(counts[bins[rows]] for rows in chain[:3])
    return out


_ODD: Final = np.uint64(0xD6E8FEB86659FD93)


def _gaps(page: Page, blocks: TextBlocks) -> list[NDArray[Any]]:
    """Return what lies between each block and the one before."""
    since = np.diff(blocks.first, prepend=0)
    media = np.cumsum(_KIND_TABLE[page.tag, 1])[blocks.first]
    level = np.minimum.reduceat(page.depth, blocks.first) if len(blocks) else np.zeros(0)
    between = np.zeros(len(blocks))
    between[1:] = level[:-1]
    return [
        np.log1p(since) / 2,
        np.log1p(np.diff(media, prepend=0)),
        np.clip((page.depth[blocks.owner] - between) / 4, -1, 4),
    ]
