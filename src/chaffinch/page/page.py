"""The page as a table: one row an element or text run, in document order; columns are arrays.

A page is flattened once and never changed. Columns that follow from others are made on first use.
The subtree of row ``i`` is exactly the slice ``i:end[i]``, so that sums over subtrees are
differences of prefix sums and ancestry is a comparison of row numbers. Nothing recurses, and
nothing here knows the parser (`parse`).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.caching import cached_property, put_off
from chaffinch.errors import OptionError, require_text
from chaffinch.lazy import lazy_module
from chaffinch.page import paths, selectors, tags
from chaffinch.page.arrays import frozen
from chaffinch.page.attributes import AttributeColumns, Attributes
from chaffinch.page.head import Head, base_url, declared_lang, read_head, title_row
from chaffinch.page.invisible import visible_texts
from chaffinch.page.subtrees import Subtrees
from chaffinch.page.urls import Addresses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from chaffinch.kernels.parser_tree import Walked
    from chaffinch.page import lxml_tree, xpath_tree
else:
    lxml_tree = lazy_module("chaffinch.page.lxml_tree")
    xpath_tree = lazy_module("chaffinch.page.xpath_tree")

_STYLE: Final = tags.CODES["style"]
_WALKED: Final = ("tag", "parent", "depth", "end", "text", "text_at", "names", "sources")
"""The fields that a walk over a tree gives, in its order, but for the attributes."""
STATUSES: Final = (100, 999)
"""The least and the highest number of an HTTP status."""


@dataclass(frozen=True, eq=False, repr=False, init=False)  # the fields are inherited
class Page(Subtrees):
    """One page, flattened. ``n`` rows in pre-order; row 0 is the root element.

    Attributes:
        tag: uint16[n], code of the tag (`tags.NAMES`); 0 for a text run, 1 for an unknown tag.
        parent: int32[n], row of the parent; -1 for the root.
        depth: int16[n], 0 for the root, at most 512.
        end: int32[n], first row after the subtree.
        text: all text verbatim (entities decoded), one string; without characters that show
            nothing (`chaffinch.page.invisible`) where it was parsed.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        url: address of the page, if known; relative links are resolved against `base`.
        encoding: name of the encoding the bytes were in; None when given as str.
        names: row → name of a tag that the table of tags doesn't know.
        sources: row → source of a JSON or ``math/tex`` script.
        styles: row → source of a short ``style`` element that may hide; none of a page that wasn't
            parsed from its source.
        layout: float32[n, …] boxes and fonts, only of a page rendered by a browser.
        longest_base: characters of an address that relative links are resolved against, at most.
        repeated_base: characters of a long one times the links that repeat it, at most.
        status: HTTP status of the response that had the page; None if it isn't known.
        replaced: texts of the source and what was put in their place before it was parsed.

    A page without any element has ``n`` = 0. Arrays are read-only. Pages can be pickled, and read
    from several threads.
    """

    def __repr__(self) -> str:
        where = f" {self.url}" if self.url else ""
        return f"<Page{where}: {len(self)} rows, {len(self.text)} characters>"

    def with_url(self, url: str | None) -> Page:
        """Return the page under another address, with what is known of its rows."""
        page = object.__new__(type(self))
        page.__dict__.update(self.__dict__, url=url)
        for name in ("base", "addresses", "_derived"):  # what may depend on the address
            page.__dict__.pop(name, None)
        return page

    def with_url_of(self, find: Callable[[], str | None]) -> Page:
        """Return the page under an address that a function finds when it is first read."""
        page = self.with_url(None)
        put_off(page, "url", find)
        return page

    def with_status(self, status: int | None) -> Page:
        """Return the page of a response with this status, with what is known of its rows."""
        page = object.__new__(type(self))
        page.__dict__.update(self.__dict__, status=status)
        return page

    @classmethod
    def from_lxml(cls, tree: Any, *, url: str | None = None) -> Page:
        """Return the page of an lxml tree or element that the caller already holds.

        The tree isn't changed. Its shape is lxml's, which is not always that of the HTML standard:
        prefer `parse` where the source is at hand.

        Raises:
            OptionError: it is something else, or an empty tree.
        """
        return page_of_columns(lxml_tree.flatten(tree), url=url)

    # Paths, selectors

    def selector(self, row: int) -> str:
        """Return a CSS selector that matches exactly the element ``row``."""
        return paths.css_of(self, self._row(row))

    @cached_property
    def lone_ids(self) -> Mapping[int, str]:
        """Row → id of the elements whose id is an identifier that no other element has."""
        return MappingProxyType(paths.lone_ids(self))

    def xpath(self, row: int) -> str:
        """Return the absolute XPath of ``row``, such as ``/html[1]/body[1]/p[2]/text()[1]``."""
        return paths.xpath_of(self, self._row(row))

    def row_at(self, xpath: str) -> int:
        """Return the row that an absolute XPath of `xpath`'s form names; -1 if there is none."""
        require_text("an XPath", xpath)
        return paths.row_at(self, xpath)

    def select(self, selector: str) -> NDArray[np.intp]:
        """Return the rows that a CSS selector or an XPath matches, in order.

        Args:
            selector: CSS; or XPath 1.0, which begins with a slash (``//div``, ``(//p)[1]``) and
                needs the extra ``lxml``. An attribute stands for its element.

        Raises:
            OptionError: the selector is neither or uses what isn't supported.
        """
        require_text("a selector", selector)
        if not selectors.is_xpath(selector):
            return np.flatnonzero(selectors.matches(self, selector))
        rows = {one.row for one in self._xpath_tree.select(selector)}
        if -1 in rows:
            raise OptionError(f"the XPath {selector[:200]!r} computes a text and selects no rows")
        return np.array(sorted(rows), dtype=np.intp)

    def selected(self, selector: str) -> list[selectors.Selected]:
        """Return what a CSS selector or an XPath selects, in order, also text that it computes.

        Such as ``substring-before(//title, " | ")``, or ``//meta/@content``.

        Raises:
            OptionError: as `select`.
        """
        require_text("a selector", selector)
        if selectors.is_xpath(selector):
            return self._xpath_tree.select(selector)
        return [selectors.Selected(row) for row in self.select(selector).tolist()]

    def selected_texts(self, selector: str) -> list[str]:
        """Return the text of all that `selected` returns, white space folded, empty ones left out.

        Raises:
            OptionError: as `select`.
        """
        found = self.selected(selector)
        texts = (self.text_of(one.row) if one.value is None else one.value for one in found)
        return [folded for text in texts if (folded := " ".join(text.split()))]

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
        return declared_lang(self) or self.head.lang

    @cached_property
    def base(self) -> str:
        """The address that relative links are resolved against (``<base href>`` honoured)."""
        return base_url(self)

    @cached_property
    def addresses(self) -> Addresses:
        """Addresses on the page, made absolute."""
        return Addresses(self.base)

    def derived(
        self, name: str, make: Callable[[], tuple[NDArray[Any], ...]]
    ) -> tuple[NDArray[Any], ...]:
        """Return columns that another package makes of this page: made once, kept by name.

        They must not hold the page, which would outlive its use then.
        """
        require_text("the name of derived columns", name)
        if not callable(make):
            raise OptionError(f"derived columns are made by a function, not {make!r}")
        known = self._derived.get(name)
        if known is None:
            known = self._derived[name] = tuple(map(frozen, make()))
        return known

    @cached_property
    def _xpath_tree(self) -> xpath_tree.XPathTree:
        return xpath_tree.tree_of(self)

    @cached_property
    def _derived(self) -> dict[str, tuple[NDArray[Any], ...]]:
        """Name → columns that were derived elsewhere."""
        return {}


def page_of_columns(
    columns: Walked,
    *,
    url: str | None = None,
    encoding: str | None = None,
    longest_base: int = Page.longest_base,
    repeated_base: int = Page.repeated_base,
) -> Page:
    """Return the page whose columns a walk over a tree made."""
    *given, own = columns
    page = object.__new__(Page)  # a frozen dataclass sets each of its fields by a call
    page.__dict__.update(
        zip(_WALKED, given, strict=True),
        _attributes=Attributes(own) if isinstance(own, dict) else AttributeColumns(*own),
        url=url,
        encoding=encoding,
        longest_base=longest_base,
        repeated_base=repeated_base,
    )
    fields = page.__dict__
    fields["text"], fields["text_at"] = visible_texts(page.text, page.text_at)
    sheets = [row for row in page.sources if page.tag[row] == _STYLE]
    fields["styles"] = {row: fields["sources"].pop(row) for row in sheets}
    page.__post_init__()
    return page
