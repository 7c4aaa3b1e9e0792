"""The page as a table: one row an element or text run, in document order; columns are arrays.

A page is flattened once and never changed. Columns that follow from others are made on first use.
Nothing here knows the parser (`parse`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch import kernels
from chaffinch.errors import require_text
from chaffinch.lazy import lazy_module
from chaffinch.page import hashing, paths, selectors, tags
from chaffinch.page.arrays import frozen
from chaffinch.page.head import Head, base_url, read_head, read_lang, title_row
from chaffinch.page.lengths import LINE_KINDS
from chaffinch.page.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import lxml_tree
    from chaffinch.page.arrays import Hashes, Mask, Rows
else:
    lxml_tree = lazy_module("chaffinch.page.lxml_tree")


@dataclass(frozen=True, eq=False, repr=False)
class Page(Table):
    """One page, flattened. ``n`` rows in pre-order; row 0 is the root element.

    Attributes:
        tag: uint16[n], code of the tag (`tags.NAMES`); 0 for a text run, 1 for an unknown tag.
        parent: int32[n], row of the parent; -1 for the root.
        depth: int16[n], 0 for the root, at most 512.
        end: int32[n], first row after the subtree.
        text: all text verbatim (entities decoded), one string.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        url: address of the page, if known; relative links are resolved against `base`.
        encoding: name of the encoding the bytes were in; None when given as str.
        names: row → name of a tag that the table of tags doesn't know.
        sources: row → source of a JSON or ``math/tex`` script.
        layout: float32[n, …] boxes and fonts, only of a page rendered by a browser.

    A page without any element has ``n`` = 0. Arrays are read-only. Pages can be pickled, and read
    from several threads.
    """

    @classmethod
    def from_lxml(cls, tree: Any, *, url: str | None = None) -> Page:
        """Return the page of an lxml tree or element that the caller already holds.

        The tree isn't changed. Its shape is lxml's, which is not always that of the HTML standard:
        prefer `parse` where the source is at hand.

        Raises:
            OptionError: it is something else, or an empty tree.
        """
        return lxml_tree.flatten(tree, url=url)

    # Text and its lengths

    @cached_property
    def shown(self) -> Mask:
        """bool[n]: rows that aren't in head, template or the like, so that a browser shows them.

        Hiding by style isn't looked at.
        """
        return frozen(~self.inside(tags.INVISIBLE.take(self.tag)))

    @cached_property
    def line(self) -> Rows:
        """int32[n]: number of the line (run of inline content) each row belongs to."""
        return frozen(kernels.line_ids(self.tag, self.end, LINE_KINDS))

    @cached_property
    def own_length(self) -> Rows:
        """int32[n]: characters of the row's own shown text, white space folded; 0 for elements."""
        return self._own_lengths[1]

    @cached_property
    def written_at(self) -> NDArray[np.intp]:
        """intp[w]: where in ``text`` the characters stand that aren't white space."""
        return frozen(kernels.written_places(self.text))

    @cached_property
    def written_before(self) -> NDArray[np.intp]:
        """intp[n+1]: how many of `written_at` stand before each row's own text."""
        return self._own_lengths[0]

    @cached_property
    def written(self) -> Mask:
        """bool[n]: rows whose own text holds something other than white space."""
        before = self.written_before
        return frozen(before[1:] > before[:-1])

    @cached_property
    def length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text of each subtree, white space folded."""
        return frozen(self.total(self.own_length))

    @cached_property
    def in_link(self) -> Mask:
        """bool[n]: links (a) and all that stands in them."""
        return frozen(self.inside(self.is_tag("a")))

    @cached_property
    def link_length(self) -> NDArray[np.int64]:
        """int64[n]: characters of shown text in links, of each subtree."""
        return frozen(self.total(np.where(self.in_link, self.own_length, 0)))

    def text_of(self, row: int) -> str:
        """Return the verbatim text of the subtree of ``row``."""
        try:
            return self.text[self.text_at[row] : self.text_at[self.end[row]]]
        except (TypeError, IndexError, ValueError) as error:
            raise self._no_row(row) from error

    def folded(self, row: int) -> str:
        """Return the text of the subtree of ``row``, white-space runs folded to one space."""
        return " ".join(self.text_of(row).split())

    # Hashes, paths, selectors

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

    def tag_path(self, row: int) -> str:
        """Return the tag path of ``row``, such as ``html/body/div/p``."""
        return "/".join(self.name(r) for r in [self._row(row), *self.ancestors(row)][::-1])

    def selector(self, row: int) -> str:
        """Return a CSS selector that matches exactly the element ``row``."""
        return paths.css_of(self, self._row(row))

    def xpath(self, row: int) -> str:
        """Return the absolute XPath of ``row``, such as ``/html[1]/body[1]/p[2]/text()[1]``."""
        return paths.xpath_of(self, self._row(row))

    def row_at(self, xpath: str) -> int:
        """Return the row that an absolute XPath of `xpath`'s form names; -1 if there is none."""
        require_text("an XPath", xpath)
        return paths.row_at(self, xpath)

    def select(self, selector: str) -> NDArray[np.intp]:
        """Return the rows that a CSS selector matches, in order.

        Raises:
            OptionError: the selector isn't valid CSS or uses what isn't supported.
        """
        require_text("a selector", selector)
        return np.flatnonzero(selectors.matches(self, selector))

    def first(self, selector: str) -> int:
        """Return the first row that a CSS selector matches; -1 if none does."""
        rows = self.select(selector)
        return int(rows[0]) if len(rows) else -1

    # The head

    @cached_property
    def head(self) -> Head:
        """Title, meta, link, JSON-LD and embedded state, read from the whole document."""
        return read_head(self)

    @cached_property
    def title(self) -> str:
        """Text of the first ``<title>``, folded; "" if there is none."""
        row = title_row(self)
        return self.folded(row) if row >= 0 else ""

    @cached_property
    def lang(self) -> str:
        """``lang`` of the root element or body, or ``content-language``; "" if not given."""
        return read_lang(self)

    @cached_property
    def base(self) -> str:
        """The address that relative links are resolved against (``<base href>`` honoured)."""
        return base_url(self)

    @cached_property
    def _own_lengths(self) -> tuple[NDArray[np.intp], Rows]:
        """`written_before` and `own_length`, which one pass over the text makes."""
        before, own = kernels.own_lengths(self.text, self.text_at, self.line, self.shown)
        return frozen(before), frozen(own)

    @cached_property
    def _own_attributes(self) -> Hashes:
        return frozen(hashing.hash_attributes(self._attributes.by_row, len(self)))

    @cached_property
    def _own_texts(self) -> Hashes:
        return frozen(hashing.hash_texts(self.text, self.text_at))
