"""What posts are to one another: questions, answers, comments, and replies within what they answer.

The kind is what the markup around a post calls it (class, id or microdata), or what the page's
JSON-LD says of a post with the same beginning. A reply is nested if an element around it, of the
same kind as one that the reply begins, begins with an earlier post.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.posts.declared import Declared
    from chaffinch.posts.post import Post
    from chaffinch.posts.structure import Group, Structure

NAMED: Final = (
    ("answer", re.compile(r"answer|antwort|respuesta|reponse", re.IGNORECASE)),
    ("question", re.compile(r"question|frage|pregunta", re.IGNORECASE)),
    ("comment", re.compile(r"comment|kommentar|comentario", re.IGNORECASE)),
)
LEVELS: Final = 2
BEGINNING: Final = 60


class Relations:
    """The relations of one group of posts."""

    def __init__(self, structure: Structure, group: Group) -> None:
        self.structure = structure
        self.page = structure.page
        self.group = group

    def kind(self, at: int) -> str:
        """Return "question", "answer", "comment" or "post": what markup calls post ``at``."""
        kind = self._called[at]
        if kind == "post" and at == 0 and "answer" in self._called:
            return "question"
        return kind

    @cached_property
    def _called(self) -> list[str]:
        return [self._name(start) for start in self.group.starts]

    def _name(self, start: int) -> str:
        """Return what the first row that says a kind says: the post, what is above, what begins."""
        page = self.page
        above = [row for _, row in zip(range(LEVELS), page.ancestors(start), strict=False)]
        below = range(start + 1, min(start + 3, int(page.end[start])))
        for row in (start, *above, *below):
            pairs = page.attributes(row)
            said = " ".join(
                pairs.get(name) or "" for name in ("class", "id", "itemtype", "itemprop")
            )
            for kind, pattern in NAMED:
                if pattern.search(said):
                    return kind
        return "post"

    def reply_to(self, at: int) -> int | None:
        """Return the number, from 1, of the post that post ``at``, from 0, is nested in."""
        page, own = self.page, self._own_boxes[at]
        kinds = {self.structure.marks.kind(row) for row in own}
        kinds = {kind for kind in kinds if "." in kind.rpartition(">")[2] or kind.endswith("li")}
        for row in page.ancestors(own[-1]):
            first = int(np.searchsorted(self._starts, row))
            if first < at and self.structure.marks.kind(row) in kinds:
                return first + 1
        return None

    @cached_property
    def _starts(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        return np.array(self.group.starts)

    @cached_property
    def _own_boxes(self) -> list[list[int]]:
        """For each post, the elements that begin with it: its own, and boxes around it."""
        out = []
        for at, start in enumerate(self.group.starts):
            boxes = [start]
            before = self.group.starts[at - 1] if at else -1
            for row in self.page.ancestors(start):
                if row <= before:
                    break
                boxes.append(row)
            out.append(boxes)
        return out


def with_kinds(posts: list[Post], declared: list[Declared]) -> list[Post]:
    """Return the posts with the kinds that JSON-LD gives to posts with the same beginning."""
    if not declared:
        return posts
    known = {_beginning(one.text): one.kind for one in declared}
    return [replace(post, kind=known.get(_beginning(post.text), post.kind)) for post in posts]


def _beginning(text: str) -> str:
    return "".join(text.split())[:BEGINNING].lower()
