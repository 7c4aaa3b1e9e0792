"""A service in a process of its own, and a small web that it may fetch from."""

import asyncio
import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlencode

from answering_server import Given, Log

PARAGRAPH = "The chaffinch sings from the top of a birch, and its song ends with a flourish. "
PAGE = (
    "<!doctype html><html lang=en><title>Finches</title><nav><a href=/>Home</a></nav>"
    f"<article><h1>Finches</h1><p>{PARAGRAPH * 4}</p><p>{PARAGRAPH * 3}</p></article>"
    "<footer>Imprint and terms</footer>"
)
STORY = "The barley harvest of {0} began late, and the first sheaves stood wet in field {0}. "
NAME = "grain.example"
BY_SETTINGS = """
import json, sys
from chaffinch.service import ServiceSettings, serve
serve(ServiceSettings(**json.loads(sys.argv[1])))
"""
"""A service with settings that the command line doesn't have."""
STARTS = 120.0
"""Seconds in which a service must have started on a busy machine."""


TOKENS = {name: f"the-secret-token-of-{name}" for name in ("one", "reader", "writer")}
"""Name → secret."""


def by(name):
    """Return the header of a token's caller."""
    return {"Authorization": f"Bearer {TOKENS[name]}"}


def apart(function):
    """Return what a coroutine function does, in another thread: here runs the browser's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(function())).result()


def soon(tab, check):
    """Wait in a tab until a check holds, twenty seconds at most."""
    for _ in range(200):
        if check():
            return
        tab.wait_for_timeout(100)
    assert check()


def page(number):
    text = "".join(f"<p>{STORY.format(number * 9 + n) * 2}</p>" for n in range(3))
    html = f"<title>{number}</title><div class=story>{text}</div><div class=foot>By hand</div>"
    return {"url": f"https://{NAME}/{number}", "html": html}


PAGES = [page(number) for number in range(5)]


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def kind(self):
        assert self.headers["content-type"] == "application/problem+json", self
        assert self.json["status"] == self.status
        assert self.json["instance"] == f"urn:uuid:{self.headers['x-request-id']}"
        return self.json["type"].removeprefix("urn:chaffinch:problem:")

    @property
    def failure(self):
        return self.status, self.kind


class Running:
    """A service that runs as ``chaffinch serve``, and what talks to it."""

    _reader = None
    """The thread that reads the log, where there is one."""

    def __init__(self, *options, before=None, **settings):
        """Start it; ``before`` is called in its process first."""
        self.log = []
        command = ["-m", "chaffinch", "serve", "--port", "0", *options]
        if settings:
            command = ["-c", BY_SETTINGS, json.dumps({**settings, "port": 0})]
        self.process = subprocess.Popen(
            [sys.executable, *command],
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=before,  # noqa: PLW1509  no thread runs yet
        )
        first = json.loads(self.process.stderr.readline())
        self.port = int(first["address"].rpartition(":")[2])
        self.url = f"http://127.0.0.1:{self.port}"
        self._reader = threading.Thread(target=self._follow, daemon=True)
        self._reader.start()
        until = time.monotonic() + STARTS
        while self.get("/ready").status != 200:
            assert time.monotonic() < until
            time.sleep(0.05)

    def _follow(self):
        for line in self.process.stderr:
            if line.endswith("\n"):  # a service that is killed may leave half a line
                self.log.append(json.loads(line))

    def ask(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body=body, headers=headers or {})
            found = connection.getresponse()
            names = {name.lower(): value for name, value in found.getheaders()}
            return Answer(found.status, names, found.read())

    def get(self, path, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.suppress(ConnectionRefusedError):
            return self.ask("GET", path, headers=named)
        return Answer(0, {}, b"")

    def post(self, path, values, method="POST", **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = values if isinstance(values, bytes) else json.dumps(values).encode()
        return self.ask(method, path, body, {"Content-Type": "application/json", **named})

    def read(self, url, **query):
        """Read the page at an address."""
        return self.get(f"/v1/read?{urlencode({'url': url, **query})}")

    def line(self, identity):
        """Return the line that a request has in the log."""
        until = time.monotonic() + STARTS
        while not (found := [one for one in list(self.log) if one.get("id") == identity]):
            assert time.monotonic() < until
            time.sleep(0.01)
        return found[-1]

    def children(self):
        """Return the process ids of the guarded children."""
        folder = Path(f"/proc/{self.process.pid}/task")
        lists = [(one / "children").read_text().split() for one in folder.iterdir()]
        return [int(one) for some in lists for one in some]

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(60)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._reader:  # its file must not be closed under it: children may hold the other end
            self._reader.join(60)
        self.process.stderr.close()


@contextlib.contextmanager
def running(*options, before=None, **settings):
    with contextlib.closing(Running(*options, before=before, **settings)) as service:
        yield service


class Inspected(Running):
    """``chaffinch inspect`` in place of ``serve``; `address` is that of its first view."""

    def __init__(self, *given):
        self.log = []
        command = [sys.executable, "-m", "chaffinch", "inspect", *map(str, given)]
        self.process = subprocess.Popen(
            [*command, "--no-open", "--workers", "1"], stderr=subprocess.PIPE, text=True
        )
        self.address = self.process.stderr.readline().split()[-1]
        self.url = self.address.partition("/#")[0]
        self.port = int(self.url.rpartition(":")[2])
        while self.get("/ready").status != 200:
            time.sleep(0.05)


class Web:
    """A small web: the first part of a path → what is answered, or what says it of the path."""

    def __init__(self):
        rules = Given(body="User-agent: *\nDisallow: /private\n", kind="text/plain")
        self.pages = {"robots.txt": rules, "redirect": self._redirect}
        self.log = Log()

    def answer(self, path, _root):
        found = self.pages.get(re.match("/([^/?]*)", path)[1], Given(body=PAGE))
        return found(path) if callable(found) else found

    @staticmethod
    def _redirect(path):
        return Given(status=302, headers=(("Location", unquote(path.partition("?to=")[2])),))

    @property
    def url(self):
        return self.log.url

    @property
    def seen(self):
        return [target for _, target in self.log.asked]

    def asked(self, path):
        """Return the heads of the requests of a path."""
        return [head for at, head in zip(self.seen, self.log.heads, strict=True) if at == path]

    def forget(self):
        self.log.asked.clear()
        self.log.heads.clear()
