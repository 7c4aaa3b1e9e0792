"""HTML: what is kept as clean HTML, or the whole page without its noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.output.html import document, fragment

if TYPE_CHECKING:
    from chaffinch.result import Content

__all__ = ["render"]


def render(content: Content, *, rows: bool = False, whole: bool = False) -> str:
    """Return what is kept as HTML; "" where nothing is, unless ``whole``.

    Args:
        content: the page and what is kept of it.
        rows: give each element ``data-row``, the row of the page that it came from.
        whole: the whole page minus what isn't kept, with its head, its style sheets and all
            attributes that run nothing; else a fragment of safe elements and attributes.
    """
    if whole:
        return document.render(content, rows=rows)
    return fragment.render(content, rows=rows)
