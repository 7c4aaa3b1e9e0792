"""Loops over the columns of a page, in C: the one door to what is compiled.

What is written to is made here. Arguments are given by position; their types, shapes and what is
checked of them stand at each kernel in ``native/``, whose name is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from chaffinch.errors import PageError
from chaffinch.kernels.codes import CONTAINER_LEVELS, NAME_WORDS, NEAR_ROWS, WORD_SLOTS
from chaffinch.kernels.compiled import native
from chaffinch.kernels.tree import walk as walk
from chaffinch.kernels.tree import walk_hindrance as walk_hindrance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import (
        Amounts,
        Array,
        AttributeArrays,
        Codes,
        Depths,
        Floats,
        Hashes,
        Kinds,
        Mask,
        Numbers,
        Pairs,
        Places,
        Rows,
    )  # fmt: skip

Names: TypeAlias = tuple[str | None, ...]
"""Class and id, with role and itemprop where there is one of them; None for those absent."""
Run: TypeAlias = tuple[int, int, int, bool, bool, int, str, int]
"""Row, its tag, its line, whether a `RUN_BOUNDARY` begins or ends before it, and whether after it a
block of any kind does; of texts in which anything is written the first row after the last one that
is, their text, white space folded, and what is known of it, as bits: `RUN_AFTER_SPACE`,
`RUN_BEFORE_SPACE`, and those that its characters stand for; of others 0, "" and 0. The row of texts
is the first that is written."""

_LONGEST = (1 << 31) - 2
_HIGHEST = 1 << 40  # of a limit in C; what is higher is none
_PAGE_TYPES = 5  # where the number of page types stands among the sizes of a network


def _bools(mask: Mask) -> Mask:
    return np.ascontiguousarray(mask, dtype=bool)


# A page's bytes

is_plain: Callable[[bytes], bool] = native.is_plain
"""Whether bytes are UTF-8 without a BOM, and can't be in another encoding."""
count_tags: Callable[[bytes], int] = native.count_tags
"""How many «<» there are."""
count_formatting: Callable[[bytes], int] = native.count_formatting
"""How many start tags of formatting elements there are."""
count_separators: Callable[[bytes, int], int] = native.count_separators
"""How many bytes in tags may separate attributes; -1 where one tag has more than an argument
says."""


def read_tags(
    data: bytes, table: Sequence[Any], limits: Sequence[int], check: Callable[[], object]
) -> tuple[bytes, int, int, int]:
    """Read a page in UTF-8 tag by tag and cut what is beyond a limit; text is never cut.

    Returns the page; start tags, comments and copies of formatting elements; end tags; the most
    elements that were open. Where there are more rows than allowed, the page isn't to be used.
    ``check`` is called now and then, and may raise.
    """
    if len(data) > _LONGEST:
        raise PageError("more than 2 GiB")
    highest = np.array([min(limit, _HIGHEST) for limit in limits], np.int64)
    read: tuple[bytes, int, int, int] = native.read_tags(data, *table, highest, check)
    return read


# Attributes: `AttributeColumns` of chaffinch.page.attributes

pairs: Callable[..., Pairs] = native.pairs
"""The attributes of a row; none for one that isn't of the page."""
having: Callable[..., tuple[list[int], list[str | None]]] = native.having
"""The rows that have an attribute, and its value in each."""
values_of: Callable[..., list[tuple[str | None, ...]]] = native.values_of
"""For each of some rows its values of some attributes."""


class SoughtWords(NamedTuple):
    """Words that kernels look for, made by `sought`; of use in this process alone."""

    words: tuple[bytes, ...]
    of_kind: bytes
    said: Hashes
    compiled: bytes


def sought(words: tuple[bytes, ...], of_kind: bytes, said: Hashes) -> SoughtWords:
    """Return words of two bytes or more, the kind of each, above 0, and what each says as bits."""
    return SoughtWords(words, of_kind, said, native.sought(words, of_kind, said))


def sought_in_texts(words: tuple[bytes, ...]) -> SoughtWords:
    """Return words of three bytes or more for `words_in`."""
    return sought(words, b"\1" * len(words), np.zeros(len(words), np.uint64))


def words_in(text: bytes, sought: SoughtWords) -> list[bytes]:
    """Return those of some words that stand in a text, in their order and their own case."""
    found = np.zeros(len(sought.words), np.bool_)
    if not native.words_in(text, sought.compiled, found):
        return []
    return [sought.words[at] for at in found.nonzero()[0].tolist()]


def words_found(
    columns: tuple[bytes, bytes, bytes, bytes], kinds: bytes, sought: SoughtWords
) -> tuple[Rows, Hashes]:
    """Return the rows whose attributes hold words of their kind, and what these say, as bits.

    Words are of ASCII in lower case and are looked for in any case; the end of a value is a line
    break, too. ``kinds`` is by the number of an attribute's name, 0 for one that isn't searched. A
    value with letters beyond ASCII has the bits of all words, and the highest one.
    """
    size = len(columns[0]) // 4
    rows, bits = np.empty(size, np.int32), np.empty(size, np.uint64)
    count = native.words_found(*columns, kinds, sought.compiled, rows, bits)
    return rows[:count], bits[:count]


def read_names(
    columns: tuple[bytes, bytes, bytes, bytes, bytes, tuple[str, ...]],
    kinds: Kinds,
    wanted: Mask,
    stems: tuple[str, ...],
    pack: Callable[[Names], bytes],
    hides: Callable[[str], bool],
) -> tuple[Rows, Rows, Codes, Rows, list[tuple[int, Names]], Rows]:
    """Return the sets of names (class, id, role, itemprop) of rows, and the rows that are hidden.

    ``pack`` and ``hides`` do for names and styles beyond ASCII what C does for others.

    Returns:
        int32[n], number of each row's set, 0 for none; int32[n], the same number for sets with the
        same words; uint16[s, NAME_WORDS], the buckets of each set's words; int32[s], the first row
        of each, -1 for that of none; the sets with a role, a letter beyond ASCII, or a class that
        holds a stem in any case, each after its number; int32[h], rows whose own style or
        attributes hide them.
    """
    of_row, alike = np.empty((2, len(wanted)), np.int32)
    buckets, first, candidates, hidden = native.read_names(
        *columns, kinds, _bools(wanted), of_row, alike, stems, pack, hides
    )
    words = np.frombuffer(buckets, np.uint16).reshape(-1, NAME_WORDS)
    rows = (np.frombuffer(one, np.int32) for one in (first, hidden))
    return of_row, alike, words, next(rows), candidates, next(rows)


# What follows from the shape of a page

held_tags: Callable[[Codes, int], bytes] = native.held_tags
"""For each of so many tags, by code, 1 where a row has it, else 0."""


def inside(end: Rows, marked: Mask) -> Mask:
    """Return bool[n]: the marked rows and all their descendants."""
    native.inside(end, _bools(marked), inner := np.empty(len(end), bool))
    return inner


def around(end: Rows, marked: Mask) -> Mask:
    """Return bool[n]: the marked rows and all their ancestors."""
    native.around(end, _bools(marked), outer := np.empty(len(end), bool))
    return outer


def total(end: Rows, own: Array) -> NDArray[Any]:
    """Return the sum of ``own`` over each row's subtree: int32 of bool, int64 of other integers."""
    kind = own.dtype.kind
    summed = np.int32 if kind == "b" else np.float64 if kind == "f" else np.int64
    sums: NDArray[Any] = np.empty(len(end), summed)
    native.total(end, np.ascontiguousarray(own, None if kind == "b" else summed), sums)
    return sums


def nearest(parent: Rows, marked: Mask) -> Rows:
    """Return int32[n]: the nearest marked row at or above each row; -1 where there is none."""
    native.nearest(parent, _bools(marked), found := np.empty(len(parent), np.int32))
    return found


outermost_within: Callable[[Rows, Rows, int, int, int], int] = native.outermost_within
"""The outermost of a row and what is above it that begins behind one row and ends by another, by
parent and end of rows."""


def sums_around(
    parent: Rows, end: Rows, own: Rows, left_out: Mask, kept: Mask, rows: Rows, least: int
) -> tuple[Rows, Amounts]:
    """Return what is around r rows: int32[2, r] and int64[2, 2, r].

    First the nearest row above each whose subtree sums to enough, and that above it whose subtree
    sums to more; -1 where there is none. Then the sum of ``own`` over the subtree of either, rows
    ``left_out`` apart, and the sum over its kept rows; 0 where there is none.
    """
    before = np.empty((2, len(parent) + 1), np.int64)
    boxes, sums = np.empty((2, len(rows)), np.int32), np.empty((2, 2, len(rows)), np.int64)
    masks = _bools(left_out), _bools(kept)
    native.sums_around(parent, end, own, *masks, rows, least, before, boxes, sums)
    return boxes, sums


def kept_and_between(
    tag: Codes, parent: Rows, end: Rows, written_before: Places, written: Mask, shown: Mask,
    kept: Mask, kinds: Kinds,
) -> Mask:  # fmt: skip
    """Return bool[n]: kept rows, and the rows between them whose holder is kept.

    The holder of a row is the nearest one above that isn't passed over: an element in which
    nothing is written is, unless it is a `HOLDER` or the first row.
    """
    found, held = np.empty((2, len(tag)), bool)
    given = tag, parent, end, written_before, written, shown, _bools(kept), kinds
    native.kept_and_between(*given, found, held)
    return found


def path_hashes(symbols: Hashes, depth: Depths, end: Rows) -> Hashes:
    """Return uint64[n]: the hash of the path of symbols from the root to each row."""
    hashes = np.zeros(len(symbols) + 1, np.uint64)
    native.path_hashes(np.ascontiguousarray(symbols), depth, end, hashes)
    return hashes[:-1]


def table_counts(
    parent: Rows, table: Mask, kinds: Kinds, length: Amounts, link_length: Amounts
) -> Amounts:
    """Return int64[11, t]: what each of t tables holds, inner tables apart."""
    counts = np.zeros((11, np.count_nonzero(table)), np.int64)
    native.table_counts(parent, table, kinds, length, link_length, counts)
    return counts


# Texts

folded_texts: Callable[[str, Rows, Rows], list[str]] = native.folded_texts
"""Stretches of a text, runs of white space folded to one space, none at their ends."""


class TextColumns(NamedTuple):
    """What follows for each of n rows from the page's tags and text.

    Attributes:
        shown: bool[n], rows in no element whose text a browser doesn't show (title, template, …).
        written: bool[n], rows whose own text holds something other than white space.
        line: int32[n], number of the line that each row belongs to.
        own: int32[n], folded characters of each row's own text; 0 for elements and for rows that
            aren't shown. A white-space run that lies in several rows counts for the row in which it
            starts.
        before: intp[n+1], characters that aren't white space before each row's own text.
    """

    shown: Mask
    written: Mask
    line: Rows
    own: Rows
    before: Places


def text_columns(
    tag: Codes, end: Rows, text: str, text_at: Rows, kinds: Kinds, invisible: Mask
) -> TextColumns:
    """Return what follows for each row from the page's tags and text."""
    count = len(tag)
    shown, written = np.empty((2, count), bool)
    line, own = np.empty((2, count), np.int32)
    found = TextColumns(shown, written, line, own, np.empty(count + 1, np.intp))
    native.text_columns(tag, end, text, text_at, kinds, invisible, *found)
    return found


def characters(text: str, text_at: Rows, counted: Mask) -> Rows:
    """Return int32[n]: how many characters of each row's own text are counted.

    ``counted`` is bool by code point; its last item is that of all code points from there on.
    """
    native.characters(text, text_at, counted, counts := np.empty(len(text_at) - 1, np.int32))
    return counts


def kept_lines(
    text: str, text_at: Rows, tag: Codes, line: Rows, end: Rows, parent: Rows, kept: Mask,
    above: Mask, kinds: Kinds,
) -> tuple[list[str], Rows, Rows, Mask]:  # fmt: skip
    """Return the m lines of the text rows that are kept, none of them empty.

    Returns:
        m texts, white space folded, but for those in preformatted elements; int32[m], the first
        kept text row of each; int32[m], the first row after its last; bool[m], lines that stand
        beside the line before: both are the only line of their cell, and the cells have one parent.
    """
    first, last = np.empty((2, len(tag)), np.int32)
    beside = np.empty(len(tag), bool)
    of_rows = tag, line, end, parent, kept, above
    texts = native.kept_lines(text, text_at, *of_rows, kinds, first, last, beside)
    found = len(texts)
    return texts, first[:found], last[:found], beside[:found]


def text_runs(
    text: str, rows: Amounts, special: Amounts, special_kinds: Kinds, kinds: Kinds, open_ends: Rows,
    tag: Codes, end: Rows, line: Rows, text_at: Rows, written: Mask, signs: Kinds,
) -> tuple[list[Run], list[int]]:  # fmt: skip
    """Return the runs of some rows, and the ends of boundaries that go on behind them.

    Texts that stand side by side in one line are one run, and elements that are only boundaries are
    marks of the runs around them. White space before a boundary or a block is no run, unless it is
    the last one, or stands behind a boundary and an element that is none ends before the next run.
    """
    room = np.empty(2 * (len(open_ends) + len(rows)), np.int32)
    given = text, rows, special, special_kinds, kinds, open_ends
    found: tuple[list[Run], list[int]] = native.text_runs(
        *given, tag, end, line, text_at, written, signs, room
    )
    return found


def texts_alike(text: str, starts: Rows, stops: Rows, key: str, first: int, last: int) -> Mask:
    """Return bool[k]: whether each stretch of a text may be a key, signs and case left out.

    Where anything but ASCII begins that isn't a letter from ``first`` to ``last``, it may.
    """
    may = np.empty(len(starts), bool)
    native.texts_alike(text, starts, stops, key, first, last, may)
    return may


# Text blocks


def text_blocks(
    tag: Codes, parent: Rows, line: Rows, shown: Mask, written: Mask, own: Rows, in_link: Mask,
    is_block: Mask,
) -> tuple[Rows, ...]:  # fmt: skip
    """Return the m text blocks of a page: runs of text rows of one line.

    int32[m] each: the first text row, the first row after the last, the nearest block element
    around the first, the sums of what rows between have of their ``own``, and of that in links;
    int32[n], the block of each row, -1 for none.
    """
    columns, block = np.empty((5, len(tag)), np.int32), np.empty(len(tag), np.int32)
    of_rows = tag, parent, line, shown, written, own, in_link
    count = native.text_blocks(*of_rows, is_block, columns, block)
    return *columns[:, :count].copy(), block


def outermost_boxes(
    tag: Codes, parent: Rows, length: Amounts, owner: Rows, box: int, most: int
) -> Rows:
    """Return int32[m]: the outermost of up to ``most`` boxes around each owner with its text alone.

    Boxes are elements whose tag is ``box``; an owner in none is its own.
    """
    native.outermost_boxes(tag, parent, length, owner, box, most, boxes := np.empty_like(owner))
    return boxes


class Above(NamedTuple):
    """The r elements that hold some of m blocks of n rows.

    Attributes:
        begun: int32[n+1], blocks that begin before each row.
        holds: bool[n], rows in whose subtree a block begins.
        rows: intp[r], the elements, ascending.
        place: int32[n], where each of them stands in ``rows``; 0 for all other rows.
        up: int32[r], where in ``rows`` the parent of each stands; itself for the outermost.
        over: int32[m], where in ``rows`` the parent of each block's first row stands.
    """

    begun: Rows
    holds: Mask
    rows: Places
    place: Rows
    up: Rows
    over: Rows


def above(tag: Codes, parent: Rows, end: Rows, first: Rows) -> Above:
    """Return the elements that hold some of the blocks that begin at the rows ``first``."""
    count = len(tag)
    begun, holds = np.zeros(count + 1, np.int32), np.empty(count, bool)
    rows, over = np.empty(count, np.intp), np.empty(len(first), np.int32)
    place, up = np.empty((2, count), np.int32)
    number = native.above(tag, parent, end, first, begun, holds, rows, place, up, over)
    return Above(begun, holds, rows[:number], place, up[:number], over)


def kinds_above(
    tag: Codes, place: Rows, rows: Places, up: Rows, over: Rows, hidden: Rows, kinds: Rows,
    out: Floats,
) -> None:  # fmt: skip
    """Write how many elements of each kind are above each block, with 1 added."""
    counts = np.zeros((len(rows), kinds.shape[1]), np.int32)
    native.kinds_above(tag, place, rows, up, over, hidden, kinds, counts, out)


class Containers(NamedTuple):
    """The containers of m blocks, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before.

    Attributes:
        rows: int32[CONTAINER_LEVELS, m], the containers.
        low, high: int32[CONTAINER_LEVELS, m], their blocks: low:high.
        near: int32[m, NEAR_ROWS], the element of each block's first text, its owner, the parent of
            that, and the container of level 1.
    """

    rows: Rows
    low: Rows
    high: Rows
    near: Rows


def containers(
    tag: Codes, parent: Rows, end: Rows, first: Rows, owner: Rows, begun: Rows, place: Rows,
    up: Rows, rows: Places, sums: Rows, kinds: Rows, out: Floats,
) -> Containers:  # fmt: skip
    """Return the containers of m blocks, and write what they hold."""
    around, low, high = np.empty((3, CONTAINER_LEVELS, len(first)), np.int32)
    found = Containers(around, low, high, np.empty((len(first), NEAR_ROWS), np.int32))
    given = tag, parent, end, first, owner, begun, place, up, rows, sums, kinds
    native.containers(*given, *found, out)
    return found


def groups(
    tag: Codes, alike: Rows, parent: Rows, near: Rows, around: Rows, sums: Rows, counts: Floats,
    shares: Floats,
) -> tuple[Rows, int]:  # fmt: skip
    """Write what repeats; return int32[m], the group of like blocks of each, and how many."""
    blocks = sums.shape[1]
    of_block, room = np.empty(blocks, np.int32), np.empty(2 * blocks + 1, np.intp)
    given = tag, alike, parent, near, around, sums
    return of_block, native.groups(*given, of_block, room, counts, shares)


def places(
    tag: Codes, depth: Depths, first: Rows, owner: Rows, media: Mask, level: Floats,
    first_level: int, out: Floats,
) -> tuple[Rows, int]:  # fmt: skip
    """Write where each of m blocks stands; return the headings before them.

    That is int32[m], the last before each block, m for none; and how many blocks stand before any.
    """
    heading = np.empty(len(first), np.int32)
    lead = native.places(tag, depth, first, owner, media, level, first_level, out, heading)
    return heading, lead


def text_features(
    text: str, title: str, description: str, body: str, kinds: Kinds, hashes: NDArray[np.uint32],
    written_before: Places, text_at: Rows, in_link: Mask, first: Rows, last: Rows, columns: Floats,
    sums: Rows,
) -> Codes:  # fmt: skip
    """Write the features of each block's text; return uint16[WORD_SLOTS, m], its first words."""
    words = np.empty((WORD_SLOTS, len(first)), np.uint16)
    texts, tables = (text, title, description, body), (kinds, hashes)
    rows = written_before, text_at, in_link, first, last
    native.text_features(*texts, *tables, *rows, columns, sums, words)
    return words


def network(
    weights: Sequence[Array], facts: Floats, blocks: Sequence[Array], groups: int, widest: int
) -> tuple[Floats, Floats]:
    """Return the network's answer for a page of m blocks, at least one, in so many groups.

    That is float32[m], the probability that each block is content, and float32[types], that of each
    page type.
    """
    score = np.empty(blocks[0].shape[1], np.float32)
    kinds = np.empty(weights[0][_PAGE_TYPES], np.float32)
    native.network(*weights, facts, *blocks, groups, score, kinds, widest)
    return score, kinds


# Picks among rows and blocks, which rules are made of

best_threshold: Callable[[Floats, Floats, float, float], float] = native.best_threshold
"""The value from which a choice of weighed items has the highest expected F measure."""
kept_sums: Callable[[Floats, Floats, Mask], tuple[float, float, float]] = native.kept_sums
"""The sums of values times weights, of that of what is kept, and of the kept weights."""


def blocks_inside(
    tag: Codes, end: Rows, first: Rows, kinds: Mask, of_row: Rows, named: Mask
) -> Mask:
    """Return bool[m]: blocks that begin in elements of certain tags or names."""
    native.blocks_inside(tag, end, first, kinds, of_row, named, mask := np.empty(len(first), bool))
    return mask


def numbered(keys: Hashes) -> Places:
    """Return intp[k]: the number of each key among the different ones, in the order of sight."""
    native.numbered(keys, numbers := np.empty(len(keys), np.intp))
    return numbers


def pulled_to_means(
    number: Rows, weights: Floats, values: Floats | Numbers, share: float
) -> Numbers:
    """Return float64[m]: values moved towards the mean, by weight, of those with their number."""
    pulled, room = np.empty(len(values)), np.empty(2 * len(values))
    native.pulled_to_means(number, weights, values, share, pulled, room)
    return pulled


def outermost_stretches(
    tag: Codes, end: Rows, points: Rows, kinds: Kinds, further: Rows, most: int
) -> tuple[Rows, int]:
    """Return int32[m], for each point the first one in the same stretch, or -1; how many there are.

    A stretch are the rows of an element that begins one and stands in no other such; one that is
    counted holds at most ``most`` points an item, or is none.
    """
    number = np.empty(len(points), np.int32)
    return number, native.outermost_stretches(tag, end, points, kinds, further, most, number)


def common_values(
    first: Amounts, last: Amounts, bounds: Amounts, value: Amounts, weight: Rows, share: float
) -> tuple[Amounts, Amounts, Amounts]:
    """Return what the ranges of a group have in common: values that a share of them have.

    int64[k]: the weight of the items of each range whose values are common in its group. int64[k]:
    the different ones of these values that it has. int64[g]: the common values of each group, two
    ranges of which have them at least.
    """
    weights, found = np.empty((2, len(first)), np.int64)
    common = np.empty(len(bounds) - 1, np.int64)
    room = np.zeros(3 * (int(value.max(initial=-1)) + 1), np.int64)
    given = first, last, bounds, value, weight, share
    native.common_values(*given, weights, found, common, room)
    return weights, found, common


def beside_kept(
    page: tuple[Rows, Rows],
    blocks: tuple[Rows, Floats, Mask],
    images: Rows,
    rows: Rows,
    bounds: tuple[float, float, int],
) -> Mask:
    """Return bool[r]: rows in small elements without kept text, whose parents are kept."""
    beside = np.empty(len(rows), bool)
    native.beside_kept(*page, *blocks, images, rows, *bounds, beside)
    return beside


def followers(
    tree: tuple[Codes, Rows, Amounts],
    kinds: Kinds,
    bounds: tuple[int, int],
    attributes: tuple[AttributeArrays, Rows],
    text: tuple[str, Rows, Mask],
) -> Rows:
    """Return int32[2, k]: leaders and their followers, rows of kinds 1 and from 2 on, in order."""
    (starts, numbers, ends, _, values, _), names = attributes
    rows = np.empty((2, len(tree[0])), np.int32)
    of_attributes = starts, numbers, ends, values, names
    count = native.followers(*tree, kinds, *bounds, *of_attributes, *text, rows)
    return rows[:, :count]


def side_by_side(
    tree: tuple[Codes, Rows, Rows], kinds: Kinds, letters: Kinds, text: tuple[str, Rows]
) -> Rows:
    """Return int32[4, k]: texts with one right behind, that, and the outermost boxes of both.

    Texts are kind 4, boxes 1. A heading (2) and a box in it may hold the two as well: then -1 twice
    stands for the boxes. ``letters`` has 1 for characters of the second text, 2 for those of the
    first.
    """
    rows = np.empty((4, len(tree[0])), np.int32)
    return rows[:, : native.side_by_side(*tree, kinds, letters, *text, rows)]


def touching(end: Rows, rows: Rows, first: Rows, last: Rows, keep: Mask) -> Rows:
    """Return int32[t]: those of some rows whose subtrees share a row with a kept stretch."""
    room = np.empty(len(first) + len(rows), np.int32)
    found = native.touching(end, rows, first, last, keep, room)
    return room[len(first) : len(first) + found]


def rows_of(tag: Codes, kinds: Mask, marked: Mask, start: int, stop: int) -> Rows:
    """Return int32[r]: the rows start:stop of certain tags that are marked, or all for bool[0]."""
    rows = np.empty(stop - start, np.int32)
    return rows[: native.rows_of(tag, kinds, marked, start, stop, rows)]


def tags_between(
    tag: Codes, kinds: Mask, marked: Mask, first: Rows, last: Rows, keep: Mask
) -> Mask:
    """Return bool[n]: rows of certain tags in kept stretches or between two that follow."""
    between = np.empty(len(tag), bool)
    native.tags_between(tag, kinds, marked, first, last, keep, between)
    return between
