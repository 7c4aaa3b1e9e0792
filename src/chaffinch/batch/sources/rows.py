"""Pages that are rows of JSON lines or of Parquet files."""

from __future__ import annotations

import datetime as dt
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from chaffinch.batch.record import Record
from chaffinch.batch.sources.shards import opened
from chaffinch.errors import PageError
from chaffinch.loading.json_lines import read_pages, read_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard

COLUMNS: Final = ("html", "html_base64", "url", "fetched", "status", "encoding")
"""Fields that are read; one of the first two must be there."""

_STATUS: Final = 999  # the largest of HTTP
_ROWS: Final = 64  # of a Parquet file, read at a time
_AT_ONCE: Final = 128 << 20
"""Bytes of Parquet that are unpacked at a time; writers make pages of about 1 MiB, some of 100."""
_USUAL_HEAD: Final = 4 << 10  # bytes of a page's head
_LONGEST_HEAD: Final = 1 << 20  # it may hold the least and the greatest value
_BOOLEANS, _INTEGERS, _TEXT, _STRUCT = (1, 2), (4, 5, 6), 8, 12  # types of Thrift


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

    number = 0
    try:
        table = pq.ParquetFile(file)
        columns = [name for name in COLUMNS if name in table.schema_arrow.names]
        for at in range(table.num_row_groups):
            group = table.metadata.row_group(at)
            largest, readable = _readable_rows(file, group, columns)
            size = min(_ROWS, _AT_ONCE // largest)
            if readable < group.num_rows:
                size = 1  # so that no batch reaches into the page that is too large
            batches = table.iter_batches(size, row_groups=[at], columns=columns)
            rows = chain.from_iterable(one.to_pylist() for one in batches)
            yield from enumerate(islice(rows, readable), number)
            if readable < group.num_rows:
                has_url = "url" in columns and _readable_rows(file, group, ["url"])[1] > readable
                named = table.iter_batches(row_groups=[at], columns=["url"]) if has_url else ()
                urls = chain.from_iterable(one["url"].to_pylist() for one in named)
                lost = islice(chain(urls, repeat(None)), readable, group.num_rows)
                for place, url in enumerate(lost, number + readable):
                    yield place, _TooLargeError(url)
            number += group.num_rows
    except (OSError, ValueError, pa.ArrowException) as error:
        yield number, PageError(f"the rest can't be read ({error})")


class _TooLargeError(PageError):
    """A row that is packed together with too much."""

    def __init__(self, url: object) -> None:
        super().__init__(f"it is packed together with more than {_AT_ONCE:,} bytes")
        self.url = url


def _readable_rows(file: BinaryIO, group: Any, columns: Collection[str]) -> tuple[int, int]:
    """Return the largest page of a group, and the rows before one that is too large to unpack.

    A cell is never longer than its page, or the page of a dictionary that it refers to.

    Raises:
        ValueError: the file is damaged.
    """
    largest, rows = 1, group.num_rows
    for number in range(group.num_columns):
        chunk = group.column(number)
        if chunk.path_in_schema.partition(".")[0] not in columns:
            continue
        if chunk.total_uncompressed_size <= _AT_ONCE // _ROWS:
            continue
        passed = 0
        for size, values in _pages(file, chunk):
            if size > _AT_ONCE:
                rows = min(rows, passed)
                break
            largest, passed = max(largest, size), passed + values
    return largest, rows


def _pages(file: BinaryIO, chunk: Any) -> Iterator[tuple[int, int]]:
    """Yield the unpacked size and the number of values of each page of a column of a group.

    Their heads, which pyarrow doesn't show, are structs of Thrift's compact protocol:
    https://parquet.apache.org/docs/file-format/data-pages/.

    Raises:
        ValueError: a head is damaged.
    """
    starts = (chunk.dictionary_page_offset, chunk.data_page_offset)
    at = min(start for start in starts if start is not None)
    end = at + chunk.total_compressed_size
    while at < end:
        file.seek(at)
        head = file.read(_USUAL_HEAD)
        try:
            numbers, size = _thrift_numbers(head)
        except ValueError:
            head += file.read(_LONGEST_HEAD)
            numbers, size = _thrift_numbers(head)
        if numbers.get((3,), -1) < 0 or numbers.get((2,), -1) < 0:
            raise ValueError("a page has no size")
        values = numbers.get((5, 1), numbers.get((8, 1), 0))
        yield numbers[2,], values
        at += size + numbers[3,]


def _thrift_numbers(data: bytes) -> tuple[dict[tuple[int, ...], int], int]:
    """Return path of fields → number, of those in a struct, and the bytes that the struct takes.

    Raises:
        ValueError: it is damaged, or of other parts than numbers, texts and structs.
    """
    found: dict[tuple[int, ...], int] = {}
    path, at = [0], 0
    while path:
        head, at = data[at : at + 1] or b"\0", at + 1
        kind, step = head[0] & 15, head[0] >> 4
        if not kind:
            path.pop()
            continue
        if not step:
            path[-1], at = _varint(data, at)
        path[-1] += step
        if kind == _STRUCT:
            path.append(0)
        elif kind in _INTEGERS:
            number, at = _varint(data, at)
            found[tuple(path)] = (number >> 1) ^ -(number & 1)
        elif kind == _TEXT:
            length, at = _varint(data, at)
            at += length
        elif kind not in _BOOLEANS:
            raise ValueError("a page has a head of an unknown form")
    if at > len(data):
        raise ValueError("a page has a head that breaks off")
    return found, at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return an integer of seven bits a byte, up to 64 bits, and the place behind it."""
    value = 0
    for shift, byte in enumerate(data[at : at + 10]):
        value |= (byte & 127) << 7 * shift
        if byte < 128:  # noqa: PLR2004  the last byte
            return value, at + shift + 1
    raise ValueError("a page has a head that breaks off")


def _records(
    shard: Shard, rows: Iterable[tuple[int, Mapping[str, Any] | PageError]], plan: Plan
) -> Iterator[Record]:
    keyed = (((number, row), row) for number, row in rows)
    for (number, row), html in read_pages(keyed, is_corpus=plan.corpus):
        if isinstance(html, PageError) or isinstance(row, PageError):
            url = str(getattr(row, "url", "") or "")
            detail = str(html)
            yield Record(file=shard.source, offset=number, url=url, error="record", detail=detail)
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
