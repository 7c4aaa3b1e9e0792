"""A proxy on loopback that is the browser's only way to the network, and applies the address guard.

The browser resolves no name and opens no connection but to this proxy, so that every request (for
the document, a redirect, a frame, a picture, a script's fetch, a web socket) is checked by the
address guard of `chaffinch.web`: a name is resolved once for each connection, and the connection
is made to an address that was checked. Encrypted connections are tunnelled; the browser verifies
their certificates itself.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import socketserver
import threading
from typing import Any, Final

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from chaffinch.errors import FetchError
from chaffinch.web.guard import AddressGuard

_MAX_HEAD: Final = 128 << 10
_CHUNK: Final = 65_536
_IDLE: Final = 30.0  # seconds that a connection may be idle
_CONNECT: Final = 10.0
_CONNECTIONS: Final = 256  # refused for one page that are recorded
_HOP_BY_HOP: Final = (b"proxy-connection:", b"proxy-authorization:", b"connection:", b"keep-alive:")


class GuardProxy(socketserver.ThreadingTCPServer):
    """Forwards requests to allowed addresses, and records refused and failed connections.

    One page may load ``max_bytes``.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *, guard: AddressGuard, max_bytes: int) -> None:
        self.guard = guard
        self.max_bytes = max_bytes
        self.is_open = False
        self.passed = 0  # bytes that the page has loaded
        self.problems: dict[str, FetchError] = {}  # host:port → why it wasn't connected to
        self._connections: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _ProxiedConnection)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def open(self) -> None:
        self.problems = {}
        self.passed = 0
        self.is_open = True

    def shut(self) -> None:
        """Refuse requests from now on, and shut down open connections."""
        self.is_open = False
        with self._lock:
            connections, self._connections = self._connections, set()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Shut, and end the server."""
        self.shut()
        self.shutdown()
        self.server_close()
        self._thread.join()

    def connect(self, host: str, port: int) -> socket.socket:
        """Return a connection to an address of ``host`` that the guard allows."""
        if not self.is_open:
            raise FetchError("refused: the network is off")
        failure: OSError | None = None
        for address in self.guard.addresses(host, port):
            try:
                connection = socket.create_connection((address, port), timeout=_CONNECT)
            except OSError as error:
                failure = error
            else:
                self.track(connection)
                if self.is_open:
                    return connection
                self.discard(connection)  # shut while the connection was made
                break
        raise FetchError(f"no connection to {host}") from failure

    def track(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.add(connection)

    def discard(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)
        connection.close()

    def count(self, size: int) -> bool:
        """Add to the bytes that the page has loaded; return whether they are within `max_bytes`."""
        with self._lock:
            self.passed += size
            return self.passed <= self.max_bytes


class _ProxiedConnection(socketserver.BaseRequestHandler):
    """One connection of the browser."""

    request: socket.socket
    server: GuardProxy

    def handle(self) -> None:
        self.server.track(self.request)
        try:
            self.request.settimeout(_IDLE)
            self._forward()
        except OSError:
            return  # one side is gone; closing ends the other
        finally:
            self.server.discard(self.request)

    def _forward(self) -> None:
        head, body = self._head()
        words = head.split(b"\r\n", 1)[0].split()
        target = _target(words)
        if target is None:
            self._refuse(b"400 Bad Request", "not a request for a proxy")
            return
        host, port, path = target
        try:
            upstream = self.server.connect(host, port)
        except FetchError as error:
            if len(self.server.problems) < _CONNECTIONS:
                self.server.problems[f"{host.lower()}:{port}"] = error
            self._refuse(b"403 Forbidden", str(error))
            return
        try:
            if words[0] == b"CONNECT":
                self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self._pump(upstream, body)
            else:
                self._pump(upstream, _forwarded(head, words[0], path) + body)
        finally:
            self.server.discard(upstream)

    def _head(self) -> tuple[bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = self.request.recv(_CHUNK)
            if not chunk or len(data) > _MAX_HEAD:
                raise ConnectionResetError
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        return head, body

    def _refuse(self, status: bytes, why: str) -> None:
        body = why.encode()
        self.request.sendall(
            b"HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, len(body), body)
        )

    def _pump(self, upstream: socket.socket, first: bytes) -> None:
        upstream.settimeout(_IDLE)
        upstream.sendall(first)
        with selectors.DefaultSelector() as ready:
            ready.register(self.request, selectors.EVENT_READ, upstream)
            ready.register(upstream, selectors.EVENT_READ, self.request)
            while events := ready.select(_IDLE):
                for key, _ in events:
                    source: Any = key.fileobj
                    chunk = source.recv(_CHUNK)
                    if not chunk or (source is upstream and not self.server.count(len(chunk))):
                        return
                    key.data.sendall(chunk)


def _target(words: list[bytes]) -> tuple[str, int, str] | None:
    """Return (host, port, path) of a split request line; None where it is malformed."""
    if len(words) != 3:  # noqa: PLR2004 - method, target, version
        return None
    try:
        where = words[1].decode("ascii")
        url = parse_url(f"//{where}" if words[0] == b"CONNECT" else where)
    except (UnicodeDecodeError, LocationParseError):
        return None
    if not url.host or (words[0] != b"CONNECT" and url.scheme != "http"):
        return None
    port = url.port or (443 if words[0] == b"CONNECT" else 80)
    return url.host.strip("[]"), port, url.request_uri


def _forwarded(head: bytes, method: bytes, path: str) -> bytes:
    """Return the head of a request in origin form, without hop-by-hop headers."""
    lines = head.split(b"\r\n")[1:]
    kept = [line for line in lines if not line.lower().startswith(_HOP_BY_HOP)]
    first = method + b" " + path.encode("ascii") + b" HTTP/1.1"
    return b"\r\n".join([first, *kept, b"Connection: close", b"", b""])
