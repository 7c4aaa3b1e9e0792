"""A server on loopback that answers by a function, and counts what it is asked for and sends."""

import contextlib
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HOST = "a.test"
HOSTS = (HOST, "b.test", "c.test")
"""Names by which tests know the server; the first is where a crawl begins."""


@dataclass(frozen=True, kw_only=True)
class Given:
    """An answer; a body in pieces is sent until the client goes, and its length isn't said.

    Where there are ``raw`` pieces, they are all that is sent.
    """

    body: bytes | str | Iterable[bytes] = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    raw: Iterable[bytes] | None = None


def html(*links: str, text: str = "") -> Given:
    """Return a page with links."""
    anchors = "".join(f'<p><a href="{link}">{link}</a>' for link in links)
    return Given(body=f"<!doctype html><title>t</title><p>{text}{anchors}")


def sitemap(*urls: str, index: bool = False) -> Given:
    """Return a sitemap, or an index of sitemaps."""
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    entries = "".join(f"<{inner}><loc>{url}</loc></{inner}>" for url in urls)
    return Given(body=f"<{outer}>{entries}</{outer}>", kind="application/xml")


def missing() -> Given:
    """Return what says that there is nothing."""
    return Given(status=404)


def files_of(folder: Path) -> Callable[[str, str], Given]:
    """Return what answers with the files of a folder."""

    def answer(target: str, _root: str) -> Given:
        path = folder / target.partition("?")[0].lstrip("/")
        return Given(body=path.read_bytes()) if path.is_file() else missing()

    return answer


@dataclass
class Log:
    """What happened: (host, target) of requests in order, their heads, bytes of bodies sent."""

    port: int = 0
    connections: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    sent: int = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    @property
    def kept(self) -> set[str]:
        """What requests brought of earlier answers."""
        return {"cookie", "authorization", "referer"} & set().union(*self.heads)

    @property
    def targets(self) -> list[str]:
        """Targets in order, those of rules left out."""
        rules = ("/robots.txt", "/.well-known/tdmrep.json")
        return [target for _, target in self.asked if target not in rules]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        host = self.headers.get("host", "").partition(":")[0]
        log, answer = self.server.log, self.server.answer
        log.asked.append((host, self.path))
        log.heads.append({name.lower(): value for name, value in self.headers.items()})
        self.close_connection = True
        with contextlib.suppress(OSError):
            self._send(answer(self.path, f"http://{host}:{log.port}"), log)

    do_POST = do_GET  # noqa: N815 the library's name

    def _send(self, given: Given, log: Log) -> None:
        pieces = given.raw
        if pieces is None:
            body = given.body.encode() if isinstance(given.body, str) else given.body
            self.send_response(given.status)
            if given.kind:
                self.send_header("Content-Type", given.kind)
            for name, value in given.headers:
                self.send_header(name, value)
            if isinstance(body, bytes):
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            pieces = [body] if isinstance(body, bytes) else body
        for piece in pieces:
            if self.server.gate.is_set():
                return
            self.wfile.write(piece)
            self.wfile.flush()
            log.sent += len(piece)

    def handle(self) -> None:
        self.server.log.connections += 1
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(
    answer: Callable[[str, str], Given] | Mapping[str, Given],
    context: ssl.SSLContext | None = None,
) -> Iterator[Log]:
    """Serve ``answer(target, root)``, or what stands at targets, for as long as the block lasts."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        is_function = callable(answer)
        server.answer = answer if is_function else lambda at, _root: answer.get(at, missing())
        server.gate = threading.Event()
        server.log = Log(port=server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server.log
        finally:
            server.gate.set()
            server.shutdown()
            thread.join()
