"""A comparison as text: figures, agreement, and the blocks that methods dispute."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from chaffinch.comparison.text_table import CellValue, as_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.comparison.compared_columns import ComparedColumns
    from chaffinch.comparison.method_column import MethodColumn

_HEAD = 200  # characters of a block's text that passed to the table, which cuts them to its width


def as_text(comparison: ComparedColumns, *, limit: int | None) -> str:
    """Return the comparison as text; see `chaffinch.Comparison.table`."""
    parts = [_figures(comparison), _agreement(comparison)]
    parts += [f"left out: {name}: {why}" for name, why in comparison.left_out.items()]
    parts.append(_disputes(comparison, comparison.disputed[:limit]))
    return "\n\n".join(part for part in parts if part) + "\n"


def letters(count: int) -> list[str]:
    """Return ``count`` short names: A to Z, then A1 and so on."""
    turns = range(count // len(ascii_uppercase) + 1)
    return [f"{letter}{turn or ''}" for turn in turns for letter in ascii_uppercase][:count]


def _figures(comparison: ComparedColumns) -> str:
    page, blocks = comparison.page, comparison.blocks
    counts = f"{len(page)} rows, {page.own_length.sum()} characters, {len(blocks)} text blocks"
    if comparison.siblings:
        counts += f"; siblings: {comparison.siblings}"
    names = ["", "method", "rows", "characters", "share", "blocks", "ms"]
    rows: list[list[CellValue]] = [
        [
            letter,
            column.name,
            column.rows,
            column.length,
            column.share,
            int(column.keep.sum()),
            column.milliseconds,
        ]
        for letter, column in _lettered(comparison)
    ]
    notes = [
        f"{letter} {name}: {note}"
        for letter, column in _lettered(comparison)
        for name, note in column.remarks.items()
    ]
    return "\n".join([counts, "", as_table(names, rows), *([""] if notes else []), *notes])


def _agreement(comparison: ComparedColumns) -> str:
    """Return the table of agreement; nothing for a single method."""
    columns = _lettered(comparison)
    if len(columns) < 2:  # noqa: PLR2004 - it takes two
        return ""
    rows: list[list[CellValue]] = [
        [letter, column.name, *line]
        for (letter, column), line in zip(columns, comparison.agreement.tolist(), strict=True)
    ]
    names = ["", "agreement", *(letter for letter, _ in columns)]
    return as_table(names, rows)


def _disputes(comparison: ComparedColumns, numbers: Sequence[int]) -> str:
    """Return the table of some blocks, a column a method, and a legend of the reasons."""
    if len(comparison.columns) < 2:  # noqa: PLR2004 - it takes two
        return ""
    blocks, columns = comparison.blocks, _lettered(comparison)
    length = int(blocks.length[comparison.disputed].sum())
    heading = f"disputed: {len(comparison.disputed)} blocks, {length} characters"
    if not numbers:
        return heading
    if len(numbers) < len(comparison.disputed):
        heading += f"; the longest {len(numbers)}:"
    reasons = {
        letter: list(dict.fromkeys(column.reasons[number] for number in numbers))
        for letter, column in columns
    }
    rows: list[list[CellValue]] = [
        [
            int(blocks.length[number]),
            blocks.text(number)[:_HEAD],
            *(_verdict(column, number, reasons[letter]) for letter, column in columns),
        ]
        for number in numbers
    ]
    legend = [
        f"{letter}{number} {reason}"
        for letter, names_of_reasons in reasons.items()
        for number, reason in enumerate(names_of_reasons, 1)
    ]
    names = ["characters", "text", *(letter for letter, _ in columns)]
    return "\n".join([heading, "", as_table(names, rows), "", *legend])


def _verdict(column: MethodColumn, number: int, reasons: Sequence[str]) -> str:
    state = {"kept": "kept", "partly kept": "part"}.get(column.state(number), "drop")
    return f"{state} {reasons.index(column.reasons[number]) + 1}"


def _lettered(comparison: ComparedColumns) -> list[tuple[str, MethodColumn]]:
    columns = comparison.columns
    return list(zip(letters(len(columns)), columns, strict=True))
