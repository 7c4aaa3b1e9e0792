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
from chaffinch.batch.storage import STATISTICS
from chaffinch.batch.writers import Buckets
from chaffinch.site.statistics import Statistics, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.batch.storage import Storage

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

    def write(self, storage: Storage, shard: str, buckets: int) -> None:
        """Write them, a file for each bucket that has any."""
        used = set()
        with Buckets(storage, _SCHEMA, "parquet") as files:
            for host in sorted(self._parts):
                used.add(bucket := bucket_of(host, buckets))
                data = merged(self._parts[host]).to_bytes()
                files.add(_file(bucket, shard), {"host": host, "statistics": data})
        for bucket in set(range(buckets)) - used:  # left by an earlier attempt
            storage.remove(_file(bucket, shard))


def of_bucket(storage: Storage, bucket: int) -> Iterator[tuple[str, Statistics]]:
    """Yield the hosts of a bucket in order, each with the merged statistics of all shards."""
    rows = []
    for name in storage.names(f"{STATISTICS}/bucket={bucket:05d}", ".parquet"):
        with storage.open(name) as file:
            rows += pq.read_table(file).to_pylist()
    rows.sort(key=itemgetter("host"))
    for host, group in groupby(rows, key=itemgetter("host")):
        yield host, merged([Statistics.from_bytes(row["statistics"]) for row in group])


def _file(bucket: int, shard: str) -> str:
    return f"{STATISTICS}/bucket={bucket:05d}/{shard}.parquet"
