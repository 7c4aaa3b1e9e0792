"""Dataclasses as plain values for JSON, without the copies that `dataclasses.asdict` makes.

A record with all parts has hundreds of thousands of strings and numbers; to have each one copied
took a third of the time of its JSON.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ATOMS: Final = frozenset({str, int, float, bool, type(None)})


def plain_values(value: Any) -> Any:
    """Return a value with dataclasses as dictionaries of their fields, however deep they stand.

    Args:
        value: dataclasses, lists, tuples and dictionaries of them, and what JSON has besides.
    """
    kind: Any = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple and _ATOMS.issuperset(map(type, value)):
        return value
    if kind is list or kind is tuple:
        return kind([one if type(one) in _ATOMS else plain_values(one) for one in value])
    if kind is dict:
        named = value.items()
    else:
        names, values_of = _fields(kind)
        if not names:
            return value
        named = zip(names, values_of(value), strict=True)
    return {name: one if type(one) in _ATOMS else plain_values(one) for name, one in named}


@cache
def _fields(kind: type) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """Return the names of a dataclass's fields, and what gets all values; no names for others."""
    names = tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda value: tuple(getattr(value, name) for name in names)
