import contextlib
import socket
import threading
import time

import pytest

from answering_server import Given, missing, serving
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


class Own:
    """Pages of a test's own: path → what is answered, None for silence; `asked` is the log."""

    def __init__(self):
        self.pages, self.slow, self.asked, self.over = {}, {}, [], threading.Event()

    def answer(self, target, _root):
        self.asked.append(target)
        path = target.partition("?")[0]
        given = self.pages.get(path, missing())
        if given is None:
            self.over.wait(20)
        time.sleep(self.slow.get(path, 0))
        return given

    def put(self, path, body, status=200, content_type=Given.kind, **headers):
        given = {"status": status, "kind": content_type, "headers": tuple(headers.items())}
        self.pages[path] = Given(body=body, **given)
        return self.url + path


@contextlib.contextmanager
def _serving():
    own = Own()
    with serving(own.answer) as log:
        own.log, own.port, own.url = log, log.port, f"http://own.test:{log.port}"
        yield own
        own.over.set()


@pytest.fixture
def own():
    with _serving() as server:
        yield server


@pytest.fixture
def secret():
    """A server that nobody may ask."""
    with _serving() as server:
        yield server
