"""A small site of made-up pages, its server in a process of its own, and a service's client."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
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


_PLAIN = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def versions(url: str, seconds: float) -> dict[str, str]:
    """Return name → version of the sites of a service, once it answers.

    Raises:
        OSError: it doesn't answer within ``seconds``.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            with _PLAIN.open(f"{url}/ready", timeout=5):
                break
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
    with _PLAIN.open(f"{url}/v1/sites") as answer:
        names = json.load(answer)["sites"]
    return {name: _version(url, name) for name in names}


def _version(url: str, name: str) -> str:
    with _PLAIN.open(f"{url}/v1/sites/{name}") as answer:
        return str(answer.headers["ETag"])


def put_until_refused(
    url: str, prefix: str, texts: Sequence[str], seconds: float, kill: Callable[[], None]
) -> dict[str, str]:
    """Send models under names of their own, one after the other; return what was accepted.

    Args:
        url: of the service.
        prefix: of the names.
        texts: models.
        seconds: until ``kill`` is called.
        kill: ends the service.
    """
    assassin = threading.Timer(seconds, kill)
    assassin.start()
    accepted: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for number in itertools.count():
            name = f"{prefix}-{number}"
            request = urllib.request.Request(  # noqa: S310  http on loopback
                f"{url}/v1/sites/{name}",
                data=json.dumps({"rules": texts[number % len(texts)]}).encode(),
                method="PUT",
                headers={"Content-Type": "application/json", "If-None-Match": "*"},
            )
            try:
                with _PLAIN.open(request) as answer:
                    accepted[name] = str(answer.headers["ETag"])
            except urllib.error.HTTPError as error:
                raise SystemExit(f"{error.code}: {error.read()[:300]!r}") from error
    assassin.join()
    return accepted
