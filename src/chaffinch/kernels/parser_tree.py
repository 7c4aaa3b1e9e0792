"""What a walk over a parser's tree takes, and the columns that it returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.kernels.arrays import Codes, Depths, Kinds, Pairs, Rows

PLAIN, OPAQUE, SCRIPT, TEMPLATE, UNKNOWN = range(5)
"""What an element is to the walk: read with all below it; alone; alone but for its source, where
that holds data; alone but where it is a shadow root; under its own name."""
TEXT_ID = 2
"""The parser's id of a text."""


@dataclass(frozen=True, eq=False)
class Parser:
    """What is known of the parser.

    Attributes:
        code_of: uint16[256], the parser's id of a tag → our code; the last is all others'.
        kinds: uint8[256], the parser's id → what the element is, `PLAIN` to `UNKNOWN`.
        codes: name of a tag → our code.
        mark: what a script holds whose source is kept.
        library: path of the library that exports the parser's functions.
        sample: makes the root of a small tree, by which it is checked whether they are as known.
    """

    code_of: Codes
    kinds: Kinds
    codes: Mapping[str, int]
    mark: str
    library: str
    sample: Callable[[], Any]


AttributeColumns: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes, dict[str, int]]


class Walked(NamedTuple):
    """The columns of a page, as `chaffinch.page.Page` has them.

    Attributes:
        attributes: in columns, the seven that `chaffinch.page.attributes.AttributeColumns` has, or
            row → attributes.
    """

    tag: Codes
    parent: Rows
    depth: Depths
    end: Rows
    text: str
    text_at: Rows
    names: dict[int, str]
    sources: dict[int, str]
    attributes: AttributeColumns | dict[int, Pairs]
