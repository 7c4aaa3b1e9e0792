"""The walk over the shown rows that makes the body of a TEI text; posts where they stand.

One pass in document order with a stack of what is open; nothing recurses. A heading begins a
``div`` that reaches to the next heading of its level. A post of a discussion is a ``div`` of its
own with the author and the date above its lines.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.tables.aria_roles import BETWEEN
from chaffinch.output.tei import blocks, marks
from chaffinch.output.tei.inline import Line
from chaffinch.output.tei.state import Enter, State
from chaffinch.output.tei.tree import Node, mended
from chaffinch.output.tei.xml import escaped, pair, pointer, when
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.output.options import OutputOptions
    from chaffinch.output.tei.document import Posted
    from chaffinch.result import Content

_ENTER: Final[dict[int, Enter]] = {
    tags.CODES[name]: enter for name, enter in (blocks.ENTER | marks.ENTER).items()
}


def body(content: Content, options: OutputOptions, posts: Sequence[Posted] = ()) -> Node:
    """Return the body of the text; the content within posts is only told by the posts."""
    if posts:
        content = _without(content, posts)
    page = content.page
    state = State(content, options)
    waiting = sorted(posts, key=lambda post: (post.rows[0], post.number), reverse=True)
    rows = np.flatnonzero(state.shown)
    for row, tag in zip(rows.tolist(), page.tag[rows].tolist(), strict=True):
        while waiting and row >= waiting[-1].rows[0]:
            _post(state, waiting.pop())
        state.leave_until(row)
        if row < state.skip_to:
            continue
        _enter(state, row, tag)
    state.leave_until(len(page))
    state.flush()
    for post in reversed(waiting):
        _post(state, post)
    return mended(state.body)


def _enter(state: State, row: int, tag: int) -> None:
    if tag == tags.TEXT:
        state.text(row)
    elif row in state.read.formulas:
        blocks.formula(state, row)
    elif row in state.code_blocks:
        blocks.code(state, row)
    elif row in state.parts:
        _table_part(state, row)
    elif tag in _ENTER:
        _ENTER[tag](state, row)


def _table_part(state: State, row: int) -> None:
    part = state.parts[row]
    if part != BETWEEN:
        _ENTER[tags.CODES[part]](state, row)
    elif state.holder not in ("table", "row"):
        state.enter_block(row)


def _without(content: Content, posts: Sequence[Posted]) -> Content:
    keep = content.verdict.keep.copy()
    for post in posts:
        keep[slice(*post.rows)] = False
    return replace(content, verdict=content.verdict.with_keep(keep))


def _post(state: State, post: Posted) -> None:
    """Write a post; what is open goes on behind it."""
    state.flush()
    more = {"subtype": post.kind, "n": str(post.number), "xml:id": f"post{post.number}"}
    if post.reply_to is not None:
        more["corresp"] = f"#post{post.reply_to}"
    section = Node("div", {"type": "post"} | more)
    state.put_apart(section)
    if post.author:
        url = pointer(post.author_url) if state.options.links else ""
        name = escaped(post.author)
        told = f"<ref{pair('target', url)}>{name}</ref>" if url else name
        section.put(Node("docAuthor", line=Line(told, post.rows, is_picture=False)))
    if post.date:
        line = Line(escaped(post.date), post.rows, is_picture=False)
        section.put(Node("docDate", when(post.date), line))
    for text in filter(None, post.text.split("\n")):
        section.put(Node("p", line=Line(escaped(text), post.rows, is_picture=False)))
