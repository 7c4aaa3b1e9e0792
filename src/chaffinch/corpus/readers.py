"""Readers of the kinds of sources.

Where the page as a browser rendered it (a conversion record of HTML) follows its response, that is
the page.
"""

from __future__ import annotations

import datetime as dt
import tarfile
import zipfile
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, cast

from chaffinch.corpus.sources import KINDS, Record, Shard, Skipped, kind_of, opened
from chaffinch.errors import PageError
from chaffinch.loading.json_lines import read_pages, read_rows
from chaffinch.loading.loader import Loader
from chaffinch.metadata.page_fields import OPT_OUT_HEADERS
from chaffinch.page.bounds import Limits
from chaffinch.page.source import begins_as_page, page_source
from chaffinch.web import client, warc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fastwarc.warc import WarcRecord

    from chaffinch.corpus.sources import Plan


def read_warc(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a file, and a record with an error for each damaged stretch."""
    with opened(shard.source) as file:
        recipe = plan.recipe
        yield from read_file(file, shard.source, recipe.max_bytes, failures=recipe.assessment)


def read_file(
    file: BinaryIO, source: str, most: int, *, failures: bool = False
) -> Iterator[Record | Skipped]:
    """Yield the pages of an open file, and a record with an error for each damaged stretch.

    Of a page of more than ``most`` bytes one byte more is read. With ``failures``, pages that
    servers sent for failures are yielded, too.
    """
    held: Record | Skipped | None = None
    for found in _read(file, source, most, failures=failures):
        if not isinstance(found, _Rendered):
            if held is not None:
                yield held
            held = found
        elif isinstance(held, Record) and held.url == found.url and not held.error:
            held = replace(held, html=found.html, encoding="utf-8")
    if held is not None:
        yield held


class _Rendered(NamedTuple):
    """A page as a browser rendered it."""

    url: str
    html: bytes


def _read(
    file: BinaryIO, source: str, most: int, *, failures: bool
) -> Iterator[Record | Skipped | _Rendered]:
    damaged: warc.Frame | None = None
    for frame in warc.frames(warc.Window(file), source):
        if frame.problem and damaged and not frame.url:
            damaged = damaged._replace(end=frame.end)
            continue
        if damaged:
            yield _lost(source, damaged)
        damaged = frame if frame.problem else None
        if not damaged and (found := _in_frame(source, frame, most, failures=failures)):
            yield found
    if damaged:
        yield _lost(source, damaged)


def _lost(source: str, frame: warc.Frame) -> Record:
    size = frame.end - frame.start
    detail = f"{frame.problem}; {size:,} bytes lost" if size else frame.problem
    return Record(file=source, offset=frame.start, url=frame.url, error="record", detail=detail)


def _in_frame(
    source: str, frame: warc.Frame, most: int, *, failures: bool
) -> Record | Skipped | _Rendered | None:
    try:
        record = warc.read_record(frame.data)
        if record.record_type & warc.PAGES:
            return _page(source, frame, record, most, failures=failures)
    except warc.UNREADABLE as error:
        return _lost(source, frame._replace(problem=f"no readable record ({error})"))
    kind = client.media_type(record.headers.get("Content-Type") or "")
    if record.record_type == warc.CONVERSION and kind == "text/html":
        return _Rendered(_url(record), record.reader.read()[: most + 1])
    return None


def _page(
    source: str, frame: warc.Frame, record: WarcRecord, most: int, *, failures: bool
) -> Record | Skipped:
    truncated = record.headers.get("WARC-Truncated") or ""
    if not truncated and frame.wrong_length:
        truncated = "length"
    if not truncated and not _matches_digest(frame.data, record):
        truncated = "digest"
    block, head = record.reader.read(), warc.Head(0, (), 0)
    kind = record.headers.get("Content-Type") or ""
    if record.record_type == warc.RESPONSE:
        head = warc.http_head(block)
        if head.status or kind.startswith("application/http"):
            kind = head.header("content-type") if head.status else "application/octet-stream"
        assessed = failures and head.status in client.FAILED
        if head.status and not (head.status in client.SUCCESS or assessed):
            return Skipped(f"status {head.status}")
    encoding = client.charset_of(kind)
    kind = client.media_type(record.headers.get("WARC-Identified-Payload-Type") or kind)
    if kind not in client.PAGE_TYPES and kind not in client.UNSAID_TYPES:
        return Skipped("not HTML")
    html, is_cut = warc.http_body(block[head.size :], head.headers, most)
    if kind in client.UNSAID_TYPES and not begins_as_page(html):
        return Skipped("not HTML")
    return Record(
        file=source,
        offset=frame.start,
        url=_url(record),
        fetched=record.headers.get("WARC-Date") or "",
        status=head.status,
        encoding=encoding,
        html=html,
        truncated=truncated or ("cut" if is_cut else ""),
        headers=tuple(pair for pair in head.headers if pair[0].lower() in OPT_OUT_HEADERS),
    )


def _url(record: WarcRecord) -> str:
    return (record.headers.get("WARC-Target-URI") or "").strip("<>")


def _matches_digest(data: bytes, record: WarcRecord) -> bool:
    if record.headers.get("WARC-Block-Digest"):
        return record.verify_block_digest()
    if record.headers.get("WARC-Payload-Digest"):
        again = warc.read_record(data)
        try:
            again.parse_http()
        except warc.UNREADABLE:  # a head that is read here, but not by it
            return True
        return again.verify_payload_digest()
    return True


_BROKEN = (OSError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile, tarfile.TarError)


def read_files(shard: Shard, plan: Plan) -> Iterator[Record]:
    for name in shard.items:
        try:
            with opened(name) as file:
                html = file.read(plan.recipe.max_bytes + 1)
        except OSError as error:
            yield Record(file=name, error="record", detail=f"can't be read ({error})")
        else:
            url = name if name.startswith(("http://", "https://")) else ""
            yield Record(file=name, url=url, html=html)


def read_zip(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a zip file, each verified by its own checksum."""
    with opened(shard.source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _BROKEN as error:
            yield _lost_member(shard, 0, "", error)
            return
        with archive:
            for info in archive.infolist():
                if info.is_dir():
                    continue
                is_warc = kind_of(info.filename) == "warc"
                if not is_warc and not _is_page(info.filename):
                    yield Skipped("not HTML")
                    continue
                try:
                    with archive.open(info) as member:
                        if is_warc:  # whose records have checksums: the whole one's would cost all
                            member._expected_crc = None  # type: ignore[attr-defined] # noqa: SLF001
                            yield from _of_warc(
                                shard, info.filename, cast("BinaryIO", member), plan
                            )
                            continue
                        html = member.read(plan.recipe.max_bytes + 1)
                except (*_BROKEN, NotImplementedError) as error:
                    yield _lost_member(shard, info.header_offset, info.filename, error)
                else:
                    at, name = info.header_offset, info.filename
                    yield Record(file=shard.source, offset=at, member=name, html=html)


def _of_warc(shard: Shard, name: str, file: BinaryIO, plan: Plan) -> Iterator[Record | Skipped]:
    recipe = plan.recipe
    for one in read_file(file, name, recipe.max_bytes, failures=recipe.assessment):
        yield replace(one, file=shard.source, member=name) if isinstance(one, Record) else one


def read_tar(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a tar file, read as a stream; what follows damage is lost."""
    at = 0
    with opened(shard.source) as file:
        try:
            with tarfile.open(fileobj=file, mode="r|*") as archive:
                for member in archive:
                    at = member.offset
                    content = archive.extractfile(member)
                    if content is None:
                        continue
                    if not _is_page(member.name):
                        yield Skipped("not HTML")
                        continue
                    html = content.read(plan.recipe.max_bytes + 1)
                    yield Record(file=shard.source, offset=at, member=member.name, html=html)
        except _BROKEN as error:
            yield _lost_member(shard, at, "", error)


def _is_page(name: str) -> bool:
    return name.lower().endswith(KINDS["files"])


def _lost_member(shard: Shard, offset: int, member: str, error: Exception) -> Record:
    detail = f"can't be read ({error})"
    return Record(file=shard.source, offset=offset, member=member, error="record", detail=detail)


COLUMNS: Final = ("html", "html_base64", "url", "fetched", "status", "encoding")
"""Fields that are read; one of the first two must be there."""

_STATUS: Final = 999  # the largest of HTTP
_ROWS: Final = 64  # of a Parquet file, read at a time
_AT_ONCE: Final = 128 << 20  # bytes of Parquet that rows read at a time take, by their mean


def read_lines(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a file of JSON lines; the offset is the line's number, from 0."""
    with opened(shard.source) as file:
        yield from _records(shard, read_rows(file, shard.source), plan)


def read_parquet(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a Parquet file; the offset is the row's number, from 0."""
    with opened(shard.source) as file:
        yield from _records(shard, _parquet_rows(file), plan)


def _parquet_rows(file: BinaryIO) -> Iterator[tuple[int, dict[str, Any] | PageError]]:
    import pyarrow as pa  # noqa: PLC0415  an extra, which other sources can do without
    import pyarrow.parquet as pq  # noqa: PLC0415  the same

    number = 0
    try:
        table = pq.ParquetFile(file)
        columns = [name for name in COLUMNS if name in table.schema_arrow.names]
        for at in range(table.num_row_groups):
            group = table.metadata.row_group(at)
            mean = group.total_byte_size // max(1, group.num_rows)
            size = max(1, min(_ROWS, _AT_ONCE // max(1, mean)))
            for batch in table.iter_batches(size, row_groups=[at], columns=columns):
                yield from enumerate(batch.to_pylist(), number)
                number += batch.num_rows
    except (OSError, ValueError, pa.ArrowException) as error:
        yield number, PageError(f"the rest can't be read ({error})")


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


def rendered(records: Iterable[Record | Skipped], plan: Plan) -> Iterator[Record | Skipped]:
    """Yield records, those whose page was rendered with what the browser made of it, as HTML.

    The browser renders what was read, with the network off. One that can't be rendered is a record
    with the error ``render``; those of failures stay.
    """
    with Loader(limits=Limits(max_bytes=plan.recipe.max_bytes), **plan.loading) as loader:
        for record in records:
            if not isinstance(record, Record) or record.error or record.status in client.FAILED:
                yield record
                continue
            try:
                url = record.url or None
                page = loader.source(record.html, url=url, encoding=record.encoding)
            except PageError as error:
                yield replace(record, html=b"", error="render", detail=str(error))
                continue
            if page.layout is None:
                yield record
            else:
                yield replace(record, html=page_source(page), encoding="utf-8")
