"""HTML: what is kept as clean HTML, or the whole page without its noise."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from chaffinch.output.html import document, fragment
from chaffinch.output.html.fragment import render_table
from chaffinch.output.options import OutputOptions

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.result import Content

__all__ = ["render", "render_table"]


def render(
    content: Content,
    *,
    options: OutputOptions | None = None,
    whole: bool = False,
    around: Page | None = None,
    title: str = "",
) -> str:
    """Return what is kept as HTML; "" where nothing is, unless ``whole``.

    Args:
        content: the page and what is kept of it.
        options: what is shown; ``rows`` gives each element ``data-row``, the row of the page that
            it came from. Of a whole page only that counts.
        whole: the whole page minus what isn't kept, with its head, its style sheets and all
            attributes that run nothing; else a fragment of safe elements and attributes.
        around: the page whose head and whose attributes of ``html`` and ``body`` a whole page gets;
            the content's own if not given.
        title: of a fragment: a heading of level 1 above it.
    """
    options = options or OutputOptions()
    if whole:
        return document.render(content, rows=options.rows, around=around)
    body = fragment.render(content, options)
    return f"<h1>{escape(title)}</h1>\n{body}" if title else body
