"""Conditional requests: validators (ETag, Last-Modified) from the archive of an earlier crawl."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fastwarc.warc import WarcRecord, WarcRecordType

from chaffinch.crawl.visit_records import RecordedResponse
from chaffinch.crawl.visits import from_fields
from chaffinch.errors import ArchiveError
from chaffinch.warc.frames import frames
from chaffinch.warc.records import UNREADABLE, read_record
from chaffinch.warc.window import Window
from chaffinch.wording import cause

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.crawl.visits import Visit

_RESPONSES: Final = WarcRecordType.response | WarcRecordType.revisit
_CONDITIONS: Final = (("etag", "if-none-match"), ("last-modified", "if-modified-since"))


@dataclass(frozen=True)
class KnownPage:
    """A page of an earlier crawl: response, headers of the conditional request, visit if any."""

    response: RecordedResponse
    conditions: tuple[tuple[str, str], ...]
    visit: Visit | None = None


def known_pages(path: Path) -> dict[str, KnownPage]:
    """Return address → page for the successful responses of a WARC file that have a validator.

    Damaged stretches of the file are skipped.

    Raises:
        ArchiveError: the file or all of its records are unreadable.
    """
    found: dict[str, KnownPage] = {}
    count = 0
    try:
        with path.open("rb") as file:
            for frame in frames(Window(file), path.name):
                with contextlib.suppress(*UNREADABLE):
                    _add_response(found, read_record(frame.data))
                    count += 1
    except OSError as error:
        raise ArchiveError(f"{path} can't be read: {cause(error)}") from error
    if not count:
        raise ArchiveError(f"{path} can't be read: no WARC record is in it")
    return found


def _add_response(found: dict[str, KnownPage], record: WarcRecord) -> None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    if record.record_type & _RESPONSES and record.is_http:
        if known := _known_page(url, record):
            found[url] = known
    elif record.record_type == WarcRecordType.metadata and url in found:
        _add_visit(found, url, record.reader.read())


def _known_page(url: str, record: WarcRecord) -> KnownPage | None:
    record.parse_http(strict_mode=False)
    headers, http = record.headers, record.http_headers
    digest = headers.get("WARC-Payload-Digest")
    conditions = tuple(
        (name, value) for validator, name in _CONDITIONS if (value := http.get(validator))
    )
    if http.status_code not in (200, 304) or not digest or not conditions:
        return None
    of = headers.get("WARC-Refers-To-Target-URI") or url
    date = headers.get("WARC-Refers-To-Date") or headers.get("WARC-Date") or ""
    return KnownPage(RecordedResponse(of, date, digest), conditions)


def _add_visit(found: dict[str, KnownPage], url: str, fields: bytes) -> None:
    """Add the visit; a metadata record of another program has none."""
    try:
        visit = from_fields(url, fields)
    except (KeyError, ValueError):
        return
    known = found[url]
    found[url] = KnownPage(known.response, known.conditions, visit)
