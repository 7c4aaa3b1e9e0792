"""What harmful callers, pages and servers do to a service, on loopback alone: nothing gets through.

After every attack the service still answers.
"""

import contextlib
import gzip
import http.client
import json
import socket
import struct
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from backports import zstd
from running_service import PAGE, running

MIB = 1 << 20
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
    web.pages |= {name: bomb(name) for name in CODINGS}
    web.pages |= {"headers": many_headers, "slow": slow_body}
    options = ["-w", "2", "--allow-host", f"127.0.0.1:{web.server_port}", "--delay", "0"]
    with running(*options, "--max-size", "4", "--max-body", "1") as one:
        yield one


@pytest.fixture(autouse=True)
def _still_answers(service):
    yield
    assert service.post("/v1/extract", {"html": PAGE}).status == 200


CODINGS = {
    "gzip": gzip.compress(b"<p>" + bytes(64 * MIB), 9),
    "deflate": zlib.compress(b"<p>" + bytes(64 * MIB), 9),
    "zstd": zstd.compress(b"<p>" + bytes(64 * MIB), 3),
}
with contextlib.suppress(ImportError):
    import brotli

    CODINGS["br"] = brotli.compress(b"<p>" + bytes(64 * MIB), quality=5)


def bomb(name):
    return lambda site: site.answer(CODINGS[name], content_encoding=name)


def many_headers(site):
    site.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(200_000):
        site.wfile.write(b"X-%d: %s\r\n" % (number, b"a" * 100))


def slow_body(site):
    site.send_response(200)
    site.send_header("Content-Type", "text/html")
    site.end_headers()
    for _ in range(200):
        site.wfile.write(b"<p>")
        site.wfile.flush()
        time.sleep(0.2)


# Addresses

PRIVATE = [
    "http://127.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://127.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://0x7f.1/",
    "http://127.0.0.1.:80/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://192.0.0.192/",
    "http://168.63.129.16/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://１２７.0.0.1/",
    "http://①②⑦.0.0.1/",
    "http://10。0。0。1/",
    "http://%31%30.0.0.1/",
    "http://012.1/",
    "http://[2001:0:5db8:d822::80ff:fffe]/",
    "http://[fe80::1%25eth0]/",
    "http://[2a00:1450:4001:800:0:5efe:a00:1]/",
    "http://user:password@127.0.0.1/",
    "http://127.0.0.1:80@10.0.0.1/",
    "https://127.0.0.1:22/",
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "ftp://127.0.0.1/",
    "javascript:alert(1)",
    "data:text/html,<p>a",
    "//127.0.0.1/",
    "http:///127.0.0.1/",
    "http://127.0.0.1\\@example.com/",
    "http://\t127.0.0.1/",
]


@pytest.mark.parametrize("url", PRIVATE)
def test_no_spelling_of_a_private_address_is_fetched(service, url):
    found = service.get(f"/v1/read?url={quote(url, safe='')}")
    if found.kind == "fetch":  # a name that this machine's resolver doesn't know
        assert found.json["detail"].startswith("unknown host ")
    else:
        assert (found.status, found.kind) in ((403, "refused-address"), (422, "invalid"))


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://[::ffff:7f00:1]/", "file:///etc/passwd"]
)
def test_no_redirect_leads_there(service, web, url):
    found = service.get(f"/v1/read?url={quote(f'{web.url}/redirect?to={url}', safe='')}")
    assert (found.status, found.kind) == (403, "refused-address")


def test_other_ports_of_an_allowed_host_are_refused(service):
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"http://127.0.0.1:{other.getsockname()[1]}/"
        assert service.get(f"/v1/read?url={url}").kind == "refused-address"


# Servers


@pytest.mark.parametrize("coding", CODINGS)
def test_bombs_are_bounded(service, web, coding):
    found = service.get(f"/v1/read?url={web.url}/{coding}")
    assert (found.status, found.kind) == (502, "fetch")
    assert "too big" in found.json["detail"]


def test_endless_headers_are_given_up(service, web):
    found = service.get(f"/v1/read?url={web.url}/headers")
    assert (found.status, found.kind) == (502, "fetch")


# Pages

SELECTORS = [":is(" * 300 + "a" + ")" * 300, "a" + " > a" * 100, "//p[" * 50, "\0", "p:nth-child("]


@pytest.mark.parametrize("selector", SELECTORS, ids=range(len(SELECTORS)))
def test_selectors_that_explode(service, selector):
    asked = {"html": PAGE, "options": {"drop": [selector]}}
    assert service.post("/v1/extract", asked).status in (200, 422)


@pytest.mark.parametrize(
    "settings",
    [
        {"weights": "/etc/passwd"},
        {"weights": "../weights.npz"},
        {"siblings": ["/etc/passwd"]},
        {"rules": "/etc/passwd"},
        {"unknown": 1},
        {"__class__": 1},
    ],
)
def test_no_setting_is_a_path(service, settings):
    for method in ("auto", "cluster_rules"):
        asked = {"html": PAGE, "options": {"method": method, "settings": settings}}
        found = service.post("/v1/extract", asked)
        assert (found.status, found.kind) == (422, "invalid")


@pytest.mark.parametrize("method", ["os:system", "chaffinch.methods:build", "../learned", ""])
def test_methods_are_names(service, method):
    found = service.post("/v1/extract", {"html": PAGE, "options": {"method": method}})
    assert (found.status, found.kind) == (422, "invalid")


def test_the_name_of_a_file_is_no_page(service):
    for name in ("/etc/passwd", "file:///etc/passwd"):
        found = service.post("/v1/extract", {"html": name})
        assert b"root:" not in found.body
        assert found.status in (200, 422)


# Bodies


def test_bodies_have_a_size(service):
    found = service.post("/v1/extract", {"html": "a" * 2 * MIB})
    assert (found.status, found.kind) == (413, "too-large")

    def pieces():
        for _ in range(32):
            yield b"a" * 65_536

    found = service.ask("POST", "/v1/extract", pieces(), {"Content-Type": "text/html"})
    assert (found.status, found.kind) == (413, "too-large")
    line = json.dumps({"html": "a" * 2 * MIB}).encode()
    found = service.ask("POST", "/v1/stream", line, {"Content-Type": "application/x-ndjson"})
    assert json.loads(found.body)["problem"]["status"] == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" * 500_000,
        b'{"html": ' * 50_000,
        b'{"html": "\\ud800"}',
        b'{"html": "\xff\xfe"}',
        b'{"html": "\xed\xa0\x80"}',
        b'{"html": "a", "html": 1}',
        b'{"html": 1e400}',
        b'{"html": NaN}',
        b'{"url": "http://\\u0000/"}',
        b'{"html_base64": "\xc3\xa9"}',
        b'{"html": "a"} {"html": "b"}',
    ],
    ids=range(13),
)
def test_json_that_is_none(service, body):
    found = service.post("/v1/extract", body)
    assert 400 <= found.status < 500
    assert found.kind in ("bad-request", "invalid", "page", "refused-address")


def test_nul_and_lone_surrogates_in_pages(service):
    for page in (b"<p>a\0b\xff\xfe", b"<p>\xed\xa0\x80 text", b"\0" * 1000):
        found = service.ask("POST", "/v1/extract", page, {"Content-Type": "text/html"})
        assert found.status in (200, 422)
        json.loads(found.body)


@pytest.mark.parametrize(
    ("kind", "coding"),
    [("text/plain", None), ("", None), ("application/json", "gzip"), ("multipart/form-data", None)],
)
def test_types_of_bodies(service, kind, coding):
    headers = {"Content-Type": kind} | ({"Content-Encoding": coding} if coding else {})
    found = service.ask("POST", "/v1/extract", b'{"html": "a"}', headers)
    assert (found.status, found.kind) == (415, "unsupported-media-type")


# Connections


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


@pytest.fixture(scope="module")
def hasty(web):
    limits = {"deadline": 2, "header_seconds": 1, "body_seconds": 1, "connections": 20}
    allow = [f"127.0.0.1:{web.server_port}"]
    with running(workers=1, delay=0, allow=allow, obeys_robots=False, **limits) as one:
        yield one


def test_a_slow_server_is_given_up(hasty, web):
    found = hasty.get(f"/v1/read?url={web.url}/slow")
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
