"""Dataclasses as JSON, and as plain values for it, without the copies of `dataclasses.asdict`.

A record with all parts has hundreds of thousands of strings and numbers; to have each one copied
took a third of the time of its JSON. A field that is marked as optional is left out where it is
None.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
    if kind is not dict:
        if not _form(kind).names:
            return value
        value = _named(value)
    return {name: one if type(one) in _ATOMS else plain_values(one) for name, one in value.items()}


def json_text(value: Any) -> str:
    """Return what `plain_values` makes of a value as JSON, Unicode kept as it is.

    Dataclasses are written as they are met, so that only one stands twice at a time.
    """
    return _ENCODER.encode(value)


class _Form(NamedTuple):
    """How the values of a kind of dataclass are got at; without names for anything else."""

    names: tuple[str, ...]
    values_of: Callable[[Any], tuple[Any, ...]]
    optional: tuple[str, ...]


@cache
def _form(kind: type) -> _Form:
    known = fields(kind) if is_dataclass(kind) else ()
    names = tuple(one.name for one in known)
    optional = tuple(one.name for one in known if one.metadata.get("optional"))
    if len(names) > 1:
        return _Form(names, attrgetter(*names), optional)
    return _Form(names, lambda value: tuple(getattr(value, name) for name in names), optional)


def _named(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by their names.

    Raises:
        TypeError: it is none.
    """
    kind: Any = type(value)
    names, values_of, optional = _form(kind)
    if not names:
        raise TypeError(f"no form in JSON for {kind.__name__}")
    named = dict(zip(names, values_of(value), strict=True))
    for name in optional:
        if named[name] is None:
            del named[name]
    return named


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=_named)
