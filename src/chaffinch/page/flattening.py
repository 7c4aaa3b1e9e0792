"""What follows from the columns of a page: lines, hashes, blocks around rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import kept_with_page
from chaffinch.kernels.arrays import Hashes, Rows
from chaffinch.kernels.codes import LINE_BREAKS, LINE_STARTS
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page


LINE_KINDS: Final = tags.BLOCK.astype(np.uint8) * np.uint8(LINE_STARTS) | tags.BREAK.astype(
    np.uint8
) * np.uint8(LINE_BREAKS)
"""uint8[tags], what lines start and end at."""

_BASE: Final = 0x9E3779B97F4A7C15  # of polynomial hashes; odd, so that it has an inverse
_INVERSE: Final = pow(_BASE, -1, 1 << 64)


def mix(values: NDArray[np.uint64]) -> Hashes:
    """Return ``values`` scrambled (the finaliser of splitmix64); equal in, equal out."""
    x = values + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Hashes = x ^ (x >> np.uint64(31))
    return mixed


def powers(base: int, count: int) -> Hashes:
    """Return uint64[count]: base^0, base^1, … modulo 2^64."""
    out = np.full(count, base, dtype=np.uint64)
    out[:1] = 1
    products: Hashes = np.cumprod(out)
    return products


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
        key = tuple(pairs.items()) if len(pairs) == 1 else tuple(sorted(pairs.items()))
        value = seen.get(key)
        if value is None:
            value = seen[key] = hash_string(repr(key))
        hashes.append(value)
    out = np.zeros(count, dtype=np.uint64)
    out[list(attributes)] = hashes
    return out


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
    power = powers(_BASE, count)
    prefix = np.zeros(count + 1, dtype=np.uint64)
    np.cumsum(inner * power, out=prefix[1:])
    after_first = prefix[end] - prefix[1:]
    tail = after_first * powers(_INVERSE, count)
    return mix(mix(symbols) + tail + (end - np.arange(count)).astype(np.uint64))


def hash_texts(text: str, text_at: Rows) -> Hashes:
    """Return uint64[n]: a hash of each row's own verbatim text; 0 where it has none.

    A polynomial over the characters, for all rows from one prefix sum.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    prefix = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum(mix(codes.astype(np.uint64)) * powers(_BASE, len(codes)), out=prefix[1:])
    starts, ends = text_at[:-1], text_at[1:]
    sums = (prefix[ends] - prefix[starts]) * powers(_INVERSE, len(codes) + 1)[starts]
    return np.where(ends > starts, mix(sums + (ends - starts).astype(np.uint64)), np.uint64(0))


@kept_with_page
def _nearest_blocks(page: Page) -> Rows:
    block = tags.BLOCK.take(page.tag)
    block[:1] = True
    return kernels.nearest(page.parent, block)


def block_around(page: Page, row: int) -> int:
    """Return the nearest block element above ``row``, the root where there is none; -1 above it."""
    above = int(page.parent[row])
    return int(_nearest_blocks(page)[above]) if above >= 0 else -1


def siblings_before(page: Page, row: int) -> Iterator[int]:
    """Yield the siblings before ``row``, the nearest first."""
    parent = int(page.parent[row])
    at = row - 1
    while at > parent:
        while page.parent[at] != parent:
            at = int(page.parent[at])
        yield at
        at -= 1
