"""The posts of a discussion: forum threads, questions and answers, comments under an article.

Each has its author, date, text and rows. They are found by structure
(`chaffinch.lists.threads`), or taken from JSON-LD (`chaffinch.lists.discussion`) where it
declares more posts.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from itertools import islice, takewhile
from typing import Any, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.lists.post_features import date_in
from chaffinch.lists.post_parts import PostBodies, PostBylines
from chaffinch.lists.threads import Thread, ThreadSearch
from chaffinch.page import Page
from chaffinch.page_work import begin_stage, checked

# One post of a discussion.


@dataclass(frozen=True, slots=True)
class Post:
    """One post.

    Attributes:
        number: from 1, in document order.
        author: name as the page shows it; "" if it shows none.
        author_url: absolute address of the author's page; "" if there is none.
        date: ISO 8601 where a day can be parsed, else as written ("3 days ago"); "" for none.
        text: what was written, one line a block.
        rows: half-open range of the rows of the whole post.
        kind: "question", "answer", "comment" or "post".
        reply_to: number of the post that it is nested in; None where replies aren't nested.
    """

    number: int
    author: str
    author_url: str
    date: str
    text: str
    rows: tuple[int, int]
    kind: str
    reply_to: int | None


# Posts that a page declares in JSON-LD: forum postings, questions with answers, comments.
#
# schema.org: DiscussionForumPosting, Question, Answer, Comment and their like, with ``comment``,
# ``suggestedAnswer`` and ``acceptedAnswer`` below them. Any value may be of any type; what isn't
# text is ignored.

MOST: Final = 1000
_KINDS: Final = {
    "DiscussionForumPosting": "post", "SocialMediaPosting": "post", "Question": "question",
    "Answer": "answer", "Comment": "comment", "UserComments": "comment",
}  # fmt: skip
_NAMES: Final = tuple(f'"{name}"' for name in _KINDS)
"""JSON-LD that declares posts contains one of these; other JSON-LD isn't parsed."""
_REPLY_KEYS: Final = ("acceptedAnswer", "suggestedAnswer", "comment")
_CONTAINER_KEYS: Final = ("mainEntity", "hasPart", "@graph")
_TAG: Final = re.compile(r"<[^<>]{0,500}>")


@dataclass(frozen=True)
class DeclaredPost:
    """A post declared in JSON-LD; ``parent`` is the number, from 0, of the post it replies to."""

    row: int
    kind: str
    author: str
    author_url: str
    date: str
    text: str
    parent: int | None


def declared_posts(page: Page) -> list[DeclaredPost]:
    """Return the posts with text that the page's JSON-LD declares, each before its replies.

    Questions of an FAQPage aren't posts.
    """
    if not any(name in source for source in page.sources.values() for name in _NAMES):
        return []
    out: list[DeclaredPost] = []
    seen: set[str] = set()
    stack: list[tuple[int, Any, int | None]] = [
        (row, own, None) for row, own in reversed(page.head.json_ld)
    ]
    steps = 0
    while stack and len(out) < MOST and steps < 10 * MOST:
        steps += 1
        row, own, parent = stack.pop()
        if isinstance(own, list):
            stack.extend((row, one, parent) for one in reversed(own[:MOST]))
        elif isinstance(own, dict) and "FAQPage" not in _types(own):
            number = parent
            post = _post(row, own, parent)
            if post is not None:
                if post.text in seen:
                    continue
                seen.add(post.text)
                number = len(out)
                out.append(post)
            keys = [key for key in reversed((*_CONTAINER_KEYS, *_REPLY_KEYS)) if key in own]
            stack.extend((row, own[key], number) for key in keys)
    return out


def _types(own: dict[str, Any]) -> list[str]:
    value = own.get("@type")
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _post(row: int, own: dict[str, Any], parent: int | None) -> DeclaredPost | None:
    kind = next((_KINDS[one] for one in _types(own) if one in _KINDS), "")
    text = next(
        (t for key in ("text", "articleBody", "commentText") if (t := _text(own.get(key)))), ""
    )
    if not kind or not text:
        return None
    author = next(_people(own.get("author") or own.get("creator")), ("", ""))
    date = _text(own.get("dateCreated")) or _text(own.get("datePublished"))
    return DeclaredPost(row, kind, *author, date_in(date) or date[:40], text, parent)


def _people(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (name, address) of each author; markup that was escaped twice is no part of a name."""
    for one in value if isinstance(value, list) else [value]:
        name, url = (one.get("name"), one.get("url")) if isinstance(one, dict) else (one, None)
        if isinstance(one, (dict, str)):
            yield " ".join(_TAG.sub(" ", _text(name)).split()), _text(url)


def _text(value: Any) -> str:
    """Return a string's text, markup and white space folded away; "" for anything else."""
    return " ".join(unescape(_TAG.sub(" ", value)).split()) if isinstance(value, str) else ""


# Relations of posts: kinds (question, answer, comment) and which post a reply is nested in.
#
# The kind is named by the markup around a post (class, id or microdata), or by JSON-LD for a post
# with the same beginning. A post is nested in an earlier one if one of its ancestors starts with
# the earlier post and is of the same kind as an element that starts with this post.

_NAMED: Final = (
    ("answer", re.compile(r"answer|antwort|respuesta|reponse", re.IGNORECASE)),
    ("question", re.compile(r"question|frage|pregunta", re.IGNORECASE)),
    ("comment", re.compile(r"comment|kommentar|comentario", re.IGNORECASE)),
)
_LEVELS: Final = 2


class PostRelations:
    """The relations of the posts of one thread."""

    def __init__(self, search: ThreadSearch, thread: Thread) -> None:
        self.search = search
        self.page = search.page
        self.thread = thread
        self._known: dict[frozenset[str], dict[int, int]] = {}

    @cached_property
    def kinds(self) -> list[str]:
        """Of each post "question", "answer", "comment" or "post"."""
        kinds = [self._kind(start) for start in self.thread.starts]
        return ["question", *kinds[1:]] if kinds[0] == "post" and "answer" in kinds else kinds

    def _kind(self, start: int) -> str:
        """Return the kind named first by: the post, its ancestors, its first rows."""
        page = self.page
        below = range(start + 1, min(start + 3, int(page.end[start])))
        for row in (start, *islice(page.ancestors(start), _LEVELS), *below):
            pairs = page.attributes(row)
            given = (pairs.get(name) or "" for name in ("class", "id", "itemtype", "itemprop"))
            names = " ".join(given)
            for kind, pattern in _NAMED:
                if pattern.search(names):
                    return kind
        return "post"

    def reply_to(self, at: int) -> int | None:
        """Return the number, from 1, of the post that post ``at``, from 0, is nested in."""
        starts, own = self.thread.starts, self._boxes[at]
        kinds = {self.search.features.kind(row) for row in own}
        kinds = {kind for kind in kinds if "." in kind.rpartition(">")[2] or kind.endswith("li")}
        row = self._around(own[-1], frozenset(kinds)) if at and kinds else -1
        while row > starts[at - 1]:  # it holds none of the posts before
            row = self._around(row, frozenset(kinds))
        return bisect_left(starts, row) + 1 if row >= 0 else None

    def _around(self, row: int, kinds: frozenset[str]) -> int:
        """Return the nearest element around ``row`` of one of some kinds; -1 for none.

        What was found around other rows is kept: posts have their ancestors in common.
        """
        known, passed, found = self._known.setdefault(kinds, {}), [row], -1
        for above in self.page.ancestors(row):
            if self.search.features.kind(above) in kinds:
                found = above
            elif above in known:
                found = known[above]
            else:
                passed.append(above)
                continue
            break
        known.update(dict.fromkeys(passed, found))
        return found

    @cached_property
    def _boxes(self) -> list[list[int]]:
        """For each post, the elements that start with it: its own, and its boxes around that."""
        starts = self.thread.starts
        return [
            [start, *takewhile(lambda row: row > before, self.page.ancestors(start))]  # noqa: B023
            for before, start in zip((-1, *starts), starts, strict=False)
        ]


def with_kinds(posts: list[Post], declared: list[DeclaredPost]) -> list[Post]:
    """Return the posts with the kinds that JSON-LD gives to posts with the same beginning."""
    if not declared:
        return posts
    known = {_beginning(one.text): one.kind for one in declared}
    return [replace(post, kind=known.get(_beginning(post.text), post.kind)) for post in posts]


def _beginning(text: str) -> str:
    return "".join(text.split())[:60].lower()


MOST_POSTS: Final = 1000
_OUTER: Final = frozenset({"question", "answer"})
"""Kinds of posts that the elements around the posts within them are named for."""


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post has no repeated structure and is found only where JSON-LD declares it.
    """
    (found,) = page.derived("posts", lambda: (np.array([*_found(page), None], dtype=object)[:-1],))
    return list(found)


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
        kind, parent = relations.kinds[at], relations.reply_to(at)
        out.append(Post(at + 1, name, url, dates[at][1], text, ranges[at], kind, parent))
    return out
