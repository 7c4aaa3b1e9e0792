"""What harmful callers, pages and servers do to a service, on loopback alone: nothing gets through.

After every attack the service still answers.
"""

import contextlib
import gzip
import json
import socket
import zlib
from urllib.parse import quote

import pytest
from backports import zstd
from running_service import PAGE, running

MIB = 1 << 20


@pytest.fixture(scope="module")
def service(web):
    web.pages |= {name: bomb(name) for name in CODINGS}
    web.pages["headers"] = many_headers
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
