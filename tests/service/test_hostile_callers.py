"""What harmful callers, pages and servers do to a service: nothing gets through.

After every attack the service still answers. What uvicorn leaves to a proxy (heads that come slowly
or without end) is in docs/security.md.
"""

import contextlib
import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import quote

import pytest
from running_service import PAGE, TOKENS, apart

from answering_server import Given
from chaffinch.service import reader
from chaffinch.service.problems import ProblemError
from chaffinch.service.reader import KeptResponses, Kinds, Reader
from chaffinch.service.settings import ServiceSettings, Token
from chaffinch.service.work import CALLER
from rows_of_cases import examples


@pytest.fixture(autouse=True)
def _still_answers(hasty):
    yield
    until = time.monotonic() + 300
    while hasty.post("/v1/extract", {"html": PAGE}).status != 200:  # its only child may be at work
        assert time.monotonic() < until


# Addresses

PRIVATE = examples(__file__, "hostile callers private")
"""A spelling of each kind: `fetch/test_hostile_network.py` has all."""


@pytest.mark.parametrize("url", PRIVATE)
def test_no_spelling_of_a_private_address_is_fetched(hasty, web, url):
    found = hasty.read(url)
    if found.kind == "fetch":  # a name that this machine's resolver doesn't know
        assert found.json["detail"].startswith("unknown host ")
    else:
        assert found.failure in ((403, "refused-address"), (422, "invalid"))
    if not url.startswith("http:///"):  # which is another page of the same server
        found = hasty.read(f"{web.url}/redirect?to={quote(url)}")
        assert found.kind in ("refused-address", "fetch")


def test_other_ports_of_an_allowed_host_are_refused(hasty):
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}/"
        assert hasty.read(url).kind == "refused-address"


# Servers


def test_what_is_kept_and_known_is_bounded(monkeypatch):
    monkeypatch.setattr(reader, "_MOST_HOSTS", 3)
    kept = KeptResponses(1000)

    async def fetch():
        pages = Reader(ServiceSettings(delay=0))
        known = [pages._hosts(f"http://h{number}.example/") for number in range(7)]  # noqa: SLF001
        assert len({id(one) for one in known}) == 3
        await pages.close()

    apart(fetch)

    def put(url, size=300, status=200, **headers):
        pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        kept.keep((url,), reader.RawResponse(
            status=status, reason="", version=11, headers=pairs, body=bytes(size), address="",
        ))  # fmt: skip

    def there(max_age=None):
        return [url for url in "abcde" if kept.young((url,), max_age) is not None]

    for url in "abcd":
        put(url)
    assert (there(), there(max_age=0)) == (["b", "c", "d"], [])
    put("e", size=2000)
    put("b", Cache_Control="no-store")
    put("c", status=302)
    put("a", Vary="*")
    assert there() == ["d"]
    later = time.monotonic() + 601
    monkeypatch.setattr(reader.time, "monotonic", lambda: later)
    assert there() == []


def test_callers_share_no_copies_and_no_failures(web):
    """What one has read is no other's copy; where one fails and fails, all others may go on."""
    web.pages["fails"] = Given(status=500)
    tokens = tuple(Token.of(name, secret) for name, secret in TOKENS.items())
    settings = ServiceSettings(
        tokens=tokens, allow=("127.0.0.1",), delay=0, obeys_robots=False, cache=1
    )

    async def read():
        pages, found = Reader(settings), []
        pages._politeness = replace(pages._politeness, back_off=0)  # noqa: SLF001
        for name, path in [("one", "fails")] * 60 + [("one", ""), ("one", ""), ("reader", "")]:
            CALLER.set(name)
            with contextlib.suppress(ProblemError):
                found.append((await pages.fetch(f"{web.url}/{path}", Kinds())).is_kept)
        await pages.close()
        return found

    assert apart(read) == [False, True, False]


# Pages and options


@pytest.mark.parametrize(
    "options",
    [
        *(
            {"drop": [one]}
            for one in (":is(" * 99 + "a" + ")" * 99, "a" + " > a" * 100, "\0", "p:nth(")
        ),
        *({"keep": [one]} for one in ("//p[" * 50, "//p[//p[//p]]")),
        *(
            {"method": method, "settings": one}
            for method in ("auto", "cluster_rules")
            for one in ({"weights": "/etc/passwd"}, {"siblings": ["/etc/passwd"]}, {"__class__": 1})
        ),
        *({"method": one} for one in ("os:system", "chaffinch.methods:build", "../learned", "")),
    ],
)
def test_no_option_explodes_or_is_a_path_or_code(hasty, options):
    found = hasty.post("/v1/extract", {"html": PAGE, "options": options})
    assert found.status in ((200, 422) if "drop" in options else (422,))


def test_a_page_that_takes_all_time_costs_itself(hasty):
    for body in (
        {"html": "<div>" * 150_000},
        {"html": "<p>a" * 200_000, "options": {"keep": ["p p"]}},
        {"html": "<table>" + "<tr><td>a word<td>another" * 40_000},
    ):
        assert hasty.post("/v1/explain", body).status in (200, 422, 504)


# Connections

HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
HIDDEN = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


def talk(service, *pieces, timeout=30.0, pause=0.0):
    """Return what the service says to raw bytes, until it closes."""
    out = bytearray()
    with socket.create_connection(("127.0.0.1", service.port), timeout=timeout) as one:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for piece in pieces:
                one.sendall(piece)
                time.sleep(pause)
        with contextlib.suppress(TimeoutError, ConnectionResetError):
            while piece := one.recv(65_536):
                out += piece
    return bytes(out)


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Content-Length: 5\r\nContent-Length: 50\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: 5, 50\r\n",
        b"Content-Length: -1\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding:\x0bchunked\r\n",
        b"X: a\r\nHost: evil.example\r\n",
        b"X\x00: a\r\n",
        b"Bad Name: a\r\n",
    ],
)
def test_two_readings_of_one_request(hasty, head):
    said = talk(hasty, HEAD + head + b"\r\n0\r\n\r\n" + HIDDEN, timeout=3)
    assert said.split()[1] in (b"400", b"501"), said
    assert b'"status": "ok"' not in said


def test_slow_bodies_are_cut(hasty):
    assert talk(hasty, HEAD + b"Content-Length: 100\r\n\r\n<p>").startswith(b"HTTP/1.1 504 ")
    said = talk(hasty, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", timeout=9)
    assert said.startswith(b"HTTP/1.1 504 ")


def test_bodies_without_a_length_have_a_size(hasty):
    pieces = (b"a" * 65_536 for _ in range(32))
    found = hasty.ask("POST", "/v1/extract", pieces, {"Content-Type": "text/html"})
    assert found.failure == (413, "too-large")


def test_a_killed_child_costs_no_request(service):
    pages = [{"html": PAGE.replace("birch", f"birch {number} " * 300)} for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda page: service.post("/v1/extract", page), pages)
        for _ in range(3):
            time.sleep(0.1)
            for child in service.children()[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        found = [one.status for one in answers]
    assert set(found) <= {200, 503}
    assert found.count(200) >= 55


def test_nothing_of_it_was_a_bug(service, hasty):
    assert not [one for one in (*service.log, *hasty.log) if one["level"] == "error"]
