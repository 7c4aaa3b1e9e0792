"""The posts of a discussion: forum threads, questions and answers, comments under an article.

Each has its author, date, text and rows. They are found by structure
(`chaffinch.posts.thread_search`), or taken from JSON-LD (`chaffinch.posts.declared_posts`) where it
declares more posts.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page_work import begin_stage, checked
from chaffinch.posts.declared_posts import DeclaredPost, declared_posts
from chaffinch.posts.post import Post
from chaffinch.posts.post_bodies import PostBodies
from chaffinch.posts.post_bylines import PostBylines
from chaffinch.posts.post_relations import PostRelations, with_kinds
from chaffinch.posts.thread_search import Thread, ThreadSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page

MOST_POSTS: Final = 1000
_OUTER: Final = frozenset({"question", "answer"})
"""Kinds of posts that the elements around the posts within them are named for."""


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post has no repeated structure and is found only where JSON-LD declares it.
    """
    (found,) = page.derived("posts", lambda: (_column(_found(page)),))
    return list(found)


def _column(found: list[Post]) -> NDArray[np.object_]:
    column = np.empty(len(found), dtype=object)
    column[:] = found
    return column


def _found(page: Page) -> list[Post]:
    begin_stage("finding a discussion")
    search = ThreadSearch(page)
    thread = search.best()
    begin_stage("reading its posts")
    shown = _shown(search, thread) if thread is not None else []
    if 2 * sum(bool(post.text) for post in shown) < len(shown):
        shown = []
    declared = declared_posts(page)
    if len(declared) > len(shown):
        return [_from_declared(page, at, one) for at, one in enumerate(declared)]
    return with_kinds(shown, declared)


def _from_declared(page: Page, at: int, one: DeclaredPost) -> Post:
    return Post(
        number=at + 1,
        author=one.author,
        author_url=page.addresses.find(one.author_url),
        date=one.date,
        text=one.text,
        rows=(one.row, int(page.end[one.row])),
        kind=one.kind,
        reply_to=None if one.parent is None else one.parent + 1,
    )


def _shown(search: ThreadSearch, thread: Thread) -> list[Post]:
    """Return the posts of a thread, and of those within its posts, as the page shows them."""
    found = _of_thread(search, thread)
    if not thread.inner:
        return found
    led = {post.rows[0]: post.reply_to and thread.starts[post.reply_to - 1] for post in found}
    for inner in thread.inner:
        for post in _of_thread(search, inner):
            at = bisect_right(thread.starts, post.rows[0]) - 1
            outer = thread.starts[at] if at >= 0 else None
            led[post.rows[0]] = inner.starts[post.reply_to - 1] if post.reply_to else outer
            found.append(replace(post, kind="comment") if post.kind in _OUTER else post)
    found.sort(key=lambda post: post.rows)
    number_of = {post.rows[0]: number for number, post in enumerate(found, 1)}
    return [
        replace(post, number=number, reply_to=number_of.get(led[post.rows[0]] or -1))
        for number, post in enumerate(found[:MOST_POSTS], 1)
    ]


def _of_thread(search: ThreadSearch, thread: Thread) -> list[Post]:
    """Return the posts of one thread, those within them left out."""
    page = search.page
    ranges = list(zip(thread.starts, thread.ends, strict=True))[:MOST_POSTS]
    bylines = PostBylines(search.features, ranges)
    authors, dates = bylines.authors(), bylines.dates()
    rows = [
        (author[0], date[0] if date[0] > start else -1)  # the post itself may have a date
        for author, date, (start, _) in zip(authors, dates, ranges, strict=True)
    ]
    texts = PostBodies(search.features, ranges, rows).texts()
    relations = PostRelations(search, thread)
    out: list[Post] = []
    for at, text in enumerate(checked(texts, every=16)):
        row, name = authors[at]
        href = page.attribute(bylines.link(row), "href") if row >= 0 else None
        url = page.addresses.find(href)
        kind, parent = relations.kind(at), relations.reply_to(at)
        out.append(Post(at + 1, name, url, dates[at][1], text, ranges[at], kind, parent))
    return out
