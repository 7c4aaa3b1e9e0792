"""The WARC file of a crawl, which is its journal, too.

Every visit is one group of records, written in one piece: response or revisit, request, metadata,
each a gzip member of its own. The metadata record, the last of its group, holds the visit
(`chaffinch.crawl.visits`), so that a crawl can be rebuilt from the file alone. After a crash the
file is cut behind the last whole group; what is cut is kept beside it.

Sources: WARC 1.1 (ISO 28500:2017). As other crawlers do, a body is recorded in its content coding
but without chunks, and ``Transfer-Encoding`` becomes ``X-Crawler-Transfer-Encoding``.
"""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from importlib import metadata
from typing import IO, TYPE_CHECKING, Final, Self

from fastwarc.warc import WarcRecord, WarcRecordType

from chaffinch.crawl.visits import from_fields, to_fields
from chaffinch.errors import ArchiveError
from chaffinch.warc.frames import frames
from chaffinch.warc.records import (
    FIELDS_TYPE,
    UNREADABLE,
    gzip_member,
    new_record,
    records,
    warc_fields,
)
from chaffinch.warc.window import Window

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from chaffinch.crawl.polite_line import Reply
    from chaffinch.crawl.visits import Visit
    from chaffinch.fetch.line import Exchange

_PIECE: Final = 1 << 20
_PROFILES: Final = "http://netpreserve.org/warc/1.1/revisit/"
_HTTP: Final = "application/http; msgtype={}"
_LONGEST: Final = 1 << 40  # bytes of a record: what was written is read, however big
_HIDDEN: Final = frozenset({"transfer-encoding"})


@dataclass(frozen=True)
class Earlier:
    """A response that a revisit refers to: its address, date (as WARC writes it), digest."""

    url: str
    date: str
    digest: str


def payload_digest(body: bytes) -> str:
    """Return the digest of a payload as WARC writes it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()  # noqa: S324 the format's


class Archive:
    """An open WARC file, locked against a second crawl.

    Attributes:
        path: the file.
        begun: what the file says of the crawl that began it.
        visits: those that were in the file when it was opened.
        cut: bytes that were cut off, half a group that a crash left.
    """

    def __init__(
        self,
        path: Path,
        *,
        plan: Mapping[str, str],
        notes: Mapping[str, str] | None = None,
        resume: bool = False,
    ) -> None:
        """Begin a file, or go on with one.

        Args:
            path: the file.
            plan: what is noted of the crawl; a file is gone on with under the same plan only.
            notes: what is noted besides, of a new file.
            resume: go on with the file if it is there.

        Raises:
            ArchiveError: the file is there and not to be gone on with, is of another crawl, is no
                WARC file of this program, is in use, or can't be written.
        """
        self.path, self.plan, self.cut = path, dict(plan), 0
        self.begun: dict[str, str] = {}
        self.visits: list[Visit] = []
        self.first: dict[str, Earlier] = {}
        self._file = _opened(path, resume=resume)
        try:
            _lock(self._file)
            if not self._go_on():
                self.begun = {**self._info(), **(notes or {})}
                self._put(self._warcinfo())
        except OSError as error:
            self._file.close()
            raise ArchiveError(f"{path} can't be written: {error.strerror or error}") from error
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write all to the disk and let go of the file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def write(
        self, visit: Visit, reply: Reply | None = None, *, same: Earlier | None = None
    ) -> None:
        """Write the records of a visit.

        Args:
            visit: what became of the address.
            reply: the answer to record; None to record the visit alone.
            same: the earlier response that has this payload, for a revisit.
        """
        date = {"WARC-Date": _warc_date(reply.began)} if reply else {}
        group: list[WarcRecord] = []
        concurrent: dict[str, str] = {}
        if reply is not None and reply.exchange is not None:
            answer = _answer(visit.url, reply.exchange, date, same)
            concurrent = {"WARC-Concurrent-To": answer.headers["WARC-Record-ID"]}
            group = [answer, _request(visit.url, reply, {**date, **concurrent})]
            if visit.payload and same is None and visit.kind == "page":
                earlier = Earlier(visit.url, date["WARC-Date"], visit.payload)
                self.first.setdefault(visit.payload, earlier)
        headers = {"WARC-Target-URI": visit.url, "Content-Type": FIELDS_TYPE, **date, **concurrent}
        self._put(*group, new_record(WarcRecordType.metadata, headers, to_fields(visit)))

    def _put(self, *group: WarcRecord) -> None:
        """Write records in one piece behind what is there."""
        try:
            self._file.write(b"".join(map(gzip_member, group)))
            self._file.flush()
        except OSError as error:
            raise ArchiveError(f"{self.path} can't be written: {error.strerror}") from error

    def _warcinfo(self) -> WarcRecord:
        headers = {"WARC-Filename": self.path.name, "Content-Type": FIELDS_TYPE}
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.begun.items())
        return new_record(WarcRecordType.warcinfo, headers, lines.encode())

    def _info(self) -> dict[str, str]:
        version = metadata.version("chaffinch")
        return {"software": f"Chaffinch/{version}", "format": "WARC File Format 1.1", **self.plan}

    def _go_on(self) -> bool:
        """Read what is there, cut half a group, check the plan; return whether anything was."""
        sound = 0
        begun: dict[str, str] = {}
        for end, record in self._whole_records():
            if record.record_type == WarcRecordType.warcinfo and not begun:
                begun, sound = dict(warc_fields(record.reader.read())), end
            elif record.record_type == WarcRecordType.metadata:
                self._take(record)
                sound = end
        size = self._file.seek(0, os.SEEK_END)
        if size and not begun:
            raise ArchiveError(f"{self.path} isn't a WARC file of a crawl")
        for name, value in self.plan.items():
            if begun and begun.get(name, "") != value:
                raise ArchiveError(
                    f"{self.path} was begun with other settings: {name} was {begun.get(name)!r}"
                )
        if size > sound:
            self._cut_off(sound)
        self.cut, self.begun = size - sound, begun
        return bool(begun)

    def _whole_records(self) -> Iterator[tuple[int, WarcRecord]]:
        """Yield where each record ends, and the record, up to the first that isn't whole."""
        self._file.seek(0)
        for frame in frames(Window(self._file, longest=_LONGEST)):
            if frame.problem:
                return
            try:
                for record in records(frame.data):
                    yield frame.end, record
            except UNREADABLE as error:
                raise self._foreign() from error

    def _take(self, record: WarcRecord) -> None:
        url = record.headers.get("WARC-Target-URI") or ""
        try:
            visit = from_fields(url, record.reader.read())
        except (KeyError, ValueError) as error:
            raise self._foreign() from error
        self.visits.append(visit)
        if visit.payload and visit.kind == "page":
            date = record.headers.get("WARC-Date") or ""
            self.first.setdefault(visit.payload, Earlier(url, date, visit.payload))

    def _foreign(self) -> ArchiveError:
        return ArchiveError(f"{self.path} holds records of another program")

    def _cut_off(self, sound: int) -> None:
        """Move what follows ``sound`` to a file beside this one."""
        self._file.seek(sound)
        rest = self.path.with_name(self.path.name + ".cut")
        with rest.open("ab") as kept:
            while piece := self._file.read(_PIECE):
                kept.write(piece)
        self._file.truncate(sound)
        self._file.seek(sound)


def _opened(path: Path, *, resume: bool) -> IO[bytes]:
    """Return the file, a new one or one to go on with.

    Raises:
        ArchiveError: it is there and not to be gone on with, or can't be opened.
    """
    try:
        return path.open("r+b" if resume and path.exists() else "x+b")
    except FileExistsError as error:
        raise ArchiveError(f"{path} is there already: go on with --resume, or remove it") from error
    except OSError as error:
        raise ArchiveError(f"{path} can't be written: {error.strerror or error}") from error


def _answer(
    url: str, answer: Exchange, date: Mapping[str, str], same: Earlier | None
) -> WarcRecord:
    """Return the response, or the revisit of a response that is recorded, ``same``."""
    version = "HTTP/1.0" if answer.version == 10 else "HTTP/1.1"  # noqa: PLR2004 http.client's
    head = _http_head(
        f"{version} {answer.status} {answer.reason}".strip(),
        (
            (f"X-Crawler-{name}" if name.lower() in _HIDDEN else name, value)
            for name, value in answer.headers
        ),
    )
    headers = {
        "WARC-Target-URI": url,
        "WARC-IP-Address": answer.address,
        "Content-Type": _HTTP.format("response"),
        **date,
    }
    if same is None:
        headers["WARC-Payload-Digest"] = payload_digest(answer.body)
        return new_record(WarcRecordType.response, headers, head + answer.body)
    is_unchanged = answer.status == 304  # noqa: PLR2004 not modified
    headers |= {
        "WARC-Profile": _PROFILES
        + ("server-not-modified" if is_unchanged else "identical-payload-digest"),
        "WARC-Refers-To-Target-URI": same.url,
        "WARC-Refers-To-Date": same.date,
        "WARC-Payload-Digest": same.digest,
    }
    return new_record(WarcRecordType.revisit, headers, head)


def _request(url: str, reply: Reply, headers: Mapping[str, str]) -> WarcRecord:
    target = "/" + url.partition("://")[2].partition("/")[2]
    head = _http_head(f"GET {target} HTTP/1.1", reply.request)
    named = {"WARC-Target-URI": url, "Content-Type": _HTTP.format("request"), **headers}
    return new_record(WarcRecordType.request, named, head)


def _http_head(first: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """Return the head of a message; what isn't Latin-1 was never sent."""
    lines = [first, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace")


def _warc_date(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _lock(file: IO[bytes]) -> None:
    """Keep a second crawl from writing to the file.

    Raises:
        OSError: one does.
    """
    try:
        import fcntl  # noqa: PLC0415 absent on Windows, which locks open files by itself
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
