"""Which images and other rows without text belong to kept text.

No score speaks of a row without text. It is kept between two kept blocks, and where the largest
part of the page around it that holds no kept text (a figure with its caption, a wrapper) is small
and stands in a part whose text is mostly kept, from just above the first kept block on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.images.sizes import parsed_size
from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons, Rows
    from chaffinch.segment.text_blocks import TextBlocks

# Chosen on images of magic_html_article and fundus; run bench/quality/fidelity.py on both again.
_MOST_UNITS: Final = 60
"""Words that the part around an image may hold: a caption, no text of its own."""
_MOST_IMAGES: Final = 6
_LEAST_KEPT: Final = 0.5
"""Share of the words around that part which must be kept."""
_BEFORE: Final = 3
"""Blocks between a picture above the text and the text's first block."""
_SMALL: Final = 100
"""Pixels that a declared side reaches, if one is declared; icons and portraits are smaller."""

_IMAGES: Final = tags.table(["img", "embed"])
_KINDS: Final = (tags.VOID + 2 * _IMAGES).astype(np.uint8)
"""What the kernel reads of a tag: a void element, an image."""
_LIMITS: Final = np.array([_BEFORE, _MOST_UNITS, _MOST_IMAGES, _LEAST_KEPT], dtype=np.float64)


def kept_media(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask:
    """Return bool[n]: images, breaks and other void elements that belong to the kept blocks.

    Args:
        blocks: the page's text blocks.
        units: float32[m], words of each block.
        keep: bool[m], which of them are kept.
    """
    page = blocks.page
    mask = np.zeros(len(page), dtype=bool)
    if compiled := kernels():
        near = np.empty(len(page), dtype=np.intp)
        columns = page.tag, page.parent, page.end, page.shown, blocks.first, blocks.last
        found = compiled.kept_media(*columns, units, keep, _KINDS, _LIMITS, mask, near)
        mask[[row for row in near[:found].tolist() if not _is_small(page, row)]] = True
        return mask
    if not keep.any():
        return mask
    kept = np.flatnonzero(keep)
    start, stop = _reach(blocks, kept)
    reach = slice(start, max(stop, int(blocks.last[kept[-1]])))
    rows = np.flatnonzero(tags.VOID.take(page.tag[reach]) & page.shown[reach]) + start
    between = _between(blocks, rows, keep)
    mask[rows[between]] = True
    near = rows[_IMAGES.take(page.tag[rows]) & ~between & (rows < stop)]
    if len(near):
        near = near[_beside(blocks, near, units, keep)]
        mask[[row for row in near.tolist() if not _is_small(page, row)]] = True
    return mask


def _reach(blocks: TextBlocks, kept: NDArray[np.intp]) -> tuple[int, int]:
    """Return the rows from just above the first kept block to the end of what holds the last."""
    page = blocks.page
    top = int(kept[0]) - _BEFORE
    start = int(blocks.last[top - 1]) if top > 0 else 0
    return start, int(page.end[max(page.parent[blocks.first[kept[-1]]], 0)])


def _between(blocks: TextBlocks, rows: NDArray[np.intp], keep: Mask) -> Mask:
    """Return bool[r]: rows with a kept block right before and right after."""
    after = np.searchsorted(blocks.last, rows, side="right")
    padded = np.zeros(len(keep) + 1, dtype=bool)
    padded[:-1] = keep
    first = blocks.first[np.minimum(after, len(keep) - 1)]
    within = (after < len(keep)) & (first < rows)
    before = np.where(within, after, after - 1)
    between: Mask = padded[after] & padded[before]
    return between


def _beside(blocks: TextBlocks, rows: NDArray[np.intp], units: Floats, keep: Mask) -> Mask:
    """Return bool[r]: rows in small parts without kept text, in the midst of kept text."""
    page = blocks.page
    images = np.flatnonzero(_IMAGES.take(page.tag) & page.shown)
    part = _parts_without(page, rows, blocks.first[keep])
    around = np.maximum(page.parent[part], 0)
    low, high = _range(blocks, part)
    every, kept = np.zeros(len(units) + 1), np.zeros(len(units) + 1)
    np.cumsum(units, out=every[1:])
    np.cumsum(units * keep, out=kept[1:])
    outer_low, outer_high = _range(blocks, around)
    share = (kept[outer_high] - kept[outer_low]) / (every[outer_high] - every[outer_low])
    amount = np.searchsorted(images, page.end[part]) - np.searchsorted(images, part)
    beside: Mask = every[high] - every[low] <= _MOST_UNITS
    beside &= (share >= _LEAST_KEPT) & (amount <= _MOST_IMAGES)
    return beside


def _parts_without(page: Page, rows: NDArray[np.intp], kept: Rows) -> NDArray[Any]:
    """Return [r]: the highest row around each row whose subtree holds no row of ``kept``."""
    marks = np.zeros(len(page), dtype=bool)
    marks[kept] = True
    holds = page.around(marks)
    part, above = rows, np.maximum(page.parent[rows], 0)
    while not (held := holds[above]).all():
        part = np.where(held, part, above)
        above = np.maximum(page.parent[part], 0)
    return part


def _range(blocks: TextBlocks, rows: NDArray[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return intp[r] twice: the blocks low:high that begin in the subtree of each row."""
    first = blocks.first
    return np.searchsorted(first, rows), np.searchsorted(first, blocks.page.end[rows])


def told_rows(
    blocks: TextBlocks, units: Floats, keep: Mask, codes: Reasons
) -> tuple[Mask, Reasons]:
    """Return bool[n] and int8[n]: which rows belong to the kept blocks, and why.

    Args:
        blocks: the page's text blocks.
        units: float32[m], words of each block.
        keep: bool[m], which of them are kept.
        codes: int8[3], the reasons of dropped blocks, kept blocks and rows beside them; rows that
            are neither have reason 0.
    """
    beside = kept_media(blocks, units, keep)
    if compiled := kernels():
        why = np.empty(len(beside), dtype=np.int8)
        kept = np.empty(len(beside), dtype=bool)
        compiled.verdict_rows(blocks.block, keep, beside, why, kept, codes)
        return kept, why
    dropped, taken, aside = codes.tolist()
    why = blocks.spread(np.where(keep, np.int8(taken), np.int8(dropped)))
    why[beside] = aside
    kept = blocks.spread(keep)
    kept |= beside
    return kept, why


def _is_small(page: Page, row: int) -> bool:
    told = page.attributes(row).get
    sizes = parsed_size(told("width") or "", told("height") or "", told("style") or "")
    sides = [side for side in sizes if side is not None]
    return bool(sides) and max(sides) < _SMALL
