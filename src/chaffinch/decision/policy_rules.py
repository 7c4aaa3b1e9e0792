"""Parts of a page that a policy includes or excludes, found by structure.

An included part is kept where it belongs to the text (tables and captions from the first kept block
to the last, cards, links and posts outside bars, notes that kept text refers to); an excluded one
is dropped everywhere. A policy without a value for tables leaves them to
`chaffinch.decision.tables_and_code`, one without a value for comments to
`chaffinch.decision.reader_comments`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.byline_blocks import in_byline
from chaffinch.decision.caption_blocks import captions_between, in_captions
from chaffinch.decision.reader_comments import in_comments
from chaffinch.decision.tables_and_code import BARS, between_kept
from chaffinch.decision.title_blocks import headline, in_headline
from chaffinch.elements.tables import shows_data
from chaffinch.elements.texts import notes
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.decision.policy import Policy
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_CARD: Final = tags.table("li div article section a td".split())
_FEWEST: Final = 3
"""Boxes of the same tag and classes in a list of cards, and links in a list of links."""
_MOST_BLOCKS: Final = 12
_LONGEST: Final = 600
"""Blocks and characters of a card; posts and sections are longer."""
_LINKED: Final = 0.8
"""Share of its characters in links that makes a list a list of links."""


def apply_policy(blocks: TextBlocks, keep: Mask, policy: Policy) -> Mask:
    """Return bool[m]: ``keep``, with the parts that the policy has values for kept or dropped.

    Args:
        blocks: the page's text blocks.
        keep: bool[m], what is kept without a policy.
        policy: what belongs to the content.
    """
    values = vars(policy)
    wanted = {name: value for name in _PARTS if (value := values[name]) is not None}
    if not wanted:
        return keep
    changed = keep.copy()
    for name, value in wanted.items():
        if not value:
            changed &= ~_PARTS[name].excluded(blocks, keep)
    for name, value in wanted.items():
        if value:
            part = _PARTS[name]
            found = part.included(blocks, keep)
            changed |= found if part.in_bars else found & ~blocks.inside(BARS)
    return changed


def in_tables(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in data tables between the first kept block and the last."""
    page = blocks.page
    return between_kept(page.inside(shows_data(page))[blocks.first], keep)


def in_cards(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in lists of cards, anywhere on the page."""
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
    heads = tags.HEADING.take(blocks.owner_tag)
    mask[:-1] |= heads[:-1] & mask[1:]
    return mask


@dataclass(frozen=True)
class _Part:
    """How a part is found.

    Attributes:
        excluded: gives bool[m], the blocks that False drops.
        included: gives bool[m], the blocks that True keeps.
        in_bars: whether True keeps blocks in `BARS`, too.
    """

    excluded: Callable[[TextBlocks, Mask], Mask]
    included: Callable[[TextBlocks, Mask], Mask]
    in_bars: bool = False


_PARTS: Final = {
    "tables": _Part(in_tables, in_tables),
    "cards": _Part(in_cards, in_cards),
    "related": _Part(in_related, in_related),
    "captions": _Part(in_captions, captions_between, in_bars=True),
    "comments": _Part(in_comments, in_comments, in_bars=True),
    "byline": _Part(in_byline, in_byline, in_bars=True),
    "headline": _Part(in_headline, headline, in_bars=True),
    "notes": _Part(in_notes, in_notes, in_bars=True),
}
"""By the field of the policy."""
