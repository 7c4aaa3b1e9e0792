"""The title of the page among its blocks: it is metadata, and heads the outputs with headings.

Two ways lead to it. The default looks only at kept headings whose text is the title element's, or a
part of it between separators: a few dictionary lookups. A policy, and the outputs that put the
title on top, use metadata, which know titles that no heading and no title element has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.result import Content, Verdict

if TYPE_CHECKING:
    from chaffinch import metadata
    from chaffinch.metadata import Metadata, values
    from chaffinch.metadata.values import FieldValue
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks
else:
    metadata = lazy_module("chaffinch.metadata")
    values = lazy_module("chaffinch.metadata.values")

_HEADINGS: Final = tags.table(["h1", "h2"])
_LEAST_LETTERS: Final = 6
_LEAST_SHARE: Final = 0.4
"""Letters and digits of a heading that is taken for the title, and their share of the title
element: the site and its sections have parts of their own there."""
_FIRST: Final = 4
"""Kept blocks among which the title is."""
_LONGEST: Final = 400
"""Characters of a block that may be a title."""
_FIRST_HAN, _LAST_HAN = 0x4E00, 0x9FFF
"""Letters that folding leaves as they are, as it does lower case of ASCII."""
_LEAD_WITHIN: Final = 3
"""Blocks below the headline among which the lead is."""
_LEAD_WORDS: Final = 5
_LEAD_LINKED: Final = 0.6
_LEAD_SCORE: Final = 0.15
"""Words of a lead at least, its characters in links at most, and its score at least."""
_SENTENCE: Final = re.compile(r"[.!。！…।][”\"»’)）]?(?:\s?\[\d{1,3}\])*\Z")
_LEAST_LEFT: Final = 10
"""Words that must be left, or nothing is dropped."""


def kept_title(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: kept headings that repeat the title element, or a part of it; None for none.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        keep: bool[m], the blocks that are kept.
    """
    first = keep.nonzero()[0][:_FIRST]
    heads = first[_HEADINGS.take(blocks.owner_tag.take(first))]
    if not len(heads):
        return None
    title, fold = blocks.page.title[:_LONGEST], values.fold
    least = max(_LEAST_LETTERS, _LEAST_SHARE * len(fold(title)))
    parts = {key for part in values.runs(title) if len(key := fold(part)) >= least}
    mask = np.zeros(len(blocks), dtype=bool)
    for block in heads.tolist():
        mask[block] = fold(blocks.text(block)[:_LONGEST]) in parts
    if not mask.any() or units[keep & ~mask].sum(dtype=np.float64) < _LEAST_LEFT:
        return None
    return mask


def lead_below_title(blocks: TextBlocks, units: Floats, score: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: a sentence directly below the only h1, and the facts below it; None for none.

    The short description of a product, the one sentence that says what a thing is: labels of
    articles have such lines as often as not, those of other pages mostly.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
    """
    heads = np.flatnonzero(blocks.owner_tag == tags.CODES["h1"])
    if len(heads) != 1 or not keep[heads[0] :].any():
        return None
    first = int(heads[0]) + 1
    near = range(first, min(first + _LEAD_WITHIN, len(keep)))
    found = [at for at in near if _is_lead(blocks, at) and units[at] >= _LEAD_WORDS]
    found = [at for at in found if score[at] >= _LEAD_SCORE]
    if not found:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    mask[found] = True
    page, last = blocks.page, found[-1]
    rows = page.ancestors(int(blocks.first[min(last + 1, len(keep) - 1)]))
    if facts := next((row for row in rows if page.tag[row] == tags.CODES["dl"]), 0):
        stop = int(blocks.first.searchsorted(page.end[facts]))
        mask[last + 1 : stop] = facts > blocks.first[last]
    mask &= ~keep
    return mask if mask.any() else None


def _is_lead(blocks: TextBlocks, at: int) -> bool:
    if tags.HEADING[blocks.owner_tag[at]] or blocks.length[at] > _LONGEST:
        return False
    linked = blocks.link_length[at] <= _LEAD_LINKED * blocks.length[at]
    return bool(linked and _SENTENCE.search(blocks.text(at)))


def in_headline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks that are the page's title: the whole text of one, or of its heading.

    Args:
        blocks: the page's m text blocks.
        keep: bool[m], the blocks that are kept: metadata prefer a title near them.
    """
    return of_title(blocks, metadata_near(blocks, keep).title)


def metadata_near(blocks: TextBlocks, keep: Mask) -> Metadata:
    """Return the page's metadata, values near the kept blocks, bool[m], preferred."""
    page = blocks.page
    nothing = np.zeros(len(page), dtype=np.int8)
    verdict = Verdict(blocks.spread(keep), np.zeros(len(page), dtype=np.float32), nothing)
    return metadata.read_metadata(page, Content(page, verdict))


def of_title(blocks: TextBlocks, found: FieldValue[str] | None, among: Mask | None = None) -> Mask:
    """Return bool[m]: blocks that are a title as metadata have it; none where it is None.

    Args:
        blocks: the page's m text blocks.
        found: the title; its row is one of the blocks' page, or -1.
        among: bool[m], the blocks that count; others are looked at only where none of them is it.
    """
    page = blocks.page
    mask = np.zeros(len(blocks), dtype=bool)
    key = values.fold(found.value) if found is not None else ""
    if found is None or not key:
        return mask
    short = (blocks.length > 0) & (blocks.length <= _LONGEST)
    short &= alike(blocks, key)
    for part in (short,) if among is None else (short & among, short & ~among):
        for block in part.nonzero()[0].tolist():
            mask[block] = values.fold(blocks.text(block)) == key
        if mask.any():
            break
    heads = found.row >= 0 and tags.HEADING[page.tag[found.row]]
    if heads and not mask.any():  # a heading of several lines
        mask = (blocks.first >= found.row) & (blocks.first < page.end[found.row])
    return mask


def alike(blocks: TextBlocks, key: str) -> Mask:
    """Return bool[m]: blocks whose text may have a key that `values.fold` makes."""
    starts, stops = blocks.page.text_at.take(blocks.first), blocks.page.text_at.take(blocks.last)
    return kernels.texts_alike(blocks.page.text, starts, stops, key, _FIRST_HAN, _LAST_HAN)


def headline(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: of the blocks that are the title the one that is the headline.

    It is the first in an h1, else the first of all; none where no block is the title.
    """
    mask = in_headline(blocks, keep)
    found = np.flatnonzero(mask)
    if len(found) < 2:  # noqa: PLR2004  nothing to choose
        return mask
    rank = blocks.page.tag.take(blocks.owner.take(found))
    heads = found[rank == tags.CODES["h1"]]
    chosen = np.zeros(len(blocks), dtype=bool)
    chosen[heads[0] if len(heads) else found[0]] = True
    return chosen
