"""A part of an article that stands on several pages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ArticlePart:
    """A page that an article in parts was joined of.

    Attributes:
        number: its place in the article, from 1.
        url: its address; null if unknown.
        rows: half-open range of its rows in the joined page.
    """

    number: int
    url: str | None
    rows: tuple[int, int]
