from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest

CERTIFICATE = Path(__file__).with_name("finch.test.pem")
PAGE = b"<!doctype html><title>Finches</title><p>The chaffinch sings."


class Asked(NamedTuple):
    path: str
    headers: dict


class Site(BaseHTTPRequestHandler):
    """One path, one behaviour of a server."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked.append(Asked(self.path, {k.lower(): v for k, v in self.headers.items()}))
        name, _, rest = self.path.lstrip("/").partition("/")
        self.close_connection = True
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a client that gave up
            getattr(self, "page_" + name.partition("?")[0], self.page_page)(unquote(rest))

    def log_message(self, *_):
        pass

    def answer(self, body=PAGE, status=200, **headers):
        self.send_response(status)
        given = {"content_type": "text/html; charset=utf-8", "content_length": str(len(body))}
        for name, value in (given | headers).items():
            if value is not None:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        with contextlib.suppress(ssl.SSLError, ConnectionResetError):  # a client that walked off
            super().handle()

    def page_page(self, _):
        self.answer()

    def page_gbk(self, _):
        self.answer("<p>苍头燕雀".encode("gbk"), content_type='text/html; charset="GBK"')

    def page_untyped(self, _):
        self.answer(content_type=None)

    def page_typed(self, kind):
        self.answer(content_type=kind)

    def page_status(self, status):
        self.answer(status=int(status))

    def page_to(self, url):
        self.answer(b"", status=302, location=url)

    def page_moved(self, rest):
        self.answer(b"", status=308, location=f"/page?from={rest}#part")

    def page_count(self, left):
        if left == "0":
            self.answer()
        else:
            self.answer(b"", status=301, location=f"{int(left) - 1}")

    def page_markup(self, _):
        self.answer(self.server.markup.encode())

    def page_utf8(self, _):
        self.wfile.write("HTTP/1.1 302 Found\r\nLocation: /苍头\r\n\r\n".encode())

    def page_gzip(self, _):
        self.answer(gzip.compress(PAGE), content_encoding="gzip")

    def page_brotli(self, _):
        brotli = pytest.importorskip("brotli")
        self.answer(brotli.compress(PAGE), content_encoding="br")

    def page_notgzip(self, _):
        self.answer(PAGE, content_encoding="gzip")

    def page_chunked(self, _):
        self.answer(b"", content_length=None, transfer_encoding="chunked")
        self.wfile.write(b"8\r\n<p>finch\r\n0\r\n\r\n")

    def page_badchunk(self, _):
        self.answer(b"", content_length=None, transfer_encoding="chunked")
        self.wfile.write(b"8\r\n<p>finch\r\nnonsense\r\n<p>")

    def page_halfchunk(self, _):
        self.answer(b"", content_length=None, transfer_encoding="chunked")
        self.wfile.write(b"800\r\n<p>finch")

    def page_half(self, _):
        self.answer(content_length=str(len(PAGE) + 1))

    def page_silent(self, _):
        self.server.gate.wait(20)

    def page_hangup(self, _):
        self.connection.shutdown(socket.SHUT_RDWR)

    def page_nonsense(self, _):
        self.wfile.write(b"220 mail.example ESMTP\r\n")

    def page_drip(self, _):
        self.answer(b"", content_length="1000000")
        self._drip(b"x")

    def page_dripheaders(self, _):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        self._drip(b"y")

    def page_dripend(self, _):
        self.answer(b"", content_length=None)
        self._drip(b"z")

    def _drip(self, piece):
        while not self.server.gate.wait(0.02):
            self.wfile.write(piece)
            self.wfile.flush()

    def page_hostile(self, _):
        self.wfile.write(b"HTTP/1.1 404 \x1b[31mred\r\nContent-Length: 0\r\n\r\n")


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Site)
        self.asked = []
        self.called = []
        self.gate = threading.Event()
        self.port = self.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"


@contextlib.contextmanager
def serving(one):
    with one:
        thread = threading.Thread(target=one.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield one
        one.gate.set()
        one.shutdown()
        thread.join()


@pytest.fixture
def server():
    with serving(Server()) as one:
        yield one


@pytest.fixture
def secure_server():
    """A server that says it is finch.test, by a certificate that nobody but itself vouches for."""
    one = Server()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    context.sni_callback = lambda _socket, name, _context: one.called.append(name)
    one.socket = context.wrap_socket(one.socket, server_side=True)
    with serving(one):
        yield one


@pytest.fixture
def names(monkeypatch):
    """A name server of one's own: name → list of answers, one a question, the last one kept."""
    book: dict[str, list[list[str]]] = {}
    look_up = socket.getaddrinfo

    def answer(host, port, *rest, **options):
        answers = book.get(host)
        if answers is None:
            return look_up(host, port, *rest, **options)
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        return [one for address in now for one in look_up(address, port, *rest, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return book
