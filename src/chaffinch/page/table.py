"""What a page holds row by row, and sums and ancestry over its rows.

The subtree of row ``i`` is exactly the slice ``i:end[i]``, so that sums over subtrees are
differences of prefix sums and ancestry is a comparison of row numbers. Nothing recurses.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.errors import OptionError, require_text
from chaffinch.page import hashing, paths, tags
from chaffinch.page.arrays import frozen
from chaffinch.page.attribute_values import Values
from chaffinch.page.attributes import AttributeColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Codes, Depths, Floats, Hashes, Mask, Rows
    from chaffinch.page.attributes import Attributes

_NO_ROW: Final = (TypeError, IndexError, ValueError)
"""What arrays and dicts raise where a row isn't theirs, or is no number."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """The columns of a page, and what follows from its tags, attributes and shape alone.

    `chaffinch.page.Page` says what each column is.
    """

    tag: Codes
    parent: Rows
    depth: Depths
    end: Rows
    text: str
    text_at: Rows
    _attributes: Attributes | AttributeColumns
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

    # What a row is

    def name(self, row: int) -> str:
        """Return the tag name of ``row`` in lower case; ``#text`` for a text run."""
        try:
            code = int(self.tag[row])
        except _NO_ROW as error:
            raise self._no_row(row) from error
        return self.names.get(row, "#unknown") if code == tags.UNKNOWN else tags.NAMES[code]

    def attributes(self, row: int) -> Mapping[str, str | None]:
        """Return the attributes of ``row``, read-only; a valueless one maps to None."""
        return MappingProxyType(self._pairs(row))

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of one attribute; "" if it has none, None where it is absent."""
        pairs = self._pairs(row)
        try:
            return (pairs[name] or "") if name in pairs else None
        except TypeError as error:
            raise OptionError(f"the name of an attribute must be text, not {name!r}") from error

    def _pairs(self, row: int) -> dict[str, str | None]:
        try:
            return self._attributes.of(row)
        except _NO_ROW as error:
            raise self._no_row(row) from error

    def _no_row(self, row: object) -> OptionError:
        return OptionError(f"row must be a whole number from 0 to {len(self) - 1}, not {row!r}")

    def _row(self, row: int) -> int:
        """Return ``row``.

        Raises:
            OptionError: the page has no such row.
        """
        if not isinstance(row, int | np.integer) or not 0 <= row < len(self):
            raise self._no_row(row)
        return int(row)

    def _fitting(self, own: NDArray[Any]) -> NDArray[Any]:
        """Return ``own``, a column of the page.

        Raises:
            OptionError: it is no array, or not one of a number a row.
        """
        if not isinstance(own, np.ndarray) or own.shape != self.tag.shape:
            raise OptionError(f"a column must be an array of {len(self)} rows, not {own!r}")
        return own

    def all_attributes(self) -> Iterable[tuple[int, Mapping[str, str | None]]]:
        """Return (row, attributes) of all rows that have any, in order; not to be changed."""
        return self._attributes.by_row.items()

    def having(self, name: str, among: Mask | None = None) -> list[tuple[int, str]]:
        """Return (row, value) of all rows that have the attribute ``name``, in order.

        Only of rows in the mask ``among``, bool[n], where one is given.
        """
        require_text("the name of an attribute", name)
        among = None if among is None else self._fitting(among)
        rows, values = self._attributes.having(name, among)
        return [(row, value or "") for row, value in zip(rows, values, strict=True)]

    def has(self, name: str) -> Mask:
        """Return bool[n]: rows that have the attribute ``name``, whatever its value."""
        require_text("the name of an attribute", name)
        mask = np.zeros(len(self), dtype=bool)
        mask[self._attributes.rows_of(name)] = True
        return mask

    def values(self, name: str) -> Values:
        """Return the different values of the attribute ``name``, and the rows that have each."""
        require_text("the name of an attribute", name)
        known = self._values.get(name)
        if known is None:
            known = self._values[name] = Values(self._attributes.rows_by_value(name))
        return known

    def telling(self, name: str, tells: Callable[[str], bool], *words: str) -> list[int]:
        """Return the rows in whose attribute ``name`` stands a value that ``tells`` says yes to.

        As `Values.telling`, for an attribute that is asked for once: other values aren't made.
        Each value of ASCII that tells must hold one of ``words`` in any case: 32 at most, each of
        two or more letters of ASCII in lower case; a line break at the end of a word stands for the
        end of a value, too.
        """
        for text in (name, *words):
            require_text("the name of an attribute, and each word,", text)
        known = self._values.get(name)
        if known is None:
            values = Values(self.attribute_columns.rows_that_may_say(name, words))
            return values.of(filter(tells, values.rows))
        may = {*known.holding(*words), *(value for value in known.rows if not value.isascii())}
        return known.of(filter(tells, may))

    @property
    def attribute_names(self) -> frozenset[str]:
        """Names of all attributes on the page: quicker to make than what `having` needs."""
        return self._attributes.names

    @cached_property
    def attribute_columns(self) -> AttributeColumns:
        """All attributes in columns, as kernels take them."""
        own = self._attributes
        if isinstance(own, AttributeColumns):
            return own
        return AttributeColumns.of_rows(own.by_row, len(self))

    def classes(self, row: int) -> tuple[str, ...]:
        """Return the class names of ``row``."""
        return tuple((self.attribute(row, "class") or "").split())

    def is_tag(self, *names: str) -> Mask:
        """Return bool[n]: rows whose tag is one of ``names`` (names of the table of tags)."""
        try:
            if len(names) == 1:
                mask: Mask = self.tag == tags.CODES[names[0]]
                return mask
            return tags.known_table(names).take(self.tag)
        except (KeyError, TypeError) as error:
            raise OptionError(f"names of known tags are wanted, not {names!r}") from error

    def holds(self, *names: str) -> bool:
        """Tell whether the tag of any row is one of ``names``."""
        held = self._held
        try:
            return any(held[tags.CODES[name]] for name in names)
        except (KeyError, TypeError) as error:
            raise OptionError(f"names of known tags are wanted, not {names!r}") from error

    # Sums and ancestry

    @cached_property
    def size(self) -> Rows:
        """int32[n]: rows of each subtree, the row itself included."""
        size: Rows = np.subtract(self.end, np.arange(len(self)), dtype=np.int32)
        return frozen(size)

    def total(self, own: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of ``own`` (any number or bool [n]) over each row's subtree.

        Booleans count as int32; integers sum as int64, floats as float64.
        """
        return kernels.total(self.end, self._fitting(own))

    def inside(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their descendants."""
        return kernels.inside(self.end, self._fitting(rows))

    def around(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their ancestors."""
        return kernels.around(self.end, self._fitting(rows))

    def children(self, row: int) -> list[int]:
        """Return the rows of the children of ``row``, in order."""
        try:
            out, child, stop = [], row + 1, int(self.end[row])
        except _NO_ROW as error:
            raise self._no_row(row) from error
        while child < stop:
            out.append(child)
            child = int(self.end[child])
        return out

    def ancestors(self, row: int) -> Iterator[int]:
        """Yield the ancestors of ``row``, from its parent to the root."""
        try:
            above = int(self.parent[row])
        except _NO_ROW as error:
            raise self._no_row(row) from error
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def siblings(self, row: int) -> list[int]:
        """Return the children of the parent of ``row``, itself included."""
        row = self._row(row)
        return self.children(int(self.parent[row])) if row else [0]

    @cached_property
    def index(self) -> Rows:
        """int32[n]: position of each row among its parent's children, from 0."""
        return frozen(paths.positions(self.parent, None))

    @cached_property
    def index_of_type(self) -> Rows:
        """int32[n]: position of each row among its parent's children with the same tag, from 0."""
        return frozen(paths.positions(self.parent, self.symbols))

    @cached_property
    def body(self) -> int:
        """Row of the body, or of the root where there is none (frameset); -1 on an empty page."""
        rows = np.flatnonzero(self.is_tag("body"))
        return int(rows[0]) if len(rows) else min(len(self), 1) - 1

    @cached_property
    def _held(self) -> bytes:
        """By code: 1 for the tags that rows have, 0 for others."""
        return kernels.held_tags(self.tag, len(tags.NAMES))

    @cached_property
    def symbols(self) -> Hashes:
        """uint64[n]: what tells one tag from another, unknown ones included."""
        symbols = self.tag.astype(np.uint64)
        for row, name in self.names.items():
            symbols[row] = hashing.hash_string(name)
        return frozen(symbols)

    @cached_property
    def _values(self) -> dict[str, Values]:
        """Name of an attribute → its values, of those names that were asked for."""
        return {}

    def derived(
        self, name: str, make: Callable[[], tuple[NDArray[Any], ...]]
    ) -> tuple[NDArray[Any], ...]:
        """Return columns that another package makes of this page: made once, kept by name.

        They must not hold the page, which would outlive its use then.
        """
        require_text("the name of derived columns", name)
        if not callable(make):
            raise OptionError(f"derived columns are made by a function, not {make!r}")
        known = self._derived.get(name)
        if known is None:
            known = self._derived[name] = tuple(map(frozen, make()))
        return known

    @cached_property
    def _derived(self) -> dict[str, tuple[NDArray[Any], ...]]:
        """Name → columns that were derived elsewhere."""
        return {}
