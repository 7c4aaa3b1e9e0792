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
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import numpy as np

from chaffinch.page import tags
from chaffinch.page.attributes import AttributeColumns
from chaffinch.page.urls import candidates, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Number
    from chaffinch.page.page import Page

    Pairs = dict[str, str | None]

Value = TypeVar("Value")
Pieces: TypeAlias = "Sequence[tuple[int, range]]"
"""The number of a page, and a range of its rows, one behind the other: the first up to the end of
its body, further ones, the rest of the first."""

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
    _pieces: Pieces

    def column(self, columns: Sequence[NDArray[Number]]) -> NDArray[Number]:
        """Return a column of the joined page, made of one of each part, in their order."""
        return _joined_column(self._pieces, columns)


def join_pages(pages: Sequence[Page]) -> JoinedPage:
    """Return the page that consists of ``pages`` in their order; the first has rows."""
    first, body = pages[0], pages[0].body
    at = int(first.end[body])  # where further parts stand: the end of the body
    taken = [range(max(one.body, 0), int(one.end[one.body]) if len(one) else 0) for one in pages]
    pieces = [(0, range(at)), *list(enumerate(taken))[1:], (0, range(at, len(first)))]
    begins = [0, *accumulate(len(own) for _, own in pieces)]
    moved = begins[-2] - at
    is_around = first.around(np.arange(len(first)) == body)
    parent = [np.where(first.parent >= at, first.parent + moved, first.parent)]
    end = [np.where((first.end > at) | is_around, first.end + moved, first.end)]
    depth = [first.depth]
    for one, own, begin in zip(pages[1:], taken[1:], begins[1:], strict=False):
        parent.append(one.parent + (begin - own.start))
        end.append(one.end + (begin - own.start))
        level = int(one.depth[own.start]) if own else 0
        depth.append(one.depth + np.int16(1 + first.depth[body] - level))
    tag_column = _joined_column(pieces, [one.tag for one in pages])
    parent_column = _joined_column(pieces, parent).astype(np.int32)
    bodies = [begin for begin, own in zip(begins[1:], taken[1:], strict=False) if own]
    tag_column[bodies], parent_column[bodies] = tags.CODES["div"], body
    lengths = _joined_column(pieces, [np.diff(one.text_at) for one in pages])
    texts = (pages[n].text[slice(*pages[n].text_at[[own.start, own.stop]])] for n, own in pieces)
    attributes = _placed(pieces, begins, _attributes(pages, taken))
    page = replace(
        first,
        tag=tag_column,
        parent=parent_column,
        depth=_joined_column(pieces, depth).astype(np.int16),
        end=_joined_column(pieces, end).astype(np.int32),
        text="".join(texts),
        text_at=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
        _attributes=AttributeColumns.of_rows(attributes, len(tag_column)),
        names=_placed(pieces, begins, [one.names for one in pages]),
        sources=_placed(pieces, begins, [first.sources, *map(_formulas, pages[1:])]),
        layout=None,
    )
    return JoinedPage(page, tuple(pairwise(begins[:-1])), pieces)


def _joined_column(pieces: Pieces, columns: Sequence[NDArray[Number]]) -> NDArray[Number]:
    return np.concatenate([columns[number][own.start : own.stop] for number, own in pieces])


def _placed(
    pieces: Pieces, begins: Sequence[int], values: Sequence[Mapping[int, Value]]
) -> dict[int, Value]:
    """Return row of the joined page → value, in order, of those by row of each part."""
    return {
        row - own.start + begin: value
        for (number, own), begin in zip(pieces, begins, strict=False)
        for row, value in values[number].items()
        if row in own
    }


def _formulas(page: Page) -> dict[int, str]:
    """Return the sources of scripts that are joined of further parts: formulas alone."""
    kinds = ((row, page.attribute(row, "type") or "") for row in page.sources)
    return {row: page.sources[row] for row, kind in kinds if "math" in kind}


def _attributes(pages: Sequence[Page], taken: Sequence[range]) -> list[dict[int, Pairs]]:
    """Return row → attributes of each page, of the rows that are taken of further ones."""
    out = [{row: dict(pairs) for row, pairs in pages[0].all_attributes()}]
    known = {str(pairs["id"]) for pairs in out[0].values() if pairs.get("id")}
    for number, (page, rows) in enumerate(zip(pages[1:], taken[1:], strict=True), 2):
        own = {row: dict(pairs) for row, pairs in page.all_attributes() if row in rows}
        ids = {str(pairs["id"]) for pairs in own.values() if pairs.get("id")}
        renamed = {name: f"part-{number}-{name}" for name in ids & known}
        known |= {renamed.get(name, name) for name in ids}
        out.append({row: _rewritten(pairs, page, renamed) for row, pairs in own.items()})
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
