"""Serves the web on loopback: one port for all hosts, which are told apart by the Host header.

Every request is a line of JSON in the log: time, host, target, headers, status. `manner` of an
answer is how it is sent: whole, in pieces, cut off, or never.
"""

import contextlib
import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from web_maker.answers import Answer, Asked, answer

PATIENCE = 30.0  # seconds that what never ends goes on
GONE = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: "WebServer"

    def do_GET(self) -> None:
        """Answer, and write down what was asked."""
        host, _, _ = self.headers.get("host", "").partition(":")
        headers = {name.lower(): value for name, value in self.headers.items()}
        times = self.server.count(f"{host} {self.path}")
        port = self.server.server_address[1]
        asked = Asked(host=host, port=port, target=self.path, headers=headers, times=times)
        found = answer(asked)
        self.server.note(asked, found, self.client_address[0])
        try:
            MANNERS[found.manner](self, found)
        except GONE:  # a client that gave up
            self.close_connection = True

    do_HEAD = do_POST = do_GET  # noqa: N815 names are the library's

    def log_message(self, *_: object) -> None:
        """Say nothing on standard error."""

    def handle(self) -> None:
        """Serve until the client goes, which may be at any time."""
        with contextlib.suppress(*GONE):
            super().handle()

    def head(self, found: Answer, length: int | None = None, **more: str) -> None:
        """Send status and headers."""
        self.send_response(found.status)
        self.send_header("Content-Type", found.kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in (*found.headers, *more.items()):
            self.send_header(name.replace("_", "-"), value)
        if length is None and "Transfer_Encoding" not in more:
            self.close_connection = True
        self.end_headers()


def _plain(one: Handler, found: Answer) -> None:
    one.head(found, len(found.body))
    if one.command != "HEAD" and found.status != 304:  # noqa: PLR2004 has no body
        one.wfile.write(found.body)


def _late(one: Handler, found: Answer) -> None:
    one.server.gate.wait(0.3)
    _plain(one, found)


def _chunked(one: Handler, found: Answer) -> None:
    one.head(found, Transfer_Encoding="chunked")
    for at in range(0, len(found.body), 20):
        piece = found.body[at : at + 20]
        one.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
    one.wfile.write(b"0\r\n\r\n")


def _reset(one: Handler, _found: Answer) -> None:
    one.close_connection = True
    one.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.connection.close()
    raise ConnectionResetError


def _hangup(one: Handler, _found: Answer) -> None:
    one.close_connection = True
    one.connection.shutdown(socket.SHUT_RDWR)


def _half(one: Handler, found: Answer) -> None:
    one.head(found, len(found.body) * 2)
    one.wfile.write(found.body)
    one.close_connection = True


def _halfchunk(one: Handler, found: Answer) -> None:
    one.head(found, Transfer_Encoding="chunked")
    one.wfile.write(b"800\r\n" + found.body)
    one.close_connection = True


def _badchunk(one: Handler, found: Answer) -> None:
    one.head(found, Transfer_Encoding="chunked")
    one.wfile.write(b"4\r\nrain\r\nnonsense\r\n" + found.body)
    one.close_connection = True


def _nothttp(one: Handler, _found: Answer) -> None:
    one.close_connection = True
    one.wfile.write(b"220 mail.test ESMTP\r\n")


def _silent(one: Handler, _found: Answer) -> None:
    one.close_connection = True
    one.server.gate.wait(PATIENCE)


def _endless(one: Handler, found: Answer) -> None:
    one.head(found)
    stop = time.monotonic() + PATIENCE
    while time.monotonic() < stop and not one.server.gate.is_set():
        one.wfile.write(b"<p>more and more" * 1000)


def _drip(one: Handler, found: Answer) -> None:
    one.head(found, 1_000_000)
    stop = time.monotonic() + PATIENCE
    while time.monotonic() < stop and not one.server.gate.wait(0.05):
        one.wfile.write(b"x")
        one.wfile.flush()


MANNERS: dict[str, Callable[[Handler, Answer], None]] = {
    "plain": _plain,
    "late": _late,
    "chunked": _chunked,
    "reset": _reset,
    "hangup": _hangup,
    "half": _half,
    "halfchunk": _halfchunk,
    "badchunk": _badchunk,
    "nothttp": _nothttp,
    "silent": _silent,
    "endless": _endless,
    "drip": _drip,
}


class WebServer(ThreadingHTTPServer):
    """All hosts on one port of 127.0.0.1.

    `asked` is the log in memory; with ``log`` it is written to that file, too.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int = 0, log: Path | None = None) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.port = int(self.server_address[1])
        self.asked: list[dict[str, Any]] = []
        self.gate = threading.Event()
        self._lock = threading.Lock()
        self._times: Counter[str] = Counter()
        self._log = log.open("a", buffering=1, encoding="utf-8") if log else None

    def count(self, key: str) -> int:
        """How often this was asked before."""
        with self._lock:
            self._times[key] += 1
            return self._times[key] - 1

    def note(self, asked: Asked, found: Answer, client: str) -> None:
        """Write a request down."""
        line = {
            "time": time.time(),
            "host": asked.host,
            "target": asked.target,
            "status": found.status,
            "manner": found.manner,
            "client": client,
            "headers": asked.headers,
        }
        with self._lock:
            self.asked.append(line)
            if self._log is not None:
                self._log.write(json.dumps(line) + "\n")

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Show what went wrong here, not what a client that left did."""
        import sys  # noqa: PLC0415 only here

        if not isinstance(sys.exception(), GONE):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def serving(port: int = 0, log: Path | None = None) -> Iterator[WebServer]:
    """Serve in a thread for as long as the block lasts."""
    with WebServer(port, log) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.gate.set()
            server.shutdown()
            thread.join()
