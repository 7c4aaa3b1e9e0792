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

Two steps after all shards are done. The first finds clusters in this process; which pages are alike
stands in `chaffinch.corpus.duplicates`. The second is submitted to the engine like shards: it
copies each file of pages, with the cluster in a column, and without the pages to remove. The first
page of a cluster, by shard and position in it, represents it, so that the result doesn't depend on
the order in which shards finish.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.corpus.rows import SIGNATURE_VALUES
from chaffinch.corpus.store import PAGES, SIGNATURES, STAGED, ShardOutcome, Storage, page_file
from chaffinch.corpus.table import FILES, schema_of
from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from chaffinch.corpus.plan import Plan


NEAR_DUPLICATE: Final = 0.8
"""Estimated Jaccard similarity (share of equal MinHash values) from which two pages are near
duplicates."""

BANDS: Final = 16
KEYS: Final = BANDS + 1
"""Bands of a signature, and keys of a page: its text's hash, and one of each band."""

_CHUNK: Final = 65_536  # pairs compared, and signatures hashed, at a time
_WIDTH: Final = SIGNATURE_VALUES // BANDS
_ODD: Final = np.array([2 * number + 1 for number in (
    0x4F6CDD1D_5B1A7C3E, 0x27D4EB2F_165667C5, 0x1C69B3F7_4AC4AE35, 0x6A09E667_3BCC908B,
    0x3C6EF372_5FE94F82, 0x510E527F_2ADE682D, 0x1F83D9AB_7B41BD6B, 0x5BE0CD19_137E2179,
)], dtype=np.uint64)  # fmt: skip
"""uint64[8], any odd numbers: the factors of a band's values."""


class PageHashes(NamedTuple):
    """Hashes and signatures of n pages to compare.

    Attributes:
        hashes: int64[n], of the texts.
        signatures: uint32[n, SIGNATURE_VALUES], of their shingles; may lie on disk.
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


CLUSTERS: Final = "clusters"
"""Folder of the clusters: a file for each shard, with a row for each page in a cluster."""

FINISHED: Final = "finished"
"""Folder of the markers of shards whose duplicates are marked or removed."""

_GROUP: Final = 1000  # rows copied at a time
_SCHEMA: Final = pa.schema(
    [
        ("source", pa.string()), ("member", pa.string()), ("offset", pa.int64()),
        ("cluster", pa.string()), ("is_first", pa.bool_()),
    ]
)  # fmt: skip

Key = tuple[str, str, int]


def find_clusters(storage: Storage) -> tuple[int, int]:
    """Write the clusters of all pages of a run.

    Returns:
        The number of clusters, and of pages in them other than the first.
    """
    names = storage.names(SIGNATURES, ".parquet")
    total = sum(_count(storage, name) for name in names)
    if not total:
        return 0, 0
    with tempfile.TemporaryFile() as file:
        signatures = np.memmap(file, dtype="<u4", mode="w+", shape=(total, SIGNATURE_VALUES))
        first = first_of_cluster(_read(storage, names, signatures))
    _write(storage, names, first)
    sizes = np.bincount(first, minlength=total)
    return int(np.count_nonzero(sizes > 1)), total - int(np.count_nonzero(sizes))


def finish_shard(name: str, plan: Plan) -> ShardOutcome:
    """Write a shard's pages with their clusters, unless that is done.

    Returns:
        The outcome; its marker has the number of pages left out.
    """
    storage = Storage(plan.out)
    marker = f"{FINISHED}/{name}.json"
    try:
        done = storage.read_json(marker)
        if done is None:
            done = {"left_out": _finished(storage, name, plan)}
            storage.write_json(marker, done)
    except (SetupError, OSError) as error:
        return ShardOutcome(name, None, str(error), is_fatal=True)
    return ShardOutcome(name, done)


def _finished(storage: Storage, name: str, plan: Plan) -> int:
    """Write the files of a shard's pages and return how many were left out."""
    clusters = _clusters_of(storage, name)
    left_out = 0
    schema = schema_of(plan)
    for bucket in range(plan.buckets):
        staged = page_file(STAGED, bucket, name, plan.form)
        if not storage.has(staged):
            continue
        with storage.writing(staged.replace(STAGED, PAGES, 1)) as part:
            file = FILES[plan.form](part, schema)
            for rows in _groups(storage, staged, plan.form):
                kept = []
                for row in rows:
                    key = (row["file"], row["member"], row["offset"])
                    row["cluster"], is_first = clusters.get(key, ("", True))
                    if is_first or plan.duplicates == "mark":
                        kept.append(row)
                    else:
                        left_out += 1
                file.write(kept)
            file.close()
    return left_out


def _clusters_of(storage: Storage, name: str) -> dict[Key, tuple[str, bool]]:
    found = f"{CLUSTERS}/{name}.parquet"
    if not storage.has(found):
        return {}
    with storage.open(found) as file:
        rows = pq.read_table(file).to_pylist()
    return {
        (row["source"], row["member"], row["offset"]): (row["cluster"], row["is_first"])
        for row in rows
    }


def _groups(storage: Storage, name: str, form: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a file of pages, some at a time."""
    with storage.open(name) as file:
        if form == "parquet":
            for batch in pq.ParquetFile(file).iter_batches(_GROUP):
                yield batch.to_pylist()
            return
        while lines := list(itertools.islice(file, _GROUP)):
            yield [json.loads(line) for line in lines]


def _count(storage: Storage, name: str) -> int:
    with storage.open(name) as file:
        count: int = pq.ParquetFile(file).metadata.num_rows
    return count


def _read(storage: Storage, names: Sequence[str], signatures: NDArray[np.uint32]) -> PageHashes:
    """Return all pages' hashes; their signatures go to the array given."""
    hashes = np.zeros(len(signatures), dtype=np.int64)
    has_signature = np.zeros(len(signatures), dtype=bool)
    at = 0
    for name in names:
        end = at + len((pages := read_hashes(storage, name)).hashes)
        hashes[at:end], signatures[at:end], has_signature[at:end] = pages
        at = end
    return PageHashes(hashes, signatures, has_signature)


def read_hashes(storage: Storage, name: str) -> PageHashes:
    """Return the hashes and signatures of a shard's pages, from its file of them.

    Raises:
        SetupError: it can't be read.
    """
    with storage.open(name) as file:
        table = pq.read_table(file, columns=["text_hash", "signature"])
        column = table["signature"]
        has_signature = column.is_valid().to_numpy()
        signatures = np.zeros((len(table), SIGNATURE_VALUES), dtype="<u4")
        packed = b"".join(column.drop_null().to_pylist())
        signatures[has_signature] = np.frombuffer(packed, dtype="<u4").reshape(-1, SIGNATURE_VALUES)
        return PageHashes(table["text_hash"].to_numpy(), signatures, has_signature)


def read_keys(storage: Storage, name: str, rows: NDArray[np.int64]) -> list[Key]:
    """Return the source, member and offset of some of a shard's pages, from its file of hashes.

    Raises:
        SetupError: it can't be read.
    """
    with storage.open(name) as file:
        table = pq.read_table(file, columns=["source", "member", "offset"])
        found = table.take(pa.array(rows)).to_pylist()
    return [(row["source"], row["member"], row["offset"]) for row in found]


def _keys(storage: Storage, names: Sequence[str], wanted: NDArray[np.int64]) -> dict[int, Key]:
    """Return the keys of the pages of these numbers, ascending."""
    found: dict[int, Key] = {}
    begin = end = 0
    for name in names:
        begin, end = end, end + _count(storage, name)
        low, high = np.searchsorted(wanted, [begin, end])
        numbers = wanted[low:high]
        found |= zip(numbers.tolist(), read_keys(storage, name, numbers - begin), strict=True)
    return found


def _write(storage: Storage, names: Sequence[str], first: NDArray[np.int64]) -> None:
    """Write the pages that are in a cluster, a file for each shard."""
    sizes = np.bincount(first, minlength=len(first))
    keys = _keys(storage, names, np.flatnonzero(sizes[first] > 1))
    numbers = sorted(keys)
    begin = end = 0
    for name in names:
        begin, end = end, end + _count(storage, name)
        inside = numbers[bisect_left(numbers, begin) : bisect_left(numbers, end)]
        members = (
            (keys[number], cluster_name(keys[int(first[number])]), bool(number == first[number]))
            for number in inside
        )
        write_clusters(storage, name, members)


def cluster_name(first: Key) -> str:
    """Return the name of a cluster, from the key of its first page."""
    return ":".join(str(part) for part in first if part != "")


def write_clusters(storage: Storage, name: str, members: Iterable[tuple[Key, str, bool]]) -> None:
    """Write the members of clusters of a shard: key, name of the cluster, whether it is its first.

    Args:
        storage: of the run.
        name: of the shard's file of hashes.
        members: of clusters, in any order.
    """
    rows = [
        dict(zip(_SCHEMA.names, (*key, cluster, is_first), strict=True))
        for key, cluster, is_first in members
    ]
    with storage.writing(name.replace(SIGNATURES, CLUSTERS, 1)) as part:
        pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), part, compression="zstd")
