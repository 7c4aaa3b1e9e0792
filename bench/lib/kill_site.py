"""A small site of made-up pages, and its server in a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from bench.lib.processes import end_with_parent

_GRAINS = "barley rye wheat oats spelt millet maize rice buckwheat quinoa".split()


def _words(number: int, part: int) -> str:
    """Return words that no other page has, so that none is taken for a trap."""
    own = "".join(chr(97 + int(digit)) for digit in str(number)) * 2
    grain = _GRAINS[(number + part) % len(_GRAINS)]
    return f"The {grain} of {own}field {own}stands high, and {own}wind goes through it all day. "


def page(number: int, count: int) -> str:
    """Return a page of the site, which links to two others."""
    links = "".join(
        f'<li><a href="/{n}.html">Field {n}</a>' for n in (2 * number + 1, 2 * number + 2)
        if n < count
    )  # fmt: skip
    text = "".join(f"<p>{_words(number, part) * 3}" for part in range(4))
    return (
        f"<!doctype html><html lang=en><title>Field {number}</title><nav><a href=/>Home</a></nav>"
        f"<article><h1>Field {number}</h1>{text}</article><ul>{links}</ul><footer>Imprint</footer>"
    )


def site_pages(count: int) -> list[tuple[str, str]]:
    """Return addresses and pages."""
    return [(f"https://fields.example/{n}.html", page(n, count)) for n in range(count)]


class _Fields(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        name = self.path.strip("/").removesuffix(".html")
        count: int = self.server.count  # type: ignore[attr-defined]
        body = b""
        if not name:
            body = b'<!doctype html><title>Fields</title><p><a href="/0.html">Fields</a>'
        elif name.isdecimal() and int(name) < count:
            body = page(int(name), count).encode()
            time.sleep(0.01)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(body)

    def handle(self) -> None:
        with contextlib.suppress(OSError):  # of those who were killed
            super().handle()

    def log_message(self, *_: Any) -> None:
        pass


class Web:
    """The site on loopback, for as long as the block lasts.

    Args:
        count: pages besides the first.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Fields)
        self._server.count = count  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.process = 0
        """Number of the server's process."""

    def __enter__(self) -> Self:
        self.process = os.fork()
        if not self.process:
            end_with_parent()
            self._server.serve_forever()
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self._server.server_close()
