"""The page as a table: one row an element or text run, in document order; columns are arrays.

A page is flattened once and never changed. The subtree of row ``i`` is exactly the slice
``i:end[i]``, so that sums over subtrees are differences of prefix sums and ancestry is a comparison
of row numbers. Nothing here knows the parser (`parse`), and nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from chaffinch.page import hashing, lengths, paths, selectors, tags
from chaffinch.page.head import Head, base_url, read_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Codes, Depths, Floats, Hashes, Mask, Rows

Number = TypeVar("Number", bound=np.generic)
_NONE: Final[dict[str, str | None]] = {}


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """One page, flattened. ``n`` rows in pre-order; row 0 is the root element.

    Attributes:
        tag: uint16[n], code of the tag (`tags.NAMES`); 0 for a text run, 1 for an unknown tag.
        parent: int32[n], row of the parent; -1 for the root.
        depth: int16[n], 0 for the root, at most 512.
        end: int32[n], first row after the subtree.
        text: all text verbatim (entities decoded), one string.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        url: address of the page, if known; relative links are resolved against `base`.
        encoding: name of the encoding the bytes were in; None when given as str.
        names: row → name of a tag that the table of tags doesn't know.
        sources: row → source of a JSON or ``math/tex`` script.
        layout: float32[n, …] boxes and fonts, only of a page rendered by a browser.

    A page without any element has ``n`` = 0. Arrays are read-only. Pages can be pickled, and read
    from several threads.
    """

    tag: Codes
    parent: Rows
    depth: Depths
    end: Rows
    text: str
    text_at: Rows
    _attributes: dict[int, dict[str, str | None]]
    url: str | None = None
    encoding: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    sources: Mapping[int, str] = field(default_factory=dict)
    layout: Floats | None = None

    def __post_init__(self) -> None:
        for column in (self.tag, self.parent, self.depth, self.end, self.text_at):
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.tag)

    def __repr__(self) -> str:
        where = f" {self.url}" if self.url else ""
        return f"<Page{where}: {len(self)} rows, {len(self.text)} characters>"

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: self.__dict__[f.name] for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    @classmethod
    def from_lxml(cls, tree: Any, *, url: str | None = None) -> Page:
        """Return the page of an lxml tree or element that the caller already holds.

        The tree isn't changed. Its shape is lxml's, which is not always that of the HTML standard:
        prefer `parse` where the source is at hand.
        """
        from chaffinch.page.lxml_tree import flatten  # noqa: PLC0415  few need it

        return flatten(tree, url=url)

    # What a row is

    def name(self, row: int) -> str:
        """Return the tag name of ``row`` in lower case; ``#text`` for a text run."""
        code = int(self.tag[row])
        return self.names.get(row, "#unknown") if code == tags.UNKNOWN else tags.NAMES[code]

    def attributes(self, row: int) -> Mapping[str, str | None]:
        """Return the attributes of ``row``, read-only; a valueless one maps to None."""
        return MappingProxyType(self._attributes.get(row, _NONE))

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of one attribute; "" if it has none, None where it is absent."""
        pairs = self._attributes.get(row, _NONE)
        return (pairs[name] or "") if name in pairs else None

    def all_attributes(self) -> Iterable[tuple[int, Mapping[str, str | None]]]:
        """Return (row, attributes) of all rows that have any, in order; not to be changed."""
        return self._attributes.items()

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value) of all rows that have the attribute ``name``, in order."""
        if name not in self._attribute_names:
            return []
        rows = self._attributes.items()
        return [(row, pairs[name] or "") for row, pairs in rows if name in pairs]

    def classes(self, row: int) -> tuple[str, ...]:
        """Return the class names of ``row``."""
        return tuple((self.attribute(row, "class") or "").split())

    def is_tag(self, *names: str) -> Mask:
        """Return bool[n]: rows whose tag is one of ``names`` (names of the table of tags)."""
        if len(names) == 1:
            mask: Mask = self.tag == tags.CODES[names[0]]
            return mask
        return tags.table(names)[self.tag]

    # Sums and ancestry

    @cached_property
    def size(self) -> Rows:
        """int32[n]: rows of each subtree, the row itself included."""
        size: Rows = np.subtract(self.end, np.arange(len(self)), dtype=np.int32)
        return _frozen(size)

    def total(self, own: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of ``own`` (any number or bool [n]) over each row's subtree.

        Booleans count as int32; integers sum as int64, floats as float64.
        """
        kind = np.int32 if own.dtype == bool else np.float64 if own.dtype.kind == "f" else np.int64
        prefix: NDArray[Any] = np.zeros(len(self) + 1, dtype=kind)
        np.cumsum(own, out=prefix[1:])
        sums: NDArray[Any] = prefix[self.end] - prefix[:-1]
        return sums

    def inside(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their descendants."""
        change = np.zeros(len(self) + 1, dtype=np.int32)
        marked = np.flatnonzero(rows)
        change[marked] = 1
        np.subtract.at(change, self.end[marked], 1)
        mask: Mask = np.cumsum(change[:-1]) > 0
        return mask

    def around(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their ancestors."""
        mask: Mask = self.total(rows) > 0
        return mask

    def children(self, row: int) -> list[int]:
        """Return the rows of the children of ``row``, in order."""
        out, child, stop = [], row + 1, int(self.end[row])
        while child < stop:
            out.append(child)
            child = int(self.end[child])
        return out

    def ancestors(self, row: int) -> Iterator[int]:
        """Yield the ancestors of ``row``, from its parent to the root."""
        above = int(self.parent[row])
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def siblings(self, row: int) -> list[int]:
        """Return the children of the parent of ``row``, itself included."""
        return self.children(int(self.parent[row])) if row else [0]

    @cached_property
    def index(self) -> Rows:
        """int32[n]: position of each row among its parent's children, from 0."""
        return _frozen(paths.positions(self.parent, None))

    @cached_property
    def index_of_type(self) -> Rows:
        """int32[n]: position of each row among its parent's children with the same tag, from 0."""
        return _frozen(paths.positions(self.parent, self.symbols))

    @cached_property
    def body(self) -> int:
        """Row of the body, or of the root where there is none (frameset); -1 on an empty page."""
        rows = np.flatnonzero(self.is_tag("body"))
        return int(rows[0]) if len(rows) else min(len(self), 1) - 1

    # Text and its lengths

    @cached_property
    def shown(self) -> Mask:
        """bool[n]: rows that aren't in head, template or the like, so that a browser shows them.

        Hiding by style isn't looked at.
        """
        return _frozen(~self.inside(tags.INVISIBLE[self.tag]))

    @cached_property
    def line(self) -> Rows:
        """int32[n]: number of the line (run of inline content) each row belongs to."""
        return _frozen(lengths.line_ids(self.tag, self.end))

    @cached_property
    def own_length(self) -> Rows:
        """int32[n]: characters of the row's own shown text, white space folded; 0 for elements."""
        return _frozen(lengths.own_lengths(self._places, self.text_at, self.line, self.shown))

    @cached_property
    def written(self) -> Mask:
        """bool[n]: rows whose own text holds something other than white space."""
        return _frozen(lengths.has_written(self._places, self.text_at))

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text of each subtree, white space folded."""
        return _frozen(self.total(self.own_length))

    @cached_property
    def in_link(self) -> Mask:
        """bool[n]: links (a) and all that stands in them."""
        return _frozen(self.inside(self.is_tag("a")))

    @cached_property
    def link_length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text in links, of each subtree."""
        return _frozen(self.total(np.where(self.in_link, self.own_length, 0)))

    def text_of(self, row: int) -> str:
        """Return the verbatim text of the subtree of ``row``."""
        return self.text[self.text_at[row] : self.text_at[self.end[row]]]

    def folded(self, row: int) -> str:
        """Return the text of the subtree of ``row``, white-space runs folded to one space."""
        return " ".join(self.text_of(row).split())

    # Hashes, paths, selectors

    @cached_property
    def shape_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags and shape."""
        return _frozen(hashing.subtree_hashes(self.symbols, self.depth, self.end))

    @cached_property
    def attribute_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags, shape and attributes."""
        symbols = self.symbols ^ hashing.mix(self._own_attributes)
        return _frozen(hashing.subtree_hashes(symbols, self.depth, self.end))

    @cached_property
    def content_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags, shape, attributes and verbatim text."""
        symbols = self.symbols ^ hashing.mix(self._own_attributes) ^ self._own_texts
        return _frozen(hashing.subtree_hashes(symbols, self.depth, self.end))

    @cached_property
    def path_hash(self) -> Hashes:
        """uint64[n]: hash of the tag path from the root to each row (no positions)."""
        return _frozen(hashing.path_hashes(self.symbols, self.depth, self.end))

    def tag_path(self, row: int) -> str:
        """Return the tag path of ``row``, such as ``html/body/div/p``."""
        return "/".join(self.name(r) for r in [row, *self.ancestors(row)][::-1])

    def selector(self, row: int) -> str:
        """Return a CSS selector that matches exactly the element ``row``."""
        return paths.css_of(self, row)

    def xpath(self, row: int) -> str:
        """Return the absolute XPath of ``row``, such as ``/html[1]/body[1]/p[2]/text()[1]``."""
        return paths.xpath_of(self, row)

    def row_at(self, xpath: str) -> int:
        """Return the row that an absolute XPath of `xpath`'s form names; -1 if there is none."""
        return paths.row_at(self, xpath)

    def select(self, selector: str) -> NDArray[np.intp]:
        """Return the rows that a CSS selector matches, in order.

        Raises:
            OptionError: the selector isn't valid CSS or uses what isn't supported.
        """
        return np.flatnonzero(selectors.matches(self, selector))

    def first(self, selector: str) -> int:
        """Return the first row that a CSS selector matches; -1 if none does."""
        rows = self.select(selector)
        return int(rows[0]) if len(rows) else -1

    # The head

    @cached_property
    def head(self) -> Head:
        """Title, meta, link, JSON-LD and embedded state, read from the whole document."""
        return read_head(self)

    @cached_property
    def base(self) -> str:
        """The address that relative links are resolved against (``<base href>`` honoured)."""
        return base_url(self)

    @cached_property
    def symbols(self) -> Hashes:
        """uint64[n]: what tells one tag from another, unknown ones included."""
        symbols = self.tag.astype(np.uint64)
        for row, name in self.names.items():
            symbols[row] = hashing.hash_string(name)
        return _frozen(symbols)

    @cached_property
    def _attribute_names(self) -> frozenset[str]:
        return frozenset().union(*self._attributes.values())

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        return _frozen(lengths.written_places(self.text))

    @cached_property
    def _own_attributes(self) -> Hashes:
        return _frozen(hashing.hash_attributes(self._attributes, len(self)))

    @cached_property
    def _own_texts(self) -> Hashes:
        return _frozen(hashing.hash_texts(self.text, self.text_at))


def _frozen(array: NDArray[Number]) -> NDArray[Number]:
    array.flags.writeable = False
    return array
