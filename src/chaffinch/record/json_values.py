"""Dataclasses as plain values for JSON, without the copies that `dataclasses.asdict` makes.

A record with all parts has hundreds of thousands of strings and numbers; to have each one copied
took a third of the time of its JSON.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final

_ATOMS: Final = frozenset({str, int, float, bool, type(None)})


def plain_values(value: Any) -> Any:
    """Return a value with dataclasses as dictionaries of their fields, however deep they stand.

    Args:
        value: dataclasses, lists, tuples and dictionaries of them, and what JSON has besides.
    """
    kind: Any = type(value)
    if kind in _ATOMS:
        return value
    if kind is list or kind is tuple:
        return kind([one if type(one) in _ATOMS else plain_values(one) for one in value])
    if kind is dict:
        return {name: plain_values(one) for name, one in value.items()}
    if names := _names(kind):
        found = {name: getattr(value, name) for name in names}
        for name, one in found.items():
            if type(one) not in _ATOMS:
                found[name] = plain_values(one)
        return found
    return value


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none where it is no dataclass."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
