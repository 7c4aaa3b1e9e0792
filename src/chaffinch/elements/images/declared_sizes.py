"""How large an image is, as far as its style and attributes tell."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_PIXELS: Final = re.compile(r"\s*(\d{1,5}(?:\.\d+)?)\s*(?:px)?\s*\Z", re.IGNORECASE)
_STYLE: Final = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,5}(?:\.\d+)?)px", re.IGNORECASE)


def image_size(
    page: Page, row: int, *, keys: Sequence[str] = ("{}",)
) -> tuple[float | None, float | None]:
    """Return width and height of an image in pixels; None for what isn't told.

    Inline style goes before attributes. Per cent, other units and more than five digits count as
    not given.

    Args:
        page: the page.
        row: row of the image.
        keys: patterns of the attributes' names, the first that tells a size counts; ``{}`` stands
            for width or height.
    """
    pairs = page.attributes(row)
    sides = [
        next((side for key in keys if _PIXELS.match(side := pairs.get(key.format(name)) or "")), "")
        for name in ("width", "height")
    ]
    return told_size(*sides, pairs.get("style") or "")


def image_sizes(page: Page, images: Mask) -> dict[int, tuple[float | None, float | None]]:
    """Return by row what `image_size` returns for each of ``images``, bool[n]."""
    told = [dict(page.having(name, images)) for name in ("width", "height", "style")]
    rows = np.flatnonzero(images).tolist()
    return {row: told_size(*(side.get(row, "") for side in told)) for row in rows}


@lru_cache(maxsize=1 << 12)
def told_size(width: str, height: str, style: str) -> tuple[float | None, float | None]:
    """Return width and height in pixels that attributes and inline style tell, as `image_size`.

    Pages say the same sizes over and over.
    """
    sizes: dict[str, float] = {}
    for name, side in (("width", width), ("height", height)):
        if match := _PIXELS.match(side):
            sizes[name] = float(match[1])
    for match in _STYLE.finditer(style):
        sizes[match[1].lower()] = float(match[2])
    return sizes.get("width"), sizes.get("height")
