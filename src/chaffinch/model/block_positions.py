"""Features of a block's position: place in the page, depth, headings before, gaps beside it."""

from __future__ import annotations

from math import log1p
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Floats, Rows
    from chaffinch.segment.text_blocks import TextBlocks

NAMES: Final = (
    "position log_blocks depth depth_step_before depth_step_after same_owner_before"
    " same_owner_after heading_level heading_distance after_h1 h1_distance"
    " gap_before log_media_before body_level"
).split()
"""Columns of `write_places`."""
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
    of_page = page.tag, page.depth, blocks.first, blocks.owner
    heading, lead = kernels.places(*of_page, _MEDIA, _HEADING_LEVEL, _H1, out)
    out[1] = log1p(count)
    for logs in (out[_DISTANCE], out[_GAPS]):
        np.log(logs, out=logs)
    out[_DISTANCE, :lead] = _FAR
    out[_GAPS.start] /= 2
    return heading
