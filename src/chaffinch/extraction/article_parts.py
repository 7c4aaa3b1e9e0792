"""The extract of an article in parts: each part is extracted by itself, then they are joined.

Templates put title, byline, lead and author box on every part, around the text; these are kept of
the first alone. An author may repeat a line, too: a line of code, a refrain, «No.» in a dialogue.
The two are distinguished by structure, not by equality of lines:

- The *text* of a part is the element that holds most of what the part has alone, and nothing of the
  page's frame. What stands outside of it and is equal, as an element of the same tag path, to an
  element of the earlier part is repeated by the template.
- Within the text, only its first and last children count, while they equal those of the earlier
  part one by one, and only what templates put there: the title, figures, elements with a class or
  an id of their own, paragraphs longer than a line of dialogue. Code, tables and quotations never.

Links that lead among the parts, with the numbers between them, are no part of the article at all.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError
from chaffinch.extraction.extract import extract_many
from chaffinch.extraction.extracted import Extract
from chaffinch.page import tags
from chaffinch.page.joining import join_pages
from chaffinch.page.urls import joined
from chaffinch.siblings.pagination import PART_COUNT, bare_title, is_pager_text
from chaffinch.verdict import ArticlePart, Content

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.kernels.arrays import Mask
    from chaffinch.page import Page, PageInput
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
    joined = join_pages([one.page for one in contents])
    reasons = list(dict.fromkeys(name for one in contents for name in one.reasons))
    code = len(reasons)
    keep, why = [], []
    addresses = frozenset(filter(None, urls))
    for number, one in enumerate(contents):
        left_out = pager_rows(one, addresses)
        for earlier in (contents[number - 1], contents[0]) if number else ():
            left_out |= repeated_rows(one, earlier)
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
        forced=None,
        confidence=None if None in sure else min(filter(None, sure), default=0.0),
    )
    return joined, Content(joined.page, verdict, (*reasons, REPEATED))


_LONG: Final = 60  # characters, East Asian ones counted three times, that no line of dialogue has
_CODE: Final = tags.table("pre code table blockquote math listing samp kbd".split())
_LISTS: Final = tags.table("ul ol dl".split())
_FIGURES: Final = tags.table("figure img picture video audio".split())
_CONTAINERS: Final = tags.table(
    "body div section article main center form table tbody tr td #unknown".split()
)
_NEAR: Final = 8  # children at an edge of the text that may be a template's
_PAGER_LENGTH: Final = 200  # characters of links between parts, at most
_AROUND: Final = " ()[]（）【】-–—|·.…"
_CONTINUED: Final = re.compile(
    r"continued (?:on|from) (?:the )?(?:next|previous|page)(?: page| \d{1,3})?\Z", re.IGNORECASE
)


class _Kept:
    """What is kept of a page, as subtrees that can be compared with those of another page.

    Attributes:
        page: the page.
        rows: bool[n], rows that are shown, and text in them that isn't blank.
        text: gives the text of a subtree, folded.
    """

    def __init__(self, content: Content) -> None:
        self.page: Page = content.page
        self.rows: Mask = content.kept & (self.page.written | (self.page.tag != tags.TEXT))
        self.text = self.page.folded

    def key(self, row: int) -> tuple[int, str | int]:
        """Return what equal subtrees at the same tag path share."""
        return int(self.page.path_hash[row]), self.text(row) or int(self.page.content_hash[row])

    @cached_property
    def keys(self) -> frozenset[tuple[int, str | int]]:
        """Keys of all kept elements that are small enough to be a template's."""
        rows = np.flatnonzero(self.rows & (self.page.length <= _MOST_LENGTH))
        return frozenset(map(self.key, rows.tolist()))

    @cached_property
    def headlines(self) -> frozenset[str]:
        """Headings of level 1, without the marks of parts."""
        rows = np.flatnonzero(self.page.is_tag("h1") & self.page.shown)
        return frozenset(bare_title(self.text(row)) for row in rows.tolist())

    @cached_property
    def texts(self) -> frozenset[str]:
        """Folded texts of all kept text runs."""
        rows = np.flatnonzero(self.rows & (self.page.tag == tags.TEXT))
        return frozenset(map(self.text, rows.tolist()))

    def own_text(self, earlier: _Kept) -> int:
        """Return the row of the element that holds most of what ``earlier`` hasn't; -1 for none."""
        page = self.page
        new = np.zeros(len(page), dtype=np.int64)
        for row in np.flatnonzero(self.rows & (page.tag == tags.TEXT)).tolist():
            if self.text(row) not in earlier.texts:
                new[row] = page.own_length[row]
        total = page.total(new)
        if page.body < 0 or not total[page.body]:
            return -1
        row = page.body
        while True:
            inner = max(page.children(row), key=lambda one: int(total[one]))
            if 2 * total[inner] <= total[page.body] or not _CONTAINERS[page.tag[inner]]:
                return row
            row = inner

    def children(self, row: int) -> list[int]:
        return [one for one in self.page.children(row) if self.rows[one]]


_MOST_LENGTH: Final = 4000  # characters of what a template repeats


def repeated_rows(content: Content, earlier: Content) -> Mask:
    """Return bool[n]: kept rows that templates repeat from an earlier part of the article."""
    own, before = _Kept(content), _Kept(earlier)
    page = own.page
    found = np.zeros(len(page), dtype=bool)
    inner = own.own_text(before)
    if inner < 0:
        return found
    other = before.own_text(own)
    title = bare_title(page.head.title)
    around = page.around(np.arange(len(page)) == inner)
    row = page.body
    while row < page.end[page.body]:
        if row == inner:
            row = int(page.end[row])
        elif around[row] or not own.rows[row] or not _is_repeated(own, row, before, title):
            row += 1
        else:
            found[row : page.end[row]] = True
            row = int(page.end[row])
    children = own.children(inner)
    others = before.children(other) if other >= 0 else []
    for edge, near in ((children, others[:_NEAR]), (children[::-1], others[::-1][:_NEAR])):
        for row in _at_edge(own, edge[:_NEAR], before, near, title):
            found[row : page.end[row]] = True
    return found


def _is_repeated(own: _Kept, row: int, before: _Kept, title: str) -> bool:
    """Return whether an element outside the text of a part stands in the earlier part, too."""
    page = own.page
    if _is_title(own, row, before, title):
        return True
    if page.tag[row] == tags.TEXT or page.length[row] > _MOST_LENGTH:
        return False
    held = slice(row, int(page.end[row]))
    return not _CODE[page.tag[held]].any() and own.key(row) in before.keys


def _at_edge(
    own: _Kept, children: Iterable[int], before: _Kept, near: list[int], title: str
) -> Iterable[int]:
    """Yield the children at one edge of the text, from the edge on, that a template put there."""
    page = own.page
    known = {before.key(row)[1] for row in near}
    for row in children:
        if _is_title(own, row, before, title):
            yield row
            continue
        held = slice(row, int(page.end[row]))
        is_text = _CODE[page.tag[held]].any() or _LISTS[page.tag[held]].any()
        if is_text or own.key(row)[1] not in known:
            return
        is_marked = any(page.attribute(row, name) for name in ("class", "id")) and not any(
            page.attribute(row, "class") == page.attribute(one, "class")
            for one in own.children(int(page.parent[row]))
            if own.key(one)[1] not in known
        )
        if not (is_marked or _FIGURES[page.tag[held]].any() or _width(own.text(row)) >= _LONG):
            return
        yield row


def _is_title(own: _Kept, row: int, before: _Kept, title: str) -> bool:
    """Return whether a row is a heading that holds the title of all parts."""
    if not tags.HEADING[own.page.tag[row]]:
        return False
    text = bare_title(own.text(row))
    if not text or text in before.headlines:
        return bool(text)
    return text == title or (_width(text) >= _LONG // 4 and text in title)


def _width(text: str) -> int:
    return sum(1 if ord(character) < 0x2E80 else 3 for character in text)  # noqa: PLR2004 CJK


def pager_rows(content: Content, addresses: frozenset[str]) -> Mask:
    """Return bool[n]: kept links to other parts, with the numbers and words between them.

    Args:
        content: a part and what is kept of it.
        addresses: of the parts of the article.
    """
    page, kept = content.page, content.kept
    found = np.zeros(len(page), dtype=bool)
    link = page.is_tag("a") & kept
    for row, href in page.having("href", link):
        if page.length[row] > _PAGER_LENGTH or not is_pager_text(page.folded(row)):
            continue
        target = joined(page.base, href, fragment=False)
        if target not in addresses and not href.startswith("#"):
            continue
        top = row
        for above in page.ancestors(row):
            if page.length[above] > _PAGER_LENGTH or not is_pager_text(page.folded(above)):
                break
            top = above
        found[top : page.end[top]] = True
    short = kept & (page.length > 0) & (page.length <= _NEAR * 5) & ~page.is_tag("#text")
    for row in np.flatnonzero(short).tolist():
        if not found[row]:
            text = page.folded(row).strip(_AROUND)
            if PART_COUNT.match(text) or _CONTINUED.match(text):
                found[row : page.end[row]] = True
    return found
