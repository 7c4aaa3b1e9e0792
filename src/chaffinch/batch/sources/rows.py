"""Pages that are rows of JSON lines or of Parquet files."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from chaffinch.batch.record import Record
from chaffinch.batch.sources.shards import opened
from chaffinch.errors import PageError
from chaffinch.loading.json_lines import read_pages, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard

COLUMNS: Final = ("html", "html_base64", "url", "fetched", "status", "encoding")
"""Fields that are read; one of the first two must be there."""

_STATUS: Final = 999  # the largest of HTTP
_ROWS: Final = 64  # of a Parquet file, read at a time


def read_lines(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a file of JSON lines; the offset is the line's number, from 0."""
    with opened(shard.source) as file:
        yield from _records(shard, read_rows(file, shard.source), plan)


def read_parquet(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a Parquet file; the offset is the row's number, from 0."""
    with opened(shard.source) as file:
        yield from _records(shard, _parquet_rows(file), plan)


def _parquet_rows(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | PageError]]:
    """Yield the number, from 0, and the fields of each row; an error for those unreadable."""
    import pyarrow as pa  # noqa: PLC0415  an extra, which other sources can do without
    import pyarrow.parquet as pq  # noqa: PLC0415  the same

    number = -1
    try:
        table = pq.ParquetFile(file)
        columns = [name for name in COLUMNS if name in table.schema_arrow.names]
        for batch in table.iter_batches(_ROWS, columns=columns):
            for row in batch.to_pylist():
                number += 1
                yield number, row
    except (OSError, pa.ArrowException) as error:
        yield number + 1, PageError(f"the rest can't be read ({error})")


def _records(
    shard: Shard, rows: Iterable[tuple[int, Mapping[str, Any] | PageError]], plan: Plan
) -> Iterator[Record]:
    keyed = (((number, row), row) for number, row in rows)
    for (number, row), html in read_pages(keyed, is_corpus=plan.corpus):
        if isinstance(html, PageError) or isinstance(row, PageError):
            yield Record(file=shard.source, offset=number, error="record", detail=str(html))
            continue
        status, fetched = row.get("status"), row.get("fetched")
        yield Record(
            file=shard.source,
            offset=number,
            url=str(row.get("url") or ""),
            fetched=fetched.isoformat() if isinstance(fetched, dt.date) else str(fetched or ""),
            status=status if isinstance(status, int) and 0 <= status <= _STATUS else 0,
            encoding=html.encoding,
            html=html.data[: plan.recipe.max_bytes + 1],
        )
