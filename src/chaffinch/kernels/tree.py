"""The walk over the parser's tree: in C, by functions that the parser's library exports.

Where those aren't to be had, and where a page has something rare, it goes node by node in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

import numpy as np

from chaffinch.errors import PageError
from chaffinch.kernels.compiled import native
from chaffinch.page_work import check_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chaffinch.kernels.arrays import Codes, Depths, Kinds, Pairs, Rows

PLAIN, OPAQUE, SCRIPT, TEMPLATE, UNKNOWN = range(5)
"""What an element is to the walk: read with all below it; alone; alone but for its source, where
that holds data; alone but where it is a shadow root; under its own name."""
TEXT_ID: Final = 2
"""The parser's id of a text."""
_TEXT: Final = 0  # our code of one

_SAMPLE_ROWS: Final = 1_000
_SAMPLE_DEPTH: Final = 4
_MOST_STYLE: Final = 1 << 12  # bytes of a style sheet that is kept
_TELLING: Final = (
    "none", "hidden", "opacity", "-9", "-100", "-200", "-300", "-500", "-800", "clip", "font-size",
    "transparent", "scale(", "block", "column", "pre-line", "pre-wrap",
)  # fmt: skip
_LAST_SPECIAL: Final = 5  # end of file, document, comment, doctype
_ROWS_BETWEEN_CHECKS: Final = 2048  # two milliseconds of work
_OTHER_ID: Final = 255  # the parser's own table ends below; tags it doesn't know lie far above


@dataclass(frozen=True, eq=False)
class Parser:
    """What is known of the parser.

    Attributes:
        code_of: uint16[256], the parser's id of a tag → our code; the last is all others'.
        kinds: uint8[256], the parser's id → what the element is, `PLAIN` to `UNKNOWN`.
        codes: name of a tag → our code.
        marks: words of which a script whose source is kept holds one, parted by spaces.
        library: path of the library that exports the parser's functions.
        sample: makes the root of a small tree, by which it is checked whether they are as known.
    """

    code_of: Codes
    kinds: Kinds
    codes: Mapping[str, int]
    marks: str
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


def assemble(tag: Codes, parents: Sequence[int], texts: Sequence[str], **others: Any) -> Walked:
    """Return the columns of a page from what a walk in document order collected.

    Args:
        tag: uint16[n], codes of the tags.
        parents: row of each one's parent; -1 for the root alone.
        texts: verbatim text of each text row, in order.
        **others: the other fields of `Walked`: names, sources and attributes, each by row.
    """
    count = len(tag)
    end, depth = list(range(1, count + 1)), [0] * count
    for row in range(1, count):
        depth[row] = depth[parents[row]] + 1
    for row in range(count - 1, 0, -1):
        end[parents[row]] = max(end[parents[row]], end[row])
    text_at = np.zeros(count + 1, dtype=np.int32)
    text_at[1:][tag == _TEXT] = [*map(len, texts)]
    return Walked(
        tag=tag,
        parent=np.array(parents, dtype=np.int32),
        depth=np.array(depth, dtype=np.int16),
        end=np.array(end, dtype=np.int32),
        text="".join(texts),
        text_at=np.add.accumulate(text_at, out=text_at),
        **others,
    )


def walk(root: Any, parser: Parser, most_rows: int, most_depth: int) -> Walked:
    """Return the columns of a page; what is deeper than ``most_depth`` becomes siblings there."""
    walked = None if walk_hindrance(parser) else _walk_in_c(root, parser, most_rows, most_depth)
    return walked or walk_in_python(root, parser, most_rows, most_depth)


@cache
def walk_hindrance(parser: Parser) -> str:
    """Return why the walk isn't the one in C; "" where it is.

    The functions are those of whatever version of the parser is installed: a sample is read both
    ways and compared.
    """
    if not native.bind(parser.library):
        return "the parser's library lacks functions that the walk calls"
    sample = parser.sample(), parser, _SAMPLE_ROWS, _SAMPLE_DEPTH
    walked, plain = _walk_in_c(*sample), walk_in_python(*sample)
    if walked is None or not _same(walked, plain):
        return "a sample comes out different by the parser's own functions"
    return ""


def _walk_in_c(root: Any, parser: Parser, most_rows: int, most_depth: int) -> Walked | None:
    """Return the columns of a page; None where the tree is unusual, or too large."""
    known = parser.code_of, parser.kinds, parser.codes, parser.marks
    columns = native.walk(root.mem_id, *known, most_rows, most_depth)
    if columns is None:
        return None
    tag, parent, depth, end, text, text_at, *others = columns
    rows = (np.frombuffer(one, np.int32) for one in (parent, end, text_at))
    return Walked(
        np.frombuffer(tag, np.uint16), next(rows), np.frombuffer(depth, np.int16), next(rows),
        text, next(rows), *others,
    )  # fmt: skip


def _same(walked: Walked, plain: Walked) -> bool:
    starts, _, numbers, ends, valueless, values, number_of = walked.attributes
    given = starts, numbers, ends, valueless, values, tuple(cast("dict[str, int]", number_of))
    own = ((row, native.pairs(*given, row)) for row in range(len(walked.tag)))
    columns: Any = zip(walked[:-1], plain[:-1], strict=True)
    return {row: pairs for row, pairs in own if pairs} == plain.attributes and all(
        np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
        for one, other in columns
    )


def walk_in_python(root: Any, parser: Parser, most_rows: int, most_depth: int) -> Walked:
    """Return the same, through the parser's own Python objects."""
    return _Walk(parser, most_rows).columns(root, most_depth)


class _Walk:
    """One walk in document order, filling plain lists."""

    def __init__(self, parser: Parser, most_rows: int) -> None:
        self.parser = parser
        self.kinds = parser.kinds.tolist()
        self.most_rows = most_rows
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}

    def columns(self, root: Any, most_depth: int) -> Walked:
        ids, parents, texts, attributes = self._walk(root, most_depth)
        tag = self.parser.code_of.take(np.frombuffer(ids, dtype=np.uint8))
        for row in [row for row, name in self.names.items() if name in self.parser.codes]:
            tag[row] = self.parser.codes[self.names.pop(row)]
        own = {"names": self.names, "sources": self.sources, "attributes": attributes}
        return assemble(tag, parents, texts, **own)

    def _walk(self, node: Any, most_depth: int) -> tuple[Any, ...]:
        """Return tag ids and parents by row, texts, attributes.

        One loop along first children and next siblings. Below the depth limit, elements become
        siblings.
        """
        ids, parents, texts = bytearray(), list[int](), list[str]()
        attributes: dict[int, dict[str, str | None]] = {}
        above: list[tuple[Any, int]] = []
        parent = -1
        while True:
            tag, following, row = node.tag_id, node.next, len(ids)
            if tag == TEXT_ID or tag > _LAST_SPECIAL:
                self._check(row)
                ids.append(min(tag, _OTHER_ID))
                parents.append(parent)
            if tag == TEXT_ID:
                texts.append(node.text_content)
            elif tag > _LAST_SPECIAL:
                if own := node.attributes:
                    attributes[row] = own
                if (child := self._inner(node, tag, own, row)) is not None:
                    above.append((following, parent))
                    parent = row if len(above) <= most_depth else parent
                    node = child
                    continue
            while following is None:
                if not above:
                    return ids, parents, texts, attributes
                following, parent = above.pop()
            node = following

    def _check(self, row: int) -> None:
        """Check the number of rows, and now and then the time."""
        if row % _ROWS_BETWEEN_CHECKS == 0:
            check_time()
        if row >= self.most_rows:
            raise PageError(f"more than {self.most_rows:,} rows")

    def _inner(self, node: Any, tag: int, own: dict[str, str | None], row: int) -> Any:
        """Note the name or source of an unusual element; return its first child to walk or None."""
        kind = self.kinds[tag] if tag < _OTHER_ID else UNKNOWN
        if kind == PLAIN:
            return node.first_child
        if kind == UNKNOWN:
            self.names[row] = node.tag.lower()
            return node.first_child
        if kind == TEMPLATE and "shadowrootmode" in own:
            fragments = node.template_fragments()  # none in svg, where it is no template
            return fragments[0].first_child if fragments else None
        if kind == SCRIPT and (first := node.first_child) is not None:
            type_of = (own.get("type") or "").lower()
            source = first.text_content or ""
            if node.tag == "style":
                if len(source.encode()) <= _MOST_STYLE and any(word in source for word in _TELLING):
                    self.sources[row] = source
            elif (
                "json" in type_of
                or "math/tex" in type_of
                or any(mark in source for mark in self.parser.marks.split())
            ):
                self.sources[row] = source
        return None
