"""Images and other rows without text are kept where they stand with kept text.

Blocks have scores, rows without text don't. Such a row is kept between two kept blocks. An image is
kept, too, from just above the first kept block on, where the largest element around it that holds
no kept text (a figure with its caption, a wrapper) has few words and most of the text in the parent
of that element is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.elements.images.sizes import parsed_size
from chaffinch.page import tags

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    kept = keep.nonzero()[0]
    if not len(kept):
        return mask
    near = kernels.rows_of(tag, _IMAGES, shown & ~mask, *_reach(blocks, kept))
    if len(near):
        near = near[_beside(blocks, near, units, keep)]
    if len(near):
        sizes = page.own_attributes.values_of(near, "width", "height", "style")
        mask[near] = [not _is_small(*size) for size in sizes]
    return mask


def _reach(blocks: TextBlocks, kept: NDArray[np.intp]) -> tuple[int, int]:
    """Return the first and the end of the rows in which an image may belong to kept text.

    They begin `_BEFORE` blocks above the first kept block and end with the last one's parent.
    """
    page = blocks.page
    top = int(kept[0]) - _BEFORE
    start = int(blocks.last[top - 1]) if top > 0 else 0
    return start, int(page.end[max(page.parent[blocks.first[kept[-1]]], 0)])


def _beside(blocks: TextBlocks, rows: Rows, units: Floats, keep: Mask) -> Mask:
    """Return bool[r]: rows in small elements without kept text, whose parents are mostly kept."""
    page, first = blocks.page, blocks.first
    parts = kernels.topmost_without(page.parent, page.end, first[keep], rows)
    ends = page.end[parts]
    (_, kept), (units_of_part, all_units) = kernels.sums_within(first, units, keep, parts, ends)
    beside: Mask = kept >= _LEAST_KEPT * all_units
    beside &= units_of_part <= _MOST_UNITS
    images = kernels.tags_within(page.tag, _IMAGES, page.shown, parts[0], ends[0])
    beside &= images <= _MOST_IMAGES
    return beside


def _is_small(width: str | None, height: str | None, style: str | None) -> bool:
    """Return whether attributes of an image declare it to be an icon or a portrait."""
    sizes = parsed_size(width or "", height or "", style or "")
    sides = [side for side in sizes if side is not None]
    return bool(sides) and max(sides) < _SMALL
