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
import io
import os
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, Final, Self

from chaffinch.crawl.visits import from_fields, to_fields
from chaffinch.crawl.warc_members import members, named_lines
from chaffinch.errors import ArchiveError, MissingExtraError
from chaffinch.version import __version__

try:
    from warcio.statusandheaders import StatusAndHeaders  # type: ignore[import-untyped]
    from warcio.warcwriter import WARCWriter  # type: ignore[import-untyped]
except ImportError as error:
    raise MissingExtraError.of("warcio", "crawl") from error

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from chaffinch.crawl.polite_line import Reply
    from chaffinch.crawl.visits import Visit
    from chaffinch.fetch.line import Exchange

_PIECE: Final = 1 << 20
_SERVER_SAYS_SAME: Final = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
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
        self._writer = WARCWriter(io.BytesIO(), gzip=True, warc_version="WARC/1.1")
        self._file = _opened(path, resume=resume)
        try:
            _lock(self._file)
            if not self._go_on():
                self.begun = {**self._info(), **(notes or {})}
                self._put(self._writer.create_warcinfo_record(path.name, self.begun))
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
        records: list[Any] = []
        date = _warc_date(reply.began) if reply else ""
        concurrent: dict[str, str] = {}
        if reply is not None and reply.exchange is not None:
            answer = self._answer(visit.url, reply.exchange, date, same)
            concurrent = {"WARC-Concurrent-To": answer.rec_headers.get_header("WARC-Record-ID")}
            records = [answer, self._request(visit.url, reply, date, concurrent)]
            if visit.payload and same is None and visit.kind == "page":
                earlier = Earlier(visit.url, date, visit.payload)
                self.first.setdefault(visit.payload, earlier)
        fields = to_fields(visit)
        headers = {**({"WARC-Date": date} if date else {}), **concurrent}
        last = self._writer.create_warc_record(
            visit.url, "metadata", payload=io.BytesIO(fields), length=len(fields),
            warc_headers_dict=headers,
        )  # fmt: skip
        self._put(*records, last)

    def _answer(self, url: str, answer: Exchange, date: str, same: Earlier | None) -> Any:
        version = "HTTP/1.0" if answer.version == 10 else "HTTP/1.1"  # noqa: PLR2004 http.client's
        headers = [
            (f"X-Crawler-{name}" if name.lower() in _HIDDEN else name, _latin(value))
            for name, value in answer.headers
        ]
        http = StatusAndHeaders(
            f"{answer.status} {_latin(answer.reason)}".strip(), headers, protocol=version
        )
        given = {"WARC-Date": date, "WARC-IP-Address": answer.address}
        if same is None:
            return self._writer.create_warc_record(
                url, "response", payload=io.BytesIO(answer.body), http_headers=http,
                length=len(answer.body), warc_headers_dict=given,
            )  # fmt: skip
        record = self._writer.create_revisit_record(
            url, same.digest, same.url, same.date, http_headers=http, warc_headers_dict=given
        )
        if answer.status == 304:  # noqa: PLR2004 not modified
            record.rec_headers.replace_header("WARC-Profile", _SERVER_SAYS_SAME)
        return record

    def _request(self, url: str, reply: Reply, date: str, concurrent: dict[str, str]) -> Any:
        target = "/" + url.partition("://")[2].partition("/")[2]
        http = StatusAndHeaders(f"{target} HTTP/1.1", list(reply.request), protocol="GET")
        return self._writer.create_warc_record(
            url, "request", payload=io.BytesIO(), length=0, http_headers=http,
            warc_headers_dict={"WARC-Date": date, **concurrent},
        )  # fmt: skip

    def _put(self, *records: Any) -> None:
        """Write records in one piece behind what is there."""
        self._writer.out = buffer = io.BytesIO()
        for record in records:
            self._writer.write_record(record)
        try:
            self._file.write(buffer.getvalue())
            self._file.flush()
        except OSError as error:
            raise ArchiveError(f"{self.path} can't be written: {error.strerror}") from error

    def _info(self) -> dict[str, str]:
        return {
            "software": f"Chaffinch/{__version__}",
            "format": "WARC File Format 1.1",
            **self.plan,
        }

    def _go_on(self) -> bool:
        """Read what is there, cut half a group, check the plan; return whether anything was."""
        sound = 0
        begun: dict[str, str] = {}
        for stop, head, body in members(self._file):
            kind = head.get("warc-type")
            if kind == "warcinfo" and not begun:
                begun, sound = dict(named_lines(body)), stop
            elif kind == "metadata":
                self._take(head, body)
                sound = stop
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

    def _take(self, head: Mapping[str, str], body: bytes) -> None:
        url = head.get("warc-target-uri", "")
        try:
            visit = from_fields(url, body)
        except (KeyError, ValueError) as error:
            raise ArchiveError(f"{self.path} holds records of another program") from error
        self.visits.append(visit)
        if visit.payload and visit.kind == "page":
            self.first.setdefault(
                visit.payload, Earlier(url, head.get("warc-date", ""), visit.payload)
            )

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


def _warc_date(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _latin(value: str) -> str:
    """Return a header's value as it can be written: what isn't Latin-1 was never sent."""
    return value.encode("latin-1", "replace").decode("latin-1")


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
