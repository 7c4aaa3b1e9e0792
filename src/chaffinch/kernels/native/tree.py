"""The walk over the parser's tree by the parser's own functions; see `plain.walk`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.kernels import _native
from chaffinch.kernels.parser_tree import Walked
from chaffinch.kernels.plain import attributes as plain_attributes
from chaffinch.kernels.plain.walk import walk as plain_walk

if TYPE_CHECKING:
    from chaffinch.kernels.parser_tree import Parser

_SAMPLE_ROWS: Final = 1_000
_SAMPLE_DEPTH: Final = 4


def walk(root: Any, parser: Parser, most_rows: int, most_depth: int, /) -> Walked:
    walked = None
    if not walk_hindrance(parser):
        walked = _walked(root, parser, most_rows, most_depth)
    return plain_walk(root, parser, most_rows, most_depth) if walked is None else walked


@cache
def walk_hindrance(parser: Parser, /) -> str:
    """Return why the walk isn't this one; "" where it is.

    The functions are those of whatever version of the parser is installed: a sample is read both
    ways and compared.
    """
    if not _native.bind(parser.library):
        return "the parser's library lacks functions that the walk calls"
    root = parser.sample()
    native = _walked(root, parser, _SAMPLE_ROWS, _SAMPLE_DEPTH)
    plain = plain_walk(root, parser, _SAMPLE_ROWS, _SAMPLE_DEPTH)
    if native is None or not _same(native, plain):
        return "a sample comes out different by the parser's own functions"
    return ""


def _walked(root: Any, parser: Parser, most_rows: int, most_depth: int) -> Walked | None:
    """Return the columns of a page; None where the tree is unusual, or too large."""
    tables = parser.code_of.tobytes(), parser.kinds.tobytes(), parser.codes, parser.mark
    columns = _native.walk(root.mem_id, *tables, most_rows, most_depth)
    if columns is None:
        return None
    tag, parent, depth, end, text, text_at, names, sources, attributes = columns
    return Walked(
        np.frombuffer(tag, np.uint16),
        np.frombuffer(parent, np.int32),
        np.frombuffer(depth, np.int16),
        np.frombuffer(end, np.int32),
        text,
        np.frombuffer(text_at, np.int32),
        names,
        sources,
        attributes,
    )


def _same(native: Walked, plain: Walked) -> bool:
    if isinstance(native.attributes, dict):
        return False
    starts, _, numbers, ends, valueless, values, number_of = native.attributes
    by_row = plain_attributes.all_pairs(starts, numbers, ends, valueless, values, tuple(number_of))
    pairs = zip(native[:-1], plain[:-1], strict=True)
    return by_row == plain.attributes and all(_listed(a) == _listed(b) for a, b in pairs)


def _listed(column: Any) -> Any:
    return column.tolist() if isinstance(column, np.ndarray) else column
