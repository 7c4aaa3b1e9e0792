"""The posts of a discussion: forum threads, questions and answers, comments under an article.

Each has its author, date, text and rows. They are found by structure
(`chaffinch.posts.thread_search`), or taken from JSON-LD (`chaffinch.posts.declared_posts`) where it
declares more posts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.page_work import begin_stage, checked
from chaffinch.posts.declared_posts import DeclaredPost, declared_posts
from chaffinch.posts.post import Post
from chaffinch.posts.post_bodies import PostBodies
from chaffinch.posts.post_bylines import PostBylines
from chaffinch.posts.post_relations import PostRelations, with_kinds
from chaffinch.posts.thread_search import Thread, ThreadSearch

if TYPE_CHECKING:
    from chaffinch.page import Page

MOST_POSTS: Final = 1000


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post has no repeated structure and is found only where JSON-LD declares it.
    """
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
    """Return the posts of a thread as the page shows them."""
    page = search.page
    ranges = list(zip(thread.starts, thread.ends, strict=True))[:MOST_POSTS]
    bylines = PostBylines(search.features, ranges)
    authors, dates = bylines.authors(), bylines.dates()
    rows = [(author[0], date[0]) for author, date in zip(authors, dates, strict=True)]
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
