"""Relations of posts: kinds (question, answer, comment) and which post a reply is nested in.

The kind is named by the markup around a post (class, id or microdata), or by JSON-LD for a post
with the same beginning. A post is nested in an earlier one if one of its ancestors starts with the
earlier post and is of the same kind as an element that starts with this post.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from chaffinch.caching import cached_property

if TYPE_CHECKING:
    from chaffinch.posts.declared_posts import DeclaredPost
    from chaffinch.posts.post import Post
    from chaffinch.posts.thread_search import Thread, ThreadSearch

NAMED: Final = (
    ("answer", re.compile(r"answer|antwort|respuesta|reponse", re.IGNORECASE)),
    ("question", re.compile(r"question|frage|pregunta", re.IGNORECASE)),
    ("comment", re.compile(r"comment|kommentar|comentario", re.IGNORECASE)),
)
LEVELS: Final = 2
BEGINNING: Final = 60


class PostRelations:
    """The relations of the posts of one thread."""

    def __init__(self, search: ThreadSearch, thread: Thread) -> None:
        self.search = search
        self.page = search.page
        self.thread = thread
        self._known: dict[frozenset[str], dict[int, int]] = {}

    def kind(self, at: int) -> str:
        """Return "question", "answer", "comment" or "post" for post ``at``, from 0."""
        kind = self._kinds[at]
        if kind == "post" and at == 0 and "answer" in self._kinds:
            return "question"
        return kind

    @cached_property
    def _kinds(self) -> list[str]:
        return [self._name(start) for start in self.thread.starts]

    def _name(self, start: int) -> str:
        """Return the kind named first by: the post, its ancestors, its first rows."""
        page = self.page
        above = [row for _, row in zip(range(LEVELS), page.ancestors(start), strict=False)]
        below = range(start + 1, min(start + 3, int(page.end[start])))
        for row in (start, *above, *below):
            pairs = page.attributes(row)
            names = " ".join(
                pairs.get(name) or "" for name in ("class", "id", "itemtype", "itemprop")
            )
            for kind, pattern in NAMED:
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
        out = []
        for at, start in enumerate(self.thread.starts):
            boxes = [start]
            before = self.thread.starts[at - 1] if at else -1
            for row in self.page.ancestors(start):
                if row <= before:
                    break
                boxes.append(row)
            out.append(boxes)
        return out


def with_kinds(posts: list[Post], declared: list[DeclaredPost]) -> list[Post]:
    """Return the posts with the kinds that JSON-LD gives to posts with the same beginning."""
    if not declared:
        return posts
    known = {_beginning(one.text): one.kind for one in declared}
    return [replace(post, kind=known.get(_beginning(post.text), post.kind)) for post in posts]


def _beginning(text: str) -> str:
    return "".join(text.split())[:BEGINNING].lower()
