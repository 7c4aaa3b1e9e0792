"""Sources of pages: archives, folders, tables, lists of addresses; local or by fsspec."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.errors import MissingExtraError
from chaffinch.lazy import load_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.record import Record, Skipped
    from chaffinch.batch.sources.shards import Shard

READERS: Final[Mapping[str, tuple[str, str]]] = {
    "warc": ("warc", "read"),
    "zip": ("packed", "read_zip"),
    "tar": ("packed", "read_tar"),
    "files": ("packed", "read_files"),
    "lines": ("rows", "read_lines"),
    "parquet": ("rows", "read_parquet"),
    "addresses": ("addresses", "read"),
}
"""Kind of source → file of this folder, and the function there, that reads it."""


def read(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a shard in order; unreadable stretches are records with an error.

    Raises:
        OSError: the source itself can't be opened, or the connection to it is lost.
        MissingExtraError: what reads this kind of source isn't installed.
    """
    module, name = READERS[shard.kind]
    try:
        reader: Callable[[Shard, Plan], Iterator[Record | Skipped]] = getattr(
            load_module(f"{__name__}.{module}"), name
        )
        found = reader(shard, plan)
        if plan.render != "never":
            from chaffinch.batch.sources.rendered import rendered  # noqa: PLC0415  few runs render

            found = rendered(found, plan, by_address=shard.kind == "addresses")
        yield from found
    except ModuleNotFoundError as error:
        raise MissingExtraError.of(error.name or "a package", "batch") from error
