"""How large an image is, as far as the page tells: style, attributes, the file's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.elements.images.declared_sizes import image_size as told_size
from chaffinch.elements.images.sources import named_size

if TYPE_CHECKING:
    from chaffinch.page import Page

_KEYS: Final = ("{}", "data-{}", "data-original-{}", "data-raw{}")


def image_size(page: Page, row: int, url: str = "") -> tuple[int | None, int | None]:
    """Return (width, height) in pixels, None for what isn't told; per cent don't count.

    Inline style goes before attributes, these before ``data-width`` and the like, these before the
    size in a name such as ``barn-640x480.jpg``.
    """
    width, height = told_size(page, row, keys=_KEYS)
    if width is None and height is None and (named := named_size(url)) is not None:
        return named
    return None if width is None else int(width), None if height is None else int(height)
