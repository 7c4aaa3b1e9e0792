"""The features of text blocks: numbers, hashed names and words, and groups of similar blocks.

Everything is computed for all blocks at once from the page table; sums over subtrees are
differences of prefix sums, and columns lie one after the other in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, chain, pairwise, starmap
from math import log1p
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.kernels.arrays import Codes, Floats, Rows
from chaffinch.kernels.codes import CONTAINER_LEVELS as LEVELS
from chaffinch.kernels.codes import TEXT_COLUMNS
from chaffinch.model import words
from chaffinch.model.head_signals import HeadSignals, read_head_signals
from chaffinch.model.name_hashes import NameHashes, read_name_hashes
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks, text_blocks

_AT: Final = {name: number for number, name in enumerate(TEXT_COLUMNS)}
_LOGS: Final = slice(_AT["log_units"], _AT["log_units_after"] + 1)
_BESIDE: Final = slice(_AT["log_units_before"], _AT["log_units_after"] + 1)
_LONG: Final = np.float32(5.0)


_MEDIA: Final = "img picture video audio iframe svg canvas object embed"
_HELD: Final = tags.kinds(
    "a",
    _MEDIA,
    "input button select textarea form label",
    "p blockquote pre",
    "h1 h2 h3 h4 h5 h6",
    "li dt dd tr option",
    "time address",
    "nav aside footer header",
)
_TREE_LOGS: Final = (
    "log_blocks log_units log_units_a_block log_ends_a_block"
    " links media controls paragraphs headings items times bars"
).split()
_SHARES: Final = "link_share page_share place".split()
CONTAINERS: Final = tuple(
    f"{name}_{level}" for name in (*_TREE_LOGS, *_SHARES) for level in range(LEVELS)
)
"""Columns of the containers above each block."""

_AROUND: Final = tags.kinds(
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
"""The last is for elements that a style hides; tables around a page are learned as others."""
_TABLE: Final = tags.CODES["table"]
AROUND: Final = (
    "in_list in_table in_sectioning in_article_or_main in_form in_bar in_figure in_inline_heading"
    " hidden"
).split()
"""Columns of how many elements of each kind are above a block."""

REPEATS: Final = (
    "log_siblings_0 log_siblings_1 log_siblings_2 log_alike_0 log_alike_1 log_alike_2"
    " log_group log_group_units"
).split()
"""Columns of repetition that are counts: the similar siblings of three containers, the similar
elements of the page, the blocks of the group and their mean units."""
GROUP: Final = ("group_link_share group_page_share group_page_links group_span group_rank").split()
"""Columns of the group: its share in links, its shares of the page's text and links, its span and
rank. The span is the share of the page between the first and the last of the group, the rank counts
the groups with more text: 1 / (rank + 1) is the column."""

POSITIONS: Final = (
    "position log_blocks depth depth_step_before depth_step_after same_owner_before"
    " same_owner_after heading_level heading_distance after_h1 h1_distance"
    " gap_before log_media_before body_level"
).split()
"""Columns of where a block stands."""
_FAR: Final = 6.0
"""The distance to a heading where there is none."""
_HEADING_LEVEL: Final = np.zeros(len(tags.NAMES), dtype=np.float32)
_HEADING_LEVEL[[tags.CODES[f"h{level}"] for level in range(1, 7)]] = np.arange(6, 0, -1) / 3
_H1: Final = tags.CODES["h1"]
_IS_MEDIA: Final = tags.table(_MEDIA.split())
_HALVED: Final = np.float32(2)
_DISTANCE: Final = POSITIONS.index("heading_distance")
_GAPS: Final = slice(POSITIONS.index("gap_before"), POSITIONS.index("log_media_before") + 1)

_PARTS: Final = (CONTAINERS, AROUND, REPEATS, POSITIONS, GROUP)
TREE_NAMES: Final = tuple(chain.from_iterable(_PARTS))
"""All columns."""
_EDGES: Final = tuple(accumulate(map(len, _PARTS), initial=len(TEXT_COLUMNS)))
_SLICES: Final = tuple(starmap(slice, pairwise(_EDGES)))
_COUNTS: Final = slice(_EDGES[1], _EDGES[3])
"""Columns of counts, of which logarithms are taken once all are written."""


NUMBERS: Final = (*TEXT_COLUMNS, *TREE_NAMES)
"""Names of the columns of `Features.numbers`."""
_OF_TEXT: Final = len(TEXT_COLUMNS)


@dataclass(eq=False)  # a frozen one sets each field by a call
class Features:
    """The features of m text blocks.

    Attributes:
        blocks: the blocks.
        numbers: float32[m, f], about 0..5 each.
        near: int32[m, NEAR], rows whose tag and names are features: the element of the first text,
            the owner, its parent, and the next container with more blocks.
        above: the elements above the blocks.
        names: hashed names by row; only rows that hold blocks have any.
        words: uint16[words.SLOTS, m], buckets of the words at the start of each block.
        facts: float32[len(head_signals.FACTS)], what the head declares the page to be.
        heading: int32[m], the last heading block before each block; m where there is none.
        section: int32[m], the last heading block before the next container of each block.
        group: int32[m], number of each block's group of similar blocks: their three nearest
            elements have the same tags and names, digits left out.
        groups: how many there are.
        low, high: int32[m], the blocks of the nearest container but one: low:high.
        units: float32[m], words (characters in scripts without spaces), at least 1.
    """

    blocks: TextBlocks
    numbers: Floats
    near: Rows
    above: kernels.Above
    names: NameHashes
    words: NDArray[np.uint16]
    facts: Floats
    heading: Rows
    section: Rows
    group: Rows
    groups: int
    low: Rows
    high: Rows
    units: Floats

    def __len__(self) -> int:
        return len(self.units)


def features(page: Page) -> Features:
    """Return the features of the text blocks of ``page``, which must have at least one."""
    blocks = text_blocks(page)
    tag, parent, first, owner = page.tag, page.parent, blocks.first, blocks.owner
    columns = np.empty((len(NUMBERS), len(blocks)), dtype=np.float32)
    above = kernels.above(tag, parent, page.end, first)
    names, head = read_name_hashes(page, above.holds), read_head_signals(page)
    sums, firsts = read_text(blocks, head, columns[:_OF_TEXT])
    held, inside, repeats, place, group = (columns[some] for some in _SLICES)
    around = kernels.containers(
        tag, parent, page.end, first, owner, above.begun, above.place, above.up, above.rows, sums,
        _HELD, held,
    )  # fmt: skip
    boxes = page.boxes if page.boxes is tag else np.where(tag == _TABLE, tag, page.boxes)
    kernels.kinds_above(
        boxes, above.place, above.rows, above.up, above.over, names.hidden, _AROUND, inside
    )
    of_block, groups = kernels.groups(
        tag, names.alike, parent, around.near, around.rows, sums, repeats, group
    )
    for counts in (held[: LEVELS * len(_TREE_LOGS)], columns[_COUNTS]):
        np.log(counts, out=counts)
    heading = _write_positions(blocks, place)
    return Features(
        blocks=blocks,
        numbers=columns.T,
        near=around.near,
        above=above,
        names=names,
        words=firsts,
        facts=head.facts,
        heading=heading,
        section=heading.take(around.low[1]),
        group=of_block,
        groups=groups,
        low=around.low[2],
        high=around.high[2],
        units=sums[0].astype(np.float32),
    )


def read_text(blocks: TextBlocks, head: HeadSignals, out: Floats) -> tuple[Rows, Codes]:
    """Write the text features of m ``blocks`` to float32[len(TEXT_COLUMNS), m].

    Returns:
        int32[3, m], units, units in links, and marks that end a sentence; uint16[words.SLOTS, m],
        buckets of the words at the start of each block.
    """
    page = blocks.page
    sums = np.empty((3, out.shape[1]), dtype=np.int32)
    firsts = kernels.text_features(
        page.text, head.title, head.description, head.body, words.kinds_table(),
        words.letter_hashes(), page.written_before, page.text_at, page.in_link, blocks.first,
        blocks.last, out, sums,
    )  # fmt: skip
    logs = out[_LOGS]
    np.log(logs, out=logs)
    beside = out[_BESIDE]
    beside /= _LONG
    return sums, firsts


def _write_positions(blocks: TextBlocks, out: Floats) -> Rows:
    """Write where each of m ``blocks`` stands, to float32[len(POSITIONS), m].

    Returns:
        int32[m], the last heading before each block; m where there is none.
    """
    page = blocks.page
    of_page = page.tag, page.depth, blocks.first, blocks.owner
    heading, lead = kernels.places(*of_page, _IS_MEDIA, _HEADING_LEVEL, _H1, out)
    out[1] = log1p(out.shape[1])
    for logs in (out[_DISTANCE], out[_GAPS]):
        np.log(logs, out=logs)
    out[_DISTANCE, :lead] = _FAR
    gap = out[_GAPS.start]
    gap /= _HALVED
    return heading
