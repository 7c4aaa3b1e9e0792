"""The WARC records of a visit: response or revisit, request, and the page as a browser made it.

Sources: WARC 1.1 (ISO 28500:2017). As other crawlers do, a body is recorded in its content coding
but without chunks, and ``Transfer-Encoding`` becomes ``X-Crawler-Transfer-Encoding``.

Every visit is one group of records, written in one write: response or revisit, request, the page
as a browser rendered it (conversion) where one did, metadata, each a gzip member of its own. The
metadata record, the last of its group, holds the visit (`chaffinch.web.frontier`), so that a
crawl's state can be rebuilt from the file alone. After a crash the file is truncated behind the
last whole group; what is cut off is kept beside it.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final, NamedTuple, Self

from fastwarc.warc import WarcRecord, WarcRecordType

try:
    import fcntl
except ImportError:  # on Windows, where open files are locked anyway
    fcntl = None  # type: ignore[assignment]

from chaffinch.errors import ArchiveError
from chaffinch.storage import flush_folder
from chaffinch.version import __version__
from chaffinch.web.client import RawResponse
from chaffinch.web.frontier import Visit, from_fields, to_fields
from chaffinch.web.polite import Download
from chaffinch.web.warc import (
    FIELDS_TYPE,
    UNREADABLE,
    Window,
    frames,
    gzip_member,
    new_record,
    read_record,
    warc_fields,
)
from chaffinch.wording import cause, failing_as

_IDENTICAL: Final = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_HTTP: Final = "application/http; msgtype={}"
_UNDONE_CODINGS: Final = frozenset({"transfer-encoding"})


class RecordedResponse(NamedTuple):
    """A response that a revisit may refer to: address, date in WARC's notation."""

    url: str
    date: str


def payload_digest(body: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()  # noqa: S324 the format's


def _response_record(
    url: str, response: RawResponse, date: Mapping[str, str], same: RecordedResponse | None
) -> WarcRecord:
    """Return the response, or the revisit of a response that is recorded, ``same``."""
    version = "HTTP/1.0" if response.version == 10 else "HTTP/1.1"  # noqa: PLR2004 http.client's
    head = _http_head(
        f"{version} {response.status} {response.reason}".strip(),
        (
            (f"X-Crawler-{name}" if name.lower() in _UNDONE_CODINGS else name, value)
            for name, value in response.headers
        ),
    )
    headers = {
        "WARC-Target-URI": url,
        "WARC-IP-Address": response.address,
        "Content-Type": _HTTP.format("response"),
        "WARC-Payload-Digest": payload_digest(response.body),
        **date,
    }
    if same is None:
        return new_record(WarcRecordType.response, headers, head + response.body)
    headers |= {
        "WARC-Profile": _IDENTICAL,
        "WARC-Refers-To-Target-URI": same.url,
        "WARC-Refers-To-Date": same.date,
    }
    return new_record(WarcRecordType.revisit, headers, head)


def _http_head(first: str, headers: Iterable[tuple[str, str]]) -> bytes:
    lines = [first, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace")


_LONGEST: Final = 1 << 40  # bytes of a record: what was written is read, however big


class Archive:
    """An open WARC file, locked against a second crawl.

    ``visits`` are those that were in the file when it was opened; ``cut`` are the bytes of a torn
    group that were cut off, as a crash leaves it.
    """

    def __init__(self, path: Path, *, plan: Mapping[str, str], resume: bool = False) -> None:
        """Begin a file, or resume one whose warcinfo has the fields of ``plan``."""
        self.path, self.plan, self.cut = path, dict(plan), 0
        self.visits: list[Visit] = []
        self.first_responses: dict[str, RecordedResponse] = {}
        with failing_as(ArchiveError, f"can't make the folder {path.parent}"):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file: IO[bytes] = path.open("r+b" if resume and path.exists() else "x+b")
            flush_folder(path.parent)
        except FileExistsError as error:
            raise ArchiveError(
                f"{path} is there already: go on with --resume, or remove it"
            ) from error
        except OSError as error:
            raise ArchiveError(f"{path} can't be written: {cause(error)}") from error
        try:
            if fcntl is not None:  # against a second crawl
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not self._resume():
                own = {"software": f"Chaffinch/{__version__}", "format": "WARC File Format 1.1"}
                info = {**own, **self.plan}
                lines = "".join(f"{name}: {value}\r\n" for name, value in info.items())
                name = os.fsencode(path.name).decode("utf-8", "replace")  # a header is UTF-8
                headers = {"WARC-Filename": " ".join(name.split()), "Content-Type": FIELDS_TYPE}
                self._put(new_record(WarcRecordType.warcinfo, headers, lines.encode()))
        except BaseException as error:
            with contextlib.suppress(OSError):
                self._file.close()
            if isinstance(error, BlockingIOError):
                raise ArchiveError(f"{path} is being written by another crawl") from error
            if isinstance(error, OSError):
                raise self._unwritable(error) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.close()
        except ArchiveError:
            if kind is None:
                raise

    def close(self) -> None:
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            with contextlib.suppress(OSError):  # what a full disk didn't take, it doesn't take now
                self._file.close()

    def _unwritable(self, error: OSError) -> ArchiveError:
        return ArchiveError(
            f"{self.path} can't be written: {cause(error)}; what was visited stays, and "
            "--resume goes on"
        )

    def write(
        self,
        visit: Visit,
        download: Download | None = None,
        *,
        same: RecordedResponse | None = None,
        rendered: bytes = b"",
    ) -> None:
        """Write the records of a visit; a revisit where ``same`` has recorded the payload."""
        date = {"WARC-Date": f"{download.began:%Y-%m-%dT%H:%M:%S.%fZ}"} if download else {}
        group: list[WarcRecord] = []
        concurrent: dict[str, str] = {}
        if download is not None and download.response is not None:
            response = _response_record(visit.url, download.response, date, same)
            own = response.headers["WARC-Record-ID"]
            concurrent = {"WARC-Concurrent-To": own}
            given = {"WARC-Target-URI": visit.url, **date}
            kind = {"Content-Type": _HTTP.format("request"), **concurrent}
            target = "/" + visit.url.partition("://")[2].partition("/")[2]
            head = _http_head(f"GET {target} HTTP/1.1", download.request_headers)
            group = [response, new_record(WarcRecordType.request, given | kind, head)]
            if rendered:
                kind = {"WARC-Refers-To": own, "Content-Type": "text/html; charset=utf-8"}
                group.append(new_record(WarcRecordType.conversion, given | kind, rendered))
        self._remember(visit, date.get("WARC-Date", ""))
        headers = {"WARC-Target-URI": visit.url, "Content-Type": FIELDS_TYPE, **date, **concurrent}
        self._put(*group, new_record(WarcRecordType.metadata, headers, to_fields(visit)))

    def _put(self, *group: WarcRecord) -> None:
        try:
            self._file.write(b"".join(map(gzip_member, group)))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _resume(self) -> bool:
        """Read the file, cut off a torn group, check the plan; return whether it held a crawl."""
        sound = 0  # end of the last whole group
        info: dict[str, str] = {}
        for end, record in self._whole_records():
            if record.record_type == WarcRecordType.warcinfo and not info:
                info, sound = dict(warc_fields(record.reader.read())), end
            elif record.record_type == WarcRecordType.metadata:
                self._add_visit(record)
                sound = end
        size = self._file.seek(0, os.SEEK_END)
        if size and not info:
            raise ArchiveError(f"{self.path} isn't a WARC file of a crawl")
        for name, value in self.plan.items():
            if info and info.get(name, "") != value:
                raise ArchiveError(
                    f"{self.path} was begun with other settings: {name} was {info.get(name)!r}"
                )
        if size > sound:
            self._cut_off(sound)
        self.cut = size - sound
        return bool(info)

    def _whole_records(self) -> Iterator[tuple[int, WarcRecord]]:
        self._file.seek(0)
        for frame in frames(Window(self._file, longest=_LONGEST)):
            if frame.problem or frame.wrong_length:
                return
            try:
                yield frame.end, read_record(frame.data)
            except UNREADABLE as error:
                raise self._foreign() from error

    def _add_visit(self, record: WarcRecord) -> None:
        url = record.headers.get("WARC-Target-URI") or ""
        try:
            visit = from_fields(url, record.reader.read())
        except (KeyError, ValueError) as error:
            raise self._foreign() from error
        self.visits.append(visit)
        self._remember(visit, record.headers.get("WARC-Date") or "")

    def _remember(self, visit: Visit, date: str) -> None:
        if visit.payload and visit.kind == "page":
            self.first_responses.setdefault(visit.payload, RecordedResponse(visit.url, date))

    def _foreign(self) -> ArchiveError:
        return ArchiveError(f"{self.path} holds records of another program")

    def _cut_off(self, sound: int) -> None:
        """Move what follows ``sound`` to a file beside this one."""
        self._file.seek(sound)
        with self.path.with_name(self.path.name + ".cut").open("ab") as kept:
            shutil.copyfileobj(self._file, kept)
        self._file.truncate(sound)
        self._file.seek(sound)
