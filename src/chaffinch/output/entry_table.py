"""Entries of lists as comma-separated values: a line each, a column a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.lists.entry_fields import TYPED
from chaffinch.output.csv_text import as_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.lists.entry_fields import Entry


def entries_csv(entries: Sequence[Entry], *, defused: bool = True) -> str:
    """Return entries as CSV: their number, that of their list, and all fields that any has.

    Args:
        entries: of one page.
        defused: as of `chaffinch.output.csv_text.as_csv`.
    """
    held = dict.fromkeys(name for one in entries for name in one.fields)
    names = [name for name in dict.fromkeys((*TYPED, *held)) if name in held]
    head = ["number", "list_number", *names]
    lines = ([one.number, one.list_number, *map(one.value, names)] for one in entries)
    return as_csv([head, *lines], defused=defused)
