"""The size of an image as far as its markup gives it: inline style, attributes, the file's name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.images.picture_names import named_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_PIXELS: Final = re.compile(r"\A\s*+(\d{1,5}(?:\.\d+)?)\s*+(?:px\s*+)?\Z", re.IGNORECASE)
_KEYS: Final = ("{}", "data-{}", "data-original-{}", "data-raw{}")
_STYLE: Final = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,5}(?:\.\d+)?)px", re.IGNORECASE)


def declared_size(
    page: Page, row: int, *, keys: Sequence[str] = ("{}",)
) -> tuple[float | None, float | None]:
    """Return width and height of an image in pixels; None for what isn't given.

    Inline style goes before attributes. Per cent, other units and more than five digits count as
    not given.

    Args:
        page: the page.
        row: row of the image.
        keys: patterns of the attributes' names, the first that gives a size counts; ``{}`` stands
            for width or height.
    """
    pairs = page.attributes(row)
    sides = [
        next((side for name in names if (side := pairs.get(name)) and _PIXELS.match(side)), "")
        for names in _named(tuple(keys))
    ]
    return parsed_size(*sides, pairs.get("style") or "")


@lru_cache(maxsize=64)
def _named(keys: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the attributes for width, and for height."""
    return tuple(tuple(key.format(name) for key in keys) for name in ("width", "height"))


def declared_sizes(page: Page, images: Mask) -> dict[int, tuple[float | None, float | None]]:
    """Return by row what `declared_size` returns for each of ``images``, bool[n]."""
    values = [dict(page.having(name, images)) for name in ("width", "height", "style")]
    rows = np.flatnonzero(images).tolist()
    return {row: parsed_size(*(side.get(row, "") for side in values)) for row in rows}


@lru_cache(maxsize=1 << 12)
def parsed_size(width: str, height: str, style: str) -> tuple[float | None, float | None]:
    """Return width and height in pixels that attributes and inline style give, as `declared_size`.

    Cached: pages repeat the same few sizes.
    """
    sizes: dict[str, float] = {}
    for name, side in (("width", width), ("height", height)):
        if match := _PIXELS.match(side):
            sizes[name] = float(match[1])
    for match in _STYLE.finditer(style):
        sizes[match[1].lower()] = float(match[2])
    return sizes.get("width"), sizes.get("height")


def image_size(page: Page, row: int, url: str = "") -> tuple[int | None, int | None]:
    """Return (width, height) in pixels, None for what isn't given; per cent don't count.

    Inline style goes before attributes, these before ``data-width`` and the like, these before the
    size in a name such as ``barn-640x480.jpg``.
    """
    width, height = declared_size(page, row, keys=_KEYS)
    if width is None and height is None and (named := named_size(url)) is not None:
        return named
    return None if width is None else int(width), None if height is None else int(height)
