"""Fetched pages kept on disk for a while: freshness, validators, a bound of size (RFC 9111).

One SQLite file holds the responses as they came, still in their content coding. It is a shared
cache: what a server calls private, or not to be stored, isn't kept. Where no time is given, a copy
is validated before it is used again. The copies that were used least lately go first.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import sqlite3
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from chaffinch.errors import OptionError
from chaffinch.web.client import RawResponse, http_date

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_OK: Final = 200
_LONGEST: Final = 365 * 86_400  # seconds for which a copy is fresh at most
_DIRECTIVE: Final = re.compile(r"([a-z-]++)(?:=\"?([^\",\s]*+)\"?)?")
_CONDITIONS: Final = (("etag", "if-none-match"), ("last-modified", "if-modified-since"))
_KEPT_OF_304: Final = frozenset(
    {"cache-control", "date", "etag", "expires", "last-modified", "age"}
)
_TABLE: Final = """
CREATE TABLE IF NOT EXISTS pages (
  url TEXT, accept TEXT, stored REAL, used REAL, status INTEGER, reason TEXT, version INTEGER,
  headers TEXT, body BLOB, address TEXT, size INTEGER, PRIMARY KEY (url, accept)
);
CREATE INDEX IF NOT EXISTS pages_used ON pages (used);
"""


_UNUSABLE: Final = (sqlite3.Error, ValueError, TypeError)
"""What reading a copy raises where the disk or the file is broken: the page is fetched then."""


@dataclass(frozen=True)
class CachedResponse:
    """A response that is kept.

    Attributes:
        response: as it came.
        stored: when it came or was validated last, seconds since the epoch.
    """

    response: RawResponse
    stored: float

    @property
    def age(self) -> float:
        """Seconds since it came or was validated last; endless where the clock was set back."""
        age = time.time() - self.stored
        return age if age >= 0 else math.inf

    def is_fresh(self, max_age: int | None) -> bool:
        """Return whether it does without asking its server.

        Args:
            max_age: seconds of age that the caller allows; None for what the server allows.
        """
        return self.age < (freshness(self.response) if max_age is None else max_age)

    @property
    def conditions(self) -> dict[str, str]:
        """Headers that ask the server whether it has changed; empty without a validator."""
        found = {name: self.response.header(one) for one, name in _CONDITIONS}
        return {name: value for name, value in found.items() if value}


def directives(response: RawResponse) -> Mapping[str, str]:
    """Return the directives of Cache-Control, with their values or ""."""
    given = response.header("cache-control").lower()
    return {found[1]: found[2] or "" for found in _DIRECTIVE.finditer(given)}


def freshness(response: RawResponse) -> float:
    """Return the seconds for which a response is fresh, less the age that it came with."""
    given = directives(response)
    if "no-cache" in given:
        return 0.0
    for name in ("s-maxage", "max-age"):
        if name in given:
            seconds = float(given[name][:9]) if given[name].isdecimal() else 0.0
            break
    else:
        dates = [http_date(response.header(name)) for name in ("expires", "date")]
        begin = dates[1] or datetime.now(UTC)
        seconds = (dates[0] - begin).total_seconds() if dates[0] else 0.0
    age = response.header("age")
    return min(_LONGEST, seconds - (float(age[:9]) if age.isdecimal() else 0.0))


def may_be_kept(response: RawResponse) -> bool:
    """Return whether a shared cache may keep a response."""
    given = directives(response)
    return (
        response.status == _OK
        and not {"no-store", "private"} & given.keys()
        and response.header("vary").strip() != "*"
    )


class PageCache:
    """Responses by address and by what was accepted; for several threads.

    Args:
        path: the SQLite file; a damaged one is begun anew.
        most: bytes of bodies and headers.

    Raises:
        OptionError: it can't be written.
    """

    def __init__(self, path: Path, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._file = _opened(path)
            except sqlite3.DatabaseError:
                path.unlink(missing_ok=True)
                self._file = _opened(path)
        except (OSError, sqlite3.Error) as error:
            why = getattr(error, "strerror", None) or error  # SQLite's errors have none
            raise OptionError(f"the cache {path} can't be written: {why}") from error

    def get(self, url: str, accept: str) -> CachedResponse | None:
        """Return the copy of a page; None where there is none, or the file fails."""
        try:
            return self._copy(url, accept)
        except _UNUSABLE:
            return None

    def _copy(self, url: str, accept: str) -> CachedResponse | None:
        with self._lock, self._file:
            row = self._file.execute(
                "SELECT stored, status, reason, version, headers, body, address FROM pages "
                "WHERE url = ? AND accept = ?",
                (url, accept),
            ).fetchone()
            if row is None:
                return None
            self._file.execute(
                "UPDATE pages SET used = ? WHERE url = ? AND accept = ?",
                (self._next_use(), url, accept),
            )
        stored, status, reason, version, headers, body, address = row
        response = RawResponse(
            status=status,
            reason=reason,
            version=version,
            headers=tuple(map(tuple, json.loads(headers))),
            body=body,
            address=address,
        )
        return CachedResponse(response, stored)

    def put(self, url: str, accept: str, response: RawResponse) -> None:
        """Keep a response where that is allowed and the disk takes it, else forget the copy."""
        with contextlib.suppress(sqlite3.Error):
            self._keep(url, accept, response)

    def _keep(self, url: str, accept: str, response: RawResponse) -> None:
        headers = json.dumps(response.headers)
        size = len(headers) + len(response.body)
        with self._lock, self._file:
            self._file.execute("DELETE FROM pages WHERE url = ? AND accept = ?", (url, accept))
            if size > self._most or not may_be_kept(response):
                return
            self._file.execute(
                "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (url, accept, time.time(), self._next_use(), response.status, response.reason,
                 response.version, headers, response.body, response.address, size),
            )  # fmt: skip
            self._make_room()

    def _next_use(self) -> float:
        """Return a number above those of all uses: no clock, for that may jump back."""
        (last,) = self._file.execute("SELECT COALESCE(MAX(used), 0) FROM pages").fetchone()
        return float(last) + 1

    def _make_room(self) -> None:
        (held,) = self._file.execute("SELECT COALESCE(SUM(size), 0) FROM pages").fetchone()
        while held > self._most:
            url, accept, size = self._file.execute(
                "SELECT url, accept, size FROM pages ORDER BY used LIMIT 1"
            ).fetchone()
            self._file.execute("DELETE FROM pages WHERE url = ? AND accept = ?", (url, accept))
            held -= size

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()


def validated(copy: RawResponse, answer: RawResponse) -> RawResponse:
    """Return a copy with the headers that its server sent with its answer that nothing changed."""
    new = tuple((name, value) for name, value in answer.headers if name.lower() in _KEPT_OF_304)
    names = {name.lower() for name, _ in new}
    old = tuple((name, value) for name, value in copy.headers if name.lower() not in names)
    return replace(copy, headers=old + new)


def _opened(path: Path) -> sqlite3.Connection:
    file = sqlite3.connect(path, check_same_thread=False, timeout=30)
    file.execute("PRAGMA auto_vacuum = FULL")
    file.execute("PRAGMA journal_mode = WAL")
    file.execute("PRAGMA synchronous = NORMAL")
    file.executescript(_TABLE)
    return file
