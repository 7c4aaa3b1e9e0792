from __future__ import annotations

import contextlib
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from chaffinch.render import Renderer, RenderLimits

LIMITS = RenderLimits(total=40, load=10, settle=4, quiet=0.3, bare=1.5, answer=10)


@pytest.fixture(autouse=True)
def names(monkeypatch):
    """Every name in .test is this machine; what else is asked is no host."""
    look_up = socket.getaddrinfo

    def answer(host, *rest, **options):
        return look_up("127.0.0.1" if str(host).endswith(".test") else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", answer)


@pytest.fixture(scope="session")
def web(web_maker):
    """The example web."""
    with web_maker.server.serving() as server:
        yield server


@pytest.fixture(scope="session")
def limits():
    """Shorter waits than people want."""
    return LIMITS


@pytest.fixture(scope="session")
def renderer(browser):
    """One browser for all tests, which may ask app.test and what it loads from."""
    hosts = ("app.test", "tracker.test", "frame.test", "own.test")
    with Renderer(browser=browser, allow=hosts, limits=LIMITS) as one:
        yield one


class _Own(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        path = self.path.partition("?")[0]
        answer = self.server.pages.get(path, (404, {}, b"nothing here"))
        if answer is None:
            self.server.over.wait(20)
            return
        time.sleep(self.server.slow.get(path, 0))
        status, headers, body = answer
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    do_POST = do_GET  # noqa: N815 the library's name

    def log_message(self, *_):
        pass

    def handle(self):
        with contextlib.suppress(OSError):  # a browser that walked off
            super().handle()


class Own(ThreadingHTTPServer):
    """Pages of a test's own: path → what is answered, None for silence; `asked` is the log."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Own)
        self.pages = {}
        self.asked = []
        self.slow = {}
        self.over = threading.Event()
        self.port = self.server_address[1]
        self.url = f"http://own.test:{self.port}"

    def put(self, path, body, status=200, **headers):
        text = body.encode() if isinstance(body, str) else body
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, given, text)
        return self.url + path


@contextlib.contextmanager
def _serving():
    with Own() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def own():
    with _serving() as server:
        yield server


@pytest.fixture
def secret():
    """A server that nobody may ask."""
    with _serving() as server:
        yield server
