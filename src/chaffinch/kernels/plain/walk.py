"""The walk over the parser's tree, node by node through the parser's own Python objects.

One of the two places here that know what HTML is; the other is `page_bytes`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import PageError
from chaffinch.kernels.parser_tree import PLAIN, SCRIPT, TEMPLATE, TEXT_ID, UNKNOWN, Walked
from chaffinch.page_work import check_time

if TYPE_CHECKING:
    from chaffinch.kernels.parser_tree import Parser

_MOST_STYLE: Final = 1 << 12  # bytes of a style sheet that is kept
_HIDING: Final = ("none", "hidden", "opacity", "-9", "clip", "font-size", "transparent", "scale(")
_LAST_SPECIAL: Final = 5  # end of file, document, comment, doctype
_ROWS_BETWEEN_CHECKS: Final = 2048  # two milliseconds of work
_OTHER_ID: Final = 255  # the parser's own table ends below; tags it doesn't know lie far above


def walk(root: Any, parser: Parser, most_rows: int, most_depth: int, /) -> Walked:
    """Return the columns of a page.

    Args:
        root: the root element of the parser's tree.
        parser: what is known of the parser.
        most_rows: bound on the rows of a page.
        most_depth: bound on depth; what is deeper is kept, as children of the row at the bound.

    Raises:
        PageError: the page has more than ``most_rows`` rows.
    """
    return _Walk(parser, most_rows).columns(root, most_depth)


def walk_hindrance(parser: Parser, /) -> str:
    """Return why the walk isn't the one in C; "" where it is."""
    del parser
    return "the kernels aren't native"


class _Walk:
    """One walk in document order, filling plain lists."""

    def __init__(self, parser: Parser, most_rows: int) -> None:
        self.parser = parser
        self.kinds = parser.kinds.tolist()
        self.most_rows = most_rows
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}

    def columns(self, root: Any, most_depth: int) -> Walked:
        ids, parents, depths, ends, texts, attributes = self._walk(root, most_depth)
        tag = self.parser.code_of.take(np.frombuffer(ids, dtype=np.uint8))
        for row in [row for row, name in self.names.items() if name in self.parser.codes]:
            tag[row] = self.parser.codes[self.names.pop(row)]
        count = len(tag)
        end = np.arange(1, count + 1, dtype=np.int32)
        end[np.fromiter(ends, np.intp, len(ends))] = np.fromiter(ends.values(), np.int32, len(ends))
        text_at = np.zeros(count + 1, dtype=np.int32)
        is_text = np.frombuffer(ids, dtype=np.uint8) == TEXT_ID
        text_at[1:][is_text] = np.fromiter(map(len, texts), np.int32, len(texts))
        np.add.accumulate(text_at, out=text_at)
        return Walked(
            tag,
            np.fromiter(parents, np.int32, count),
            np.fromiter(depths, np.int16, count),
            end,
            "".join(texts),
            text_at,
            self.names,
            self.sources,
            attributes,
        )

    def _walk(self, node: Any, most_depth: int) -> tuple[Any, ...]:  # noqa: C901, PLR0912  see below
        """Return tag ids, parents and depths by row, ends of rows with content, texts, attributes.

        One loop along first children and next siblings, kept whole for its speed: it takes most of
        the time between bytes and table. Below the depth limit, elements become siblings.
        """
        ids, parents, depths, texts = bytearray(), [], [], []  # type: ignore[var-annotated]
        ends: dict[int, int] = {}
        attributes: dict[int, dict[str, str | None]] = {}
        add_id, add_parent, add_depth, add_text = (
            ids.append, parents.append, depths.append, texts.append,
        )  # fmt: skip
        kinds = self.kinds
        above: list[tuple[Any, int]] = []
        row, parent, depth, bound = 0, -1, 0, 0
        while True:
            tag, following = node.tag_id, node.next
            if tag == TEXT_ID:
                add_id(TEXT_ID)
                add_parent(parent)
                add_depth(depth)
                add_text(node.text_content)
                row += 1
            elif tag > _LAST_SPECIAL:
                if own := node.attributes:
                    attributes[row] = own
                add_parent(parent)
                add_depth(depth)
                if tag < _OTHER_ID and kinds[tag] == PLAIN:
                    add_id(tag)
                    child = node.first_child
                else:
                    add_id(min(tag, _OTHER_ID))
                    child = self._inner(node, tag, own, row)
                row += 1
                if child is not None:
                    above.append((following, parent))
                    if len(above) <= most_depth:
                        parent = row - 1
                        depth += 1
                    node = child
                    continue
            while following is None:
                if not above:
                    return ids, parents, depths, ends, texts, attributes
                following, outer = above.pop()
                if row > parent + 1:
                    ends[parent] = row
                    if row > bound:
                        bound = self._next_bound(row)
                if outer != parent:
                    depth -= 1
                parent = outer
            node = following

    def _next_bound(self, row: int) -> int:
        """Check time and number of rows; return the row behind which they are checked again.

        Raises:
            PageError: the page has more than ``most_rows`` rows, or the time is over.
        """
        check_time()
        if row > self.most_rows:
            raise PageError(f"more than {self.most_rows:,} rows")
        return min(row + _ROWS_BETWEEN_CHECKS, self.most_rows)

    def _inner(self, node: Any, tag: int, own: dict[str, str | None], row: int) -> Any:
        """Note the name or source of an unusual element; return its first child to walk or None."""
        kind = self.kinds[tag] if tag < _OTHER_ID else UNKNOWN
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
                if len(source.encode()) <= _MOST_STYLE and any(word in source for word in _HIDING):
                    self.sources[row] = source
            elif "json" in type_of or "math/tex" in type_of or self.parser.mark in source:
                self.sources[row] = source
        return None
