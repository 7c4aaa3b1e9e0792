"""Pages that are rows of JSON lines or of Parquet files."""

from __future__ import annotations

import datetime as dt
import json
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.record import Record
from chaffinch.batch.sources.shards import opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard

COLUMNS: Final = ("html", "url", "fetched", "status", "encoding")
"""Fields that are read; only the first is required."""

_STATUS: Final = 999  # the largest of HTTP
_ROWS: Final = 64  # of a Parquet file, read at a time


def read_lines(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a file of JSON lines; the offset is the line's number, from 0."""
    number = -1
    try:
        with opened(shard.source, "rb", compression="infer") as lines:
            for number, line in enumerate(lines):
                if line.strip():
                    yield _of_line(shard, number, line, plan)
    except (OSError, EOFError, ValueError) as error:  # damage of a compressed file
        yield _lost(shard, number + 1, f"the rest can't be unpacked ({error})")


def read_parquet(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a Parquet file; the offset is the row's number, from 0."""
    number = -1
    with opened(shard.source) as file:
        try:
            table = pq.ParquetFile(file)
            columns = [name for name in COLUMNS if name in table.schema_arrow.names]
            for batch in table.iter_batches(_ROWS, columns=columns):
                for row in batch.to_pylist():
                    number += 1
                    yield _of_row(shard, number, row, plan)
        except (OSError, pa.ArrowException) as error:
            yield _lost(shard, number + 1, f"the rest can't be read ({error})")


def _of_line(shard: Shard, number: int, line: bytes, plan: Plan) -> Record:
    try:
        row = json.loads(line)
    except ValueError as error:
        return _lost(shard, number, f"not JSON ({error})")
    if not isinstance(row, dict):
        return _lost(shard, number, "not a JSON object")
    return _of_row(shard, number, row, plan)


def _of_row(shard: Shard, number: int, row: Mapping[str, Any], plan: Plan) -> Record:
    html = row.get("html")
    if not isinstance(html, str | bytes):
        return _lost(shard, number, "no field html")
    is_text = isinstance(html, str)
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    status, fetched = row.get("status"), row.get("fetched")
    return Record(
        file=shard.source,
        offset=number,
        url=str(row.get("url") or ""),
        fetched=fetched.isoformat() if isinstance(fetched, dt.date) else str(fetched or ""),
        status=status if isinstance(status, int) and 0 <= status <= _STATUS else 0,
        encoding="utf-8" if is_text else row.get("encoding"),
        html=data[: plan.recipe.max_bytes + 1],
    )


def _lost(shard: Shard, number: int, detail: str) -> Record:
    return Record(file=shard.source, offset=number, error="record", detail=detail)
