"""Markdown of what is kept: CommonMark with the tables and strike-through of GFM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.elements.shown_content import shown_content
from chaffinch.output.markdown import escape
from chaffinch.output.markdown.writer import MarkdownWriter
from chaffinch.output.named_posts import is_thread, named_posts
from chaffinch.output.options import OutputOptions

if TYPE_CHECKING:
    from chaffinch.output.markdown.written_blocks import WrittenBlock
    from chaffinch.output.named_posts import PostHeading
    from chaffinch.result import Content

__all__ = ["headed", "render", "render_table"]


def render(
    content: Content,
    *,
    options: OutputOptions | None = None,
    title: str = "",
    written: list[WrittenBlock] | None = None,
) -> str:
    """Return what is kept as Markdown (CommonMark with GFM tables and strike-through).

    Lines aren't wrapped; the last ends with a newline. "" where nothing is kept.

    Args:
        content: the page and what is kept of it.
        options: what is shown.
        title: a heading of level 1 above it; "" for none.
        written: takes each block as it is written, the title not among them.
    """
    options = options or OutputOptions()
    headings: list[PostHeading] = []
    if options.posts == "named" or (options.posts is None and is_thread(content)):
        content, headings = named_posts(content)
    shown = shown_content(content)
    writer = MarkdownWriter(shown, options)
    writer.written = written
    writer.headings = headings[::-1]
    writer.walk(shown.rows.nonzero()[0])
    return headed(title, writer.markdown())


def headed(title: str, body: str) -> str:
    """Return Markdown below a title; below none as it is."""
    return f"{escape.heading(escape.text(title), 1)}\n\n{body}" if title else body


def render_table(content: Content, table: int) -> str:
    """Return a table or definition list as `render` writes it, without its caption.

    ``table`` is its row on the page.
    """
    shown = shown_content(content)
    rows = np.flatnonzero(shown.rows[table : shown.page.end[table]]) + table
    caption = shown.table(table).caption
    if caption >= 0:
        rows = rows[(rows < caption) | (rows >= shown.page.end[caption])]
    writer = MarkdownWriter(shown, OutputOptions())
    writer.walk(rows)
    return writer.markdown()
