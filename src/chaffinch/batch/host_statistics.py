"""Partial statistics of a shard's sites, merged by host and written by bucket.

A few kB a page, of at most 256 pages a host: so the pages of a host may be spread over shards in
any way, one host may have half of them, and no page is sent between machines.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.hosts import bucket_of
from chaffinch.batch.storage import STATISTICS, Storage
from chaffinch.batch.writers import Buckets
from chaffinch.site.sample import Statistics, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOSTS: Final = 64  # whose merged statistics are read at a time
_MERGED: Final = 64  # pages whose statistics are merged at a time
_SCHEMA: Final = pa.schema([("host", pa.string()), ("statistics", pa.binary())])


class HostStatistics:
    """Statistics of the hosts of one shard, in bounded memory by host."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Statistics]] = {}

    def add(self, row: dict[str, Any]) -> None:
        """Remove the statistics of a page from its row, and add them if its host is known."""
        found = row.pop(STATISTICS, None)
        if row["host"] and found is not None:
            of_host = self._parts.setdefault(row["host"], [])
            of_host.append(found)
            if len(of_host) >= _MERGED:
                of_host[:] = [merged(of_host)]

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Yield the hosts in order, each with its merged statistics as bytes."""
        for host in sorted(self._parts):
            yield host, merged(self._parts[host]).to_bytes()

    def write(self, storage: Storage, shard: str, buckets: int) -> None:
        """Write them, a file for each bucket that has any."""
        used = set()
        with Buckets(storage, _SCHEMA, "parquet") as files:
            for host, data in self.items():
                used.add(bucket := bucket_of(host, buckets))
                files.add(_file(bucket, shard), {"host": host, "statistics": data})
        for bucket in set(range(buckets)) - used:  # left by an earlier attempt
            storage.remove(_file(bucket, shard))


def of_bucket(storage: Storage, bucket: int) -> Iterator[tuple[str, Statistics]]:
    """Yield the hosts of a bucket, each with the merged statistics of all shards."""
    names = storage.names(f"{STATISTICS}/bucket={bucket:05d}", ".parquet")
    rows = [row for name in names for row in _rows(storage, name)]
    rows.sort(key=itemgetter("host"))
    for host, group in groupby(rows, key=itemgetter("host")):
        yield host, merged([Statistics.from_bytes(row["statistics"]) for row in group])


def _rows(storage: Storage, name: str) -> Iterator[dict[str, Any]]:
    with storage.open(name) as file:
        for batch in pq.ParquetFile(file).iter_batches(_HOSTS):
            yield from batch.to_pylist()


def _file(bucket: int, name: str) -> str:
    return f"{STATISTICS}/bucket={bucket:05d}/{name}.parquet"
