"""Duplicate pages across a run: exact ones by hash, near duplicates by MinHash with banding.

Two pages with the same key are a candidate pair: the hash of their texts is a key, and so is each
of 16 bands of 8 values of their signatures (a pair with a Jaccard similarity of 0.8 shares a band
with a probability of 95 %). The whole signatures decide. Clusters are the connected components of
the pairs that are alike; the first page of a cluster, by shard and position in it, represents it,
so that the result doesn't depend on the order in which shards finish.

Two steps after all shards are done: the first finds the clusters in this process, the second is
submitted to the engine like shards: it copies each file of pages, with the cluster in a column,
and without the pages to remove.

Sources: J. Leskovec, A. Rajaraman, J. Ullman, Mining of Massive Datasets, section 3.4 (banding);
M. Dietzfelbinger, "Universal hashing and k-wise independent random variables", STACS 1996
(the keys of bands).
Departure: within a group a page is compared with the first page of the group alone.
"""

import itertools
import json
import tempfile
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from chaffinch.corpus.rows import SIGNATURE_VALUES
from chaffinch.corpus.sources import Plan
from chaffinch.corpus.store import PAGES, SIGNATURES, STAGED, ShardOutcome, Storage, page_file
from chaffinch.corpus.table import FILES, schema_of
from chaffinch.errors import SetupError

NEAR_DUPLICATE: Final = 0.8
"""Estimated Jaccard similarity (share of equal MinHash values) from which two pages are near
duplicates."""

CLUSTERS: Final = "clusters"
"""Folder of the clusters: a file for each shard, with a row for each page in a cluster."""

FINISHED: Final = "finished"
"""Folder of the markers of shards whose duplicates are marked or removed."""

_BANDS: Final = 16
_WIDTH: Final = SIGNATURE_VALUES // _BANDS
_CHUNK: Final = 65_536  # pairs compared, and signatures hashed, at a time
_GROUP: Final = 1000  # rows copied at a time
_ODD: Final = np.array([2 * number + 1 for number in (
    0x4F6CDD1D_5B1A7C3E, 0x27D4EB2F_165667C5, 0x1C69B3F7_4AC4AE35, 0x6A09E667_3BCC908B,
    0x3C6EF372_5FE94F82, 0x510E527F_2ADE682D, 0x1F83D9AB_7B41BD6B, 0x5BE0CD19_137E2179,
)], dtype=np.uint64)  # fmt: skip
"""uint64[8], any odd numbers: the factors of a band's values."""
_KEY: Final = ("source", "member", "offset")
_SCHEMA: Final = pa.schema(
    [
        ("source", pa.string()), ("member", pa.string()), ("offset", pa.int64()),
        ("cluster", pa.string()), ("is_first", pa.bool_()),
    ]
)  # fmt: skip

Numbers = NDArray[np.int64]


class PageHashes(NamedTuple):
    """Hashes and signatures of n pages to compare."""

    hashes: Numbers  # int64[n], of the texts
    # uint32[n, SIGNATURE_VALUES], of their shingles; may lie on disk
    signatures: NDArray[np.uint32]
    has_signature: NDArray[np.bool_]  # bool[n], which texts are long enough to have one


def first_of_cluster(pages: PageHashes) -> Numbers:
    """Return int64[n]: for each page the first page of its cluster, itself if in none."""
    first = np.arange(len(pages.hashes))
    pairs = np.unique(np.concatenate(list(_alike_pairs(pages))), axis=0)
    one, other = pairs[:, 0], pairs[:, 1]
    while True:
        before = first.copy()
        smaller = np.minimum(first[one], first[other])
        np.minimum.at(first, one, smaller)
        np.minimum.at(first, other, smaller)
        first = first[first]
        if np.array_equal(before, first):
            return first


def _alike_pairs(pages: PageHashes) -> Iterator[Numbers]:
    """Yield int64[k, 2], pairs of pages that are alike, some at a time."""
    yield np.zeros((0, 2), dtype=np.int64)
    for rows, keys in _page_keys(pages):
        _, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
        first = rows[firsts[inverse]]
        pairs = np.stack([rows, first], axis=1)[first != rows]
        for at in range(0, len(pairs), _CHUNK):
            some = pairs[at : at + _CHUNK]
            one, other = some[:, 0], some[:, 1]
            share = (pages.signatures[one] == pages.signatures[other]).mean(axis=1)
            near = pages.has_signature[one] & pages.has_signature[other] & (share >= NEAR_DUPLICATE)
            yield some[near | (pages.hashes[one] == pages.hashes[other])]


def _page_keys(pages: PageHashes) -> Iterator[tuple[Numbers, NDArray[np.uint64]]]:
    """Yield rows of pages and their keys: the hashes of their texts, and those of each band."""
    yield np.arange(len(pages.hashes)), pages.hashes.astype(np.uint64)
    signed = np.flatnonzero(pages.has_signature)
    for band in range(_BANDS):
        values = pages.signatures[:, band * _WIDTH : (band + 1) * _WIDTH]
        keys = np.zeros(len(signed), dtype=np.uint64)
        for at in range(0, len(signed), _CHUNK):
            some = signed[at : at + _CHUNK]
            keys[at : at + _CHUNK] = (values[some] * _ODD).sum(axis=1, dtype=np.uint64)
        yield signed, keys


def find_clusters(storage: Storage) -> tuple[int, int]:
    """Write the clusters of all pages of a run, a file for each shard.

    Return the number of clusters, and of pages in them other than the first.
    """
    names = storage.names(SIGNATURES, ".parquet")
    counts = []
    for name in names:
        with storage.open(name) as shard:
            counts.append(pq.ParquetFile(shard).metadata.num_rows)
    total = sum(counts)
    if not total:
        return 0, 0
    starts = np.cumsum([0, *counts[:-1]])
    with tempfile.TemporaryFile() as file:
        signatures = np.memmap(file, dtype="<u4", mode="w+", shape=(total, SIGNATURE_VALUES))
        pages = PageHashes(np.zeros(total, np.int64), signatures, np.zeros(total, bool))
        for name, start, count in zip(names, starts.tolist(), counts, strict=True):
            part: Any = (one[start : start + count] for one in pages)
            _read_hashes(storage, name, PageHashes(*part))
        first = first_of_cluster(pages)
    sizes = np.bincount(first, minlength=total)
    clustered = np.flatnonzero(sizes[first] > 1)
    by_shard = np.split(clustered, np.searchsorted(clustered, starts[1:]))
    keys: dict[int, dict[str, Any]] = {}
    for name, start, numbers in zip(names, starts.tolist(), by_shard, strict=True):
        with storage.open(name) as file:
            found = pq.read_table(file, columns=list(_KEY)).take(pa.array(numbers - start))
        keys |= zip(numbers.tolist(), found.to_pylist(), strict=True)
    for name, numbers in zip(names, by_shard, strict=True):
        rows = [
            {
                **keys[number],
                "cluster": ":".join(str(v) for v in keys[int(first[number])].values() if v != ""),
                "is_first": bool(number == first[number]),
            }
            for number in numbers.tolist()
        ]
        with storage.writing(name.replace(SIGNATURES, CLUSTERS, 1)) as part:
            pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), part, compression="zstd")
    return int(np.count_nonzero(sizes > 1)), total - int(np.count_nonzero(sizes))


def _read_hashes(storage: Storage, name: str, into: PageHashes) -> None:
    with storage.open(name) as file:
        table = pq.read_table(file, columns=["text_hash", "signature"])
        column = table["signature"]
        into.hashes[:] = table["text_hash"].to_numpy()
        into.has_signature[:] = column.is_valid().to_numpy()
        packed = np.frombuffer(b"".join(column.drop_null().to_pylist()), dtype="<u4")
        into.signatures[into.has_signature] = packed.reshape(-1, SIGNATURE_VALUES)


def finish_shard(name: str, plan: Plan) -> ShardOutcome:
    """Write a shard's pages with their clusters, unless that is done."""
    storage = Storage(plan.out)
    marker = f"{FINISHED}/{name}.json"
    try:
        if not storage.has(marker):
            _finish(storage, name, plan)
            storage.write_json(marker, {})
    except (SetupError, OSError) as error:
        return ShardOutcome(name, str(error), is_fatal=True)
    return ShardOutcome(name)


def _finish(storage: Storage, name: str, plan: Plan) -> None:
    clusters: dict[tuple[Any, ...], tuple[str, bool]] = {}
    if storage.has(found := f"{CLUSTERS}/{name}.parquet"):
        with storage.open(found) as file:
            for row in pq.read_table(file).to_pylist():
                key = tuple(row[part] for part in _KEY)
                clusters[key] = (row["cluster"], row["is_first"])
    schema = schema_of(plan)
    for bucket in range(plan.buckets):
        staged = page_file(STAGED, bucket, name, plan.form)
        if not storage.has(staged):
            continue
        with (
            storage.writing(staged.replace(STAGED, PAGES, 1)) as part,
            closing(FILES[plan.form](part, schema)) as copied,
        ):
            for rows in _groups(storage, staged, plan.form):
                kept = []
                for row in rows:
                    key = (row["file"], row["member"], row["offset"])
                    row["cluster"], is_first = clusters.get(key, ("", True))
                    if is_first or plan.duplicates == "mark":
                        kept.append(row)
                copied.write(kept)


def _groups(storage: Storage, name: str, form: str) -> Iterator[list[dict[str, Any]]]:
    with storage.open(name) as file:
        if form == "parquet":
            for batch in pq.ParquetFile(file).iter_batches(_GROUP):
                yield batch.to_pylist()
            return
        while lines := list(itertools.islice(file, _GROUP)):
            yield [json.loads(line) for line in lines]
