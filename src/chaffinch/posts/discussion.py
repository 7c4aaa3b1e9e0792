"""The posts of a discussion: threads of forums, questions and answers, comments under a text.

Each with its author, date, text and place. They are found by structure
(`chaffinch.posts.structure`), or by what the page declares in JSON-LD or microdata where that
tells more (`chaffinch.posts.declared`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.page.urls import absolute
from chaffinch.posts.bodies import Bodies
from chaffinch.posts.declared import Declared, declared_posts
from chaffinch.posts.heads import Heads
from chaffinch.posts.post import Post
from chaffinch.posts.relations import Relations, with_kinds
from chaffinch.posts.structure import Group, Structure

if TYPE_CHECKING:
    from chaffinch.page import Page

MOST_POSTS: Final = 1000


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post repeats nothing and is told only where JSON-LD declares it.
    """
    structure = Structure(page)
    group = structure.best()
    shown = _shown(structure, group) if group is not None else []
    if 2 * sum(bool(post.text) for post in shown) < len(shown):
        shown = []
    declared = declared_posts(page)
    if len(declared) > len(shown):
        return [_from_declared(page, at, one) for at, one in enumerate(declared)]
    return with_kinds(shown, declared)


def _from_declared(page: Page, at: int, one: Declared) -> Post:
    return Post(
        number=at + 1,
        author=one.author,
        author_url=absolute(one.author_url, page.base),
        date=one.date,
        text=one.text,
        rows=(one.row, int(page.end[one.row])),
        kind=one.kind,
        reply_to=None if one.above is None else one.above + 1,
    )


def _shown(structure: Structure, group: Group) -> list[Post]:
    """Return the posts of a group, read from what the page shows."""
    page = structure.page
    ranges = list(zip(group.starts, group.ends, strict=True))[:MOST_POSTS]
    heads = Heads(structure.marks, ranges)
    authors, dates = heads.authors(), heads.dates()
    rows = [(author[0], date[0]) for author, date in zip(authors, dates, strict=True)]
    texts = Bodies(structure.marks, ranges, rows).texts()
    relations = Relations(structure, group)
    out: list[Post] = []
    for at, text in enumerate(texts):
        row, name = authors[at]
        href = page.attribute(heads.link(row), "href") if row >= 0 else None
        url = absolute(href, page.base)
        kind, above = relations.kind(at), relations.reply_to(at)
        out.append(Post(at + 1, name, url, dates[at][1], text, ranges[at], kind, above))
    return out
