"""Who wrote each post of a thread, and where it begins: a line above what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.lazy import lazy_module
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.lists import discussion
    from chaffinch.lists.discussion import Post
    from chaffinch.result import Content
else:
    discussion = lazy_module("chaffinch.lists.discussion")

THREAD: Final = "forum"
"""The page type whose Markdown names posts unless it is told not to."""
_LEAST: Final = 2
"""Posts without which a page shows no thread."""
_BYLINE: Final = 160
"""Characters of a line above a post's text that is taken for its byline."""
_MINUTES: Final = 16  # characters of a date and a time to the minute


@dataclass(frozen=True)
class PostHeading:
    """What stands above a post: from which row on, the author's name and what is said besides."""

    row: int
    author: str
    about: str


def is_thread(content: Content) -> bool:
    """Return whether the method takes the page for a thread."""
    return content.verdict.page_type == THREAD


def named_posts(content: Content) -> tuple[Content, list[PostHeading]]:
    """Return a content without the bylines of its posts, and what stands in their place.

    Posts of which nothing is kept have no heading; a page that shows no thread has none at all.
    """
    made: tuple[Content, list[PostHeading]] = content.derived(
        "named posts", lambda: _named(content)
    )
    return made


def _named(content: Content) -> tuple[Content, list[PostHeading]]:
    found = sorted(discussion.posts(content.page), key=lambda post: post.rows)
    kept = np.flatnonzero(content.kept & content.page.written)
    if len(found) < _LEAST or not len(kept):
        return content, []
    first = kept.searchsorted([post.rows[0] for post in found])
    last = kept.searchsorted([post.rows[1] for post in found])
    shown = [post for post, a, b in zip(found, first.tolist(), last.tolist(), strict=True) if a < b]
    if len(shown) < _LEAST:
        return content, []
    of_number = {post.number: post for post in found}
    headings = [PostHeading(post.rows[0], *_named_by(post, of_number)) for post in shown]
    keep = content.verdict.keep.copy()
    blocks = text_blocks(content.page)
    for post in shown:
        lines = {" ".join(line.split()) for line in post.text.splitlines()}
        start, stop = blocks.first.searchsorted(post.rows).tolist()
        is_above = True
        for number in range(start, stop):
            text = blocks.text(number)
            is_byline = text not in lines and len(text) <= _BYLINE
            is_above &= is_byline
            if is_above or (is_byline and post.author and post.author in text):
                keep[blocks.first[number] : blocks.last[number]] = False
    if (keep == content.verdict.keep).all():
        return content, headings
    return replace(content, verdict=content.verdict.with_keep(keep)), headings


def _named_by(post: Post, of_number: dict[int, Post]) -> tuple[str, str]:
    """Return the author of a post, and its date and whom it replies to; its number for neither."""
    day = post.date.replace("T", " ")[:_MINUTES] if "T" in post.date else post.date
    above = of_number.get(post.reply_to or 0)
    to = f"→ {above.author}" if above is not None and above.author else ""
    about = " · ".join(filter(None, (day, to)))
    return post.author or ("" if about else f"#{post.number}"), about
