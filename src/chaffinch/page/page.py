"""The page as a table: one row an element or text run, in document order; columns are arrays.

A page is flattened once and never changed. Columns that follow from others are made on first use.
The subtree of row ``i`` is exactly the slice ``i:end[i]``, so that sums over subtrees are
differences of prefix sums and ancestry is a comparison of row numbers. Nothing recurses, and
nothing here knows the parser (`parse`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from itertools import chain, compress, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property, later_field
from chaffinch.errors import OptionError, require_text
from chaffinch.kernels import TextColumns
from chaffinch.kernels.arrays import Codes, Depths, Floats, Hashes, Mask, Rows, frozen, marked
from chaffinch.kernels.tree import Walked
from chaffinch.lazy import lazy_module
from chaffinch.page import flattening, selectors, tags, visibility
from chaffinch.page.attributes import AttributeColumns, Search, Searched, Searches, Values
from chaffinch.page.bounds import Limits
from chaffinch.page.flattening import LINE_KINDS
from chaffinch.page.head import Head, base_url, declared_lang, read_head, title_row
from chaffinch.page.urls import Addresses, decoded_mail, place_of

if TYPE_CHECKING:
    from chaffinch.page.lxml_pages import XPathTree

lxml_pages = lazy_module("chaffinch.page.lxml_pages")

_LIMITS: Final = Limits()
NO_ROW: Final = (TypeError, IndexError, ValueError)
"""What arrays and dicts raise where a row isn't theirs, or is no number."""
_OF_TEXT: Final = ("shown", "written", "line_by_tags", "own_length", "written_before")
"""The columns that one kernel makes, in the order in which it returns them."""
_PLACE: Final = frozenset(("id", "name"))
_MOST_OF_PAGE: Final = 0.9
"""Share of the page's characters from which what holds more stands around the page."""
_PARTS: Final = tags.table("h1 h2 h3 form table".split())
"""What a table around a page holds, and one with data doesn't."""
_MOST_SELECTORS: Final = 32  # of style elements
_STYLE: Final = tags.CODES["style"]
_COLUMNS: Final = Search("class", *visibility.COLUMNS)
_KEEPING: Final = Search("class", *visibility.BREAKS)
_DISPLAYED: Final = Search("style", "display")
_STACKED: Final = Search("style", "column", "grid")
_WHITE_SPACE: Final = Search("style", "white-space")
_PARTING: Final = Searches(_STACKED, _COLUMNS)
_BREAKING: Final = Searches(_KEEPING, _WHITE_SPACE)
_SMILIES: Final = Searches(*(Search(name, *visibility.SMILIES) for name in ("class", "src")))
_WALKED: Final = ("tag", "parent", "depth", "end", "text", "text_at", "names", "sources")
"""The fields that a walk over a tree gives, in its order, but for the attributes."""
STATUSES: Final = (100, 999)
"""The least and the highest number of an HTTP status."""


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """One page, flattened. ``n`` rows in pre-order; row 0 is the root element.

    Attributes:
        tag: uint16[n], code of the tag (`tags.NAMES`); 0 for a text run, 1 for an unknown tag.
        parent: int32[n], row of the parent; -1 for the root.
        depth: int16[n], 0 for the root, at most 512.
        end: int32[n], first row after the subtree.
        text: all text verbatim (entities decoded), one string; where it was parsed, without
            characters that show nothing, and with letters composed with their marks
            (`chaffinch.page.visibility`).
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        url: address of the page, if known; relative links are resolved against `base`.
        encoding: name of the encoding the bytes were in; None when given as str.
        names: row → name of a tag that the table of tags doesn't know.
        sources: row → source of a script with data: JSON, ``math/tex``, `STATE_MARKS`.
        styles: row → source of a short ``style`` element that may hide or say where lines end; none
            of a page that wasn't parsed from its source.
        layout: float32[n, …] boxes and fonts, only of a page rendered by a browser.
        longest_base: characters of an address that relative links are resolved against, at most.
        repeated_base: characters of a long one times the links that repeat it, at most.
        status: HTTP status of the response that had the page; None if it isn't known.

    A page without any element has ``n`` = 0. Arrays are read-only. Pages can be pickled, and read
    from several threads.
    """

    tag: Codes
    parent: Rows
    depth: Depths
    end: Rows
    text: str
    text_at: Rows
    _attributes: AttributeColumns
    url: str | None = later_field()
    encoding: str | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    sources: Mapping[int, str] = field(default_factory=dict)
    styles: Mapping[int, str] = field(default_factory=dict)
    layout: Floats | None = None
    longest_base: int = _LIMITS.max_base
    repeated_base: int = _LIMITS.max_repeated_base
    status: int | None = None

    def __post_init__(self) -> None:
        for column in (self.tag, self.parent, self.depth, self.end, self.text_at):
            column.setflags(write=False)

    def __len__(self) -> int:
        return len(self.tag)

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()

    def _row(self, row: int) -> int:
        """Return ``row`` where the page has it; an OptionError is raised where not."""
        if not isinstance(row, int | np.integer) or not 0 <= row < len(self):
            raise self._no_row(row)
        return int(row)

    def _fitting(self, own: NDArray[Any]) -> NDArray[Any]:
        """Return ``own`` if it is an array of a number a row; an OptionError is raised if not."""
        if not isinstance(own, np.ndarray) or own.shape != self.tag.shape:
            raise OptionError(f"a column must be an array of {len(self)} rows, not {own!r}")
        return own

    def _no_row(self, row: object) -> OptionError:
        return OptionError(f"row must be a whole number from 0 to {len(self) - 1}, not {row!r}")

    def name(self, row: int) -> str:
        """Return the tag name of ``row`` in lower case; ``#text`` for a text run."""
        try:
            code = self.tag.item(row)
        except NO_ROW as error:
            raise self._no_row(row) from error
        return self.names.get(row, "#unknown") if code == tags.UNKNOWN else tags.NAMES[code]

    def is_tag(self, *names: str) -> Mask:
        """Return bool[n]: rows whose tag is one of ``names`` (names of the table of tags)."""
        try:
            if len(names) == 1:
                mask: Mask = self.tag == tags.CODES[names[0]]
                return mask
            return tags.known_table(names).take(self.tag)
        except (KeyError, TypeError) as error:
            raise OptionError(f"names of known tags are wanted, not {names!r}") from error

    @cached_property
    def tag_names(self) -> frozenset[str]:
        """The names of the tags that rows have, as `name` returns them."""
        held = compress(tags.NAMES, kernels.held_tags(self.tag, len(tags.NAMES)))
        return frozenset(chain(held, self.names.values()))

    @cached_property
    def boxes(self) -> Codes:
        """uint16[n]: the tags, but ``div`` for a form or table that holds most of the page's text.

        Such a one stands around pages of WebForms, or lays them out where it holds headings or
        others, and says nothing of what it holds.
        """
        if self.tag_names.isdisjoint(("form", "table")):
            return self.tag
        rows = self.is_tag("form", "table").nonzero()[0]
        rows = rows[self.length.take(rows) > _MOST_OF_PAGE * self.length.item(0)].tolist()
        is_form, end = self.tag == tags.CODES["form"], self.end
        around = [row for row in rows if is_form[row] or _PARTS[self.tag[row + 1 : end[row]]].any()]
        if not around:
            return self.tag
        boxes = self.tag.copy()
        boxes[around] = tags.CODES["div"]
        return frozen(boxes)

    @cached_property
    def symbols(self) -> Hashes:
        """uint64[n]: a number for each tag, different ones for different unknown tags."""
        symbols = self.tag.astype(np.uint64)
        if self.names:
            symbols[[*self.names]] = flattening.hash_strings(self.names.values())
        return frozen(symbols)

    # Attributes

    def attributes(self, row: int) -> Mapping[str, str | None]:
        """Return the attributes of ``row``, read-only; a valueless one maps to None."""
        try:
            return MappingProxyType(self._attributes.of(row))
        except NO_ROW as error:
            raise self._no_row(row) from error

    def attribute(self, row: int, name: str) -> str | None:
        """Return the value of one attribute; "" if it has none, None where it is absent."""
        try:
            pairs = self._attributes.of(row)
        except NO_ROW as error:
            raise self._no_row(row) from error
        try:
            return (pairs[name] or "") if name in pairs else None
        except TypeError as error:
            raise OptionError(f"the name of an attribute must be text, not {name!r}") from error

    def all_attributes(self) -> Iterable[tuple[int, Mapping[str, str | None]]]:
        """Return (row, attributes) of all rows that have any, in order; not to be changed."""
        return self._attributes.by_row.items()

    def having(self, name: str, among: Mask | None = None) -> list[tuple[int, str]]:
        """Return (row, value) of all rows that have the attribute ``name``, in order.

        Only of rows in the mask ``among``, bool[n], where one is given.
        """
        require_text("the name of an attribute", name)
        among = None if among is None else self._fitting(among)
        rows, values = self._attributes.having(name, among)
        pairs: list[tuple[int, Any]] = list(zip(rows, values, strict=True))
        return [(row, value or "") for row, value in pairs] if None in values else pairs

    def has(self, name: str) -> Mask:
        """Return bool[n]: rows that have the attribute ``name``, whatever its value."""
        require_text("the name of an attribute", name)
        return marked(len(self), self._attributes.rows_of(name))

    def values(self, name: str) -> Values:
        """Return the different values of the attribute ``name``, and the rows that have each."""
        require_text("the name of an attribute", name)
        known = self._values.get(name)
        if known is None:
            known = self._values[name] = Values(self._attributes.rows_by_value(name))
        return known

    @property
    def attribute_names(self) -> AbstractSet[str]:
        """Names of all attributes on the page: quicker to make than what `having` needs."""
        return self._attributes.names

    @property
    def own_attributes(self) -> AttributeColumns:
        """All attributes, in columns."""
        return self._attributes

    @cached_property
    def searched(self) -> Searched:
        """What searches find."""
        return Searched(self._attributes)

    def classes(self, row: int) -> tuple[str, ...]:
        """Return the class names of ``row``."""
        return tuple((self.attribute(row, "class") or "").split())

    @cached_property
    def _values(self) -> dict[str, Values]:
        """Name of an attribute → its values, of those names that were searched."""
        return {}

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
        parent = self.parent.item
        try:
            above = parent(row)
        except NO_ROW as error:
            raise self._no_row(row) from error
        while above >= 0:
            yield above
            above = parent(above)

    def tag_path(self, row: int) -> str:
        """Return the tag path of ``row``, such as ``html/body/div/p``."""
        return "/".join(self.name(r) for r in [self._row(row), *self.ancestors(row)][::-1])

    @cached_property
    def index_of_type(self) -> Rows:
        """int32[n]: position of each row among its parent's children with the same tag, from 0."""
        return frozen(selectors.positions(self.parent, self.symbols))

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

        Lines start and end at block elements, by their tag, by inline style or a rule of a short
        style element, but at drawn icons; at what a column of boxes holds; and at who is quoted,
        where a quotation begins so.
        """
        shown = _DISPLAYED.where(self, visibility.shows_as_block)
        if _PARTING.may_find(self):
            rows = _STACKED.where(self, visibility.stacks)
            rows += _COLUMNS.where(self, lambda own: not visibility.COLUMNS.isdisjoint(own.split()))
            inner = (one for row in rows for one in self.children(row))
            shown += [one for one in inner if self.tag[one] > tags.TEXT]
        for matched in self._by_sheets(0) if self.styles else ():
            shown += matched.nonzero()[0].tolist()
        shown += visibility.heads_of_quotations(self)
        if not shown:
            return self.line_by_tags
        lines = np.array(shown, dtype=np.intp)
        lines = lines[~tags.BLOCK.take(self.tag.take(lines))]
        if len(lines) and "svg" in self.tag_names:
            drawn = self.is_tag("svg").nonzero()[0].searchsorted((lines, self.end.take(lines)))
            lines = lines[(drawn[0] == drawn[1]) | (self.length.take(lines) > 0)]
        if not len(lines):
            return self.line_by_tags
        edges = np.zeros(len(self) + 1, dtype=np.int32)
        edges[lines] = edges[self.end[lines]] = 1
        return frozen(self.line_by_tags + np.add.accumulate(edges[:-1], dtype=np.int32))

    def _by_sheets(self, which: int) -> Iterator[Mask]:
        """Yield what selectors of style elements match that show blocks (0), or keep breaks (1)."""
        found: dict[str, bytes] = {}
        for sheet in self.styles.values():
            found |= visibility.line_selectors(sheet)[which]
        for selector, name in islice(found.items(), _MOST_SELECTORS):
            if name in self.own_attributes.values:
                yield selectors.matches(self, selector)

    @cached_property
    def breaks_kept(self) -> Mask | None:
        """bool[n]: rows whose line breaks are shown by style, as in `line`; None where none are.

        Whatever their tags: preformatted elements aren't among them for that.
        """
        if not (self.styles or _BREAKING.may_find(self)):
            return None
        rows = _KEEPING.where(self, lambda own: not visibility.BREAKS.isdisjoint(own.split()))
        rows += _WHITE_SPACE.where(self, lambda own: visibility.keeps_breaks(own) is not None)
        for matched in self._by_sheets(1):
            rows += matched.nonzero()[0].tolist()
        if not rows:
            return None
        kept = np.zeros(len(self), dtype=bool)
        for row in sorted(rows):  # an element within another has the last word
            kept[row : self.end[row]] = (
                visibility.keeps_breaks(self.attribute(row, "style") or "") is not False
            )
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
            self.tag, self.end, self.text, self.text_at, LINE_KINDS, tags.INVISIBLE
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
        """bool[n]: links and all that stands in them.

        An element ``a`` that has but a name is none: it marks a place, and where nobody closed it,
        all up to the next one stands in it.
        """
        links = self.tag == tags.LINK
        unlinked = links.copy()
        unlinked[self._attributes.rows_of("href")] = False
        for row in unlinked.nonzero()[0].tolist():
            own = self._attributes.of(row)
            links[row] = not own or not own.keys() <= _PLACE
        return frozen(self.inside(links))

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
        return frozen(flattening.subtree_hashes(self.symbols, self.depth, self.end))

    @cached_property
    def content_hash(self) -> Hashes:
        """uint64[n]: hash of each subtree's tags, shape, attributes and verbatim text."""
        texts = flattening.hash_texts(self.text, self.text_at)
        attributes = flattening.hash_attributes(self._attributes.by_row, len(self))
        symbols = self.symbols ^ flattening.mix(attributes) ^ texts
        return frozen(flattening.subtree_hashes(symbols, self.depth, self.end))

    @cached_property
    def path_hash(self) -> Hashes:
        """uint64[n]: hash of the tag path from the root to each row (no positions)."""
        return frozen(kernels.path_hashes(self.symbols, self.depth, self.end))

    def __repr__(self) -> str:
        where = f" {self.url}" if self.url else ""
        return f"<Page{where}: {len(self)} rows, {len(self.text)} characters>"

    def with_url(self, url: str | None) -> Page:
        """Return the page under another address, with what is known of its rows."""
        page = object.__new__(type(self))
        page.__dict__.update(self.__dict__, url=url)
        for name in ("base", "addresses", "derived_columns"):  # what may depend on the address
            page.__dict__.pop(name, None)
        return page

    def with_status(self, status: int | None) -> Page:
        """Return the page of a response with this status, with what is known of its rows."""
        page = object.__new__(type(self))
        page.__dict__.update(self.__dict__, status=status)
        return page

    # Paths, selectors

    def selector(self, row: int) -> str:
        """Return a CSS selector that matches exactly the element ``row``."""
        return next(selectors.css_of_each(self, (self._row(row),), most_steps=len(self)))

    @cached_property
    def lone_ids(self) -> Mapping[int, str]:
        """Row → id of the elements whose id is an identifier that no other element has."""
        lone = ((one, own) for one, own in self.values("id").rows.items() if len(own) == 1)
        return MappingProxyType(
            {own[0]: one for one, own in lone if selectors.IDENTIFIER.match(one)}
        )

    def xpath(self, row: int) -> str:
        """Return the absolute XPath of ``row``, such as ``/html[1]/body[1]/p[2]/text()[1]``."""
        path = next(selectors.xpath_of_each(self, (self._row(row),), most_steps=len(self)))
        return path if self.tag[row] else f"{path}/text()[{self.index_of_type[row] + 1}]"

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
            found: list[selectors.Selected] = self._xpath_tree.select(selector)
            return found
        return [selectors.Selected(row) for row in self.select(selector).tolist()]

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

    def anchor(self, link: int) -> str:
        """Return the name of the place on this page that a link leads to; "" if it leads away."""
        given = self.attribute(link, "href")
        if not given or "#" not in given:
            return ""
        address, _, name = given.strip().partition("#")
        if not name or not address:
            return name
        return name if place_of(self.addresses.find(address)) == place_of(self.url) else ""

    def derived(
        self, name: str, make: Callable[[], tuple[NDArray[Any], ...]]
    ) -> tuple[NDArray[Any], ...]:
        """Return columns that another package makes of this page: made once, kept by name.

        They must not hold the page, which would outlive its use then.
        """
        require_text("the name of derived columns", name)
        if (known := self.derived_columns.get(name)) is None:
            if not callable(make):
                raise OptionError(f"derived columns are made by a function, not {make!r}")
            known = self.derived_columns[name] = tuple(map(frozen, make()))
        return known

    @cached_property
    def _xpath_tree(self) -> XPathTree:
        tree: XPathTree = lxml_pages.tree_of(self)
        return tree

    @cached_property
    def derived_columns(self) -> dict[object, Any]:
        """Name → columns that were `derived` elsewhere; see `kept_with_page`, too."""
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
        _attributes=AttributeColumns.of_rows(own, len(columns.tag))
        if isinstance(own, dict)
        else AttributeColumns(*own),
        url=url,
        encoding=encoding,
        longest_base=longest_base,
        repeated_base=repeated_base,
    )
    fields = page.__dict__
    fields["text"], fields["text_at"] = visibility.visible_texts(page.text, page.text_at)
    if "data-cfemail" in page.attribute_names and (mails := _encoded_mails(page)):
        fields["text"], fields["text_at"] = visibility.with_texts(page.text, page.text_at, mails)
    if signs := _drawn_signs(page) | visibility.drawn_marks(page):
        fields["text"], fields["text_at"] = visibility.with_texts(page.text, page.text_at, signs)
        fields["tag"] = page.tag.copy()
        fields["tag"][list(signs)] = tags.TEXT
    if parted := visibility.parted_texts(page):
        fields["text"], fields["text_at"] = visibility.with_texts(page.text, page.text_at, parted)
    sheets = [row for row in page.sources if page.tag[row] == _STYLE]
    fields["styles"] = {row: fields["sources"].pop(row) for row in sheets}
    page.__post_init__()
    return page


def _encoded_mails(page: Page) -> dict[int, tuple[int, str]]:
    """Return row of each text for which a script shows a mail address → the end, and this."""
    return {
        row + 1: (row + 2, mail)
        for row, code in page.having("data-cfemail")
        if page.end[row] == row + 2 and page.tag[row + 1] == tags.TEXT
        if (mail := decoded_mail(code))
    }


def _drawn_signs(page: Page) -> dict[int, tuple[int, str]]:
    """Return row of each image that shows an emoji or a smiley → the row after it, and the sign."""
    if not (_SMILIES.may_find(page) and any(one.rows(page) for one in _SMILIES.searches)):
        return {}
    own = page.own_attributes
    return {
        row: (row + 1, sign)
        for alt, rows in own.rows_by_value("alt").items()
        if (sign := visibility.drawn_sign(alt))
        for row in rows
        if page.tag[row] == tags.IMAGE and (sign[0] > "~" or visibility.names_sign(own.of(row)))
    }
