"""The body of a TEI text: what the writer makes of the shown rows, and posts where they stand.

A post of a discussion is a ``div`` of its own with the author and the date above its lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from chaffinch.elements.shown_content import shown_content, shown_without
from chaffinch.output.tei.inline import Line
from chaffinch.output.tei.tree import Node, mended
from chaffinch.output.tei.writer import TeiWriter
from chaffinch.output.tei.xml import escaped, pair, pointer, when

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.output.options import OutputOptions
    from chaffinch.result import Content


class Posted(Protocol):
    """A post of a discussion, as `chaffinch.lists.discussion.Post` is."""

    @property
    def number(self) -> int:
        """From 1."""

    @property
    def author(self) -> str:
        """Name or ""."""

    @property
    def author_url(self) -> str:
        """Address or ""."""

    @property
    def date(self) -> str:
        """ISO 8601, words, or ""."""

    @property
    def text(self) -> str:
        """One line a block."""

    @property
    def rows(self) -> tuple[int, int]:
        """Half-open range of rows."""

    @property
    def kind(self) -> str:
        """What kind of post it is, one word."""

    @property
    def reply_to(self) -> int | None:
        """Number of the post it answers."""


def body(content: Content, options: OutputOptions, posts: Sequence[Posted] = ()) -> Node:
    """Return the body of the text; the content within posts is written with the posts alone."""
    dropped = np.zeros(len(content.page), dtype=bool)
    for post in posts:
        dropped[slice(*post.rows)] = True
    shown = shown_without(content, dropped) if posts else shown_content(content)
    writer = TeiWriter(shown, options)
    rows = np.flatnonzero(shown.rows)
    done = 0
    waiting = sorted(posts, key=lambda post: (post.rows[0], post.number))
    for post in waiting:
        at = int(np.searchsorted(rows, post.rows[0]))
        writer.walk(rows[done:at])
        if at == len(rows):
            writer.close()
        done = at
        _write_post(writer, post)
    writer.walk(rows[done:])
    writer.close()
    writer.flush()
    return mended(writer.body)


def _write_post(writer: TeiWriter, post: Posted) -> None:
    """Write a post; what is open goes on behind it."""
    writer.flush()
    more = {"subtype": post.kind, "n": str(post.number), "xml:id": f"post{post.number}"}
    if post.reply_to is not None:
        more["corresp"] = f"#post{post.reply_to}"
    section = Node("div", {"type": "post"} | more)
    writer.put_apart(section)
    if post.author:
        url = pointer(post.author_url) if writer.options.links else ""
        name = escaped(post.author)
        author = f"<ref{pair('target', url)}>{name}</ref>" if url else name
        section.put(Node("docAuthor", line=Line(author, post.rows, is_picture=False)))
    if post.date:
        line = Line(escaped(post.date), post.rows, is_picture=False)
        section.put(Node("docDate", when(post.date), line))
    for text in filter(None, post.text.split("\n")):
        section.put(Node("p", line=Line(escaped(text), post.rows, is_picture=False)))
