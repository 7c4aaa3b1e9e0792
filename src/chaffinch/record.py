"""The record of one page as JSON: its fields, its values, and the JSON schema made from its types.

A change that breaks readers (a field removed, or with another meaning) needs a new `VERSION`; an
added field doesn't. Values are written without the copies of `dataclasses.asdict`: a record with
all parts has hundreds of thousands of strings and numbers, whose copies took a third of the time.
"""

import json
import re
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from chaffinch.assessment.assessment import Assessment
from chaffinch.elements.listed import CodeBlock, Embed, Formula, Image
from chaffinch.lists.discussion import Post
from chaffinch.lists.entry_fields import Entry
from chaffinch.metadata import FieldValue
from chaffinch.output.table_forms import Table
from chaffinch.reading.blocks import Block
from chaffinch.reading.reader import Chunk, OutlineEntry
from chaffinch.verdict import ArticlePart

VERSION: Final = 2


class TableValues(TypedDict):
    """A table or definition list of the content."""

    kind: Annotated[
        Literal["table", "grid", "definition list"], "grid is a table made of other elements"
    ]
    caption: Annotated[str, "its caption; empty if it has none"]
    row: Annotated[int, "its row on the page"]
    headers: Annotated[int, "lines at the top that name the columns"]
    names: Annotated[list[str], "names of the columns, all different"]
    cells: Annotated[
        list[list[str]], "the text at each place, header lines included; spans have it in each"
    ]
    records: Annotated[
        list[dict[str, str]], "a line each, by names; of keys and values one record of all"
    ]


class MadeBy(TypedDict):
    """What made a record; its settings aside, two of the same have the same content for a page."""

    version: Annotated[str, "version of Chaffinch"]
    weights: Annotated[
        str | None,
        "digest of the learned weights that found the content; null where none did",
    ]


class PageRecord(TypedDict):
    """What was extracted from one page; rows are rows of the page's table, see architecture.md."""

    version: Annotated[Literal[2], "version of this schema"]
    url: Annotated[str | None, "address of the page; null if unknown"]
    file: NotRequired[
        Annotated[
            str,
            "what the command line read it from: a file, the address of a fetched page, or -",
        ]
    ]
    member: NotRequired[Annotated[str, "its name there, within an archive of files; else empty"]]
    offset: NotRequired[
        Annotated[int, "where it begins there: byte of an archive, line or row of a table, from 0"]
    ]
    title: Annotated[str | None, "title of what the page is about, without the site's name"]
    authors: Annotated[list[str] | None, "names of the authors, in the page's order"]
    published: Annotated[str | None, "when it was published: ISO 8601, a date or a time"]
    site_name: Annotated[str | None, "name of the site"]
    description: Annotated[str | None, "the page's own description"]
    language: Annotated[str | None, "primary subtag of BCP 47, such as en or zh"]
    text: Annotated[str, "the content as plain text, a line a block; empty for no content"]
    markdown: Annotated[str, "the content as Markdown (CommonMark with GFM tables)"]
    method: Annotated[str, "name of the method that found it"]
    made_by: Annotated[MadeBy, "what made this record"]
    page_type: Annotated[str | None, "kind of page that the method takes it for; null for none"]
    confidence: Annotated[
        float | None,
        "word F1 that the method expects of the text, 0..1; null where it expects none",
    ]
    source: Annotated[
        str | None, "where in the page's data the content is; null where it is in its rows"
    ]
    notes: Annotated[
        dict[str, Any], "what else the method found: the fields of its notes; empty for nothing"
    ]
    encoding: Annotated[str | None, "encoding of the page's bytes; null if it was given as text"]
    article_parts: NotRequired[
        Annotated[list[ArticlePart], "the pages that an article in parts was joined of, in order"]
    ]
    fields: NotRequired[
        Annotated[
            dict[str, FieldValue[str]],
            "fields of one's own by their labels, each with where it came from",
        ]
    ]
    metadata: NotRequired[
        Annotated[
            dict[str, FieldValue[Any] | None],
            "every field of metadata with where it came from; the value of product has fields of "
            "its own, each in this form",
        ]
    ]
    outline: NotRequired[
        Annotated[list[OutlineEntry], "the headings of the content, and the sizes below them"]
    ]
    assessment: NotRequired[
        Annotated[Assessment, "whether the page is content, or a wall or an error in its place"]
    ]
    blocks: NotRequired[Annotated[list[Block], "where on the page each block of the text is from"]]
    chunks: NotRequired[Annotated[list[Chunk], "the content cut along its headings"]]
    html: NotRequired[Annotated[str, "the content as clean HTML"]]
    images: NotRequired[Annotated[list[Image], "the images of the content, in order"]]
    tables: NotRequired[Annotated[list[TableValues], "the tables of the content, in order"]]
    code_blocks: NotRequired[Annotated[list[CodeBlock], "the blocks of code, in order"]]
    formulas: NotRequired[Annotated[list[Formula], "the formulas of the content, in order"]]
    embeds: NotRequired[
        Annotated[list[Embed], "the videos, sounds and frames of the content, in order"]
    ]
    posts: NotRequired[Annotated[list[Post], "the posts of the page's discussion, kept or not"]]
    comments: NotRequired[
        Annotated[list[Post], "those of the posts that readers wrote below the text, in order"]
    ]
    records: NotRequired[Annotated[list[Entry], "the entries of the page's lists, in order"]]


def table_values(table: Table) -> TableValues:
    return {
        "kind": table.kind,
        "caption": table.caption,
        "row": table.row,
        "headers": table.headers,
        "names": table.names,
        "cells": table.texts,
        "records": table.records(),
    }


def plain_values(value: Any) -> Any:
    """Return a value with dataclasses as dictionaries of their fields, however deep they stand."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, list):
        return [plain_values(one) for one in value]
    if isinstance(value, tuple):
        return tuple([plain_values(one) for one in value])
    named = value if isinstance(value, dict) else _named(value)
    return {name: plain_values(one) for name, one in named.items()}


def json_text(value: Any, indent: int | None = None) -> str:
    """Return what `plain_values` makes of a value as JSON, Unicode kept as it is.

    Dataclasses are written as they are met, so that only one stands twice at a time.
    """
    return json.dumps(
        value, ensure_ascii=False, check_circular=False, default=_named, indent=indent
    )


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    if not is_dataclass(kind):
        raise TypeError(f"no form in JSON for {kind.__name__}")
    return tuple(one.name for one in fields(kind))


def _named(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by their names."""
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _fields_of(kind)}


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
    if kind is Any or isinstance(kind, TypeVar):
        return {}
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    origin = get_origin(kind) or kind
    if is_typeddict(origin) or is_dataclass(origin):
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
