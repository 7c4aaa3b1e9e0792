"""Which column of a list's entries is the title, the link, the date and so on.

By the markup (headings, links, ``time``, microdata), names of classes, and what the cells hold.
Columns that are none of these are named by their place: the header of a table's column, else the
class name, else the tag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.date_words import is_of_dates, month_of
from chaffinch.elements.dates_in_text import locale_of_page
from chaffinch.lists.post_features import (
    USER_LINK,
    date_in,
    element_kinds,
    first_class_name,
    words_of,
)
from chaffinch.metadata.names import has_label, split_names
from chaffinch.metadata.product import visible_prices
from chaffinch.page import Page, flattening, tags
from chaffinch.page.arrays import Hashes, Mask, marked

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


# The texts, images and links of a list's entries, aligned in columns.
#
# After the alignment of DEPTA (Y. Zhai, B. Liu: Web Data Extraction Based on Partial Tree
# Alignment, WWW 2005, section 4): what stands at one place of many entries is one field. There
# trees are aligned in pairs, node by node; here by the path of kinds from the entry down, in one
# pass. What differs from entry to entry, such as bold words in a summary or the whole body of an
# article, belongs to the nearest element that entries have in common.

_COMMON: Final = 0.5
"""Share of a list's entries that have what is common to them."""
_SETTLED: Final = 0.5
"""Least share of an element's text at common places, for these to be fields of their own."""
_ONCE: Final = 1.5
"""Most times that a place with a field occurs in an entry, in the mean."""
_INLINE: Final = tags.table(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike"
    " strong sub sup tt u var".split()
)
_BY_TURN: Final = _INLINE | tags.table(["td", "th", "dd"])
"""Elements that are fields of their own where several stand at one place of an entry."""


_HIGHLIGHTS: Final = tags.table("em mark b strong i u s font span small big".split())
"""Elements that may mark a word in running text."""
_MARKED_CLASS: Final = re.compile(
    r"highl|hilite|match|keyword|marked|found|term|query"
    r"|(?<![a-z])(?:hit|hl|hlt|kw|em|red|bold|strong)(?![a-z])",
    re.IGNORECASE,
)
_SURE_MARKS: Final = tags.table(["em", "mark"])
_LEAST_PROSE: Final = 24
_LEAST_WIDE: Final = 10
"""Characters of a line besides the word that is marked in it; where that is of wide ones."""
_WIDE: Final = "\u2e80"
_WIDE_WITHIN: Final = 16
_WITHIN: Final = 0.25
"""Least share of the elements at one place that stand amid text, to be marks."""
_MOST_TURNS: Final = 8
_SHORT_TURN: Final = 60
"""Characters, in the mean, of lines that are fields of their own where entries have as many."""
_SAME_TURNS: Final = 0.9


@dataclass(frozen=True, eq=False)
class Cell:
    """What one entry has in one column: its text, white space folded, and where it stands.

    Attributes:
        entry: number of the entry, from 0.
        owner: row of the element that holds it; of a text beside elements, theirs.
        rows: half-open range of the rows.
        text: the text; "" of an image.
    """

    entry: int
    owner: int
    rows: tuple[int, int]
    text: str


@dataclass(frozen=True, eq=False)
class Column:
    """The cells at one place of a list's entries, at most one an entry, in order.

    Attributes:
        cells: the cells.
        share: share (0..1) of the entries that have one.
        turn: 0 for the first time that the place occurs in its entry, 1 for the second, …
    """

    cells: list[Cell] = field(default_factory=list)
    share: float = 0.0
    turn: int = 0


def text_columns(page: Page, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> list[Column]:
    """Return the columns of texts of entries, given as half-open ranges of rows, in order."""
    leaves, entry = _rows_within(page.written & page.shown, starts, ends)
    if not len(leaves):
        return []
    paths = _paths(page, starts)
    owner = _owners(page, starts, ends, paths)[leaves]
    owner = np.where(owner < starts[entry], starts[entry], owner)
    order = np.lexsort((leaves, owner, entry))
    leaves, entry, owner = leaves[order], entry[order], owner[order]
    cuts = np.flatnonzero(np.diff(entry, prepend=-1) | np.diff(owner, prepend=-1))
    texts = _texts(page, leaves, cuts)
    firsts, lasts = leaves[cuts], leaves[np.append(cuts[1:], len(leaves)) - 1] + 1
    entry, owner = entry[cuts], owner[cuts]
    places = np.where(owner > starts[entry], paths[owner], np.uint64(0)).tolist()
    columns = entry.tolist(), owner.tolist(), zip(firsts.tolist(), lasts.tolist(), strict=True)
    cells = list(zip(places, map(Cell, *columns, texts), strict=True))
    return _aligned(page, sorted(cells, key=lambda one: one[1].rows), len(starts))


def image_columns(
    page: Page, pictures: Mask, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> list[Column]:
    """Return the columns of images, among the rows ``pictures``, bool[n]."""
    rows, entry = _rows_within(pictures, starts, ends)
    paths = _paths(page, starts)
    cells = [
        (int(paths[row]), Cell(one, row, (row, row + 1), ""))
        for row, one in zip(rows.tolist(), entry.tolist(), strict=True)
    ]
    return _aligned(page, cells, len(starts))


def _aligned(page: Page, cells: list[tuple[int, Cell]], count: int) -> list[Column]:
    """Return columns of cells with their places, in the order in which they first occur.

    Paragraphs at one place are one cell; links and the like, a column for each turn.
    """
    columns: dict[tuple[int, int], Column] = {}
    turns: dict[tuple[int, int], int] = {}
    apart = _places_by_turn(cells)
    is_by_turn = _BY_TURN.take(page.tag).item
    for place, cell in cells:
        key = cell.entry, place
        turn = turns.get(key, 0)
        inline = is_by_turn(cell.owner) or not cell.text or place in apart
        known = columns.get((place, 0))
        if turn and not inline and known is not None:
            before = known.cells[-1]
            rows = (before.rows[0], max(before.rows[1], cell.rows[1]))
            text = f"{before.text} {cell.text}"
            known.cells[-1] = Cell(cell.entry, before.owner, rows, text)
            continue
        turns[key] = turn + 1
        columns.setdefault((place, turn), Column(turn=turn)).cells.append(cell)
    return [Column(one.cells, len(one.cells) / count, one.turn) for one in columns.values()]


def _places_by_turn(cells: list[tuple[int, Cell]]) -> set[int]:
    """Return the places that hold as many short lines in nearly every entry: each is a field."""
    times = Counter((place, cell.entry) for place, cell in cells)
    counts: dict[int, Counter[int]] = {}
    for (place, _), count in times.items():
        counts.setdefault(place, Counter())[count] += 1
    usual = {place: found.most_common(1)[0] for place, found in counts.items()}
    lengths: Counter[int] = Counter()
    for place, cell in cells:
        lengths[place] += len(cell.text)
    return {
        place
        for place, (count, entries) in usual.items()
        if 1 < count <= _MOST_TURNS
        and entries >= _SAME_TURNS * counts[place].total()
        and entries > 1
        and lengths[place] <= _SHORT_TURN * count * counts[place].total()
    }


def _paths(page: Page, starts: NDArray[np.intp]) -> Hashes:
    """Return uint64[n]: path of kinds from the root, the entries' own kinds left out."""
    kinds = element_kinds(page).copy()
    kinds[starts] = 0
    return flattening.path_hashes(kinds, page.depth, page.end)


def _owners(
    page: Page, starts: NDArray[np.intp], ends: NDArray[np.intp], paths: Hashes
) -> NDArray[np.intp]:
    """Return intp[n]: the element that each row's text is a field of; -1 for none in its entry."""
    elements, entry = _rows_within(page.tag != tags.TEXT, starts, ends)
    number = np.unique(paths[elements], return_inverse=True)[1]
    times = np.bincount(number)
    pairs = np.unique(entry.astype(np.int64) * len(times) + number)
    having = np.bincount(pairs % len(times), minlength=len(times))
    common = having >= max(_COMMON * len(starts), min(2, len(starts)))
    is_field = np.zeros(len(page), dtype=bool)
    marks = _marks(page, elements, number)
    common &= ~marks
    settled = common & (times <= _ONCE * having)
    own = common[number] | ~_INLINE[page.tag[elements]]
    own |= page.has("class")[elements]
    own &= ~marks[number]
    is_field[elements[own]] = True
    is_field[starts] = True
    # An element whose text mostly stands at places that differ is a field as a whole.
    at_common = marked(len(page), elements[settled[number]])
    direct = np.where(at_common[np.maximum(page.parent, 0)], page.own_length, 0)
    inner = page.total(direct)[elements]
    inside = np.bincount(number, inner)
    whole = np.bincount(number, page.length[elements])
    varied = settled & (inside < _SETTLED * whole)
    top = marked(len(page), elements[varied[number]])
    top[starts] = False
    is_field &= ~page.inside(top) | top
    is_field[elements[varied[number]]] &= ~page.inside(top)[page.parent[elements[varied[number]]]]
    return kernels.nearest(page.parent, is_field).astype(np.intp)


def _marks(page: Page, elements: NDArray[np.intp], number: NDArray[np.intp]) -> Mask:
    """Return bool[k]: which of k places hold marks in running text, such as words sought for.

    ``number`` is that of the place of each of the elements of all entries.
    """
    count = int(number.max(initial=-1)) + 1
    may = _HIGHLIGHTS[page.tag[elements]] & (page.length[elements] > 0)
    span = may & page.is_tag("span")[elements]
    if span.any():
        named = {row for row, value in page.having("class") if _MARKED_CLASS.search(value)}
        may[span] = [row in named for row in elements[span].tolist()]
    rows, number = elements[may], number[may]
    if not len(rows):
        return np.zeros(count, dtype=bool)
    written = np.flatnonzero(page.written & page.shown)
    parent, above = page.parent[rows], page.parent[written]
    at, stop = written.searchsorted(rows), written.searchsorted(page.end[rows])
    before = (at > 0) & (above[at - 1] == parent)
    after = (stop < len(written)) & (above[np.minimum(stop, len(written) - 1)] == parent)
    firsts = (page.text[at : at + _WIDE_WITHIN].lstrip()[:1] for at in page.text_at[rows].tolist())
    least = np.where([one >= _WIDE for one in firsts], _LEAST_WIDE, _LEAST_PROSE)
    beside = np.bincount(above, page.own_length[written], len(page))[parent] >= least
    amid = np.bincount(number, before & after & beside, count)
    sure = np.bincount(number, (before | after) & beside & _SURE_MARKS[page.tag[rows]], count)
    times = np.bincount(number, minlength=count)
    found: Mask = (amid > 0) & (amid >= _WITHIN * times) | (sure > 0) & (2 * sure >= times)
    return found


def _rows_within(
    wanted: Mask, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return intp[m] twice: the wanted rows in any range, and the number of the range."""
    rows = np.flatnonzero(wanted)
    entry = np.searchsorted(starts, rows, side="right") - 1
    inside = (entry >= 0) & (rows < ends[np.maximum(entry, 0)])
    return rows[inside], entry[inside]


def _texts(page: Page, rows: NDArray[np.intp], cuts: NDArray[np.intp]) -> list[str]:
    """Return the texts of groups of rows, white space folded, with a space between lines.

    ``cuts`` are where the first row of each group stands among the rows.
    """
    text, line = page.text, page.line[rows]
    spans = zip(page.text_at[rows].tolist(), page.text_at[rows + 1].tolist(), strict=True)
    begins_line = np.diff(line, prepend=-1) != 0
    parts = [
        f" {text[start:stop]}" if begins else text[start:stop]
        for (start, stop), begins in zip(spans, begins_line.tolist(), strict=True)
    ]
    bounds = pairwise([*cuts.tolist(), len(parts)])
    return [" ".join("".join(parts[first:last]).split()) for first, last in bounds]


# What a cell of an entry holds: a link, a date, names of authors.

_LONGEST_DATE: Final = 80  # characters of its cell
_LONGEST_AUTHOR: Final = 80
_DIGIT: Final = re.compile(r"\d")


def links_of(page: Page, cells: Sequence[Cell]) -> NDArray[np.intp]:
    """Return intp[k]: the row of the link in which each cell stands, or that it holds; -1: none."""
    links, around = page.derived("links with an address", lambda: _links(page))
    first = np.array([cell.rows[0] for cell in cells], dtype=np.intp)
    last = np.array([cell.rows[1] for cell in cells], dtype=np.intp)
    owner = np.array([cell.owner for cell in cells], dtype=np.intp)
    next_ = np.append(links, len(page))[links.searchsorted(owner)]
    held = np.where(next_ < last, next_, -1)
    found: NDArray[np.intp] = np.where(page.in_link[first], around[first], held)
    return found


def _links(page: Page) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return links with an address: intp[k], their rows; intp[n], the one around each row, or -1.

    A link stands around itself.
    """
    rows = [row for row, href in page.having("href", page.is_tag("a")) if href]
    is_link = marked(len(page), rows)
    around = kernels.nearest(page.parent, is_link)
    return np.array(rows, dtype=np.intp), around.astype(np.intp)


def date_of(page: Page, cell: Cell) -> str:
    """Return the date that a cell shows, or its ``time`` element declares; "" for none.

    What a ``time`` element shows is returned as written where no day can be read.
    """
    if len(cell.text) > _LONGEST_DATE:
        return ""
    declares = "datetime" in page.attribute_names
    declared = (page.attribute(cell.owner, "datetime") or "") if declares else ""
    found = date_in(declared) if declared else ""
    found = found or date_in(cell.text, locale=locale_of_page(page))
    rest = cell.text.replace(found, " ").split() if found else ()
    if rest and found in cell.text and all(is_of_dates(word.strip(".,")) for word in rest):
        return cell.text  # with the day of the week
    return found or (cell.text if page.name(cell.owner) == "time" else "")


def authors_of(text: str, *, strict: bool = False) -> str:
    """Return the names in a text, joined by "; "; "" for none."""
    return "" if len(text) > _LONGEST_AUTHOR else "; ".join(split_names(text, strict=strict))


def author_beside_date(text: str) -> str:
    """Return the names in a text that holds a date, too, such as "Ann Lee 1 March 2025"."""
    words = text.split()
    of_date = {
        at + beside
        for at, word in enumerate(words)
        if _DIGIT.search(word)
        for beside in (-1, 0, 1)
        if 0 <= at + beside < len(words)
        and (not beside or month_of(words[at + beside].strip(".,")))
    }
    rest = [word for at, word in enumerate(words) if at not in of_date]
    if all(is_of_dates(word.strip(".,()")) for word in rest):
        return ""
    return authors_of(" ".join(rest), strict=True)


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
_LONGEST_TITLE: Final = 300
_LEAST_NAME: Final = 4
_LONGEST_PRICE: Final = 40
_LEAST_SUMMARY: Final = 25.0
_NEAR: Final = 3  # elements: the one that holds a cell, and those next around it
_NOT_WORD: Final = re.compile(r"\W+")


_CONTROLS: Final = tuple(words_of("controls").split("; "))
"""Texts of controls of shops, in lower case, that may stand in one text with what they act on."""
_AROUND_CONTROL: Final = " \t\u3000|·+•:"
_STRUCK: Final = frozenset({"s", "del", "strike"})
_FORMER_CLASS: Final = re.compile(
    r"(?<![a-z])(?:old|was|before|regular|original|list|former|compare|strike|msrp|rrp|uvp)(?![a-z])"
    r"|strike-?through|line-?through|crossed",
    re.IGNORECASE,
)
_OF_FORMER: Final = 0.4
"""Weight of a former price beside one that holds."""


@dataclass(frozen=True, eq=False)
class ColumnFacts:
    """What the names of a column's fields are chosen by: shares of its cells, 0..1."""

    page: Page
    column: Column

    @cached_property
    def linked(self) -> float:
        """Cells that stand in a link, or most of whose text does."""
        cells = self.column.cells
        rows = links_of(self.page, cells)
        lengths = np.array([len(cell.text) for cell in cells])
        most = 2 * self.page.length[rows] >= lengths
        return float(np.count_nonzero(most & (rows >= 0))) / len(cells)

    @cached_property
    def headed(self) -> float:
        """Cells in, or around, a heading."""
        cells = self.column.cells
        is_head = tags.HEADING[self.page.tag]
        before = np.append(0, np.cumsum(is_head))
        if not before[-1]:
            return 0.0
        rows = np.array([cell.rows for cell in cells], dtype=np.intp)
        found = before[rows[:, 1]] > before[rows[:, 0]]
        for near in self._near(cells):
            found |= is_head[near] & (near >= 0)
        return float(np.count_nonzero(found)) / len(cells)

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
        """Median number of characters, wide ones counted as three."""
        return median(map(_width, self.texts.elements()))

    def repeats(self, other: Column) -> bool:
        """Return whether most texts of another column are this one's, as of a hidden copy."""
        texts = {cell.entry: cell.text for cell in other.cells}
        return self._share(lambda cell: texts.get(cell.entry) == cell.text) >= _SHARE

    def _near(self, cells: list[Cell]) -> list[NDArray[np.intp]]:
        """Return the row that holds each cell and the next elements around it; -1 for none left.

        These have little text besides, so that they stand within the entry.
        """
        page = self.page
        most = 2 * np.array([max(len(cell.text), 1) for cell in cells])
        rows = [np.array([cell.owner for cell in cells], dtype=np.intp)]
        while len(rows) < _NEAR:
            above = np.where(rows[-1] > 0, page.parent[rows[-1]], -1)
            rows.append(np.where((above > 0) & (page.length[above] <= most), above, -1))
        return rows

    @cached_property
    def _near_first(self) -> list[int]:
        """The rows that are near the first cell, as `_near` has them."""
        rows = [int(near[0]) for near in self._near(self.column.cells[:1])]
        return [row for row in rows if row >= 0]

    def _named(self, *attributes: str) -> str:
        pairs = [self.page.attributes(row) for row in self._near_first]
        return " ".join(pair.get(name) or "" for pair in pairs for name in attributes)

    def _share(self, holds: Callable[[Cell], bool]) -> float:
        return sum(map(holds, self.column.cells)) / len(self.column.cells)

    def share_of_texts(self, holds: Callable[[str], bool]) -> float:
        """Return the share of cells whose text is such; equal texts are looked at once."""
        having = sum(count for text, count in self.texts.items() if holds(text))
        return having / len(self.column.cells)


def _width(text: str) -> int:
    """Return the number of characters, wide ones of the first 200 counted as three."""
    return len(text) + 2 * sum(one >= _WIDE for one in text[:200])


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


def without_controls(texts: list[str]) -> list[str]:
    """Return texts without the control that most of them begin or end with."""
    least = _SURE * len(texts)
    lower = [text.lower() for text in texts]
    for control in _CONTROLS:
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
    marks = 1.0 * one.headed + 0.8 * one.linked + 0.4 * named + (one.declared == "title")
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
    rows = links_of(one.page, cells[:5]).tolist()
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
        name = first_class_name(page.attribute(row, "class") or "")
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
