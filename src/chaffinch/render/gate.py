"""The gate: a proxy on loopback that is the browser's only way to the network.

The browser resolves no name and opens no connection but to this proxy, so that whatever asks
(the document, a redirect, a frame, a picture, a script's fetch, a web socket) is judged here, by
the same guard of addresses as `chaffinch.fetch`: a name is looked up once for each connection, and
the connection is made to an address that was judged. Encrypted connections pass through as they
are; the browser checks their certificates itself.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import socketserver
import threading
from typing import TYPE_CHECKING, Any, Final

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from chaffinch.errors import FetchError
from chaffinch.fetch import AddressGuard

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_HEAD: Final = 128 << 10
_PIECE: Final = 65_536
_SILENCE: Final = 30.0  # seconds that a connection may be idle
_CONNECT: Final = 10.0
_CONNECTIONS: Final = 256  # refused for one page and remembered
_HOP: Final = (b"proxy-connection:", b"proxy-authorization:", b"connection:", b"keep-alive:")


class Gate(socketserver.ThreadingTCPServer):
    """Passes what may pass, and remembers what didn't.

    Args:
        guard: what addresses may be connected to.
        hosts: the only hosts that may be asked, ``host`` or ``host:port``; None for any.
        max_bytes: bytes that one page may load.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *, guard: AddressGuard, hosts: Sequence[str] | None, max_bytes: int) -> None:
        self.guard = guard
        self.only = None if hosts is None else AddressGuard(tuple(hosts))
        self.max_bytes = max_bytes
        self.is_open = False
        self.passed = 0
        self.problems: dict[str, str] = {}
        self._lines: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Passage)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """Where the browser finds it."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def open(self) -> None:
        """Let the next page's requests pass."""
        self.problems = {}
        self.passed = 0
        self.is_open = True

    def shut(self) -> None:
        """Let nothing pass any more; cut what is under way."""
        self.is_open = False
        with self._lock:
            lines, self._lines = self._lines, set()
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Shut for good."""
        self.shut()
        self.shutdown()
        self.server_close()
        self._thread.join()

    def line_to(self, host: str, port: int) -> socket.socket:
        """Return a connection to an address of ``host`` that the guard has judged.

        Raises:
            FetchError: the gate is shut, the host may not be asked, or it can't be reached.
        """
        if not self.is_open:
            raise FetchError("refused: the network is off")
        if self.only is not None and not self.only.allows(host, port):
            raise FetchError(f"refused: {host} is none of the hosts that may be asked")
        failure: OSError | None = None
        for address in self.guard.addresses(host, port):
            try:
                line = socket.create_connection((address, port), timeout=_CONNECT)
            except OSError as error:
                failure = error
            else:
                self.keep(line)
                if self.is_open:
                    return line
                self.drop(line)  # shut while the connection was made
                break
        raise FetchError(f"no connection to {host}") from failure

    def keep(self, line: socket.socket) -> None:
        """Take charge of a connection until `shut`."""
        with self._lock:
            self._lines.add(line)

    def drop(self, line: socket.socket) -> None:
        """Close a connection."""
        with self._lock:
            self._lines.discard(line)
        line.close()

    def remember(self, host: str, port: int, problem: str) -> None:
        """Note why a host wasn't reached, for the messages."""
        if len(self.problems) < _CONNECTIONS:
            self.problems[f"{host.strip('[]').lower()}:{port}"] = problem

    def count(self, size: int) -> bool:
        """Add to what the page has loaded; return whether it is still within its bound."""
        with self._lock:
            self.passed += size
            return self.passed <= self.max_bytes


class _Passage(socketserver.BaseRequestHandler):
    """One connection of the browser."""

    request: socket.socket
    server: Gate

    def handle(self) -> None:
        self.server.keep(self.request)
        try:
            self.request.settimeout(_SILENCE)
            self._pass()
        except OSError:
            return  # one side is gone; the other is told by the closing
        finally:
            self.server.drop(self.request)

    def _pass(self) -> None:
        head, body = self._head()
        words = head.split(b"\r\n", 1)[0].split()
        target = _target(words)
        if target is None:
            self._refuse(b"400 Bad Request", "not a request for a proxy")
            return
        host, port, path = target
        try:
            line = self.server.line_to(host, port)
        except FetchError as error:
            self.server.remember(host, port, str(error))
            self._refuse(b"403 Forbidden", str(error))
            return
        try:
            if words[0] == b"CONNECT":
                self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                self._pump(line, body)
            else:
                self._pump(line, _forwarded(head, words[0], path) + body)
        finally:
            self.server.drop(line)

    def _head(self) -> tuple[bytes, bytes]:
        data = b""
        while b"\r\n\r\n" not in data:
            piece = self.request.recv(_PIECE)
            if not piece or len(data) > _LONGEST_HEAD:
                raise ConnectionResetError
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        return head, body

    def _refuse(self, status: bytes, why: str) -> None:
        body = why.encode()
        self.request.sendall(
            b"HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\n"
            b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, len(body), body)
        )

    def _pump(self, line: socket.socket, first: bytes) -> None:
        """Pass bytes both ways until one side ends or the page has loaded too much."""
        line.settimeout(_SILENCE)
        line.sendall(first)
        with selectors.DefaultSelector() as ready:
            ready.register(self.request, selectors.EVENT_READ, line)
            ready.register(line, selectors.EVENT_READ, self.request)
            while events := ready.select(_SILENCE):
                for key, _ in events:
                    source: Any = key.fileobj
                    piece = source.recv(_PIECE)
                    if not piece or (source is line and not self.server.count(len(piece))):
                        return
                    key.data.sendall(piece)


def _target(words: list[bytes]) -> tuple[str, int, str] | None:
    """Return (host, port, path) of a request line in its words; None if it is none."""
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
    return url.host.strip("[]"), port, where.split("/", 3)[3] if where.count("/") > 2 else ""  # noqa: PLR2004


def _forwarded(head: bytes, method: bytes, path: str) -> bytes:
    """Return the head of a request as a server expects it, for one answer only."""
    lines = head.split(b"\r\n")[1:]
    kept = [line for line in lines if not line.lower().startswith(_HOP)]
    return b"\r\n".join(
        [
            method + b" /" + path.encode("ascii") + b" HTTP/1.1",
            *kept,
            b"Connection: close",
            b"",
            b"",
        ]
    )
