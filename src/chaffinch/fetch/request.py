"""One polite request: one page by its address, bounded in time, size and redirects.

Built on urllib3's connections, one a hop, each made to an address that the guard has judged while
the server is still asked, and its certificate checked, under its name. Proxies, cookies, netrc and
other surroundings of the process are not looked at.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from dataclasses import dataclass, field
from email.message import Message
from importlib import metadata
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import Url, make_headers

from chaffinch.errors import FetchError, OptionError
from chaffinch.fetch.addresses import AddressGuard
from chaffinch.fetch.failures import FAILURES, in_words, shown, status_in_words
from chaffinch.fetch.limits import FetchLimits
from chaffinch.fetch.targets import host_header, joined, parsed, port_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from urllib3.response import BaseHTTPResponse

PAGE_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/xml", "text/xml"}
    | {"", "*/*", "unknown/unknown", "application/unknown"}  # said by servers that don't know
)
"""Media types of answers that may hold a page; the last four are those of unknown ones."""

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_PIECE: Final = 65_536  # bytes unpacked at a time
_ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1"


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What came back.

    Attributes:
        url: address that answered, after redirects, without its fragment.
        status: HTTP status, 200 to 299.
        headers: of the answer; names in lower case, repeated ones joined by ", ".
        body: the page, unpacked (gzip, deflate; brotli and zstd where they're installed).
        encoding: charset that Content-Type names, if any; not checked.
        redirects: addresses asked before ``url``, the first one given.
    """

    url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    encoding: str | None = None
    redirects: tuple[str, ...] = ()


class _Terms(NamedTuple):
    limits: FetchLimits
    guard: AddressGuard
    stop_at: float  # time.monotonic()


class _Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    encoding: str | None


def fetch(
    url: str,
    *,
    limits: FetchLimits | None = None,
    allow: Sequence[str] = (),
    contact: str = "",
) -> Fetched:
    """Fetch one page.

    Args:
        url: an http or https address, without user name and password.
        limits: bounds on time, size and redirects.
        allow: hosts that may be in a private network; see `AddressGuard`.
        contact: address (URL or mail) that the user agent names for the servers' owners.

    Raises:
        FetchError: the address, or one redirected to, is refused or no HTTP address; the server
            can't be reached, is too slow, breaks off, answers with a status other than 2xx or
            with something other than a page; the page is too big. The message says which.
        OptionError: ``allow`` or ``contact`` is malformed.
    """
    limits = limits or FetchLimits()
    terms = _Terms(limits, AddressGuard(tuple(allow)), time.monotonic() + limits.total)
    headers = _headers(contact)
    asked: list[str] = []
    while True:
        try:
            target = parsed(url)
            answer = _ask(target, {"host": host_header(target), **headers}, terms)
        except FetchError as error:
            if not asked:
                raise
            raise FetchError(f"redirected to {shown(url)}: {error}") from error
        if isinstance(answer, _Answer):
            return Fetched(url=target.url, redirects=tuple(asked), **answer._asdict())
        asked.append(target.url)
        if len(asked) > limits.max_redirects:
            raise FetchError(f"more than {limits.max_redirects} redirects")
        url = joined(target.url, answer)


def _headers(contact: str) -> dict[str, str]:
    if not contact.isprintable() or not contact.isascii():
        raise OptionError(f"not a contact address: {contact!r}")
    agent = f"Chaffinch/{metadata.version('chaffinch')}" + (f" (+{contact})" if contact else "")
    return {
        **make_headers(accept_encoding=True, user_agent=agent),
        "accept": _ACCEPT,
        "accept-language": "*",
        "connection": "close",
    }


def _ask(target: Url, headers: Mapping[str, str], terms: _Terms) -> _Answer | str:
    """Return the answer, or the address that the server redirects to."""
    limits = terms.limits
    too_slow = FetchError(f"not done within {limits.total:g} s")
    with _Watchdog(terms.stop_at) as dog:
        try:
            with contextlib.closing(_connect(target, terms)) as connection:
                dog.watch(connection.sock)
                connection.timeout = limits.read
                connection.request(
                    "GET", target.request_uri, headers=headers, preload_content=False
                )
                with contextlib.closing(connection.getresponse()) as response:
                    answer = _read(response, limits.max_bytes)
        except FAILURES as error:
            if dog.has_bitten:
                raise too_slow from error
            raise FetchError(in_words(error, connect=limits.connect, read=limits.read)) from error
    if dog.has_bitten:  # a page that ends where the line does looks whole
        raise too_slow
    return answer


def _connect(target: Url, terms: _Terms) -> HTTPConnection:
    """Return a connection to the first address that answers."""
    host = str(target.host).strip("[]")
    port = port_of(target)
    failure: Exception | None = None
    for address in terms.guard.addresses(host, port):
        left = terms.stop_at - time.monotonic()
        if left <= 0:
            break
        seconds = min(terms.limits.connect, left)
        connection = (
            HTTPSConnection(
                address, port, timeout=seconds, server_hostname=host, cert_reqs="CERT_REQUIRED"
            )
            if target.scheme == "https"
            else HTTPConnection(address, port, timeout=seconds)
        )
        try:
            connection.connect()
        except FAILURES as error:
            connection.close()
            failure = error
        else:
            return connection
    raise failure or FetchError(f"not done within {terms.limits.total:g} s")


class _Watchdog:
    """Cuts a connection when the time is up.

    A socket's time-out bounds one silence; a server may send one byte just before each is over.
    """

    def __init__(self, stop_at: float) -> None:
        self.has_bitten = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(max(0.0, stop_at - time.monotonic()), self._bite)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()

    def watch(self, line: socket.socket | None) -> None:
        """Take charge of a connected socket."""
        self._socket = line
        if self.has_bitten:
            self._bite()

    def _bite(self) -> None:
        self.has_bitten = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # The plain socket's way: TLS would want to say goodbye to a silent server first.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _read(response: BaseHTTPResponse, max_bytes: int) -> _Answer | str:
    """Return the answer, or the address that the server redirects to."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status in _REDIRECTS and headers.get("location"):
        return _utf8(headers["location"])
    if not 200 <= response.status < 300:  # noqa: PLR2004 - the range of success
        raise FetchError(status_in_words(response.status))
    said = Message()
    said["content-type"] = headers.get("content-type", "")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in PAGE_TYPES:
        raise FetchError(f"not a page: the server calls it {kind!r}")
    body = bytearray()
    while piece := response.read1(_PIECE):
        body += piece
        if len(body) > max_bytes:
            raise FetchError(f"page too big: more than {max_bytes:,} bytes")
    charset = said.get_content_charset()
    return _Answer(response.status, headers, bytes(body), charset)


def _utf8(header: str) -> str:
    """Return a header's value as UTF-8, which servers send and HTTP reads as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
