"""What an earlier crawl of the same pages found, for conditional requests."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fastwarc.warc import WarcRecord, WarcRecordType

from chaffinch.crawl.archive import Earlier
from chaffinch.crawl.visits import from_fields
from chaffinch.errors import ArchiveError
from chaffinch.warc.frames import frames
from chaffinch.warc.records import UNREADABLE, records
from chaffinch.warc.window import Window

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.crawl.visits import Visit

_ANSWERS: Final = WarcRecordType.response | WarcRecordType.revisit
_CONDITIONS: Final = (("etag", "if-none-match"), ("last-modified", "if-modified-since"))


@dataclass(frozen=True)
class Known:
    """A page of an earlier crawl: its response, the headers to ask with, and its visit, if any."""

    earlier: Earlier
    conditions: tuple[tuple[str, str], ...]
    visit: Visit | None = None


def known_pages(path: Path) -> dict[str, Known]:
    """Return address → page for the good answers of a WARC file that bear a mark of their version.

    What of the file is broken is passed over.

    Raises:
        ArchiveError: the file can't be read, or no record of it can.
    """
    found: dict[str, Known] = {}
    count = 0
    try:
        with path.open("rb") as file:
            for frame in frames(Window(file), path.name):
                with contextlib.suppress(*UNREADABLE):
                    for record in records(frame.data):
                        _take(found, record)
                        count += 1
    except OSError as error:
        raise ArchiveError(f"{path} can't be read: {error}") from error
    if not count:
        raise ArchiveError(f"{path} can't be read: no WARC record is in it")
    return found


def _take(found: dict[str, Known], record: WarcRecord) -> None:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    if record.record_type & _ANSWERS and record.is_http:
        if known := _known(url, record):
            found[url] = known
    elif record.record_type == WarcRecordType.metadata and url in found:
        _join(found, url, record.reader.read())


def _known(url: str, record: WarcRecord) -> Known | None:
    record.parse_http(strict_mode=False)
    headers, http = record.headers, record.http_headers
    digest = headers.get("WARC-Payload-Digest")
    conditions = tuple((name, value) for mark, name in _CONDITIONS if (value := http.get(mark)))
    if http.status_code not in (200, 304) or not digest or not conditions:
        return None
    of = headers.get("WARC-Refers-To-Target-URI") or url
    date = headers.get("WARC-Refers-To-Date") or headers.get("WARC-Date") or ""
    return Known(Earlier(of, date, digest), conditions)


def _join(found: dict[str, Known], url: str, fields: bytes) -> None:
    """Add the visit; a metadata record of another program has none."""
    try:
        visit = from_fields(url, fields)
    except (KeyError, ValueError):
        return
    known = found[url]
    found[url] = Known(known.earlier, known.conditions, visit)
