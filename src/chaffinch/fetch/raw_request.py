"""One request and its raw response on one connection, bounded in time and size.

Built on urllib3's connections. The certificate is verified for the host's name; proxies, cookies,
netrc and other settings of the process's environment are ignored.
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

from chaffinch.errors import FetchError, TransferError
from chaffinch.fetch.failures import FAILURES, describe_failure
from chaffinch.fetch.request_urls import port_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urllib3.response import BaseHTTPResponse
    from urllib3.util import Url

    from chaffinch.fetch.addresses import AddressGuard
    from chaffinch.fetch.limits import FetchLimits

_CHUNK: Final = 65_536  # bytes read or decompressed at a time


class RequestTerms(NamedTuple):
    """Bounds of a request, the address guard, and its deadline as of ``time.monotonic()``."""

    limits: FetchLimits
    guard: AddressGuard
    deadline: float


@dataclass(frozen=True, kw_only=True)
class RawResponse:
    """A response as it came over the connection.

    Attributes:
        status: HTTP status.
        reason: the reason phrase.
        version: 10 or 11.
        headers: names and values in order, as sent.
        body: in the content coding of the headers, without chunked framing; empty where it wasn't
            read.
        address: IP address of the server.
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


def send_request(
    target: Url,
    headers: Mapping[str, str],
    terms: RequestTerms,
    *,
    reads_body: Callable[[int, Mapping[str, str]], bool],
    on_sent: Callable[[], object] | None = None,
) -> RawResponse:
    """Send a GET request for ``target`` and return the response.

    Args:
        target: as `chaffinch.fetch.request_urls.parse_target` returns it.
        headers: of the request, in order.
        terms: bounds and guard.
        reads_body: whether the body is read, by status and headers (names in lower case).
        on_sent: called when the request has been sent, before the response.

    Raises:
        RefusedError: the address is refused.
        TransferError: the server can't be reached, is silent for too long or breaks off.
        FetchError: the deadline passed, or the body is too big.
    """
    limits = terms.limits
    too_slow = FetchError(f"not done within {limits.total:g} s")
    with _Watchdog(terms.deadline) as watchdog:
        try:
            connection, address = _connect(target, terms)
            with contextlib.closing(connection):
                watchdog.watch(connection.sock)
                connection.timeout = limits.read
                connection.request(
                    "GET", target.request_uri, headers=headers, preload_content=False
                )
                if on_sent is not None:
                    on_sent()
                with contextlib.closing(connection.getresponse()) as response:
                    answer = _read(response, address, limits.max_bytes, reads_body)
        except FAILURES as error:
            if watchdog.has_fired:
                raise too_slow from error
            raise TransferError(
                describe_failure(error, connect=limits.connect, read=limits.read)
            ) from error
    if watchdog.has_fired:  # a body that ends with the connection looks whole
        raise too_slow
    return answer


def decoded_body(response: RawResponse, limits: FetchLimits) -> bytes:
    """Return the body without its content coding (gzip, deflate; brotli and zstd if installed).

    Raises:
        FetchError: it isn't coded as the headers state, or is too big.
    """
    if not response.header("content-encoding"):
        return response.body
    coded = HTTPResponse(
        io.BytesIO(response.body),
        HTTPHeaderDict(response.headers),
        status=200,
        preload_content=False,
    )
    try:
        return _body(coded, limits.max_bytes)
    except FAILURES as error:
        raise FetchError(
            describe_failure(error, connect=limits.connect, read=limits.read)
        ) from error


def _connect(target: Url, terms: RequestTerms) -> tuple[HTTPConnection, str]:
    """Return a connection to the first address that answers, and the address."""
    host = str(target.host).strip("[]")
    port = port_of(target)
    failure: Exception | None = None
    for address in terms.guard.addresses(host, port):
        left = terms.deadline - time.monotonic()
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
    """Shuts a connection down at the deadline, and closes its socket at the end.

    A socket's time-out bounds one wait; a server may send one byte just before each is over. And
    where headers are such that no response is made of them (two lengths), nobody else closes it
    before the collector of cycles comes by.
    """

    def __init__(self, deadline: float) -> None:
        self.has_fired = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), self._fire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()
        if self._socket is not None:
            handle = self._socket.detach()
            if handle >= 0:
                socket.close(handle)

    def watch(self, connected: socket.socket | None) -> None:
        """Take charge of a connected socket."""
        self._socket = connected
        if self.has_fired:
            self._fire()

    def _fire(self) -> None:
        self.has_fired = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Of the plain socket: TLS would first wait for a silent server's close_notify.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _read(
    response: BaseHTTPResponse,
    address: str,
    max_bytes: int,
    reads_body: Callable[[int, Mapping[str, str]], bool],
) -> RawResponse:
    names = {name.lower(): value for name, value in response.headers.items()}
    body = b""
    if reads_body(response.status, names):
        body = _body(response, max_bytes, decode=False)
    return RawResponse(
        status=response.status,
        reason=response.reason or "",
        version=response.version,
        headers=tuple(response.headers.iteritems()),
        body=body,
        address=address,
    )


def _body(response: BaseHTTPResponse, max_bytes: int, *, decode: bool = True) -> bytes:
    body = bytearray()
    while chunk := response.read1(_CHUNK, decode_content=decode):
        body += chunk
        if len(body) > max_bytes:
            raise FetchError(f"page too big: more than {max_bytes:,} bytes")
    return bytes(body)
