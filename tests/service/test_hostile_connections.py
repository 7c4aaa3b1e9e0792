"""What harmful callers do with connections, tokens and a full service: nothing gets through.

After every attack the service still answers.
"""

import contextlib
import http.client
import json
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from running_service import PAGE, running

TOKENS = """
[[token]]
name = "one"
token = "the-first-of-the-tokens"
at_once = 1
[[token]]
name = "two"
token = "the-second-of-the-tokens"
per_minute = 3
"""


@pytest.fixture(scope="module")
def service(web):
    options = ["-w", "2", "--allow-host", f"127.0.0.1:{web.server_port}", "--delay", "0"]
    with running(*options, "--max-size", "4", "--max-body", "1") as one:
        yield one


@pytest.fixture(autouse=True)
def _still_answers(service):
    yield
    assert service.post("/v1/extract", {"html": PAGE}).status == 200


def talk(service, *pieces, timeout=30.0, pause=0.0):
    """Return what the server says to raw bytes, until it closes."""
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


HEAD = b"POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
CLOSE = b"Connection: close\r\n"
HIDDEN = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"


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
    ids=range(13),
)
def test_two_readings_of_one_request(service, head):
    said = talk(service, HEAD + head + b"\r\n0\r\n\r\n" + HIDDEN, timeout=3)
    status = said.split(b"\r\n")[0]
    assert status.split()[1] in (b"400", b"501"), said
    assert said.count(b"HTTP/1.1 ") == 1, said
    assert b'"status": "ok"' not in said


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 40_000 + b"\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"G\0T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=range(8),
)
def test_what_isnt_http(service, data):
    said = talk(service, data, timeout=3)
    assert said.startswith(b"HTTP/1.1 4"), said
    assert b"urn:chaffinch:problem:" in said
    assert b"Traceback" not in said
    head, _, body = said.partition(b"\r\n\r\n")
    number = json.loads(body)["instance"].removeprefix("urn:uuid:")
    assert f"x-request-id: {number}".encode() in head
    until = time.monotonic() + 30
    while all(one.get("id") != number for one in list(service.log)):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_an_upgrade_is_not_made(service):
    """The request is answered as it is, and the log advises nobody to install anything."""
    upgrade = b"Connection: Upgrade, close\r\nUpgrade: websocket\r\n"
    said = talk(service, HIDDEN.replace(b"\r\n\r\n", b"\r\n" + upgrade + b"\r\n"))
    assert said.startswith(b"HTTP/1.1 200 ")
    assert not [one for one in list(service.log) if "upgrade" in one["message"]]


def test_trailers_are_no_headers_and_have_a_size(service):
    """A header behind the body changes nothing that was judged by its head."""
    head = HEAD + CLOSE + b"Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n"
    said = talk(service, head + b"Host: evil.example\r\nX: a\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 200 ")
    said = talk(service, head + b"X: " + b"a" * 400_000)
    assert not said or said.startswith(b"HTTP/1.1 4")


def test_few_requests_wait_on_a_connection(service):
    """Each is answered in turn; who sends a thousand at once is cut off."""
    last = HIDDEN.replace(b"\r\n\r\n", b"\r\n" + CLOSE + b"\r\n")
    assert talk(service, HIDDEN * 9 + last).count(b'"status": "ok"') == 10
    assert talk(service, HIDDEN * 1000).count(b'"status": "ok"') < 1000


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "a@localhost", "10.0.0.1"]
)
def test_foreign_hosts(service, host):
    found = service.get("/v1/read?url=http://example.com/", Host=host)
    assert (found.status, found.kind) in ((421, "unknown-host"), (400, "bad-request"))


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_foreign_origins(service, headers):
    found = service.post("/v1/extract", {"html": PAGE}, **headers)
    assert (found.status, found.kind) == (403, "foreign-origin")


def test_its_own_origin_may_call(service):
    own = {"Origin": f"http://127.0.0.1:{service.port}", "Sec_Fetch_Site": "same-origin"}
    assert service.post("/v1/extract", {"html": PAGE}, **own).status == 200


# Children and the server itself


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    path = tmp_path_factory.mktemp("tokens") / "tokens.toml"
    path.write_text(TOKENS)
    options = ["-w", "1", "--waiting", "0", "--tokens", str(path), "--host", "0.0.0.0"]  # noqa: S104
    with running(*options) as one:
        yield one


def with_token(token):
    return {"Authorization": f"Bearer {token}"}


def test_tokens(guarded):
    assert guarded.get("/health").status == 200
    assert guarded.get("/version").kind == "unauthorized"
    assert guarded.get("/version").headers["www-authenticate"].startswith("Bearer")
    assert guarded.get("/version", **with_token("the-first-of-the-tokens")).status == 200
    for given in ("Bearer", "Basic the-first-of-the-tokens", "the-first-of-the-tokens", "Bearer é"):
        found = guarded.get("/version", Authorization=given.encode("latin-1"))
        assert found.kind in ("unauthorized", "too-many-requests")
    kinds = [guarded.get("/version", **with_token("the-guess-" + "x" * n)).kind for n in range(20)]
    assert kinds[-1] == "too-many-requests"
    assert guarded.get("/version", **with_token("the-first-of-the-tokens")).status == 200


def test_each_token_has_its_own_limit(guarded):
    answers = [guarded.get("/version", **with_token("the-second-of-the-tokens")) for _ in range(5)]
    assert [one.status for one in answers] == [200, 200, 200, 429, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert guarded.get("/version", **with_token("the-first-of-the-tokens")).status == 200


def test_changes_need_a_token_that_may(guarded):
    found = guarded.ask("PUT", "/v1/sites/a", b"{}", with_token("the-first-of-the-tokens"))
    assert (found.status, found.kind) in ((403, "forbidden"), (404, "not-found"))


def endless_body(site):
    site.send_response(200)
    site.send_header("Content-Type", "text/html")
    site.end_headers()
    for _ in range(200):
        site.wfile.write(b"<p>")
        site.wfile.flush()
        time.sleep(0.2)


@pytest.fixture(scope="module")
def hasty(web):
    web.pages["endless"] = endless_body
    limits = {"deadline": 2, "header_seconds": 1, "body_seconds": 1, "connections": 20}
    allow = [f"127.0.0.1:{web.server_port}"]
    with running(workers=1, delay=0, allow=allow, obeys_robots=False, **limits) as one:
        yield one


def test_a_slow_server_is_given_up(hasty, web):
    found = hasty.get(f"/v1/read?url={web.url}/endless")
    assert (found.status, found.kind) in ((502, "fetch"), (504, "deadline"))


def test_a_page_that_takes_all_time_costs_itself(hasty):
    for body in (
        {"html": "<div>" * 150_000},
        {"html": "<p>a" * 200_000, "options": {"keep": ["p p"]}},
        {"html": "<table>" + "<tr><td>a word<td>another" * 50_000},
    ):
        assert hasty.post("/v1/explain", body).status in (200, 422, 504)


def test_selectors_of_requests_are_css(hasty):
    body = {"html": "<p>a", "options": {"keep": ["//p[//p[//p]]"]}}
    assert hasty.post("/v1/explain", body).status == 422


def test_slow_heads_are_cut(hasty):
    for start in (b"", b"GET / HTTP/1.1\r\nHost: loc"):
        with socket.create_connection(("127.0.0.1", hasty.port), timeout=60) as one:
            one.sendall(start)
            assert one.recv(100) == b""


def test_slow_bodies_are_cut(hasty):
    head = HEAD + b"Content-Length: 100\r\n\r\n<p>"
    said = talk(hasty, head, timeout=60)
    assert said.startswith(b"HTTP/1.1 408 ")
    stream = HEAD.replace(b"extract", b"stream").replace(b"text/html", b"application/x-ndjson")
    said = talk(hasty, stream + b"Transfer-Encoding: chunked\r\n\r\n", timeout=5)
    assert b"body-timeout" in said


def test_a_body_that_nobody_wants_ends(hasty):
    """A refused request's body is taken for a while, so that the answer arrives."""
    head = HEAD.replace(b"localhost", b"evil.example") + b"Content-Length: 1000000\r\n\r\n"
    said = talk(hasty, head, *[b"a"] * 300, timeout=60, pause=0.01)
    assert said.startswith(b"HTTP/1.1 421 ")


def test_connections_are_bounded(hasty):
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(socket.create_connection(("127.0.0.1", hasty.port)))
        said = talk(hasty, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", timeout=60)
        assert said.startswith(b"HTTP/1.1 503 ") or not said


def test_a_killed_server_lets_nobody_hang(web):
    begun = threading.Event()

    def hang(site):
        begun.set()
        time.sleep(5)
        site.answer()

    web.pages["hang"] = hang
    with running("-w", "1", "--allow-host", "127.0.0.1", "--delay", "0") as service:
        children = service.children()
        with ThreadPoolExecutor(2) as pool:
            waiting = pool.submit(service.get, f"/v1/read?url={web.url}/hang")
            assert begun.wait(30)
            service.process.kill()
            service.process.wait()
            with pytest.raises((http.client.HTTPException, ConnectionError)):
                waiting.result(30)
        until = time.monotonic() + 30
        while any(Path(f"/proc/{one}").exists() for one in children):
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_full_queue_refuses(guarded):
    page = {"html": "<table>" + "<tr><td>a word<td>another" * 20_000}

    def ask(_):
        # a connection that is reset at once stands for one that was refused
        return guarded.post("/v1/extract", page, **with_token("the-first-of-the-tokens"))

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(6)))
    kinds = [one.kind for one in answers if one.status != 200]
    assert kinds
    assert set(kinds) <= {"too-many-requests", "busy"}
    assert all(one.headers["retry-after"] for one in answers if one.status != 200)


def test_a_reset_amid_a_body_is_no_loss(service):
    one = socket.create_connection(("127.0.0.1", service.port))
    one.sendall(HEAD + b"Content-Length: 1000\r\n\r\n<p>")
    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    one.close()
