"""Which pages are alike, by hashes and signatures: groups by band, comparison, components.

Two pages with the same key are a candidate pair: the hash of their texts is a key, and so is each
of 16 bands of 8 values of their signatures (a pair with a Jaccard similarity of 0.8 shares a band
with a probability of 95 %). The whole signatures decide. Clusters are the connected components of
the pairs that are alike, and the page with the smallest number represents its cluster, so that the
order in which pages are processed doesn't matter.

Sources: J. Leskovec, A. Rajaraman, J. Ullman, Mining of Massive Datasets, section 3.4 (banding);
M. Dietzfelbinger, "Universal hashing and k-wise independent random variables", STACS 1996
(the keys of bands).
Departure: within a group a page is compared with the first page of the group alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from chaffinch.batch.text_signatures import VALUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

NEAR_DUPLICATE: Final = 0.8
"""Estimated Jaccard similarity (share of equal MinHash values) from which two pages are near
duplicates."""

BANDS: Final = 16
KEYS: Final = BANDS + 1
"""Bands of a signature, and keys of a page: its text's hash, and one of each band."""

_CHUNK: Final = 65_536  # pairs compared, and signatures hashed, at a time
_WIDTH: Final = VALUES // BANDS
_ODD: Final = np.array([2 * number + 1 for number in (
    0x4F6CDD1D_5B1A7C3E, 0x27D4EB2F_165667C5, 0x1C69B3F7_4AC4AE35, 0x6A09E667_3BCC908B,
    0x3C6EF372_5FE94F82, 0x510E527F_2ADE682D, 0x1F83D9AB_7B41BD6B, 0x5BE0CD19_137E2179,
)], dtype=np.uint64)  # fmt: skip
"""uint64[8], any odd numbers: the factors of a band's values."""


class PageHashes(NamedTuple):
    """Hashes and signatures of n pages to compare.

    Attributes:
        hashes: int64[n], of the texts.
        signatures: uint32[n, VALUES], of their shingles; may lie on disk.
        has_signature: bool[n], which texts are long enough to have one.
    """

    hashes: NDArray[np.int64]
    signatures: NDArray[np.uint32]
    has_signature: NDArray[np.bool_]


class Pairs(NamedTuple):
    """Pairs of pages.

    Attributes:
        one: int64[n], numbers of pages.
        other: int64[n], of the pages that they are paired with.
    """

    one: NDArray[np.int64]
    other: NDArray[np.int64]


NO_PAIRS: Final = Pairs(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def page_keys(pages: PageHashes) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint64]]]:
    """Yield `KEYS` times the rows of pages and their keys, in ascending order of the rows."""
    yield np.arange(len(pages.hashes)), pages.hashes.astype(np.uint64)
    signed = np.flatnonzero(pages.has_signature)
    for band in range(BANDS):
        values = pages.signatures[:, band * _WIDTH : (band + 1) * _WIDTH]
        keys = np.zeros(len(signed), dtype=np.uint64)
        for at in range(0, len(signed), _CHUNK):
            some = signed[at : at + _CHUNK]
            keys[at : at + _CHUNK] = (values[some] * _ODD).sum(axis=1, dtype=np.uint64)
        yield signed, keys


def group_pairs(pages: NDArray[np.int64], keys: NDArray[Any]) -> Pairs:
    """Return the candidate pairs: each page with the first page of the same key.

    Args:
        pages: int64[n], ascending numbers of pages.
        keys: uint64[n], theirs.
    """
    _, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
    first = pages[firsts[inverse]]
    others = first != pages
    return Pairs(pages[others], first[others])


def alike_pairs(
    pairs: Pairs,
    one: PageHashes,
    one_rows: NDArray[np.int64],
    other: PageHashes,
    other_rows: NDArray[np.intp],
) -> Iterator[Pairs]:
    """Yield the pairs of pages that are alike, some at a time.

    Args:
        pairs: candidate pairs.
        one: hashes of pages that those of ``pairs.one`` are among.
        one_rows: int64[n], where they stand there.
        other: the same for ``pairs.other``.
        other_rows: int64[n], where these stand.
    """
    for at in range(0, len(pairs.one), _CHUNK):
        here, there = one_rows[at : at + _CHUNK], other_rows[at : at + _CHUNK]
        share = (one.signatures[here] == other.signatures[there]).mean(axis=1)
        near = one.has_signature[here] & other.has_signature[there] & (share >= NEAR_DUPLICATE)
        alike = at + np.flatnonzero(near | (one.hashes[here] == other.hashes[there]))
        yield Pairs(pairs.one[alike], pairs.other[alike])


def rows_of(pages: PageHashes, rows: NDArray[np.int64]) -> PageHashes:
    """Return the hashes and signatures of some rows."""
    return PageHashes(pages.hashes[rows], pages.signatures[rows], pages.has_signature[rows])


def first_of_cluster(pages: PageHashes) -> NDArray[np.int64]:
    """Return int64[n]: for each page the first page of its cluster, itself if in none."""
    found = [NO_PAIRS]
    for rows, keys in page_keys(pages):
        pairs = group_pairs(rows, keys)
        found += alike_pairs(pairs, pages, pairs.one, pages, pairs.other)
    return _components(np.arange(len(pages.hashes)), joined(found))


def _components(first: NDArray[np.int64], pairs: Pairs) -> NDArray[np.int64]:
    """Return int64[n]: the smallest member of each page's connected component of the pairs."""
    one, other = pairs
    while True:
        before = first.copy()
        smaller = np.minimum(first[one], first[other])
        np.minimum.at(first, one, smaller)
        np.minimum.at(first, other, smaller)
        first = first[first]
        if np.array_equal(before, first):
            return first


def joined(parts: list[Pairs]) -> Pairs:
    """Return the pairs of all parts, each once, in ascending order."""
    one = np.concatenate([part.one for part in parts])
    other = np.concatenate([part.other for part in parts])
    order = np.lexsort((other, one))
    one, other = one[order], other[order]
    is_new = np.ones(len(one), dtype=bool)
    is_new[1:] = (one[1:] != one[:-1]) | (other[1:] != other[:-1])
    return Pairs(one[is_new], other[is_new])
