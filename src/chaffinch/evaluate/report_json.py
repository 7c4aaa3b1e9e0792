"""A report as JSON with a line for each row: summaries are lists, whose names stand once above.

Version 0.1.0 wrote each summary as an object with an object for each figure; that is read, too.
"""

from __future__ import annotations

import json
from dataclasses import astuple, fields
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from chaffinch.evaluate.summaries import Figure, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.evaluate.provenance import Provenance
    from chaffinch.evaluate.report import SystemInfo

_FIELDS: Final = (
    "system", "corpus", "kind", "group", "pages", "domains", "empty", "errors",
    "ms_mean", "ms_median", "pages_per_second", "left_out",
)  # fmt: skip
_DIGITS: Final = 5

_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "float | None": (int, float, NoneType),
    "Mapping[str, int]": (dict,),
    "Mapping[str, Figure]": (dict,),
}
"""Type of a field, as the classes of a report declare it → what JSON has for it."""

Read = TypeVar("Read", "Figure", "Provenance", "Summary", "SystemInfo")


def to_json(about: dict[str, Any], systems: list[dict[str, Any]], rows: Sequence[Summary]) -> str:
    """Return a report as JSON; floats with 5 digits.

    A figure is a number, or [value, low, high] where it has an interval, or null.
    """
    figures = list(dict.fromkeys(name for one in rows for name in one.figures))
    listed = [
        [getattr(one, name) for name in _FIELDS]
        + [_cell(one.figures.get(name)) for name in figures]
        for one in rows
    ]
    parts = {
        "about": _dumped(about),
        "systems": _lines(systems),
        "columns": _dumped([*_FIELDS, *figures]),
        "summaries": _lines(listed),
    }
    return "{" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "}\n"


def read_summaries(data: dict[str, Any]) -> tuple[Summary, ...]:
    """Return the summaries of a report's JSON.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: it isn't such a report.
    """
    if "columns" not in data:
        return tuple(_of_object(one) for one in data["summaries"])
    return tuple(_of_row(data["columns"], row) for row in data["summaries"])


def require_fields(made: Read) -> Read:
    """Return what was made of saved values, checked to have the types that its class declares.

    Raises:
        TypeError: a field hasn't.
    """
    for field in fields(made):
        value = getattr(made, field.name)
        if not isinstance(value, _TYPES[str(field.type)]) or isinstance(value, bool):
            raise TypeError(f"{field.name} can't be {value!r:.80}")
    return made


def _of_object(one: dict[str, Any]) -> Summary:
    figures = {name: require_fields(Figure(**f)) for name, f in one["figures"].items()}
    return require_fields(Summary(**{**one, "figures": figures}))


def _of_row(columns: list[str], row: list[Any]) -> Summary:
    named = dict(zip(columns, row, strict=True))
    # Reports of version 0.1.0 have no pages that were left out.
    facts = {name: named.pop(name) for name in _FIELDS if name in named}
    figures = {
        name: require_fields(Figure(*cell) if isinstance(cell, list) else Figure(cell))
        for name, cell in named.items()
        if cell is not None
    }
    return require_fields(Summary(**facts, figures=figures))


def _cell(figure: Figure | None) -> list[float] | float | None:
    if figure is None:
        return None
    return figure.value if figure.low is None else list(astuple(figure))


def _lines(rows: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(map(_dumped, rows)) + "\n]"


def _dumped(value: Any) -> str:
    return json.dumps(_rounded(value), ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return value
