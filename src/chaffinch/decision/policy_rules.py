"""What a policy asks for by structure: data tables, lists of cards, related links, notes.

The network isn't told of these, for no labels name them. What is asked for is kept where it
belongs to the text (tables from its first block to its last, cards and links outside bars, notes
where the kept text leads to them); what is unwanted is dropped everywhere. Where nothing is said,
data tables within the text are kept but where they are nearly surely noise, and so is code
(`chaffinch.decision.choice`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.atomic_elements import rows_of_data_tables
from chaffinch.elements.notes import notes
from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.decision.policy import Policy
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_BAR: Final = tags.table("nav header footer aside form".split())
_CODE: Final = tags.table(["pre"])
_CARD: Final = tags.table("li div article section a td".split())
_FEWEST: Final = 3
"""Like boxes that make a list of cards, and links that make a list of links."""
_MOST_BLOCKS: Final = 12
_LONGEST: Final = 600
"""Blocks and characters of a card; posts and sections are longer."""
_LINKED: Final = 0.8
"""Share of its characters in links that makes a list a list of links."""


def as_asked(blocks: TextBlocks, keep: Mask, policy: Policy) -> Mask:
    """Return bool[m]: ``keep``, with parts that the policy names kept or dropped.

    Args:
        blocks: the page's text blocks.
        keep: bool[m], what is kept without a policy.
        policy: what belongs to the content.
    """
    rules = (policy.tables, in_tables), (policy.cards, in_cards), (policy.related, in_related)
    if policy.notes is None and all(wanted is None for wanted, _ in rules):
        return keep
    asked = keep.copy()
    for wanted, part in rules:
        if wanted is False:
            asked &= ~part(blocks, keep)
    for wanted, part in rules:
        if wanted:
            asked |= part(blocks, keep) & ~_in_bars(blocks)
    if policy.notes is not None:
        told = in_notes(blocks, keep)
        asked = asked | told if policy.notes else asked & ~told
    return asked


def in_tables(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in data tables between the first kept block and the last."""
    page = blocks.page
    return within(page.inside(shows_data(page))[blocks.first], keep)


def in_data(blocks: TextBlocks, *, tables: bool, code: bool) -> Mask | None:
    """Return bool[m]: blocks in real data tables or in code, outside bars; None if there is none.

    Args:
        blocks: the page's text blocks.
        tables: whether tables count.
        code: whether code counts.
    """
    page = blocks.page
    mask = None
    if code and page.holds("pre"):
        mask = blocks.inside(_CODE)
    if tables and len(rows := rows_of_data_tables(page)):
        marked = np.zeros(len(page), dtype=bool)
        marked[rows] = True
        inside = page.inside(marked)[blocks.first]
        mask = inside if mask is None else mask | inside
    return None if mask is None else mask & ~_in_bars(blocks)


def within(mask: Mask, keep: Mask) -> Mask:
    """Return bool[m]: ``mask`` from the first kept block to the last; where none is, all of it."""
    kept = np.flatnonzero(keep)
    if len(kept):
        mask = mask.copy()
        mask[: kept[0]] = False
        mask[kept[-1] + 1 :] = False
    return mask


def in_cards(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in lists of cards, wherever they stand."""
    del keep
    page = blocks.page
    rows = np.flatnonzero(_CARD[page.tag] & (page.length > 0) & (page.length <= _LONGEST))
    held = np.searchsorted(blocks.first, page.end[rows]) - np.searchsorted(blocks.first, rows)
    links = page.total(page.is_tag("a"))[rows]
    rows = rows[(held > 1) & (held <= _MOST_BLOCKS) & (links > 0)]
    keys = [
        (int(page.parent[row]), int(page.tag[row]), page.classes(row)[:2]) for row in rows.tolist()
    ]
    number = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    of_row = np.array([number[key] for key in keys], dtype=np.intp)
    alike = np.bincount(of_row, minlength=1)[of_row] >= _FEWEST
    marked = np.zeros(len(page), dtype=bool)
    marked[rows[alike]] = True
    return page.inside(marked)[blocks.first]


def in_related(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in lists that are nearly all links, after the first kept block."""
    page = blocks.page
    lists = np.flatnonzero(page.is_tag("ul", "ol") & (page.length > 0))
    linked = page.link_length[lists] >= _LINKED * page.length[lists]
    links = page.total(page.is_tag("a"))[lists]
    marked = np.zeros(len(page), dtype=bool)
    marked[lists[linked & (links >= _FEWEST)]] = True
    mask: Mask = page.inside(marked)[blocks.first]
    mask[: int(np.argmax(keep)) if keep.any() else len(mask)] = False
    return mask


def in_notes(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: notes and references of the kept text, with the heading directly above."""
    page = blocks.page
    mask: Mask = notes(page, blocks.spread(keep))[blocks.first]
    heads = tags.HEADING[page.tag[blocks.owner]]
    mask[:-1] |= heads[:-1] & mask[1:]
    return mask


def _in_bars(blocks: TextBlocks) -> Mask:
    return blocks.inside(_BAR)
