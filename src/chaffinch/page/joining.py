"""One page of several: the bodies of further pages follow within the body of the first.

So the parts of an article become a page of their own, of which every output can be made. Nothing is
parsed again: columns are put one behind the other. The body of each further page becomes a ``div``;
its head, which repeats the first one's, is left out. What stands in a page by its own address or by
ids that are its own is made to mean the same in the joined one: relative addresses become absolute,
and ids that an earlier page has, and references to them, get the part's number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.page.attributes import AttributeColumns
from chaffinch.page.urls import candidates, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Number
    from chaffinch.page.page import Page

    Pairs = dict[str, str | None]

_ADDRESSES: Final = frozenset("href src poster cite data longdesc background".split())
_SETS: Final = frozenset({"srcset", "data-srcset", "data-lazy-srcset", "imagesrcset"})
_REFERENCES: Final = frozenset("headers for aria-labelledby aria-describedby aria-details".split())
_FILE: Final = re.compile(
    r"\A[^\s,]{0,300}\.(?:jpe?g|png|gif|webp|avif|svg)(?:\?[^\s,]{0,300})?\Z", re.IGNORECASE
)
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:")


@dataclass(frozen=True, eq=False)
class JoinedPage:
    """A page made of several."""

    page: Page  # it; its head, address and encoding are those of the first.
    # for each part, the half-open range of its rows; of the first one, those before the others
    # begin.
    rows: tuple[tuple[int, int], ...]
    _pages: tuple[Page, ...]

    def column(self, columns: Sequence[NDArray[Number]]) -> NDArray[Number]:
        """Return a column of the joined page, made of one of each part, in their order."""
        return _joined_column(self._pages, columns)


def join_pages(pages: Sequence[Page]) -> JoinedPage:
    """Return the page that consists of ``pages`` in their order; the first has rows."""
    first, *others = pages
    at, moved = _insertion(first), sum(len(_taken(one)) for one in others)
    is_around = first.around(np.arange(len(first)) == first.body)
    parent = [np.where(first.parent >= at, first.parent + moved, first.parent)]
    end = [np.where((first.end > at) | is_around, first.end + moved, first.end)]
    depth, rows, shift = [first.depth], [(0, at)], at
    for one in others:
        taken = _taken(one)
        parent.append(one.parent + (shift - taken.start))
        end.append(one.end + (shift - taken.start))
        level = int(one.depth[taken.start]) if len(taken) else 0
        depth.append(one.depth + np.int16(1 + first.depth[first.body] - level))
        rows.append((shift, shift + len(taken)))
        shift += len(taken)
    tag_column = _joined_column(pages, [one.tag for one in pages])
    parent_column = _joined_column(pages, parent).astype(np.int32)
    bodies = [begin for begin, stop in rows[1:] if stop > begin]
    tag_column[bodies], parent_column[bodies] = tags.CODES["div"], first.body
    lengths = _joined_column(pages, [np.diff(one.text_at) for one in pages])
    sources = [_formulas(one, number) for number, one in enumerate(pages)]
    page = replace(
        first,
        tag=tag_column,
        parent=parent_column,
        depth=_joined_column(pages, depth).astype(np.int16),
        end=_joined_column(pages, end).astype(np.int32),
        text="".join(_pieces(pages)),
        text_at=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        _attributes=AttributeColumns.of_rows(_attributes(pages, rows), len(tag_column)),
        names=_by_row(pages, [one.names for one in pages], rows),
        sources=_by_row(pages, sources, rows),
        layout=None,
    )
    return JoinedPage(page, tuple(rows), tuple(pages))


def _insertion(page: Page) -> int:
    """Return the row before which further parts stand: the end of the body."""
    return int(page.end[page.body]) if len(page) else 0


def _taken(page: Page) -> range:
    """Return the rows of a further part that are joined: its body, or all where it has none."""
    if not len(page):
        return range(0)
    begin = max(page.body, 0)
    return range(begin, int(page.end[begin]))


def _joined_column(pages: Sequence[Page], columns: Sequence[NDArray[Number]]) -> NDArray[Number]:
    at = _insertion(pages[0])
    middle = [
        column[_taken(page).start : _taken(page).stop]
        for page, column in zip(pages[1:], columns[1:], strict=True)
    ]
    return np.concatenate([columns[0][:at], *middle, columns[0][at:]])


def _pieces(pages: Sequence[Page]) -> Iterable[str]:
    first, at = pages[0], _insertion(pages[0])
    yield first.text[: first.text_at[at]]
    for page in pages[1:]:
        taken = _taken(page)
        yield page.text[page.text_at[taken.start] : page.text_at[taken.stop]]
    yield first.text[first.text_at[at] :]


def _formulas(page: Page, number: int) -> Mapping[int, str]:
    """Return the sources of scripts that are joined: of further parts, formulas alone."""
    if not number:
        return page.sources
    return {
        row: source
        for row, source in page.sources.items()
        if "math" in (page.attribute(row, "type") or "")
    }


def _by_row(
    pages: Sequence[Page], values: Sequence[Mapping[int, str]], rows: Sequence[tuple[int, int]]
) -> dict[int, str]:
    return {
        place: value
        for page, own, part in zip(pages, values, rows, strict=True)
        for place, value in _placed(pages, page, own, part)
    }


def _placed(
    pages: Sequence[Page], page: Page, own: Mapping[int, str], part: tuple[int, int]
) -> Iterable[tuple[int, str]]:
    if page is pages[0] and part[0] == 0:
        moved = sum(len(_taken(one)) for one in pages[1:])
        yield from ((row + moved * (row >= part[1]), value) for row, value in own.items())
        return
    taken = _taken(page)
    yield from ((row - taken.start + part[0], own[row]) for row in own if row in taken)


def _attributes(pages: Sequence[Page], rows: Sequence[tuple[int, int]]) -> dict[int, Pairs]:
    first, at = pages[0], _insertion(pages[0])
    moved = sum(len(_taken(one)) for one in pages[1:])
    before = {row: dict(pairs) for row, pairs in first.all_attributes()}
    known = {str(pairs["id"]) for pairs in before.values() if pairs.get("id")}
    out = {row: pairs for row, pairs in before.items() if row < at}
    for number, (page, (begin, _)) in enumerate(zip(pages[1:], rows[1:], strict=True), 2):
        taken = _taken(page)
        own = {row: dict(pairs) for row, pairs in page.all_attributes() if row in taken}
        ids = {str(pairs["id"]) for pairs in own.values() if pairs.get("id")}
        renamed = {name: f"part-{number}-{name}" for name in ids & known}
        known |= {renamed.get(name, name) for name in ids}
        for row, pairs in own.items():
            out[row - taken.start + begin] = _rewritten(pairs, page, renamed)
    out |= {row + moved: pairs for row, pairs in before.items() if row >= at}
    return out


def _rewritten(pairs: Pairs, page: Page, renamed: Mapping[str, str]) -> Pairs:
    """Return attributes with what they mean in their own page."""
    out = dict(pairs)
    for name, value in pairs.items():
        if not value:
            continue
        if name in ("id", "name"):
            out[name] = renamed.get(value, value)
        elif name in _REFERENCES:
            out[name] = " ".join(renamed.get(one, one) for one in value.split())
        elif name in _SETS:
            found = candidates(value, page.base)
            out[name] = ", ".join(f"{url} {size}".strip() for url, size in found) or value
        elif name in _ADDRESSES or _FILE.match(value):
            out[name] = _address(value, page, renamed)
    return out


def _address(value: str, page: Page, renamed: Mapping[str, str]) -> str:
    """Return an address made absolute; one within the page as that of the place, "#id"."""
    bare = value.strip()
    if _SCHEME.match(bare) and "#" not in bare:
        return value
    url = joined(page.base, bare)
    place, _, name = url.partition("#")
    if name and (bare.startswith("#") or place == (page.url or "").partition("#")[0]):
        return f"#{renamed.get(name, name)}"
    return url or value
