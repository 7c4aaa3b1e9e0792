"""Pages of WARC files, compressed by gzip, zstd or lz4 or not at all.

Where the page as a browser rendered it (a conversion record of HTML) follows its response, that is
the page.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from chaffinch.batch.record import Record, Skipped, is_failure
from chaffinch.batch.sources.shards import opened
from chaffinch.fetch.request import PAGE_TYPES
from chaffinch.metadata.opt_outs import OPT_OUT_HEADERS
from chaffinch.warc.frames import Frame, frames
from chaffinch.warc.records import UNREADABLE, payload, records
from chaffinch.warc.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard

_PAGES: Final = WarcRecordType.response | WarcRecordType.resource


def read(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a file, and a record with an error for each damaged stretch."""
    with opened(shard.source) as file:
        recipe = plan.recipe
        yield from read_file(file, shard.source, recipe.max_bytes, failures=recipe.assessment)


def read_file(
    file: BinaryIO, source: str, most: int, *, failures: bool = False
) -> Iterator[Record | Skipped]:
    """Yield the pages of an open file, and a record with an error for each damaged stretch.

    Args:
        file: its bytes, packed or not.
        source: its name, as the records have it.
        most: largest size of a page, bytes; of a larger one a byte more is read.
        failures: yield the pages that servers sent for failures, too.
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
    damaged: Frame | None = None
    for frame in frames(Window(file), source):
        if frame.problem:
            damaged = damaged._replace(end=frame.end) if damaged else frame
            continue
        if damaged:
            yield _lost(source, damaged)
            damaged = None
        yield from _in_frame(source, frame, most, failures=failures)
    if damaged:
        yield _lost(source, damaged)


def _lost(source: str, frame: Frame) -> Record:
    size = frame.end - frame.start
    detail = f"{frame.problem}; {size:,} bytes lost"
    return Record(file=source, offset=frame.start, error="record", detail=detail)


def _in_frame(
    source: str, frame: Frame, most: int, *, failures: bool
) -> Iterator[Record | Skipped | _Rendered]:
    """Yield the pages of one frame; it has several where records were compressed together."""
    is_empty = True
    try:
        for record in records(frame.data):
            is_empty = False
            if record.record_type & _PAGES:
                yield _page(source, frame, record, most, failures=failures)
            elif record.record_type == WarcRecordType.conversion and _is_html(record):
                url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
                yield _Rendered(url, payload(record, most + 1))
    except UNREADABLE as error:
        yield _lost(source, frame._replace(problem=f"no readable record ({error})"))
    else:
        if is_empty and frame.data.strip():
            yield _lost(source, frame._replace(problem="no record is in it"))


def _page(
    source: str, frame: Frame, record: WarcRecord, most: int, *, failures: bool
) -> Record | Skipped:
    """Return the page of a record, its transfer and content codings decoded."""
    truncated = record.headers.get("WARC-Truncated") or ""
    if not truncated and not _matches_digest(frame.data, record):
        truncated = "digest"
    status, encoding, kind = 0, None, record.headers.get("Content-Type") or ""
    headers: tuple[tuple[str, str], ...] = ()
    if record.is_http and record.record_type == WarcRecordType.response:
        record.parse_http(auto_decode="all", strict_mode=False)
        status = record.http_headers.status_code or 0
        encoding, kind = record.http_charset, record.http_content_type or ""
        headers = tuple(
            (name, value)
            for name, value in record.http_headers.astuples()
            if name.lower() in OPT_OUT_HEADERS
        )
        assessed = failures and is_failure(status)
        if not (200 <= status < 300 or assessed):  # noqa: PLR2004 - the range of success
            return Skipped(f"status {status}")
    kind = record.headers.get("WARC-Identified-Payload-Type") or kind
    if kind.partition(";")[0].strip().lower() not in PAGE_TYPES:
        return Skipped("not HTML")
    return Record(
        file=source,
        offset=frame.start,
        url=(record.headers.get("WARC-Target-URI") or "").strip("<>"),
        fetched=record.headers.get("WARC-Date") or "",
        status=status,
        encoding=encoding,
        html=payload(record, most + 1),
        truncated=truncated,
        headers=headers,
    )


def _is_html(record: WarcRecord) -> bool:
    kind = record.headers.get("Content-Type") or ""
    return kind.partition(";")[0].strip().lower() == "text/html"


def _matches_digest(data: bytes, record: WarcRecord) -> bool:
    """Return whether a record matches its digest, if it has one."""
    if record.headers.get("WARC-Block-Digest"):
        return record.verify_block_digest()
    if record.headers.get("WARC-Payload-Digest"):
        for again in ArchiveIterator(io.BytesIO(data), parse_http=True):
            if again.record_id == record.record_id:
                return again.verify_payload_digest()
    return True
