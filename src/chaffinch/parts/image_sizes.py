"""How large an image is, as far as the page tells: style, attributes, the file's name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.segment.image_sources import named_size

if TYPE_CHECKING:
    from chaffinch.page import Page

_PIXELS: Final = re.compile(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px)?\s*$", re.IGNORECASE)
_STYLE: Final = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,5})(?:\.\d+)?px", re.IGNORECASE)


def image_size(page: Page, row: int, url: str = "") -> tuple[int | None, int | None]:
    """Return (width, height) in pixels, None for what isn't told; per cent don't count.

    Inline style goes before attributes, these before ``data-width`` and the like, these before the
    size in a name such as ``barn-640x480.jpg``.
    """
    pairs = page.attributes(row)
    sizes: dict[str, int] = {}
    for name in ("width", "height"):
        for key in (name, f"data-{name}", f"data-original-{name}", f"data-raw{name}"):
            if found := _PIXELS.match(pairs.get(key) or ""):
                sizes[name] = int(found[1])
                break
    for found in _STYLE.finditer(pairs.get("style") or ""):
        sizes[found[1].lower()] = int(found[2])
    if not sizes and (named := named_size(url)) is not None:
        return named
    return sizes.get("width"), sizes.get("height")
