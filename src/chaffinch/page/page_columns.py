"""The columns that a page is flattened to, and the tag of each row."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property, later_field
from chaffinch.errors import OptionError
from chaffinch.page import hashing, tags
from chaffinch.page.arrays import frozen
from chaffinch.page.guard.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Codes, Depths, Floats, Hashes, Mask, Rows
    from chaffinch.page.attributes import AttributeColumns, Attributes

_LIMITS: Final = Limits()
NO_ROW: Final = (TypeError, IndexError, ValueError)
"""What arrays and dicts raise where a row isn't theirs, or is no number."""


@dataclass(frozen=True, eq=False, repr=False)
class PageColumns:
    """The columns of one page, which are the fields of `chaffinch.Page` and documented there."""

    tag: Codes
    parent: Rows
    depth: Depths
    end: Rows
    text: str
    text_at: Rows
    _attributes: Attributes | AttributeColumns
    url: str | None = later_field()
    encoding: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    sources: Mapping[int, str] = field(default_factory=dict)
    styles: Mapping[int, str] = field(default_factory=dict)
    layout: Floats | None = None
    longest_base: int = _LIMITS.max_base
    repeated_base: int = _LIMITS.max_repeated_base
    status: int | None = None
    replaced: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for column in (self.tag, self.parent, self.depth, self.end, self.text_at):
            column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.tag)

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

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

    def _no_row(self, row: object) -> OptionError:
        return OptionError(f"row must be a whole number from 0 to {len(self) - 1}, not {row!r}")

    def name(self, row: int) -> str:
        """Return the tag name of ``row`` in lower case; ``#text`` for a text run."""
        try:
            code = int(self.tag[row])
        except NO_ROW as error:
            raise self._no_row(row) from error
        return self.names.get(row, "#unknown") if code == tags.UNKNOWN else tags.NAMES[code]

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
        """Return whether the tag of any row is one of ``names``."""
        try:
            return self._held & tags.bits(names) != 0
        except (KeyError, TypeError) as error:
            raise OptionError(f"names of known tags are wanted, not {names!r}") from error

    @cached_property
    def _held(self) -> int:
        """The `tags.bits` of all tags that rows have."""
        return int.from_bytes(kernels.held_tags(self.tag, len(tags.NAMES)), "little")

    @cached_property
    def symbols(self) -> Hashes:
        """uint64[n]: a number for each tag, different ones for different unknown tags."""
        symbols = self.tag.astype(np.uint64)
        for row, name in self.names.items():
            symbols[row] = hashing.hash_string(name)
        return frozen(symbols)
