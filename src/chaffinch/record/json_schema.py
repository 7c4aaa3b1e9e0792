"""The JSON schema of a record (draft 2020-12), made from its types and their docstrings."""

from __future__ import annotations

import dataclasses
import re
import types
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from chaffinch.record.page_record import VERSION, PageRecord

if TYPE_CHECKING:
    from collections.abc import Callable

_NAMES: Final[dict[Any, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_ATTRIBUTE: Final = re.compile(r"^ {4,8}(\w+): (.+(?:\n {12,}.+)*)", re.MULTILINE)


def schema() -> dict[str, Any]:
    """Return the schema of the records that `Extract.to_dict` returns."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:chaffinch:record:{VERSION}",
        "title": "Record",
        **_of(PageRecord),
    }


def _of(kind: Any) -> dict[str, Any]:
    """Return the schema of a type."""
    if kind is Any or isinstance(kind, TypeVar):
        return {}
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    origin = get_origin(kind) or kind
    if is_typeddict(origin) or dataclasses.is_dataclass(origin):
        return _object(origin)
    return _FORMS[origin](get_args(kind))


def _tuple(arguments: tuple[Any, ...]) -> dict[str, Any]:
    if arguments[-1] is Ellipsis:
        return {"type": "array", "items": _of(arguments[0])}
    size = {"minItems": len(arguments), "maxItems": len(arguments)}
    return {"type": "array", "prefixItems": [_of(one) for one in arguments], **size}


def _either(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of a union, as a list of types where it has no other constraint."""
    if all(one.keys() == {"type"} for one in schemas):
        return {"type": [one["type"] for one in schemas]}
    return {"anyOf": schemas}


_FORMS: Final[dict[Any, Callable[[tuple[Any, ...]], dict[str, Any]]]] = {
    Annotated: lambda arguments: _of(arguments[0]) | {"description": arguments[1]},
    NotRequired: lambda arguments: _of(arguments[0]),
    Literal: lambda arguments: {"enum": list(arguments)},
    list: lambda arguments: {"type": "array", "items": _of(arguments[0])},
    dict: lambda arguments: {"type": "object", "additionalProperties": _of(arguments[1])},
    tuple: _tuple,
    Union: lambda arguments: _either([_of(one) for one in arguments]),
    types.UnionType: lambda arguments: _either([_of(one) for one in arguments]),
}
"""Generic type → function from its arguments to their schema."""


def _object(kind: type) -> dict[str, Any]:
    """Return the schema of a typed dict or a dataclass, its fields described by its docstring."""
    hints = get_type_hints(kind, include_extras=True)
    descriptions = {
        name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(kind.__doc__ or "")
    }
    required = getattr(kind, "__required_keys__", hints.keys())
    if dataclasses.is_dataclass(kind):
        optional = {one.name for one in dataclasses.fields(kind) if one.metadata.get("optional")}
        required = hints.keys() - optional
    properties = {
        name: _of(hint) | ({"description": descriptions[name]} if name in descriptions else {})
        for name, hint in hints.items()
    }
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": properties,
        "required": [name for name in hints if name in required],
        "additionalProperties": False,
    }
