"""One page of a source, by the place that a row of a run names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chaffinch.batch.record import Record
from chaffinch.batch.sources import read, warc
from chaffinch.batch.sources.kinds import kind_of
from chaffinch.batch.sources.shards import Shard, opened
from chaffinch.errors import PageError
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.batch.plan import Plan

_LOCAL: Final = ("warc", "zip", "tar", "lines", "parquet", "files")


def page_at(file: str, plan: Plan, *, member: str = "", offset: int = 0, url: str = "") -> Record:
    """Return the page that stands at a place of a local source.

    A record of a WARC file is read from its byte on; other sources are read up to it.

    Args:
        file: the source's file, as the row has it.
        plan: of the run.
        member: name within an archive of files.
        offset: byte, line or row.
        url: address of the page, where several were compressed together.

    Raises:
        PageError: it can't be found there.
    """
    kind = kind_of(file) or ""
    if kind not in _LOCAL or "://" in file:
        raise PageError(f"{file[:200]} is no file of this machine: the page can only be fetched")
    if not Path(file).is_file():
        raise PageError(f"{file} isn't there: start in the folder in which the run was started")
    try:
        for record in _candidates(Shard(kind=kind, source=file), plan, offset):
            if (record.member, record.offset) == (member, offset) and record.url in {url, ""}:
                return record
    except OSError as error:
        raise PageError(f"can't read {file}: {cause(error)}") from error
    raise PageError(f"the page isn't in {file} any more")


def _candidates(shard: Shard, plan: Plan, offset: int) -> Iterator[Record]:
    """Yield pages of a source that may be the one at an offset."""
    if shard.kind == "warc":
        with opened(shard.source) as file:
            file.seek(offset)
            for one in warc.read_file(file, shard.source, plan.recipe.max_bytes):
                if not isinstance(one, Record) or one.offset or one.error:
                    break  # of a file with a dictionary before its records, which is read whole
                yield replace(one, offset=offset)
    items = (shard.source,) if shard.kind == "files" else ()
    whole = Shard(kind=shard.kind, source=shard.source, items=items)
    yield from (one for one in read(whole, plan) if isinstance(one, Record) and not one.error)
