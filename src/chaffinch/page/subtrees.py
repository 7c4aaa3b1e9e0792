"""What follows from a page's columns for each row and its subtree: sums, ancestry, text, hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.page import hashing, paths, tags
from chaffinch.page.arrays import frozen
from chaffinch.page.inline_style import keeps_breaks, shows_as_block
from chaffinch.page.lengths import LINE_KINDS
from chaffinch.page.page_columns import NO_ROW
from chaffinch.page.row_attributes import RowAttributes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.kernels.plain.lengths import TextColumns
    from chaffinch.page.arrays import Hashes, Mask, Rows

_LINKS: Final = tags.table(["a"])
_OF_TEXT: Final = ("shown", "in_link", "written", "line_by_tags", "own_length", "written_before")
"""The columns that one kernel makes, in the order in which it returns them."""


class Subtrees(RowAttributes):
    """The columns of a page, with those that follow from them, each made on first use."""

    # Sums and ancestry

    @cached_property
    def size(self) -> Rows:
        """int32[n]: rows of each subtree, the row itself included."""
        size: Rows = np.subtract(self.end, np.arange(len(self)), dtype=np.int32)
        return frozen(size)

    def total(self, own: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of ``own`` (any number or bool [n]) over each row's subtree.

        Booleans count as int32; integers sum as int64, floats as float64.
        """
        return kernels.total(self.end, self._fitting(own))

    def inside(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their descendants."""
        return kernels.inside(self.end, self._fitting(rows))

    def around(self, rows: Mask) -> Mask:
        """Return bool[n]: the marked rows and all their ancestors."""
        return kernels.around(self.end, self._fitting(rows))

    def children(self, row: int) -> list[int]:
        """Return the rows of the children of ``row``, in order."""
        try:
            out, child, stop = [], row + 1, int(self.end[row])
        except NO_ROW as error:
            raise self._no_row(row) from error
        end = self.end.item
        while child < stop:
            out.append(child)
            child = end(child)
        return out

    def ancestors(self, row: int) -> Iterator[int]:
        """Yield the ancestors of ``row``, from its parent to the root."""
        try:
            above = int(self.parent[row])
        except NO_ROW as error:
            raise self._no_row(row) from error
        while above >= 0:
            yield above
            above = int(self.parent[above])

    def siblings(self, row: int) -> list[int]:
        """Return the children of the parent of ``row``, itself included."""
        row = self._row(row)
        return self.children(int(self.parent[row])) if row else [0]

    def tag_path(self, row: int) -> str:
        """Return the tag path of ``row``, such as ``html/body/div/p``."""
        return "/".join(self.name(r) for r in [self._row(row), *self.ancestors(row)][::-1])

    @cached_property
    def index(self) -> Rows:
        """int32[n]: position of each row among its parent's children, from 0."""
        return frozen(paths.positions(self.parent, None))

    @cached_property
    def index_of_type(self) -> Rows:
        """int32[n]: position of each row among its parent's children with the same tag, from 0."""
        return frozen(paths.positions(self.parent, self.symbols))

    @cached_property
    def body(self) -> int:
        """Row of the body, or of the root where there is none (frameset); -1 on an empty page."""
        rows = self.is_tag("body").nonzero()[0]
        return int(rows[0]) if len(rows) else min(len(self), 1) - 1

    # Text and its lengths

    @cached_property
    def shown(self) -> Mask:
        """bool[n]: rows that aren't in head, template or the like, so that a browser shows them.

        Hiding by style isn't considered.
        """
        return self._text_columns.shown

    @cached_property
    def line(self) -> Rows:
        """int32[n]: number of the line (run of inline content) each row belongs to.

        Lines start and end at block elements, by their tag or by inline style.
        """
        if "style" not in self.attribute_names:
            return self.line_by_tags
        rows = np.array(self.rows_where("style", shows_as_block, "display"), dtype=np.intp)
        rows = rows[~tags.BLOCK[self.tag[rows]]]
        if not len(rows):
            return self.line_by_tags
        edges = np.zeros(len(self) + 1, dtype=np.int32)
        edges[rows] = edges[self.end[rows]] = 1
        return frozen(self.line_by_tags + np.add.accumulate(edges[:-1], dtype=np.int32))

    @cached_property
    def breaks_kept(self) -> Mask | None:
        """bool[n]: rows whose line breaks are shown by inline style; None where none are.

        Whatever their tags: preformatted elements aren't among them for that.
        """
        if "style" not in self.attribute_names:
            return None
        values = self.rows_where("style", lambda own: keeps_breaks(own) is not None, "white-space")
        if not values:
            return None
        kept = np.zeros(len(self), dtype=bool)
        for row in sorted(values):  # an element within another has the last word
            kept[row : self.end[row]] = keeps_breaks(self.attribute(row, "style") or "")
        return frozen(kept) if kept.any() else None

    @cached_property
    def line_by_tags(self) -> Rows:
        """int32[n]: the same by tags alone, as blocks were cut for all that is learned."""
        return self._text_columns.line

    @cached_property
    def own_length(self) -> Rows:
        """int32[n]: characters of the row's own shown text, white space folded; 0 for elements."""
        return self._text_columns.own

    @cached_property
    def written_before(self) -> NDArray[np.intp]:
        """intp[n+1]: characters that aren't white space before each row's own text."""
        return self._text_columns.before

    @cached_property
    def written(self) -> Mask:
        """bool[n]: rows whose own text holds something other than white space."""
        return self._text_columns.written

    @property
    def _text_columns(self) -> TextColumns:
        """What follows from tags and text, made at once: all are found in ``__dict__`` from now on.

        Made by whichever of them is read first.
        """
        made = kernels.text_columns(
            self.tag, self.end, self.text, self.text_at, LINE_KINDS, tags.INVISIBLE, _LINKS
        )
        for column in made:
            column.setflags(write=False)
        vars(self).update(zip(_OF_TEXT, made, strict=True))
        return made

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text of each subtree, white space folded."""
        return frozen(self.total(self.own_length))

    @cached_property
    def in_link(self) -> Mask:
        """bool[n]: links (a) and all that stands in them."""
        return self._text_columns.in_link

    @cached_property
    def link_length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text in links, of each subtree."""
        return frozen(self.total(np.where(self.in_link, self.own_length, 0)))

    def text_of(self, row: int) -> str:
        """Return the verbatim text of the subtree of ``row``."""
        try:
            return self.text[self.text_at[row] : self.text_at[self.end[row]]]
        except NO_ROW as error:
            raise self._no_row(row) from error

    def folded(self, row: int) -> str:
        """Return the text of the subtree of ``row``, white-space runs folded to one space."""
        return " ".join(self.text_of(row).split())

    # Hashes

    @cached_property
    def shape_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags and shape."""
        return frozen(hashing.subtree_hashes(self.symbols, self.depth, self.end))

    @cached_property
    def attribute_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags, shape and attributes."""
        symbols = self.symbols ^ hashing.mix(self._own_attributes)
        return frozen(hashing.subtree_hashes(symbols, self.depth, self.end))

    @cached_property
    def content_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags, shape, attributes and verbatim text."""
        symbols = self.symbols ^ hashing.mix(self._own_attributes) ^ self._own_texts
        return frozen(hashing.subtree_hashes(symbols, self.depth, self.end))

    @cached_property
    def path_hash(self) -> Hashes:
        """uint64[n]: hash of the tag path from the root to each row (no positions)."""
        return frozen(hashing.path_hashes(self.symbols, self.depth, self.end))

    @cached_property
    def _own_attributes(self) -> Hashes:
        return frozen(hashing.hash_attributes(self._attributes.by_row, len(self)))

    @cached_property
    def _own_texts(self) -> Hashes:
        return frozen(hashing.hash_texts(self.text, self.text_at))
