"""The part of a page that its gold text speaks of, as HTML, for gold without structure.

The text blocks of the gold are found by alignment (`training.labels`). Beside them stand the images
of the element around them that are in no part with a text of its own: teasers of other pages are
such parts, figures with their captions aren't.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import chaffinch
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Mask
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.verdict import Content, Verdict
from training.labels import label_blocks

_MOST = 0.9
"""Share of the gold's characters that the element around them holds: a note may stand outside."""

_CAPTION = 300
"""Characters that a part with images may have: captions and credits."""


def gold_part(html: bytes, gold_text: str) -> str:
    """Return the HTML of the blocks that the gold has, and of their images; "" where none is."""
    page = chaffinch.parse(html)
    blocks = text_blocks(page)
    if not len(blocks):
        return ""
    wanted = label_blocks(blocks, gold_text).share > 1 / 2
    keep = blocks.spread(wanted) | _images(page, blocks, wanted)
    verdict = replace(Verdict.empty(len(page)), keep=keep, judges_images=True)
    return chaffinch.Extract(Content(page, verdict), "").clean()


def _images(page: Page, blocks: TextBlocks, wanted: Mask) -> Mask:
    """Return bool[n]: images in the element around the gold, apart from other text."""
    mask = np.zeros(len(page), dtype=bool)
    if not wanted.any():
        return mask
    gold = page.total(page.own_length * blocks.spread(wanted))
    around = np.flatnonzero(gold >= _MOST * gold[0])[-1]
    linked = np.where(page.inside(page.is_tag("figure")), 0, page.link_length)
    for row in np.flatnonzero(tags.VOID[page.tag] & page.shown).tolist():
        part = row
        while part != around and not gold[page.parent[part]] and page.parent[part] > 0:
            part = int(page.parent[part])
        mask[row] = around < row < page.end[around] and not linked[part]
        mask[row] &= page.length[part] <= _CAPTION
    return mask
