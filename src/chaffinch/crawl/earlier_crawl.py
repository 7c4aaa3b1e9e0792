"""What an earlier crawl of the same pages found, for conditional requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from warcio.archiveiterator import ArchiveIterator  # type: ignore[import-untyped]
from warcio.exceptions import ArchiveLoadFailed  # type: ignore[import-untyped]

from chaffinch.crawl.archive import Earlier
from chaffinch.crawl.visits import from_fields
from chaffinch.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.crawl.visits import Visit

_CONDITIONS: Final = (("etag", "if-none-match"), ("last-modified", "if-modified-since"))


@dataclass(frozen=True)
class Known:
    """A page of an earlier crawl: its response, the headers to ask with, and its visit, if any."""

    earlier: Earlier
    conditions: tuple[tuple[str, str], ...]
    visit: Visit | None = None


def known_pages(path: Path) -> dict[str, Known]:
    """Return address → page for the good answers of a WARC file that bear a mark of their version.

    Raises:
        ArchiveError: the file can't be read.
    """
    found: dict[str, Known] = {}
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                url = record.rec_headers.get_header("WARC-Target-URI")
                if record.rec_type in ("response", "revisit") and record.http_headers:
                    _take(found, url, record)
                elif record.rec_type == "metadata" and url in found:
                    _join(found, url, record.content_stream().read())
    except (OSError, ArchiveLoadFailed) as error:
        raise ArchiveError(f"{path} can't be read: {error}") from error
    return found


def _take(found: dict[str, Known], url: str, record: object) -> None:
    headers, http = record.rec_headers, record.http_headers  # type: ignore[attr-defined]
    digest = headers.get_header("WARC-Payload-Digest")
    conditions = tuple(
        (name, value) for mark, name in _CONDITIONS if (value := http.get_header(mark))
    )
    if http.get_statuscode() not in ("200", "304") or not digest or not conditions:
        return
    of = headers.get_header("WARC-Refers-To-Target-URI") or url
    date = headers.get_header("WARC-Refers-To-Date") or headers.get_header("WARC-Date")
    found[url] = Known(Earlier(of, date, digest), conditions)


def _join(found: dict[str, Known], url: str, fields: bytes) -> None:
    """Add the visit; a metadata record of another program has none."""
    try:
        visit = from_fields(url, fields)
    except (KeyError, ValueError):
        return
    known = found[url]
    found[url] = Known(known.earlier, known.conditions, visit)
