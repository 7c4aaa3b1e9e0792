"""The texts, images and links of a list's entries, aligned in columns.

After the alignment of DEPTA (Y. Zhai, B. Liu: Web Data Extraction Based on Partial Tree
Alignment, WWW 2005, section 4): what stands at one place of many entries is one field. There
trees are aligned in pairs, node by node; here by the path of kinds from the entry down, in one
pass. What differs from entry to entry, such as bold words in a summary or the whole body of an
article, belongs to the nearest element that entries have in common.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import finds
from chaffinch.kernels.arrays import Hashes, Mask, marked
from chaffinch.lists.post_features import element_kinds
from chaffinch.page import Page, tags

_COMMON: Final = 0.5  # share of a list's entries that have what is common to them
_SETTLED: Final = 0.5
"""Least share of an element's text at common places, for these to be fields of their own."""
_ONCE: Final = 1.5  # most times that a place with a field occurs in an entry, in the mean
_INLINE: Final = tags.table(
    "a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike"
    " strong sub sup tt u var".split()
)
_BY_TURN: Final = _INLINE | tags.table(["td", "th", "dd"])
"""Elements that are fields of their own where several stand at one place of an entry."""

_HIGHLIGHTS: Final = tags.table("em mark b strong i u s font span small big".split())
"""Elements that may mark a word in running text."""
_marks_word: Final = finds(
    re.compile(
        r"highl|hilite|match|keyword|marked|found|term|query"
        r"|(?<![a-z])(?:hit|hl|hlt|kw|em|red|bold|strong)(?![a-z])",
        re.IGNORECASE,
    )
)
_SURE_MARKS: Final = tags.table(["em", "mark"])
_LEAST_PROSE: Final = 24
_LEAST_WIDE: Final = 10
"""Characters of a line besides the word that is marked in it; where that is of wide ones."""
WIDE: Final = "\u2e80"
_WIDE_WITHIN: Final = 16
_WITHIN: Final = 0.25  # least share of the elements at one place that stand amid text, to be marks
_MOST_TURNS: Final = 8
_SHORT_TURN: Final = 60
"""Characters, in the mean, of lines that are fields of their own where entries have as many."""
_SAME_TURNS: Final = 0.9


@dataclass(frozen=True, eq=False)
class Cell:
    """What one entry has in one column: its text, white space folded, and where it stands."""

    entry: int  # number of the entry, from 0
    owner: int  # row of the element that holds it; of a text beside elements, theirs
    rows: tuple[int, int]  # half-open range of the rows
    text: str  # the text; "" of an image


@dataclass(frozen=True, eq=False)
class Column:
    """The cells at one place of a list's entries, at most one an entry, in order."""

    cells: list[Cell]
    share: float  # share (0..1) of the entries that have one


def text_columns(page: Page, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> list[Column]:
    """Return the columns of texts of entries, given as half-open ranges of rows, in order."""
    paths = _paths(page, starts)
    owner, path = _owners(page, starts, ends, paths), paths.item
    leaves, entries = _rows_within(page.written & page.shown, starts, ends)
    groups = defaultdict[tuple[int, int], list[int]](list)
    for row, entry in zip(leaves.tolist(), entries.tolist(), strict=True):
        groups[entry, max(owner.item(row), starts.item(entry))].append(row)
    cells = list[tuple[int, Cell]]()
    for (entry, own), rows in groups.items():
        cell = Cell(entry, own, (rows[0], rows[-1] + 1), _text(page, rows))
        cells.append((path(own) if own > starts.item(entry) else 0, cell))
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
    columns: dict[tuple[int, int], list[Cell]] = {}
    turns: dict[tuple[int, int], int] = {}
    apart = _places_by_turn(cells)
    is_by_turn = _BY_TURN.take(page.tag).item
    for place, cell in cells:
        key = cell.entry, place
        turn = turns.get(key, 0)
        inline = is_by_turn(cell.owner) or not cell.text or place in apart
        if turn and not inline:
            before = columns[place, 0][-1]
            rows = (before.rows[0], max(before.rows[1], cell.rows[1]))
            text = f"{before.text} {cell.text}"
            columns[place, 0][-1] = Cell(cell.entry, before.owner, rows, text)
            continue
        turns[key] = turn + 1
        columns.setdefault((place, turn), []).append(cell)
    return [Column(own, len(own) / count) for own in columns.values()]


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
    return kernels.path_hashes(kinds, page.depth, page.end)


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
        classes = page.own_attributes.values_of(elements[span].astype(np.int32), "class")
        may[span] = [bool(own and _marks_word(own)) for (own,) in classes]
    rows, number = elements[may], number[may]
    if not len(rows):
        return np.zeros(count, dtype=bool)
    written = np.flatnonzero(page.written & page.shown)
    parent, above = page.parent[rows], page.parent[written]
    at, stop = written.searchsorted(rows), written.searchsorted(page.end[rows])
    before = (at > 0) & (above[at - 1] == parent)
    after = (stop < len(written)) & (above[np.minimum(stop, len(written) - 1)] == parent)
    firsts = (page.text[at : at + _WIDE_WITHIN].lstrip()[:1] for at in page.text_at[rows].tolist())
    least = np.where([one >= WIDE for one in firsts], _LEAST_WIDE, _LEAST_PROSE)
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


def _text(page: Page, rows: list[int]) -> str:
    """Return the text of rows, white space folded, with a space between lines.

    And where white space of its own stands between two, or what is another field.
    """
    line, place = page.line.item, page.text_at.item
    parts, before = list[str](), (-1, -1)
    for row in rows:
        if before != (line(row), place(row)):
            parts.append(" ")
        parts.append(page.text[place(row) : place(row + 1)])
        before = line(row), place(row + 1)
    return " ".join("".join(parts).split())
