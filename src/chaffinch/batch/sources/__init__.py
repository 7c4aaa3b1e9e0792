"""Sources of pages: archives, folders, tables, lists of addresses; local or by fsspec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.batch.sources import addresses, packed, rows, warc
from chaffinch.batch.sources.shards import KINDS, Shard, find_shards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.record import Record, Skipped

__all__ = ["KINDS", "READERS", "Shard", "find_shards", "read"]

READERS: Final[Mapping[str, Callable[[Shard, Plan], Iterator[Record | Skipped]]]] = {
    "warc": warc.read,
    "zip": packed.read_zip,
    "tar": packed.read_tar,
    "files": packed.read_files,
    "lines": rows.read_lines,
    "parquet": rows.read_parquet,
    "addresses": addresses.read,
}
"""Kind of source → its reader."""


def read(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a shard in order; unreadable stretches are records with an error.

    Raises:
        OSError: the source itself can't be opened, or the connection to it is lost.
    """
    return READERS[shard.kind](shard, plan)
