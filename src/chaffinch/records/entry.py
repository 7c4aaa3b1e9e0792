"""One entry of a list, with its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TYPED: Final = ("title", "link", "image", "price", "date", "author", "summary")
"""Names of the typed fields, in the order of output."""


@dataclass(frozen=True, slots=True)
class EntryField:
    """The value of one field of an entry.

    Attributes:
        value: text, white space folded; the absolute address of a link or image; ISO 8601 of a date
            where a day can be parsed, else as written.
        rows: half-open range of the rows of the page that gave it.
    """

    value: str
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list on a page.

    Attributes:
        number: from 1, in document order.
        list_number: from 1, of the list that it belongs to; a page may have several.
        rows: half-open range of its rows.
        fields: name → field, typed ones first: ``title``, ``link``, ``image``, ``price``, ``date``,
            ``author``, ``summary``; then others, named by their place.
    """

    number: int
    list_number: int
    rows: tuple[int, int]
    fields: dict[str, EntryField]

    def value(self, name: str) -> str:
        """Return the value of a field; "" where the entry has none of that name."""
        field = self.fields.get(name)
        return "" if field is None else field.value

    def values(self) -> dict[str, str]:
        """Return the values of all fields by name."""
        return {name: field.value for name, field in self.fields.items()}
