"""Pages of WARC files, compressed by gzip, zstd or lz4 or not at all.

Where the page as a browser rendered it (a conversion record of HTML) follows its response, that is
the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from fastwarc.warc import WarcRecord, WarcRecordType

from chaffinch.batch.record import Record, Skipped, is_failure
from chaffinch.batch.sources.shards import opened
from chaffinch.fetch.request import PAGE_TYPES, UNSAID_TYPES, charset_of, media_type
from chaffinch.metadata.page_fields import OPT_OUT_HEADERS
from chaffinch.page.other_markup import begins_as_page
from chaffinch.warc.frames import Frame, frames
from chaffinch.warc.http_answer import Head, http_body, http_head
from chaffinch.warc.records import UNREADABLE, payload, read_record
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


def _lost(source: str, frame: Frame) -> Record:
    size = frame.end - frame.start
    detail = f"{frame.problem}; {size:,} bytes lost" if size else frame.problem
    return Record(file=source, offset=frame.start, url=frame.url, error="record", detail=detail)


def _in_frame(
    source: str, frame: Frame, most: int, *, failures: bool
) -> Record | Skipped | _Rendered | None:
    """Return the page of a record; None for records of other types."""
    try:
        record = read_record(frame.data)
        if record.record_type & _PAGES:
            return _page(source, frame, record, most, failures=failures)
    except UNREADABLE as error:
        return _lost(source, frame._replace(problem=f"no readable record ({error})"))
    if record.record_type == WarcRecordType.conversion and _is_html(record):
        return _Rendered(_url(record), payload(record, most + 1))
    return None


def _page(
    source: str, frame: Frame, record: WarcRecord, most: int, *, failures: bool
) -> Record | Skipped:
    """Return the page of a record, its transfer and content codings decoded."""
    truncated = record.headers.get("WARC-Truncated") or ""
    if not truncated and frame.wrong_length:
        truncated = "length"
    if not truncated and not _matches_digest(frame.data, record):
        truncated = "digest"
    block, head = payload(record, len(frame.data)), Head(0, (), 0)
    kind = record.headers.get("Content-Type") or ""
    if record.record_type == WarcRecordType.response:
        head = http_head(block)
        if head.status or kind.startswith("application/http"):
            kind = head.header("content-type")
        assessed = failures and is_failure(head.status)
        if head.status and not (200 <= head.status < 300 or assessed):  # noqa: PLR2004 - success
            return Skipped(f"status {head.status}")
    encoding = charset_of(kind)
    kind = media_type(record.headers.get("WARC-Identified-Payload-Type") or kind)
    if kind not in PAGE_TYPES and kind not in UNSAID_TYPES:
        return Skipped("not HTML")
    html, is_cut = http_body(block[head.size :], head.headers, most)
    if kind in UNSAID_TYPES and not begins_as_page(html):
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


def _is_html(record: WarcRecord) -> bool:
    kind = record.headers.get("Content-Type") or ""
    return kind.partition(";")[0].strip().lower() == "text/html"


def _matches_digest(data: bytes, record: WarcRecord) -> bool:
    """Return whether a record matches its digest, if it has one."""
    if record.headers.get("WARC-Block-Digest"):
        return record.verify_block_digest()
    if record.headers.get("WARC-Payload-Digest"):
        again = read_record(data)
        try:
            again.parse_http()
        except UNREADABLE:  # a head that is read here, but not by it
            return True
        return again.verify_payload_digest()
    return True
