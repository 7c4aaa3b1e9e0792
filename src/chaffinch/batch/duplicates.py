"""Duplicate pages across a run: exact ones by hash, near duplicates by MinHash with banding.

Two steps after all shards are done. The first finds clusters in this process: 16 bands of 8 values
give candidate pairs (a pair with a Jaccard similarity of 0.8 is one with a probability of 95 %),
and the whole signatures decide. The second is submitted to the engine like shards: it copies each
file of pages, with the cluster in a column, and without the pages to remove. The first page of a
cluster, by shard and position in it, represents it, so that the result doesn't depend on the order
in which shards finish.

Source: J. Leskovec, A. Rajaraman, J. Ullman, Mining of Massive Datasets, section 3.4 (banding).
Departure: within a band a page is compared with the first page of its group alone.
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

from chaffinch.batch.schema import columns_of, schema_of
from chaffinch.batch.shard import ShardOutcome, page_file
from chaffinch.batch.storage import PAGES, SIGNATURES, STAGED, Storage
from chaffinch.batch.text_signatures import VALUES
from chaffinch.batch.writers import FILES
from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from chaffinch.batch.plan import Plan

NEAR_DUPLICATE: Final = 0.8
"""Estimated Jaccard similarity (share of equal MinHash values) from which two pages are near
duplicates."""

CLUSTERS: Final = "clusters"
"""Folder of the clusters: a file for each shard, with a row for each page in a cluster."""

FINISHED: Final = "finished"
"""Folder of the markers of shards whose duplicates are marked or removed."""

_BANDS: Final = 16
_CHUNK: Final = 65_536  # pairs compared at a time
_GROUP: Final = 1000  # rows copied at a time
_SCHEMA: Final = pa.schema(
    [
        ("source", pa.string()), ("member", pa.string()), ("offset", pa.int64()),
        ("cluster", pa.string()), ("is_first", pa.bool_()),
    ]
)  # fmt: skip

Key = tuple[str, str, int]


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
        signatures = np.memmap(file, dtype="<u4", mode="w+", shape=(total, VALUES))
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
    file_column = next(n for n, today in columns_of(plan.schema).items() if today == "file")
    for bucket in range(plan.buckets):
        staged = page_file(STAGED, bucket, name, plan.form)
        if not storage.has(staged):
            continue
        with storage.writing(staged.replace(STAGED, PAGES, 1)) as part:
            file = FILES[plan.form](part, schema)
            for rows in _groups(storage, staged, plan.form):
                kept = []
                for row in rows:
                    key = (row[file_column], row["member"], row["offset"])
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


def first_of_cluster(pages: PageHashes) -> NDArray[np.int64]:
    """Return int64[n]: for each page the first page of its cluster, itself if in none."""
    every = np.arange(len(pages.hashes))
    edges = [(every, _first_of_group(pages.hashes))]
    signed = np.flatnonzero(pages.has_signature)
    width = VALUES // _BANDS
    for band in range(_BANDS):
        values = np.ascontiguousarray(pages.signatures[signed, band * width : (band + 1) * width])
        first = signed[_first_of_group(values.view(f"V{4 * width}").ravel())]
        pairs = np.flatnonzero(first != signed)
        for at in range(0, len(pairs), _CHUNK):
            one, other = signed[pairs[at : at + _CHUNK]], first[pairs[at : at + _CHUNK]]
            alike = (pages.signatures[one] == pages.signatures[other]).mean(
                axis=1
            ) >= NEAR_DUPLICATE
            edges.append((one[alike], other[alike]))
    return _components(
        every, np.concatenate([one for one, _ in edges]), np.concatenate([two for _, two in edges])
    )


def _first_of_group(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return int64[n]: the first index with the same value."""
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    return first[inverse]


def _components(
    first: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return int64[n]: the smallest member of each page's connected component of the pairs."""
    while True:
        before = first.copy()
        smaller = np.minimum(first[one], first[other])
        np.minimum.at(first, one, smaller)
        np.minimum.at(first, other, smaller)
        first = first[first]
        if np.array_equal(before, first):
            return first


def _read(storage: Storage, names: Sequence[str], signatures: NDArray[np.uint32]) -> PageHashes:
    """Return all pages' hashes; their signatures go to the array given."""
    hashes = np.zeros(len(signatures), dtype=np.int64)
    has_signature = np.zeros(len(signatures), dtype=bool)
    at = 0
    for name in names:
        with storage.open(name) as file:
            table = pq.read_table(file, columns=["text_hash", "signature"])
        hashes[at : at + len(table)] = table["text_hash"].to_numpy()
        for number, value in enumerate(table["signature"].to_pylist(), start=at):
            if value is not None:
                signatures[number] = np.frombuffer(value, dtype="<u4")
                has_signature[number] = True
        at += len(table)
    return PageHashes(hashes, signatures, has_signature)


def _keys(storage: Storage, names: Sequence[str], wanted: NDArray[np.int64]) -> dict[int, Key]:
    """Return the keys of the pages of these numbers, ascending."""
    found: dict[int, Key] = {}
    at = 0
    for name in names:
        with storage.open(name) as file:
            table = pq.read_table(file, columns=["source", "member", "offset"])
        low, high = np.searchsorted(wanted, [at, at + len(table)])
        for number, row in zip(
            wanted[low:high].tolist(),
            table.take(pa.array(wanted[low:high] - at)).to_pylist(),
            strict=True,
        ):
            found[number] = (row["source"], row["member"], row["offset"])
        at += len(table)
    return found


def _write(storage: Storage, names: Sequence[str], first: NDArray[np.int64]) -> None:
    """Write the pages that are in a cluster, a file for each shard."""
    sizes = np.bincount(first, minlength=len(first))
    keys = _keys(storage, names, np.flatnonzero(sizes[first] > 1))
    numbers = sorted(keys)
    begin = end = 0
    for name in names:
        begin, end = end, end + _count(storage, name)
        rows = []
        for number in numbers[bisect_left(numbers, begin) : bisect_left(numbers, end)]:
            of_first = keys[int(first[number])]
            cluster = ":".join(str(part) for part in of_first if part != "")
            row = (*keys[number], cluster, bool(number == first[number]))
            rows.append(dict(zip(_SCHEMA.names, row, strict=True)))
        with storage.writing(name.replace(SIGNATURES, CLUSTERS, 1)) as part:
            pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), part, compression="zstd")
