"""Which column of a list's entries is the title, the link, the date and so on.

By the markup (headings, links, ``time``, microdata), names of classes, and what the cells hold.
Columns that are none of these are named by their place: the header of a table's column, else the
class name, else the tag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from operator import itemgetter
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property, kept_with_page
from chaffinch.elements.date_words import MOMENTS, half_of_day, is_of_dates, relative_span
from chaffinch.elements.dates_in_text import dates_in, locale_of_page
from chaffinch.kernels.arrays import Rows, marked
from chaffinch.lists.entry_columns import WIDE, Cell, Column
from chaffinch.lists.post_features import USER_LINK, date_in, lasting_class_names, words_of
from chaffinch.metadata.date_labels import without_dates
from chaffinch.metadata.names import has_label, split_names
from chaffinch.metadata.product import visible_prices
from chaffinch.page import Page, tags

# One entry of a list, with its fields.

TYPED: Final = ("title", "link", "image", "price", "date", "author", "summary")
"""Names of the typed fields, in the order of output."""


@dataclass(frozen=True, slots=True)
class EntryField:
    """The value of one field of an entry.

    Attributes:
        value: text, white space folded; the absolute address of a link or image; ISO 8601 of a date
            where a day can be parsed, else as written.
        rows: half-open range of the rows of the page that gave it.
    """

    value: str
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list on a page.

    Attributes:
        number: from 1, in document order.
        list_number: from 1, of the list that it belongs to; a page may have several.
        rows: half-open range of its rows.
        fields: name → field, typed ones first: ``title``, ``link``, ``image``, ``price``, ``date``,
            ``author``, ``summary``; then others, named by their place.
    """

    number: int
    list_number: int
    rows: tuple[int, int]
    fields: dict[str, EntryField]

    def value(self, name: str) -> str:
        """Return the value of a field; "" where the entry has none of that name."""
        field = self.fields.get(name)
        return "" if field is None else field.value

    def values(self) -> dict[str, str]:
        """Return the values of all fields by name."""
        return {name: field.value for name, field in self.fields.items()}


# What a cell of an entry holds: a link, a date, names of authors.

_LONGEST_DATE: Final = 80  # characters of its cell
_LONGEST_AUTHOR: Final = 80
_DIGIT: Final = re.compile(r"\d")
INVERTED: Final = re.compile(r"(?:[a-z]{2,8} )?[^\W\d_][\w'’-]{1,40}, [^\W\d_][^,;&]{1,40}")
"""A name that begins with the family's, perhaps behind a label."""
_AROUND_DATE: Final = " \t\u3000|·•:,;/()–—-"
_PARTING: Final = tuple("|·•–—-")
_CLOCK: Final = re.compile(r"\d{1,2}(?:[:.hч時时시]\d\d|[hч時时시])[分분]?")
REACHES: Final = ("mailto:", "tel:")  # how links begin that lead to no page


def links_of(page: Page, cells: Sequence[Cell]) -> list[int]:
    """Return the row of the link in which each cell stands, or that it holds; -1 for none."""
    around, in_link, found = _links(page).item, page.in_link.item, list[int]()
    for cell in cells:
        first, stop = cell.rows
        held = (row for row in range(cell.owner, stop) if around(row) == row)
        found.append(around(first) if in_link(first) else next(held, -1))
    return found


@kept_with_page
def _links(page: Page) -> Rows:
    """Return int32[n]: the link with an address that each row is, or is in; -1 for none."""
    rows = [row for row, href in page.having("href", page.is_tag("a")) if href]
    return kernels.nearest(page.parent, marked(len(page), rows))


def date_of(page: Page, cell: Cell) -> str:
    """Return the date that a cell shows, or its element declares; "" for none.

    What a ``time`` element shows is returned as written where no day can be read.
    """
    if len(cell.text) > _LONGEST_DATE:
        return ""
    locale, pairs = locale_of_page(page), page.own_attributes.of(cell.owner)
    names = MOMENTS if relative_span(cell.text) else ("datetime",)
    declared = (date_in(pairs[name] or "", locale=locale) for name in names if name in pairs)
    found = next(filter(None, declared), "") or date_in(cell.text, locale=locale)
    rest = cell.text.replace(found, " ").split() if found else ()
    if rest and found in cell.text and all(map(_is_of_time, rest)):
        return cell.text.strip(_AROUND_DATE)  # with the day of the week and the hour
    return found or (cell.text if page.name(cell.owner) == "time" else "")


def _is_of_time(word: str) -> bool:
    """Return whether a word belongs to a date or a time: a day of the week, 19:30, Uhr."""
    own = word.strip(_AROUND_DATE)
    is_hour = _CLOCK.fullmatch(own) is not None or half_of_day(own) is not None
    return not own or is_hour or is_of_dates(own)


def authors_of(text: str, *, strict: bool = False, inverted: bool = False) -> str:
    """Return the names in a text, joined by "; "; "" for none."""
    is_long = len(text) > _LONGEST_AUTHOR
    return "" if is_long else "; ".join(split_names(text, strict=strict, inverted=inverted))


def author_beside_date(text: str) -> str:
    """Return the names in a text that holds a date, too, such as "Ann Lee 1 March 2025"."""
    rest = without_dates(text)
    words = [word for word in rest.split() if not _is_of_time(word)]
    may_be_section = len(words) == 1 and words[0].lower() != words[0].upper()
    return "" if may_be_section or not words else authors_of(rest, strict=True)


def said_beside_date(page: Page, cell: Cell) -> str:
    """Return what a cell says beside its date, parted from it by a sign; "" for none.

    That is "31 min" of "12 May 2026 | 31 min", and "Bonn" of "Bonn - yesterday".
    """
    locale = locale_of_page(page)
    plain, found = dates_in(cell.text, locale)
    written = "" if found else date_in(cell.text, locale=locale)
    start = found[0].start if found else plain.find(written)
    stop = found[-1].stop if found else start + len(written)
    if start < 0 or start == stop:
        return ""
    before = plain[:start].rstrip()
    words = [] if before[-1:] not in _PARTING else before.split()
    said = dropwhile(_is_of_time, plain[stop:].split())
    beside = " ".join([*words, *said]).strip(_AROUND_DATE)
    return beside if any(map(str.isalpha, beside)) else ""


_DECLARED: Final = {
    "headline": "title", "name": "title", "price": "price", "datepublished": "date",
    "author": "author", "description": "summary",
}  # fmt: skip
"""Microdata's property → field."""
_TITLE_CLASS: Final = re.compile(r"title|headline|heading|subject|name", re.IGNORECASE)
_AUTHOR_CLASS: Final = re.compile(
    r"(?:^|[^a-z])(?:autho?rs?|auteurs?|byline|writers?|creators?|posted-?by|by)(?=[^a-z]|$)",
    re.IGNORECASE,
)
_PRICE_CLASS: Final = re.compile(r"price|cost|amount", re.IGNORECASE)
_SHARE: Final = 0.5
_SURE: Final = 0.8
_LEAST_TITLE: Final = 0.4
_BOLD: Final = tags.table(["dt", "strong", "b", "summary"])
_LONGEST_BOLD: Final = 100
_OF_BOLD: Final = 0.5  # weight of what is set off as a title where there is no heading
_LONGEST_TITLE: Final = 300
_LEAST_NAME: Final = 4
_LONGEST_PRICE: Final = 40
_LEAST_SUMMARY: Final = 25.0
_NEAR: Final = 3  # elements: the one that holds a cell, and those next around it
_NOT_WORD: Final = re.compile(r"\W+")

_CONTROLS: Final = tuple(words_of("controls").split("; "))
PRICE_LABELS: Final = tuple(words_of("labels of prices").split("; "))
"""Texts of controls of shops, in lower case, that may stand in one text with what they act on."""
_AROUND_CONTROL: Final = " \t\u3000|·+•:"
_STRUCK: Final = frozenset({"s", "del", "strike"})
_FORMER_CLASS: Final = re.compile(
    r"(?<![a-z])(?:old|was|before|regular|original|list|former|compare|strike|msrp|rrp|uvp)(?![a-z])"
    r"|strike-?through|line-?through|crossed",
    re.IGNORECASE,
)
_OF_FORMER: Final = 0.4  # weight of a former price beside one that holds


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What the names of a column's fields are chosen by: shares of its cells, 0..1."""

    page: Page
    column: Column

    @cached_property
    def linked(self) -> float:
        """Cells that stand in a link to a page, or most of whose text does."""
        page, cells = self.page, self.column.cells
        rows = links_of(page, cells)
        first = page.attribute(rows[0], "href") if rows[0] >= 0 else ""
        if (first or "").lstrip().lower().startswith(REACHES):
            return 0.0
        pairs = zip(rows, cells, strict=True)
        most = (row >= 0 and 2 * page.length.item(row) >= len(cell.text) for row, cell in pairs)
        return sum(most) / len(cells)

    def headed(self, heads: NDArray[np.bool_] = tags.HEADING) -> float:
        """Cells in, or around, a heading, or elements of other tags of a table of these."""
        tag = self.page.tag
        return self._share(
            lambda cell: bool(
                heads[tag[slice(*cell.rows)]].any() or heads[tag[self._near(cell)]].any()
            )
        )

    @cached_property
    def dated(self) -> float:
        """Cells with a date, of those short enough."""
        return self._share(lambda cell: bool(date_of(self.page, cell)))

    @cached_property
    def is_time(self) -> bool:
        """Whether the first cell is a ``time`` element."""
        return any(self.page.name(row) == "time" for row in self._near_first)

    @cached_property
    def priced(self) -> float:
        """Cells with a price and its currency."""
        return self.share_of_texts(
            lambda text: (
                len(text) <= _LONGEST_PRICE and next(visible_prices(text), None) is not None
            )
        )

    @cached_property
    def amounts(self) -> float:
        """Cells with a number, where names declare it a price."""
        if _PRICE_CLASS.search(self.names) is None:
            return 0.0
        return self.share_of_texts(
            lambda text: len(text) <= _LONGEST_PRICE and _DIGIT.search(text) is not None
        )

    @property
    def struck(self) -> bool:
        """Whether the first cell is struck out, or named for a price that was."""
        names = {self.page.name(row) for row in self._near_first}
        return not _STRUCK.isdisjoint(names) or _FORMER_CLASS.search(self.names) is not None

    @cached_property
    def names(self) -> str:
        """Classes and ``rel`` of the first cell's element and those around it."""
        return self._named("class", "rel")

    @cached_property
    def declared(self) -> str:
        """The field that microdata calls it; "" for none."""
        words = self._named("itemprop").lower().split()
        return next((_DECLARED[word] for word in words if word in _DECLARED), "")

    @cached_property
    def texts(self) -> Counter[str]:
        """Text → number of cells that have it."""
        return Counter(cell.text for cell in self.column.cells)

    @cached_property
    def distinct(self) -> float:
        """Different texts, of all."""
        return len(self.texts) / len(self.column.cells)

    @cached_property
    def length(self) -> float:
        """Median number of characters, wide ones of the first 200 counted as three."""
        texts = self.texts.elements()
        return median(len(text) + 2 * sum(one >= WIDE for one in text[:200]) for text in texts)

    def repeats(self, other: Column) -> bool:
        """Return whether most texts of another column are this one's, as of a hidden copy."""
        texts = {cell.entry: cell.text for cell in other.cells}
        return self._share(lambda cell: texts.get(cell.entry) == cell.text) >= _SHARE

    def _near(self, cell: Cell) -> list[int]:
        """Return the row that holds a cell and the next elements around it, within the entry.

        These have little text besides.
        """
        page, rows, most = self.page, [cell.owner], 2 * max(len(cell.text), 1)
        while len(rows) < _NEAR and (above := page.parent.item(rows[-1])) > 0:
            if page.length.item(above) > most:
                break
            rows.append(above)
        return rows

    @cached_property
    def _near_first(self) -> list[int]:
        return self._near(self.column.cells[0])

    def _named(self, *attributes: str) -> str:
        pairs = [self.page.attributes(row) for row in self._near_first]
        return " ".join(pair.get(name) or "" for pair in pairs for name in attributes)

    def _share(self, holds: Callable[[Cell], bool]) -> float:
        return sum(map(holds, self.column.cells)) / len(self.column.cells)

    def share_of_texts(self, holds: Callable[[str], bool]) -> float:
        """Return the share of cells whose text is such; equal texts are looked at once."""
        having = sum(count for text, count in self.texts.items() if holds(text))
        return having / len(self.column.cells)


def typed_columns(page: Page, columns: list[Column]) -> dict[str, Column]:
    """Return name → column of the typed fields of texts that are found."""
    free = [ColumnFacts(page, one) for one in columns]
    found: dict[str, Column] = {}
    for name, score in _SCORES.items():
        scored = [(score(one), one.column) for one in free]
        best, column = max(scored, key=itemgetter(0), default=(0.0, None))
        if column is not None and best > 0:
            found[name] = column
            free = [one for one in free if not one.repeats(column)]  # nor is it itself any more
    if "price" in found and "title" not in found and (first := _unmarked_title(free)) is not None:
        found["title"] = first
    return found


def without(texts: list[str], words: tuple[str, ...] = _CONTROLS) -> list[str]:
    """Return texts without the word, by default of a control, that most begin or end with."""
    least = _SURE * len(texts)
    lower = [text.lower() for text in texts]
    for control in words:
        for has, rest in (
            (str.startswith, slice(len(control), None)),
            (str.endswith, slice(-len(control))),
        ):
            if sum(has(text, control) for text in lower) >= least:
                texts = [
                    (one[rest].strip(_AROUND_CONTROL) or one) if has(one.lower(), control) else one
                    for one in texts
                ]
    return texts


def _unmarked_title(free: list[ColumnFacts]) -> Column | None:
    """Return the first column of different names, of products whose title nothing marks."""
    for one in free:
        cells = one.column.cells
        named = sum(any(map(str.isalpha, cell.text)) for cell in cells)
        is_title = min(one.column.share, one.distinct, named / len(cells)) >= _SURE
        if is_title and _LEAST_NAME <= one.length <= _LONGEST_TITLE and one.priced < _SHARE:
            return one.column
    return None


def _price(one: ColumnFacts) -> float:
    evidence = (one.priced >= _SHARE) + 0.5 * (one.amounts >= _SHARE)
    score = one.column.share * evidence + (one.declared == "price")
    return score * _OF_FORMER if one.struck and score else score


def _title(one: ColumnFacts) -> float:
    is_label = len(one.texts) == 1 and len(one.column.cells) > 2  # noqa: PLR2004
    if is_label or one.length > _LONGEST_TITLE * 3 or one.dated >= _SHARE:
        return 0.0
    named = _TITLE_CLASS.search(one.names) is not None
    marks = 1.0 * one.headed() + 0.8 * one.linked + 0.4 * named + (one.declared == "title")
    is_short = one.length <= _LONGEST_BOLD and all(any(map(str.isalpha, own)) for own in one.texts)
    if not marks and is_short:
        marks = _OF_BOLD * one.headed(_BOLD)
    score = marks * one.column.share * one.distinct * min(one.length / 12, 1)
    return score if score >= _LEAST_TITLE * 0.5 else 0.0


def _date(one: ColumnFacts) -> float:
    if one.dated < _SHARE:
        return 0.0
    return one.column.share * one.dated + 0.5 * one.is_time + (one.declared == "date")


def _author(one: ColumnFacts) -> float:
    """Score by names of classes, links to users and labels; what is written alone is no proof."""
    cells = one.column.cells
    named = _AUTHOR_CLASS.search(one.names) is not None or one.declared == "author"
    rows = links_of(one.page, cells[:5])
    hrefs = [one.page.attribute(row, "href") or "" for row in rows]
    user = all(USER_LINK.search(href) for href in hrefs)
    labelled = has_label(cells[0].text) and not _DIGIT.search(cells[0].text)  # "Di 18:00"
    if not (named or user or labelled) or one.dated >= _SHARE:
        return 0.0
    strict = not (user or labelled)
    names = one.share_of_texts(lambda text: bool(authors_of(text, strict=strict)))
    return one.column.share * (names >= (_SURE if strict else _SHARE))


def _summary(one: ColumnFacts) -> float:
    if one.length < _LEAST_SUMMARY or one.linked >= _SHARE:
        return one.column.share * (one.declared == "summary")
    return one.column.share * min(one.length, 300) * one.distinct


_SCORES: Final = {
    "price": _price, "title": _title, "date": _date, "author": _author, "summary": _summary,
}  # fmt: skip
"""Typed field of a text → its score of a column, in the order in which they are chosen."""


def place_name(page: Page, column: Column, headers: list[str]) -> str:
    """Return the name of a column by its place: header, class name, or tag; "text" for none."""
    cell = column.cells[0]
    if headers and (number := _cell_number(page, cell.owner)) < len(headers) and headers[number]:
        return headers[number]
    for row in (cell.owner, int(page.parent[cell.owner])):
        name = next(iter(lasting_class_names(page.attribute(row, "class") or "")), "")
        if name := _NOT_WORD.sub("_", name.replace("-", "_")).strip("_").lower():
            return name
    return {"a": "link_text", "": "text"}.get(page.name(cell.owner), page.name(cell.owner))


def _cell_number(page: Page, row: int) -> int:
    """Return the position of the table cell around ``row`` in its line; a large one for none."""
    for above in (row, *page.ancestors(row)):
        if page.name(above) in {"td", "th"}:
            line = page.children(int(page.parent[above]))
            return [one for one in line if page.tag[one] != tags.TEXT].index(above)
    return 1 << 30
