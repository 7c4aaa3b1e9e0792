"""Values of attributes in columns; see `chaffinch.kernels.arrays.AttributeArrays`."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.kernels.arrays import Amounts, Codes, Hashes, Mask, Pairs, Places, Rows


def all_pairs(
    starts: bytes,
    numbers: bytes,
    ends: bytes,
    valueless: bytes,
    values: bytes,
    names: tuple[str, ...],
    /,
) -> dict[int, Pairs]:
    """Return row → its attributes, of rows that have any, in order.

    Args:
        starts, numbers, ends, valueless, values, names: the columns.
    """
    by_row: dict[int, Pairs] = {}
    edges = _ints(starts)
    said = values_at(np.arange(len(valueless)), ends, valueless, values)
    of_each = [names[number] for number in _ints(numbers).tolist()]
    for row in np.flatnonzero(edges[1:] > edges[:-1]).tolist():
        some = slice(*edges[row : row + 2].tolist())
        by_row[row] = dict(zip(of_each[some], said[some], strict=True))
    return by_row


def pairs(
    starts: bytes,
    numbers: bytes,
    ends: bytes,
    valueless: bytes,
    values: bytes,
    names: tuple[str, ...],
    row: int,
    /,
) -> Pairs:
    """Return the attributes of one row; none for one that isn't of the page.

    Args:
        starts, numbers, ends, valueless, values, names: the columns.
        row: any number.
    """
    if not 0 <= row < len(starts) // 4 - 1:
        return {}
    start, stop = _ints(starts)[row : row + 2].tolist()
    own = [names[number] for number in _ints(numbers)[start:stop].tolist()]
    said = values_at(np.arange(start, stop), ends, valueless, values)
    return dict(zip(own, said, strict=True))


def having(
    rows: bytes,
    numbers: bytes,
    ends: bytes,
    values: bytes,
    valueless: bytes,
    among: Mask | bytes,
    number: int,
    /,
) -> tuple[list[int], list[str | None]]:
    """Return the rows that have an attribute, and its value in each.

    Args:
        rows: bytes of int32[a], the row of each attribute.
        numbers, ends, values, valueless: other columns.
        among: bool[n], which rows count; b"" for all.
        number: of the attribute's name.
    """
    places = np.flatnonzero(_ints(numbers) == number)
    found = _ints(rows)[places]
    if not isinstance(among, bytes):
        places, found = places[among[found]], found[among[found]]
    return found.tolist(), values_at(places, ends, valueless, values)


def rows_by_value(
    rows: bytes, numbers: bytes, ends: bytes, values: bytes, number: int, /
) -> dict[str, list[int]]:
    """Return each value of an attribute, "" for none, and the rows that have it, in order.

    Args:
        rows: bytes of int32[a], the row of each attribute.
        numbers, ends, values: other columns.
        number: of the attribute's name.
    """
    places = np.flatnonzero(_ints(numbers) == number)
    by_value: defaultdict[str, list[int]] = defaultdict(list)
    said = _texts(places, ends, values)
    for row, value in zip(_ints(rows)[places].tolist(), said, strict=True):
        by_value[value].append(row)
    return dict(by_value)


def rows_containing(
    rows: bytes,
    numbers: bytes,
    ends: bytes,
    values: bytes,
    number: int,
    words: tuple[bytes, ...],
    /,
) -> dict[str, list[int]]:
    """Return what `rows_by_value` does, of values that hold a word or letters beyond ASCII.

    Args:
        rows: bytes of int32[a], the row of each attribute.
        numbers, ends, values: other columns.
        number: of the attribute's name.
        words: up to 32 of two or more letters of ASCII in lower case, which are looked for in any
            case; a line break at the end of one is the end of a value, too.
    """
    by_value = rows_by_value(rows, numbers, ends, values, number)
    wanted = [word.decode("ascii") for word in words]
    return {
        value: found
        for value, found in by_value.items()
        if not value.isascii() or any(word in f"{value.lower()}\n" for word in wanted)
    }


def any_contained(
    starts: bytes,
    numbers: bytes,
    ends: bytes,
    values: bytes,
    tag: Codes,
    attributes: Rows,
    code: int,
    words: tuple[bytes, ...],
    /,
) -> bool:
    """Return whether one of ``words`` stands in one of two attributes.

    Args:
        starts, numbers, ends, values: columns.
        tag: uint16[n].
        attributes: int32[2], numbers of the attributes' names, -1 for one that isn't there.
        code: of the tag of the rows that are looked at; -1 for all.
        words: up to 32 of two or more bytes, in the case in which they stand there.
    """
    named = np.isin(_ints(numbers), attributes)
    if code >= 0:
        named &= np.repeat(tag == code, np.diff(_ints(starts)))
    edges = _ints(ends)
    places = np.flatnonzero(named)
    spans = zip(edges[places].tolist(), edges[places + 1].tolist(), strict=True)
    return any(word in values[at:stop] for at, stop in spans for word in words)


def values_of(
    starts: bytes, numbers: bytes, ends: bytes, values: bytes, rows: Rows, wanted: Rows, /
) -> list[tuple[str | None, ...]]:
    """Return for each row the values of some attributes, "" for no value, None where it has none.

    Args:
        starts, numbers, ends, values: columns.
        rows: int32[r].
        wanted: int32[w], numbers of the attributes' names; -1 for one that isn't there.
    """
    edges, number_of = _ints(starts), _ints(numbers)
    found = []
    for start, stop in zip(edges[rows].tolist(), edges[rows + 1].tolist(), strict=True):
        texts = _texts(np.arange(start, stop), ends, values)
        own = dict(zip(number_of[start:stop].tolist(), texts, strict=True))
        found.append(tuple(map(own.get, wanted.tolist())))
    return found


def _ints(column: bytes) -> Rows:
    return np.frombuffer(column, np.int32)


def values_at(places: Places, ends: bytes, valueless: bytes, values: bytes) -> list[str | None]:
    """Return the value of the attribute at each place, None for one without a value."""
    none = np.frombuffer(valueless, np.bool_)[places].tolist()
    said = _texts(places, ends, values)
    return [None if is_none else text for text, is_none in zip(said, none, strict=True)]


def _texts(places: Places, ends: bytes, values: bytes) -> Iterable[str]:
    edges = _ints(ends)
    spans = zip(edges[places].tolist(), edges[places + 1].tolist(), strict=True)
    if values.isascii():
        text = values.decode()
        return [text[at:stop] for at, stop in spans]
    return [values[at:stop].decode() for at, stop in spans]


def values_containing(text: bytes, starts: Amounts, words: tuple[bytes, ...], /) -> list[int]:
    """Return the numbers of the values in which one of some words begins, in order.

    Args:
        text: values one after the other, from the first byte on.
        starts: int64[v], rising, where each begins; the first is 0.
        words: 32 at most, of two bytes or more each.
    """
    edges = [*starts.tolist(), len(text)]
    found = set()
    for word in words:
        at = text.find(word) if len(starts) else -1
        while at >= 0:
            number = bisect_right(edges, at, hi=len(starts)) - 1
            found.add(number)
            at = text.find(word, edges[number + 1])
    return sorted(found)


def words_in(text: bytes, words: tuple[bytes, ...], /) -> int:
    """Return which of some words stand in a text, in their own case, as bits: the first the lowest.

    Args:
        text: of any length.
        words: 32 at most, of two bytes or more each.
    """
    return sum(1 << number for number, word in enumerate(words) if word in text)


def words_contained(
    rows: bytes,
    numbers: bytes,
    ends: bytes,
    values: bytes,
    number: int,
    words: tuple[bytes, ...],
    /,
) -> tuple[Rows, Hashes]:
    """Return int32[k], the rows whose attribute contains any of some words, and uint64[k], which.

    Bits are those of the words, the first the lowest; the highest is that of a value with letters
    beyond ASCII, whatever it says.

    Args:
        rows: bytes of int32[a], the row of each attribute.
        numbers, ends, values: other columns.
        number: of the attribute's name.
        words: 63 at most, of two or more letters of ASCII in lower case, which are looked for in
            any case; a line break at the end of one is the end of a value, too.
    """
    places = np.flatnonzero(_ints(numbers) == number)
    edges = _ints(ends)
    spans = zip(edges[places].tolist(), edges[places + 1].tolist(), strict=True)
    lines = [values[at:stop].lower() + b"\n" for at, stop in spans]  # of bytes: ASCII alone
    bits = [
        sum(1 << one for one, word in enumerate(words) if word in line)
        | (0 if line.isascii() else 1 << 63)
        for line in lines
    ]
    which = np.array(bits, dtype=np.uint64)
    return _ints(rows)[places][which > 0], which[which > 0]
