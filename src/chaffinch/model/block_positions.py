"""Where each block stands in the page: position, depth, headings before, and what lies between."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

NAMES: Final = (
    "position log_blocks depth depth_step_before depth_step_after same_owner_before"
    " same_owner_after heading_level heading_distance after_h1 h1_distance"
    " gap_before log_media_before body_level"
).split()
"""Columns of `write_places`."""
_DEEP: Final = 64
"""Depth beyond which pages are built by accident, not by design."""
_FAR: Final = 6.0
"""The distance to a heading where there is none."""
_HEADING_LEVEL: Final = np.zeros(len(tags.NAMES), dtype=np.float32)
_HEADING_LEVEL[[tags.CODES[f"h{level}"] for level in range(1, 7)]] = np.arange(6, 0, -1) / 3
_H1: Final = tags.CODES["h1"]
_MEDIA: Final = tags.table("img picture video audio iframe svg canvas object embed".split())
_DISTANCE: Final = NAMES.index("heading_distance")
_GAPS: Final = slice(NAMES.index("gap_before"), NAMES.index("log_media_before") + 1)


def write_places(blocks: TextBlocks, out: Floats) -> Rows:
    """Write where each of m ``blocks`` stands, to float32[len(NAMES), m].

    Returns:
        int32[m], the last heading before each block; m where there is none.
    """
    page, count = blocks.page, len(blocks)
    heading = np.empty(count, dtype=np.int32)
    if compiled := kernels():
        of_page = page.tag, page.depth, blocks.first, blocks.owner
        lead = compiled.places(*of_page, _MEDIA, _HEADING_LEVEL, _H1, out, heading)
    else:
        numbers = np.arange(count)
        depth = page.depth[blocks.owner]
        out[0] = numbers
        out[0] /= count
        np.minimum(depth, _DEEP, out=out[2], casting="unsafe")
        out[2] /= 16
        _write_steps(depth, blocks.owner, out[3:7])
        last = _write_headings(page.tag[blocks.owner], numbers, out[7:11])
        _write_gaps(page, blocks.first, depth, out[11:])
        heading.fill(count)
        np.copyto(heading[1:], last[:-1], casting="unsafe", where=last[:-1] >= 0)
        lead = np.count_nonzero(last < 0)
    out[1] = log1p(count)
    for logs in (out[_DISTANCE], out[_GAPS]):
        np.log(logs, out=logs)
    out[_DISTANCE, :lead] = _FAR
    out[_GAPS.start] /= 2
    return heading


def _write_steps(depth: NDArray[np.int16], owner: Rows, out: Floats) -> None:
    """Write steps in depth and whether the owner is the same, before and after each block."""
    step_before, step_after, same_before, same_after = out
    step_before[:1] = step_after[-1:] = same_before[:1] = same_after[-1:] = 0
    step = step_before[1:]
    np.subtract(depth[1:], depth[:-1], out=step, casting="unsafe")
    np.minimum(np.maximum(step, -8, out=step), 8, out=step)
    step /= 4
    step_after[:-1] = step
    same_before[1:] = same_after[:-1] = owner[1:] == owner[:-1]


def _write_headings(
    tag: NDArray[np.uint16], numbers: NDArray[np.intp], out: Floats
) -> NDArray[np.intp]:
    """Write levels of and distances to headings; return the last heading up to each block or -1.

    Of the distances logarithms are to be taken.
    """
    level, distance, after_h1, h1_distance = out
    level[:] = _HEADING_LEVEL[tag]
    last = np.where(level > 0, numbers, -1)
    np.maximum.accumulate(last, out=last)
    np.subtract(numbers, last - 1, out=distance, casting="unsafe")
    first = np.flatnonzero(tag == _H1)
    if len(first):
        np.subtract(numbers, first[0], out=h1_distance, casting="unsafe")
        h1_distance /= len(numbers)
        np.sign(h1_distance, out=after_h1)
    else:
        h1_distance[:], after_h1[:] = 0, 2
    return last


def _write_gaps(page: Page, first: Rows, depth: NDArray[np.int16], out: Floats) -> None:
    """Write what lies between each block and the one before: rows, media, the way up.

    Rows and media have 1 added: of them logarithms are to be taken.
    """
    gap, media, level = out
    before = np.add.accumulate(_MEDIA[page.tag], dtype=np.int32)[first]  # a first row is text
    gap[:1], media[:1] = first[0], before[0]
    gap[1:], media[1:] = first[1:] - first[:-1], before[1:] - before[:-1]
    out[:2] += 1
    level[:] = depth
    level[1:] -= np.minimum.reduceat(page.depth, first)[:-1]
    level /= 4
    np.minimum(np.maximum(level, -1, out=level), 4, out=level)
