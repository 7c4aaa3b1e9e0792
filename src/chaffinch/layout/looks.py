"""Boxes, fonts and colours of every row: of a browser's layout, else estimated from markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.layout.estimated_boxes import flow
from chaffinch.layout.markup import (
    FONT_SIZE,
    FONT_WEIGHT,
    WHITE,
    inherited,
    read_markup,
    seen_without_text,
)
from chaffinch.page import layout_columns, tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask


@dataclass(frozen=True, eq=False)
class Looks:
    """Boxes, fonts and colours of the rows of a page; the same columns from either source.

    Attributes:
        rendered: whether they are a browser's; else they are estimated from markup.
        left: float32[n], pixels from the left edge of the page.
        top: float32[n], pixels from its upper edge.
        right: float32[n], never less than ``left``.
        bottom: float32[n], never less than ``top``.
        font_size: float32[n], pixels.
        font_weight: float32[n], 1 to 1000.
        background: float32[n], 0xRRGGBB of the nearest background at or above the row.
        seen: bool[n], rows that show something themselves: text that isn't white space, pictures,
            controls, embedded documents.
        valid: bool[n], rows that can be seen: seen themselves or holding such a row.
    """

    rendered: bool
    left: Floats
    top: Floats
    right: Floats
    bottom: Floats
    font_size: Floats
    font_weight: Floats
    background: Floats
    seen: Mask
    valid: Mask


def looks(page: Page) -> Looks:
    """Return the looks of every row: from the layout columns of a rendered page, else estimated."""
    return _rendered(page, page.layout) if page.layout is not None else _from_markup(page)


def _from_markup(page: Page) -> Looks:
    markup = read_markup(page)
    boxes = flow(page, markup)
    seen = ((page.written & (page.tag == tags.TEXT)) | seen_without_text(page)) & page.shown
    seen &= ~markup.hidden & ((boxes.width > 0) | (boxes.height > 0))
    return Looks(
        False,
        boxes.left.astype(np.float32),
        boxes.top.astype(np.float32),
        (boxes.left + boxes.width).astype(np.float32),
        (boxes.top + boxes.height).astype(np.float32),
        markup.font_size,
        markup.font_weight,
        markup.background,
        seen,
        page.around(seen),
    )


def _rendered(page: Page, columns: Floats) -> Looks:
    width, height = columns[:, layout_columns.WIDTH], columns[:, layout_columns.HEIGHT]
    boxed = (width > 0) & (height > 0)
    seen = ((page.written & (page.tag == tags.TEXT)) | seen_without_text(page)) & page.shown
    seen &= boxed & (columns[:, layout_columns.VISIBLE] != 0)
    valid = page.around(seen)
    left, top = columns[:, layout_columns.X].copy(), columns[:, layout_columns.Y].copy()
    right, bottom = left + width, top + height
    # Elements that take no room themselves (display: contents, a box of floats) are as big as
    # what they hold; from the last row upwards, so that inner ones come first.
    for row in np.flatnonzero(valid & ~boxed)[::-1].tolist():
        inner = np.flatnonzero(valid[row + 1 : page.end[row]]) + row + 1
        left[row], top[row] = left[inner].min(), top[inner].min()
        right[row], bottom[row] = right[inner].max(), bottom[inner].max()
    for column in (left, top, right, bottom):
        column[~valid] = 0
    return Looks(
        True,
        left,
        top,
        right,
        bottom,
        inherited(page, columns[:, layout_columns.FONT_SIZE], FONT_SIZE),
        inherited(page, columns[:, layout_columns.FONT_WEIGHT], FONT_WEIGHT),
        inherited(page, columns[:, layout_columns.BACKGROUND], WHITE),
        seen,
        valid,
    )
