"""The extract of an article in parts: each part is extracted by itself, then they are joined.

What templates repeat on every part (title, byline, lead, author box, the links between the parts)
is kept of the first alone; `repeated_rows` finds it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.extraction.extract import Extract
from chaffinch.extraction.repeated_rows import pager_rows, repeated_rows
from chaffinch.extraction.trip import extract_many
from chaffinch.output.article_part import ArticlePart
from chaffinch.page.joining import join_pages
from chaffinch.result import Content

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import PageInput
    from chaffinch.page.arrays import Mask
    from chaffinch.page.joining import JoinedPage

REPEATED: Final = "repeated from an earlier part of the article"
"""Reason of rows that were kept in a part and stand in the joined article once."""


def extract_parts(parts: Iterable[PageInput], **options: Any) -> Extract:
    """Extract an article that stands on several pages, as one.

    Args:
        parts: the pages in the order of the article, as `extract` takes them; best with their
            addresses, as `load_parts` gives them.
        **options: as of `extract_many`.

    Returns:
        The extract of all parts: every output is of the whole article, what the parts repeat stands
        once, and `Extract.article_parts` gives the rows of each part.

    Raises:
        PageError: a part can't be processed.
        OptionError: there is no part, or an option is unknown or impossible.
    """
    found: list[Extract] = []
    for one in extract_many(parts, **options):
        if not isinstance(one, Extract):
            raise one
        found.append(one)
    if not found:
        raise OptionError("there is no part to extract")
    return join_extracts(found)


def join_extracts(parts: Sequence[Extract]) -> Extract:
    """Return the extract of an article of the extracts of its parts, in order, one at least."""
    parts = [one for one in parts if len(one.page) and len(one.in_rows.page)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    joined, content = _joined([one.content for one in parts], [one.url for one in parts])
    numbered = zip(parts, joined.rows, strict=True)
    return replace(
        parts[0],
        content=content,
        replaced=(
            _joined([one.in_rows for one in parts], [one.url for one in parts])[1]
            if any(one.replaced is not None for one in parts)
            else None
        ),
        article_parts=tuple(
            ArticlePart(number, one.url, rows) for number, (one, rows) in enumerate(numbered, 1)
        ),
    )


def _joined(contents: Sequence[Content], urls: Sequence[str | None]) -> tuple[JoinedPage, Content]:
    """Return the joined page and what is kept of it."""
    joined = join_pages([one.page for one in contents])
    reasons = list(dict.fromkeys(name for one in contents for name in one.reasons))
    code = len(reasons)
    keep, why = [], []
    dropped = _dropped(contents, urls)
    for one, left_out in zip(contents, dropped, strict=True):
        codes = np.array([reasons.index(name) for name in one.reasons] or [0], dtype=np.int8)
        own = codes[np.clip(one.verdict.why, 0, len(codes) - 1)]
        keep.append(one.verdict.keep & ~left_out)
        why.append(np.where(one.verdict.keep & left_out, np.int8(code), own))
    first = contents[0].verdict
    sure = [one.verdict.confidence for one in contents]
    verdict = replace(
        first,
        keep=joined.column(keep),
        score=joined.column([one.verdict.score for one in contents]),
        why=joined.column(why),
        confidence=None if None in sure else min(filter(None, sure), default=0.0),
    )
    return joined, Content(joined.page, verdict, (*reasons, REPEATED))


def _dropped(contents: Sequence[Content], urls: Sequence[str | None]) -> list[Mask]:
    """Return bool[n] for each part: rows that an earlier part has, or that lead among the parts."""
    addresses = frozenset(filter(None, urls))
    out = []
    for number, content in enumerate(contents):
        rows = pager_rows(content, addresses)
        if number:
            rows |= repeated_rows(content, contents[number - 1])
            rows |= repeated_rows(content, contents[0])
        out.append(rows)
    return out
