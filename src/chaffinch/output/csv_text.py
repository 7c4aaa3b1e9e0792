"""Comma-separated values whose cells no spreadsheet takes for formulas.

A cell that begins with ``=``, ``+``, ``-`` or ``@`` is a formula to spreadsheets, and may load an
address or start a program; a tab or a carriage return before it is dropped by some of them. Such
cells get an apostrophe before them, as OWASP advises (CSV Injection,
https://owasp.org/www-community/attacks/CSV_Injection). Numbers stay numbers (``-3.5``, ``+12 %``,
``+49 30 1234``), and signs alone, which stand for «none», stay signs.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_BEGINS: Final = re.compile(r"\A(?:[\s\x00-\x1f\ufeff]*+[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])")
"""How a cell begins that may be a formula; spreadsheets of East Asia take wide signs, too."""

_END: Final = "\r\n"
_SIGNS: Final = re.compile(r"[ +\-=.\u2013\u2014]*")
_NUMBER: Final = re.compile(
    r"\A\s*+[+-](?=[.,]?\d)[\d.,'\u2019\u00a0\u202f ]*+(?:[eE][+-]?\d++)?"
    r"\s?[%\u2030\u20ac$\u00a3\u00a5]?\s*"
)
"""A number with its sign, its groups and a unit that is no letter."""


def as_csv(lines: Iterable[Iterable[Any]], *, defused: bool = True) -> str:
    """Return lines as CSV (RFC 4180 but for line ends, which are newlines).

    Args:
        lines: the cells of each line.
        defused: put an apostrophe before texts that spreadsheets would take for formulas; else
            cells are written as they are.
    """
    rows = _Rows()
    writer = csv.writer(rows, lineterminator=_END)
    writer.writerows([_defused(cell) for cell in line] if defused else line for line in lines)
    return "".join(rows)


class _Rows(list[str]):
    """Rows as the library writes them, whose ends become newlines.

    It quotes a cell for the characters of the end alone, and a return in a cell ends a row, too.
    """

    def write(self, row: str) -> None:
        self.append(f"{row.removesuffix(_END)}\n")


def _defused(cell: Any) -> Any:
    """Return a text that might be a formula with an apostrophe before it, all else as it is."""
    if not isinstance(cell, str) or _BEGINS.match(cell) is None:
        return cell
    if _NUMBER.fullmatch(cell) or _SIGNS.fullmatch(cell):
        return cell
    return f"'{cell}"
