"""Tables for a terminal: aligned columns, wide characters counted as two cells."""

import unicodedata
from collections.abc import Sequence
from typing import Any, Final

WIDEST: Final = 60  # cells of a terminal that one column of the table takes at most


def as_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return an aligned table of texts, truth values and numbers, these to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    is_number = [
        bool(rows) and all(type(row[i]) in {int, float} for row in rows) for i in range(len(names))
    ]
    widths = [max(map(_width, column)) for column in zip(names, *cells, strict=True)]
    return "\n".join(
        "  ".join(
            _padded(cell, width, to_right=right)
            for cell, width, right in zip(line, widths, is_number, strict=True)
        ).rstrip()
        for line in (names, *cells)
    )


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else ""
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    text = "".join(c if c.isprintable() else " " for c in text)
    if _width(text) <= WIDEST:
        return text
    used, cut = 0, 0
    while used + _width(text[cut]) < WIDEST:
        used += _width(text[cut])
        cut += 1
    return text[:cut] + "…"


def _width(text: str) -> int:
    """Return the width of a text in a terminal's cells: two for each wide character."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _padded(cell: str, width: int, *, to_right: bool) -> str:
    space = " " * (width - _width(cell))
    return space + cell if to_right else cell + space
