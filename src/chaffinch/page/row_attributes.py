"""The attributes of a page's rows: of one row, and the rows that have one."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_text
from chaffinch.page.attribute_values import Values
from chaffinch.page.attributes import AttributeColumns, Attributes
from chaffinch.page.page_columns import NO_ROW, PageColumns
from chaffinch.page.searched_words import (
    BEYOND,
    Search,
    bits_in,
    bits_of,
    coded,
    is_searchable,
    search,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from chaffinch.page.arrays import Hashes, Mask, Rows

_SEARCHED_OFTEN: Final = frozenset({"class", "id", "style"})
"""Attributes that many rules search: all that they look for is looked for at once."""


class RowAttributes(PageColumns):
    """The columns of a page, with questions about the attributes of its rows."""

    def attributes(self, row: int) -> Mapping[str, str | None]:
        """Return the attributes of ``row``, read-only; a valueless one maps to None."""
        return MappingProxyType(self._pairs(row))

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of one attribute; "" if it has none, None where it is absent."""
        try:
            pairs = self._attributes.of(row)
        except NO_ROW as error:
            raise self._no_row(row) from error
        try:
            return (pairs[name] or "") if name in pairs else None
        except TypeError as error:
            raise OptionError(f"the name of an attribute must be text, not {name!r}") from error

    def _pairs(self, row: int) -> dict[str, str | None]:
        try:
            return self._attributes.of(row)
        except NO_ROW as error:
            raise self._no_row(row) from error

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

    def rows_where(self, name: str, matches: Callable[[str], bool], *words: str) -> list[int]:
        """Return the rows whose attribute ``name`` has a value for which ``matches`` is true.

        Values that hold none of ``words`` aren't decoded. Each value of ASCII that matches must
        hold one of them in any case: 32 at most, each of two or more letters of ASCII in lower
        case; a line break at the end of a word stands for the end of a value, too.
        """
        if _may_search(name, words) and name in _SEARCHED_OFTEN and words:
            rows = self.rows_that_may(name, words)
            return self._matching(name, rows, matches) if len(rows) else []
        if name not in self._attributes.names:
            return []
        known = self._values.get(name)
        if known is None:
            values = Values(self._attributes.candidate_values(name, words))
            return values.rows_of(filter(matches, values.rows))
        candidates = {
            *known.containing(*words),
            *(value for value in known.rows if not value.isascii()),
        }
        return known.rows_of(filter(matches, candidates))

    def rows_that_may(self, name: str, words: tuple[str, ...]) -> Rows:
        """Return the rows whose attribute ``name`` holds one of ``words``, or isn't ASCII.

        There is a word at least, and they are such as `rows_where` takes.
        """
        found, bits = self._search(name, words)
        return found.rows_with(bits | BEYOND)

    def rows_holding(self, name: str, *words: str) -> list[int]:
        """Return the rows whose attribute ``name`` holds one of ``words`` in any case, in order.

        Args:
            name: of the attribute.
            *words: in lower case.
        """
        if not _may_search(name, words) or not words:
            values = self.values(name)
            return values.rows_of(values.containing(*words))
        found, bits = self._search(name, words)
        if not found.found & BEYOND:
            rows: list[int] = found.rows_with(bits).tolist()
            return rows
        may = found.rows_with(bits | BEYOND)
        return self._matching(name, may, lambda own: any(word in own.lower() for word in words))

    def words_in_names(self, words: tuple[str, ...]) -> Hashes:
        """Return uint64[n]: which of ``words`` the class or the id of each row holds, as bits.

        The first word has the lowest bit; the highest, `searched_words.BEYOND`, is that of names
        with letters beyond ASCII. For rules that look for many words at once.

        Args:
            words: 63 at most, in lower case, each of two letters of ASCII or more.

        Raises:
            OptionError: they aren't.
        """
        if type(words) is not tuple or not {str}.issuperset(map(type, words)):
            raise OptionError(f"words are a tuple of texts, not {words!r}")
        if not is_searchable(words):
            raise OptionError("words are 63 at most, each of two letters of ASCII or more")
        bits = np.zeros(len(self), dtype=np.uint64)
        for name in ("class", "id"):
            rows, found = self.attribute_columns.words_contained(name, coded(words))
            if len(rows):
                bits[rows] |= found
                if int(found.max()) >= BEYOND:
                    self._add_beyond_ascii(bits, name, rows[found >= np.uint64(BEYOND)], words)
        return bits

    def _add_beyond_ascii(
        self, bits: Hashes, name: str, rows: Rows, words: tuple[str, ...]
    ) -> None:
        """Add to uint64[n] what the values of some rows hold whose lower case may be ASCII."""
        known: dict[str, np.uint64] = {}  # rows share values
        for row in rows.tolist():
            value = self.attribute(row, name) or ""
            if value not in known:
                lower = value.lower()
                held = bits_of(words, [word for word in words if word in lower])
                known[value] = np.uint64(held)
            bits[row] |= known[value]

    def _search(self, name: str, words: tuple[str, ...]) -> tuple[Search, int]:
        """Return a pass over an attribute that looks for ``words`` and others, and their bits."""
        known = self._searches.setdefault(name, [])
        for found in known:
            if bits := bits_in(found.group, words):
                return found, bits
        found = search(self.attribute_columns, name, words)
        known.append(found)
        return found, bits_in(found.group, words)

    def _matching(self, name: str, rows: Rows, matches: Callable[[str], bool]) -> list[int]:
        """Return those of ``rows``, int32[r], whose attribute matches; each value is tried once."""
        values = [value or "" for (value,) in self._attributes.values_of(rows, name)]
        answers = {value: matches(value) for value in dict.fromkeys(values)}
        return [row for row, value in zip(rows.tolist(), values, strict=True) if answers[value]]

    @cached_property
    def _searches(self) -> dict[str, list[Search]]:
        """Name of an attribute → the passes over its values."""
        return {}

    @property
    def attribute_names(self) -> AbstractSet[str]:
        """Names of all attributes on the page: quicker to make than what `having` needs."""
        return self._attributes.names

    @property
    def own_attributes(self) -> Attributes | AttributeColumns:
        """All attributes as the page has them: by row, or in columns."""
        return self._attributes

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

    @cached_property
    def _values(self) -> dict[str, Values]:
        """Name of an attribute → its values, of those names that were searched."""
        return {}


def _may_search(name: str, words: tuple[str, ...]) -> bool:
    """Return whether one pass over the attribute ``name`` may look for ``words``.

    Raises:
        OptionError: one of them isn't text.
    """
    try:
        return _is_searched(name, words)
    except TypeError as error:  # a word that can't be hashed
        raise OptionError(f"each word must be text, not {words!r}") from error


@lru_cache(maxsize=1024)
def _is_searched(name: str, words: tuple[str, ...]) -> bool:
    require_text("the name of an attribute", name)
    return is_searchable(words)
