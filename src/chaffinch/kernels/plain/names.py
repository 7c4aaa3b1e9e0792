"""Names of elements (class, id, role, itemprop): each distinct set once, packed as words."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from chaffinch.kernels.codes import (
    ARIA_HIDDEN,
    CLASS,
    HIDDEN,
    ID,
    ITEMPROP,
    NAME_WORDS,
    ROLE,
    STYLE,
)
from chaffinch.kernels.plain.attributes import values_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Kinds, Mask, Rows

Names: TypeAlias = tuple[str | None, ...]
"""Class and id, with role and itemprop where there is one of them; None for those absent."""

NamesRead: TypeAlias = "tuple[Rows, Rows, NDArray[np.uint16], Rows, list[tuple[int, Names]], Rows]"
"""What `read_names` returns."""
_USUAL: Final = 2
"""Names of an element without role and itemprop."""


def read_names(
    starts: bytes,
    numbers: bytes,
    ends: bytes,
    valueless: bytes,
    values: bytes,
    names: tuple[str, ...],
    kinds: Kinds,
    wanted: Mask,
    stems: tuple[str, ...],
    pack: Callable[[Names], bytes],
    hides: Callable[[str], bool],
    /,
) -> NamesRead:
    """Return the set of names of each row, and the rows that are hidden.

    Args:
        starts, numbers, ends, valueless, values, names: attributes in columns.
        kinds: uint8[names], what each attribute is: `CLASS` to `ARIA_HIDDEN`, 0 for others.
        wanted: bool[n], rows that are read.
        stems: up to 16 parts of words of three or more letters of ASCII in lower case.
        pack: gives the bytes of uint16[NAME_WORDS], buckets of the words of a set of names. C cuts
            names of ASCII itself.
        hides: whether a style hides its element. C reads styles of ASCII itself.

    Returns:
        int32[n], number of each row's set of names, 0 for none; int32[n], the same number for sets
        with the same words; uint16[s, NAME_WORDS], the packed words of each set; int32[s], the
        first row of each set, -1 for that of none; the sets with a role, a letter beyond ASCII, or
        a class that holds a stem in any case, each after its number; int32[h], rows whose own style
        or attributes hide them.
    """
    del names  # `kinds` has all that counts of them
    kind_of, edges = kinds[np.frombuffer(numbers, np.int32)], np.frombuffer(starts, np.int32)
    row_of = np.repeat(np.arange(len(wanted)), np.diff(edges))
    places = np.flatnonzero((kind_of > 0) & wanted[row_of])
    texts = values_at(places, ends, valueless, values)
    by_row: defaultdict[int, dict[int, str | None]] = defaultdict(dict)
    some = zip(row_of[places].tolist(), kind_of[places].tolist(), texts, strict=True)
    for row, kind, value in some:
        by_row[row][kind] = value
    seen: dict[Names, int] = {(None, None): 0}
    first = [-1]
    of_row = np.zeros(len(wanted), dtype=np.int32)
    hidden = []
    for row, own in by_row.items():
        key = _names(own)
        if key not in seen:
            seen[key] = len(seen)
            first.append(row)
        of_row[row] = seen[key]
        if _is_hidden(own, hides):
            hidden.append(row)
    packed = [pack(key) for key in seen]
    known: dict[bytes, int] = {}
    alike = np.array([known.setdefault(words, len(known)) for words in packed], dtype=np.int32)
    return (
        of_row,
        alike.take(of_row),
        np.frombuffer(b"".join(packed), dtype=np.uint16).reshape(-1, NAME_WORDS),
        np.array(first, dtype=np.int32),
        list(_candidates(seen, stems)),
        np.array(hidden, dtype=np.int32),
    )


def _names(own: Mapping[int, str | None]) -> Names:
    usual = own.get(CLASS), own.get(ID)
    return (*usual, own.get(ROLE), own.get(ITEMPROP)) if ROLE in own or ITEMPROP in own else usual


def _is_hidden(own: Mapping[int, str | None], hides: Callable[[str], bool]) -> bool:
    style = own.get(STYLE)
    return HIDDEN in own or own.get(ARIA_HIDDEN) == "true" or bool(style and hides(style))


def _candidates(seen: Mapping[Names, int], stems: tuple[str, ...]) -> Iterator[tuple[int, Names]]:
    """Yield the sets of names that rules in Python look at, each after its number."""
    for key, number in seen.items():
        role = key[_USUAL] if len(key) > _USUAL else None
        classes = (key[0] or "").lower()
        if (
            role
            or not all(name.isascii() for name in key if name)
            or any(stem in classes for stem in stems)
        ):
            yield number, key
