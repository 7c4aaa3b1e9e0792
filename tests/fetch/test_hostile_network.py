"""What addresses, name servers and servers do to a single request: nothing gets through or on."""

import contextlib
import gzip
import socket
import tracemalloc
import zlib
from urllib.parse import quote

import brotli
import pytest
from backports import zstd

import chaffinch
from chaffinch.errors import FetchError, RefusedError
from chaffinch.web import FetchLimits, fetch
from private_spellings import HOSTS, urls
from raw_server import NOT_QUITE_HTTP, OK, TYPES, raw_server

HASTY = FetchLimits(connect=2, read=0.4, total=1.5, max_bytes=1 << 20)
MIB = 1 << 20


# Addresses


def leads_here(host):
    """Whether the system's resolver takes a host for this machine."""
    try:
        found = socket.getaddrinfo(host.strip("[]"), 80, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return any(str(one[4][0]) in ("127.0.0.1", "::1") for one in found)


REFUSALS = (
    "refused", "unknown host", "not a URL", "only http", "user name", "without a host"
)  # fmt: skip


def test_no_spelling_leads_here(server):
    assert len(HOSTS) > 200
    assert sum(map(leads_here, HOSTS)) >= 20  # so that something would be found
    wrong = []
    for url in urls(server.port):
        try:
            fetch(url, limits=HASTY)
        except (RefusedError, FetchError) as error:
            if not any(words in str(error) for words in REFUSALS):
                wrong.append((url, str(error)))
        else:
            wrong.append((url, "fetched"))
    assert wrong == []
    assert server.asked == []


def test_no_redirect_by_any_spelling_leads_here(server):
    with raw_server(b"HTTP/1.1 200 OK\r\n\r\n") as secret:
        port = int(secret.allow[0].rpartition(":")[2])
        for url in [one for one in urls(port) if "//" in one and "\n" not in one][::5]:
            with pytest.raises(FetchError, match="redirected"):
                fetch(
                    f"{server.url}/to/{quote(url.encode().decode('latin-1'))}",
                    allow=(server.host,),
                    limits=HASTY,
                )
        assert secret.asked == []


@pytest.mark.parametrize(
    "answers",
    [
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["2606:4700:4700::1111", "::1"],
        ["8.8.8.8", "::ffff:127.0.0.1"],
        ["8.8.8.8", "fe80::1"],
    ],
)
def test_answers_of_which_one_is_private_are_refused(server, names, answers):
    names["mixed.test"] = [answers]
    with pytest.raises(RefusedError, match="not a public address"):
        fetch(f"http://mixed.test:{server.port}/page", limits=HASTY)
    assert server.asked == []


def test_each_request_of_a_chain_is_judged_anew(server, names):
    """Rebinding between a redirect and its target: public first, this machine from then on."""
    names["turn.test"] = [["127.0.0.1"]]
    with pytest.raises(FetchError, match=r"redirected to http://turn\.test.*not a public"):
        fetch(f"{server.url}/to/http://turn.test:{server.port}/page", allow=(server.host,))
    assert len(server.asked) == 1


PROXIES = [
    name
    for lower in ("http_proxy", "https_proxy", "all_proxy", "ftp_proxy", "socks_proxy")
    for name in (lower, lower.upper())
]


def test_no_variable_of_the_environment_leads_to_a_proxy(server, monkeypatch):
    with raw_server(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nproxy") as proxy:
        for name in PROXIES:
            monkeypatch.setenv(name, proxy.url)
        assert b"proxy" not in fetch(f"{server.url}/page", allow=(server.host,)).body
        with pytest.raises(RefusedError):
            fetch("http://10.0.0.1/", limits=HASTY)
        assert proxy.asked == []


# Bodies

PRESS = {
    "gzip": lambda data: gzip.compress(data, 9),
    "deflate": lambda data: zlib.compress(data, 9),
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": lambda data: zstd.compress(data, 3),
}
BOMB = b"<p>" + bytes(64 * MIB)
ONCE = {name: press(BOMB) for name, press in PRESS.items()}
NESTED = [("gzip", "br"), ("br", "gzip"), ("zstd", "deflate"), ("deflate", "zstd")]
BOMBS = {name: (name, body) for name, body in ONCE.items()} | {
    f"{inner}, {outer}": (f"{inner}, {outer}", PRESS[outer](ONCE[inner])) for inner, outer in NESTED
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_not_unpacked(name):
    coding, body = BOMBS[name]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: %s\r\n\r\n"
    with raw_server(head % coding.encode() + body) as hostile:
        tracemalloc.start()
        try:
            with pytest.raises(FetchError, match="page too big: more than 1,048,576 bytes"):
                fetch(hostile.url, allow=hostile.allow, limits=HASTY)
            assert tracemalloc.get_traced_memory()[1] < 24 * MIB
        finally:
            tracemalloc.stop()


# Heads

ENDLESS = {
    "headers": (OK, b"X-A: " + b"y" * 1000 + b"\r\n"),
    "one header": (OK + b"X-A: ", b"y" * 4096),
    "status line": (b"HTTP/1.1 200 ", b"y" * 4096),
    "interim answers": (b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n",) * 2,
    "a folded header": (OK + b"X-A: a\r\n", b" b\r\n" * 500),
    "chunk extension": (OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"y" * 4096),
    "trailers": (OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", b"X: y\r\n" * 400),
    "body": (OK + b"\r\n", b"<p>a" * 1000),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_never_ends_is_left(kind):
    first, rest = ENDLESS[kind]
    with raw_server(first, *[rest] * 20_000) as hostile:
        with contextlib.suppress(FetchError):
            assert len(fetch(hostile.url, allow=hostile.allow, limits=HASTY).body) < MIB
        assert hostile.sent < 64 * MIB


@pytest.mark.parametrize("answer", NOT_QUITE_HTTP)
def test_answers_that_are_not_quite_http(answer):
    with raw_server(answer) as hostile:
        try:
            found = fetch(hostile.url, allow=hostile.allow, limits=HASTY)
        except FetchError as error:
            said = str(error)
        else:
            said = repr(found.body)
        assert said.isprintable()
        assert len(said) < 200
        assert len(hostile.asked) <= 11


@pytest.mark.parametrize("kind", TYPES, ids=range(len(TYPES)))
def test_hostile_types(kind):
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode("latin-1") + b"\r\n\r\n"
    with raw_server(answer + b"<title>a</title><p>Finches +ADw-script+AD4- sing.") as hostile:
        try:
            found = fetch(hostile.url, allow=hostile.allow, limits=HASTY)
        except FetchError:
            return
        text = chaffinch.extract(found.body, url=found.url, encoding=found.encoding).html()
        assert "<script" not in text


# What is kept between requests: nothing


def test_cookies_and_credentials_are_sent_nowhere(server):
    answer = (
        b"HTTP/1.1 302 Found\r\nSet-Cookie: a=b; Domain=127.0.0.1\r\nLocation: %s/page\r\n"
        b"WWW-Authenticate: Basic\r\n\r\n" % server.url.encode()
    )
    with raw_server(answer) as hostile:
        fetch(hostile.url, allow=(*hostile.allow, server.host))
        fetch(hostile.url, allow=(*hostile.allow, server.host))
        heads = b"".join(hostile.asked).lower()
    assert len(server.asked) == 2
    for name in ("cookie", "authorization", "referer", "origin"):
        assert name not in server.heads[1]
        assert name.encode() + b":" not in heads
