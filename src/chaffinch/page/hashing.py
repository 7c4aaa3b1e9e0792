"""Hashes of subtrees and of tag paths for all rows at once, by prefix sums modulo 2^64.

A subtree's hash is a polynomial over its rows: row ``j`` of the subtree of ``i`` adds
``symbol[j] * B^(j-i)``. Because ``B`` is odd it has an inverse modulo 2^64, so that one prefix sum
over the page gives the hash of every subtree. A symbol mixes what is compared (tag, attributes,
text) with the step in depth from the row before, which makes the string of symbols determine the
tree. The first row's own step is left out.

Polynomial hashes modulo 2^64 can be made to collide by an adversary: verify a hit by comparing the
slices before anything is deleted for it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.arithmetic import BASE, mix, powers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Hashes, Rows

__all__ = [
    "hash_attributes",
    "hash_string",
    "hash_strings",
    "hash_texts",
    "mix",
    "path_hashes",
    "subtree_hashes",
]

_INVERSE: Final = pow(BASE, -1, 1 << 64)


def hash_string(text: str) -> int:
    """Return a 64-bit hash of ``text`` that is the same in every process and on every platform."""
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


def hash_strings(texts: Iterable[str]) -> Hashes:
    """Return uint64[k]: the `hash_string` of each text."""
    blake2b = hashlib.blake2b
    digests = [blake2b(t.encode("utf-8", "surrogatepass"), digest_size=8).digest() for t in texts]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64, copy=False)


def hash_attributes(attributes: Mapping[int, Mapping[str, str | None]], count: int) -> Hashes:
    """Return uint64[n]: a hash of each row's attributes, in any order; 0 if none."""
    seen: dict[tuple[tuple[str, str | None], ...], int] = {}
    hashes = []
    for pairs in attributes.values():
        key = tuple(pairs.items()) if len(pairs) == 1 else tuple(sorted(pairs.items(), key=_name))
        value = seen.get(key)
        if value is None:
            value = seen[key] = hash_string(repr(key))
        hashes.append(value)
    out = np.zeros(count, dtype=np.uint64)
    out[list(attributes)] = hashes
    return out


def _name(pair: tuple[str, str | None]) -> str:
    return pair[0]


def subtree_hashes(symbols: NDArray[np.uint64], depth: NDArray[np.int16], end: Rows) -> Hashes:
    """Return uint64[n]: the hash of each row's subtree, shape included.

    ``symbols`` is uint64[n], what is compared of each row by itself.
    """
    count = len(symbols)
    if count == 0:
        return np.zeros(0, dtype=np.uint64)
    step = np.zeros(count, dtype=np.int64)
    step[1:] = depth[1:].astype(np.int64) - depth[:-1]
    inner = mix(symbols ^ mix(step.astype(np.uint64)))
    power = powers(BASE, count)
    prefix = np.zeros(count + 1, dtype=np.uint64)
    np.cumsum(inner * power, out=prefix[1:])
    after_first = prefix[end] - prefix[1:]
    tail = after_first * powers(_INVERSE, count)
    return mix(mix(symbols) + tail + (end - np.arange(count)).astype(np.uint64))


def path_hashes(symbols: NDArray[np.uint64], depth: NDArray[np.int16], end: Rows) -> Hashes:
    """Return uint64[n]: the hash of the path of symbols from the root to each row."""
    return kernels.path_hashes(symbols, depth, end)


def hash_texts(text: str, text_at: Rows) -> Hashes:
    """Return uint64[n]: a hash of each row's own verbatim text; 0 where it has none.

    A polynomial over the characters, for all rows from one prefix sum.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    prefix = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(mix(codes.astype(np.uint64)) * powers(BASE, len(codes)), out=prefix[1:])
    starts, ends = text_at[:-1], text_at[1:]
    sums = (prefix[ends] - prefix[starts]) * powers(_INVERSE, len(codes) + 1)[starts]
    return np.where(ends > starts, mix(sums + (ends - starts).astype(np.uint64)), np.uint64(0))
