"""One request and its raw answer on one connection: bounded in time and size, to a judged address.

Built on urllib3's connections. The server is asked, and its certificate checked, under its name;
proxies, cookies, netrc and other surroundings of the process are not looked at.
"""

from __future__ import annotations

import contextlib
import io
import socket
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from urllib3 import HTTPHeaderDict, HTTPResponse
from urllib3.connection import HTTPConnection, HTTPSConnection

from chaffinch.errors import FetchError, LineError
from chaffinch.fetch.failures import FAILURES, in_words
from chaffinch.fetch.targets import port_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urllib3.response import BaseHTTPResponse
    from urllib3.util import Url

    from chaffinch.fetch.addresses import AddressGuard
    from chaffinch.fetch.limits import FetchLimits

_PIECE: Final = 65_536  # bytes read or unpacked at a time


class Terms(NamedTuple):
    """What holds for a request: bounds, the guard, and the ``time.monotonic()`` to be done by."""

    limits: FetchLimits
    guard: AddressGuard
    stop_at: float


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """A raw answer.

    Attributes:
        status: HTTP status.
        reason: the server's word for it.
        version: 10 or 11.
        headers: names and values in order, as sent.
        body: in the content coding of the headers; chunks joined. Empty where it wasn't wanted.
        address: IP address that answered.
    """

    status: int
    reason: str
    version: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    address: str

    def header(self, name: str) -> str:
        """Return a header's values joined by ", "; "" where there is none."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)


def ask(
    target: Url,
    headers: Mapping[str, str],
    terms: Terms,
    *,
    wants: Callable[[int, Mapping[str, str]], bool],
    sent: Callable[[], object] | None = None,
) -> Exchange:
    """Ask for ``target`` and return the answer.

    Args:
        target: as `chaffinch.fetch.targets.parsed` gives it.
        headers: of the request, in order.
        terms: bounds and guard.
        wants: tells by status and headers (names in lower case) whether the body is to be read.
        sent: called when the request has been sent, to which the answer may take its time.

    Raises:
        RefusedError: the address is refused.
        LineError: the server can't be reached, is silent for too long or breaks off.
        FetchError: it isn't done in time, or the body is too big.
    """
    limits = terms.limits
    too_slow = FetchError(f"not done within {limits.total:g} s")
    with _Watchdog(terms.stop_at) as dog:
        try:
            connection, address = _connect(target, terms)
            with contextlib.closing(connection):
                dog.watch(connection.sock)
                connection.timeout = limits.read
                connection.request(
                    "GET", target.request_uri, headers=headers, preload_content=False
                )
                if sent is not None:
                    sent()
                with contextlib.closing(connection.getresponse()) as response:
                    answer = _read(response, address, limits.max_bytes, wants)
        except FAILURES as error:
            if dog.has_bitten:
                raise too_slow from error
            raise LineError(in_words(error, connect=limits.connect, read=limits.read)) from error
    if dog.has_bitten:  # a page that ends where the line does looks whole
        raise too_slow
    return answer


def unpacked(answer: Exchange, limits: FetchLimits) -> bytes:
    """Return the body without its content coding (gzip, deflate; brotli and zstd if installed).

    Raises:
        FetchError: it isn't coded as the headers say, or is too big.
    """
    if not answer.header("content-encoding"):
        return answer.body
    coded = HTTPResponse(
        io.BytesIO(answer.body),
        HTTPHeaderDict(answer.headers),
        status=200,
        preload_content=False,
    )
    try:
        return _pieces(coded, limits.max_bytes)
    except FAILURES as error:
        raise FetchError(in_words(error, connect=limits.connect, read=limits.read)) from error


def _connect(target: Url, terms: Terms) -> tuple[HTTPConnection, str]:
    """Return a connection to the first address that answers, and the address."""
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
            return connection, address
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


def _read(
    response: BaseHTTPResponse,
    address: str,
    max_bytes: int,
    wants: Callable[[int, Mapping[str, str]], bool],
) -> Exchange:
    names = {name.lower(): value for name, value in response.headers.items()}
    body = b""
    if wants(response.status, names):
        body = _pieces(response, max_bytes, decode=False)
    return Exchange(
        status=response.status,
        reason=response.reason or "",
        version=response.version,
        headers=tuple(response.headers.iteritems()),
        body=body,
        address=address,
    )


def _pieces(response: BaseHTTPResponse, max_bytes: int, *, decode: bool = True) -> bytes:
    body = bytearray()
    while piece := response.read1(_PIECE, decode_content=decode):
        body += piece
        if len(body) > max_bytes:
            raise FetchError(f"page too big: more than {max_bytes:,} bytes")
    return bytes(body)
