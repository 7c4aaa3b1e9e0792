"""Images and other rows without text are kept where they stand with kept text.

Blocks have scores, rows without text don't. Such a row is kept between two kept blocks. An image is
kept, too, from just above the first kept block on, where the largest element around it that holds
no kept text (a figure with its caption, a wrapper) has few words and most of the text in the parent
of that element is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.image_sources import parsed_size
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Floats, Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks

# Chosen on images of magic_html_article and fundus; run bench/quality/fidelity.py on both again.
_MOST_UNITS: Final = 60
"""Words of the element around an image: a caption has no more, a text has."""
_MOST_IMAGES: Final = 6
"""Images of that element."""
_LEAST_KEPT: Final = 0.5
"""Share of the words of its parent that must be kept."""
_BEFORE: Final = 3
"""Most blocks between an image above the text and the first block of the text."""
_SMALL: Final = 100
"""Pixels of the longer declared side below which an image is an icon or a portrait."""

_IMAGES: Final = tags.table(["img", "embed"])


def kept_media(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask:
    """Return bool[n]: images, breaks and other void elements that belong to the kept blocks.

    Args:
        blocks: the page's text blocks.
        units: float32[m], words of each block.
        keep: bool[m], which of them are kept.
    """
    page = blocks.page
    tag, shown = page.tag, page.shown
    mask = kernels.tags_between(tag, tags.VOID, shown, blocks.first, blocks.last, keep)
    kept = keep.tobytes()
    if 1 not in kept or not page.holds("img", "embed"):
        return mask
    near = kernels.rows_of(tag, _IMAGES, shown, *_reach(blocks, kept.find(1), kept.rfind(1)))
    if len(near):
        near = near[~mask.take(near)]
    if len(near) and (rows := _beside(blocks, near, units, keep)):
        near = np.array(rows, dtype=np.int32)
        sizes = page.own_attributes.values_of(near, "width", "height", "style")
        mask[near] = [not _is_small(*size) for size in sizes]
    return mask


def _reach(blocks: TextBlocks, first: int, last: int) -> tuple[int, int]:
    """Return the first and the end of the rows in which an image may belong to kept text.

    They begin `_BEFORE` blocks above the first kept block and end with the last one's parent.
    """
    page, top = blocks.page, first - _BEFORE
    start = blocks.last.item(top - 1) if top > 0 else 0
    return start, page.end.item(max(page.parent.item(blocks.first.item(last)), 0))


def _beside(blocks: TextBlocks, rows: Rows, units: Floats, keep: Mask) -> list[int]:
    """Return those rows that stand in small elements without kept text, whose parents are kept."""
    page, first = blocks.page, blocks.first
    parts = kernels.topmost_without(page.parent, page.end, first[keep], rows)
    ends = page.end.take(parts)
    sums = kernels.sums_within(first, units, keep, parts, ends)
    images = kernels.tags_within(page.tag, _IMAGES, page.shown, parts[0], ends[0])
    (_, kept), (own, whole) = sums.tolist()
    return [
        row
        for row, kept_units, own_units, all_units, amount in zip(
            rows.tolist(), kept, own, whole, images.tolist(), strict=True
        )
        if kept_units >= _LEAST_KEPT * all_units
        and own_units <= _MOST_UNITS
        and amount <= _MOST_IMAGES
    ]


def _is_small(width: str | None, height: str | None, style: str | None) -> bool:
    """Return whether attributes of an image declare it to be an icon or a portrait."""
    sizes = parsed_size(width or "", height or "", style or "")
    sides = [side for side in sizes if side is not None]
    return bool(sides) and max(sides) < _SMALL
