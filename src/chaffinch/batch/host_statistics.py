"""Partial statistics of a shard's sites, merged by host and written by bucket.

A few kB a page, of at most 256 pages a host: so the pages of a host may be spread over shards in
any way, one host may have half of them, and no page is sent between machines.

Where an engine has a shuffle, the statistics of all shards are merged by it before the buckets are
learned (`merge_shards`): a bucket's process then reads one host after the other, and never holds
more. In one process a bucket reads what all shards have of it (`of_bucket`).
"""

from __future__ import annotations

from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.exchanges import Sent
from chaffinch.batch.hosts import bucket_of
from chaffinch.batch.storage import STATISTICS, Storage
from chaffinch.batch.writers import Buckets
from chaffinch.site.statistics import Statistics, merged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.batch.exchanges import Exchange

MERGED: Final = "merged"
"""Folder of statistics, like that of the shards', in which each host stands once."""

PAGES_AT_A_TIME: Final = 50_000
"""Pages of a partition of the shuffle at most, so that their statistics take some 150 MB."""

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
        used = _write(storage, STATISTICS, shard, buckets, self.items())
        for bucket in set(range(buckets)) - used:  # left by an earlier attempt
            storage.remove(_file(STATISTICS, bucket, shard))


def _write(
    storage: Storage, folder: str, name: str, buckets: int, hosts: Iterator[tuple[str, bytes]]
) -> set[int]:
    """Write hosts and statistics, a file of this name for each bucket; return the buckets."""
    used = set()
    with Buckets(storage, _SCHEMA, "parquet") as files:
        for host, data in hosts:
            used.add(bucket := bucket_of(host, buckets))
            files.add(_file(folder, bucket, name), {"host": host, "statistics": data})
    return used


def of_bucket(storage: Storage, bucket: int, folder: str) -> Iterator[tuple[str, Statistics]]:
    """Yield the hosts of a bucket, each with the merged statistics of all shards.

    Args:
        storage: of the run.
        bucket: its number.
        folder: `STATISTICS`, or `MERGED` where `merge_shards` has merged them.
    """
    names = storage.names(f"{folder}/bucket={bucket:05d}", ".parquet")
    if folder == MERGED:
        for name in names:
            for row in _rows(storage, name):
                yield row["host"], Statistics.from_bytes(row["statistics"])
        return
    rows = [row for name in names for row in _rows(storage, name)]
    rows.sort(key=itemgetter("host"))
    for host, group in groupby(rows, key=itemgetter("host")):
        yield host, merged([Statistics.from_bytes(row["statistics"]) for row in group])


def _rows(storage: Storage, name: str) -> Iterator[dict[str, Any]]:
    with storage.open(name) as file:
        for batch in pq.ParquetFile(file).iter_batches(_HOSTS):
            yield from batch.to_pylist()


def merge_shards(exchange: Exchange, out: str, buckets: int) -> None:
    """Merge the statistics of all shards through the shuffle of an engine.

    Args:
        exchange: of the engine.
        out: folder of the run.
        buckets: number of buckets of hosts.

    Raises:
        SetupError: a file can't be read or written.
    """
    storage = Storage(out)
    storage.remove_folder(MERGED)  # left by an earlier attempt
    names = storage.names(STATISTICS, ".parquet")
    exchange.step(partial(_send_hosts, out, names, exchange.partitions))
    exchange.step(partial(_write_hosts, out, buckets))


def _send_hosts(
    out: str, names: Sequence[str], partitions: int, partition: int, _: list[Any]
) -> Sent:
    """Send the hosts of a run of files, each once, to the partitions of their names."""
    storage = Storage(out)
    begin, end = (len(names) * (partition + step) // partitions for step in (0, 1))
    pieces: dict[int, list[tuple[str, bytes]]] = {}
    for host, data in _merged_rows(
        row for name in names[begin:end] for row in _rows(storage, name)
    ):
        pieces.setdefault(bucket_of(host, partitions), []).append((host, data))
    return Sent(pieces)


def _write_hosts(
    out: str, buckets: int, partition: int, pieces: list[list[tuple[str, bytes]]]
) -> Sent:
    """Write the hosts of a partition."""
    rows = ({"host": host, "statistics": data} for piece in pieces for host, data in piece)
    _write(Storage(out), MERGED, f"{partition:05d}", buckets, _merged_rows(rows))
    return Sent({})


def _merged_rows(rows: Iterator[dict[str, Any]]) -> Iterator[tuple[str, bytes]]:
    """Yield the hosts of rows in order, each with the merged statistics of all of its rows."""
    hosts = HostStatistics()
    for row in rows:
        hosts.add({"host": row["host"], STATISTICS: Statistics.from_bytes(row["statistics"])})
    yield from hosts.items()


def _file(folder: str, bucket: int, name: str) -> str:
    return f"{folder}/bucket={bucket:05d}/{name}.parquet"
