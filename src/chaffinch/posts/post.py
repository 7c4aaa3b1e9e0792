"""One post of a discussion."""

from __future__ import annotations

from dataclasses import dataclass


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
