"""Duplicate pages across a run: exact ones by hash, near duplicates by MinHash with banding.

Two steps after all shards are done. The first finds clusters in this process; which pages are alike
stands in `chaffinch.batch.page_clusters`. The second is submitted to the engine like shards: it
copies each file of pages, with the cluster in a column, and without the pages to remove. The first
page of a cluster, by shard and position in it, represents it, so that the result doesn't depend on
the order in which shards finish.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.page_clusters import PageHashes, first_of_cluster
from chaffinch.batch.schema import schema_of
from chaffinch.batch.shard import ShardOutcome, page_file
from chaffinch.batch.storage import PAGES, SIGNATURES, STAGED, Storage
from chaffinch.batch.text_signatures import VALUES
from chaffinch.batch.writers import FILES
from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from chaffinch.batch.plan import Plan

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
        signatures = np.zeros((len(table), VALUES), dtype="<u4")
        packed = b"".join(column.drop_null().to_pylist())
        signatures[has_signature] = np.frombuffer(packed, dtype="<u4").reshape(-1, VALUES)
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
