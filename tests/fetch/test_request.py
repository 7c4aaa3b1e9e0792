import pickle
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answering_server import Given, serving
from chaffinch.errors import FetchError, OptionError, PageError
from chaffinch.web import FetchLimits, fetch
from chaffinch.web.guard import parse_target, redirect_target
from rows_of_cases import examples

CERTIFICATE = Path(__file__).with_name("finch.test.pem")
PAGE = b"<!doctype html><title>Finches</title><p>The chaffinch sings."


def get(server, path, **options):
    return fetch(f"{server.url}/{path}", allow=(server.host,), **options)


def test_a_page(server):
    fetched = get(server, "page?q=1#part")
    assert fetched.url == f"{server.url}/page?q=1"
    assert fetched.status == 200
    assert fetched.body == PAGE
    assert fetched.encoding == "utf-8"
    assert fetched.headers["content-type"] == "text/html; charset=utf-8"
    assert fetched.redirects == ()
    assert pickle.loads(pickle.dumps(fetched)) == fetched  # noqa: S301


def test_headers_of_a_request(server):
    get(server, "page")
    get(server, "page", contact="https://finch.example/bot")
    plain, asked = server.heads
    assert "(" not in plain["user-agent"]
    assert asked["host"] == server.host
    assert asked["user-agent"].startswith("Chaffinch/")
    assert asked["user-agent"].endswith("(+https://finch.example/bot)")
    assert "text/html" in asked["accept"]
    assert "gzip" in asked["accept-encoding"]
    assert not {"cookie", "authorization", "referer"} & set(asked)


FAILURES = examples(__file__, "request failures")


@pytest.mark.parametrize("path", FAILURES)
def test_what_is_no_page_is_a_failure_with_its_reason(server, path):
    read, total = {"silent": 0.3}.get(path, 9), 0.6 if path.startswith("drip") else 20
    limits = FetchLimits(read=read, total=total, max_redirects=3)
    with pytest.raises(FetchError, match=FAILURES[path]) as caught:
        get(server, path, limits=limits)
    assert isinstance(caught.value, PageError)


@pytest.mark.parametrize(
    ("path", "ends_at", "body"),
    [
        ("gzip", "/gzip", PAGE),
        ("brotli", "/brotli", PAGE),
        ("chunked", "/chunked", b"<p>finch"),
        ("untyped", "/untyped", PAGE),
        ("gbk", "/gbk", "<p>苍头燕雀".encode("gbk")),
        ("typed/application/xhtml+xml", "/typed/application/xhtml+xml", PAGE),
        ("typed/TEXT/HTML%20;x", "/typed/TEXT/HTML%20;x", PAGE),
        ("moved/here", "/page?from=here", PAGE),
        ("utf8", "/%E8%8B%8D%E5%A4%B4", PAGE),
        ("count/3", "/count/0", PAGE),
    ],
)
def test_pages_of_any_coding_type_and_way(server, path, ends_at, body):
    fetched = get(server, path, limits=FetchLimits(max_redirects=3))
    assert (fetched.url, fetched.body, fetched.status) == (f"{server.url}{ends_at}", body, 200)
    assert fetched.encoding == {"gbk": "gbk", "untyped": None}.get(path, fetched.encoding)
    passed = [url.removeprefix(server.url) for url in fetched.redirects]
    assert [*passed, ends_at] == [target for _, target in server.asked]


# Redirects


@pytest.mark.parametrize(("url", "words"), examples(__file__, "redirects are guarded"))
def test_redirects_are_guarded(server, url, words):
    with pytest.raises(FetchError, match=f"^redirected to .*{words}") as caught:
        get(server, f"to/{url}")
    assert "secret" not in str(caught.value)


@given(st.text() | st.from_regex(r"(http:)?[/\\\\]*[\[\]:@%a1.]*[/?#]?.*"))
def test_any_location_is_an_address_or_a_fetch_error(location):
    try:
        target = parse_target(redirect_target("http://finch.test/a?b", location))
    except FetchError:
        return
    assert target.scheme in {"http", "https"}
    assert target.host
    assert target.url.isascii()
    assert target.url.isprintable()


# Addresses


@pytest.mark.parametrize(("url", "words"), examples(__file__, "addresses that get no request"))
def test_addresses_that_get_no_request(url, words):
    with pytest.raises(FetchError, match=words) as caught:
        fetch(url)
    assert "secret" not in str(caught.value)


def test_a_name_that_changes_its_address_is_resolved_once(server, names, monkeypatch):
    names["rebind.test"] = [["203.0.114.1"], ["127.0.0.1"]]
    gone_to = []

    def connect(address, *_rest, **_options):
        gone_to.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
    with pytest.raises(FetchError, match="no connection: Connection refused"):
        fetch(f"http://rebind.test:{server.port}/page")
    assert gone_to == [("203.0.114.1", server.port)]


def test_the_server_is_addressed_by_its_name(server, names):
    names["finch.test"] = [["127.0.0.1"]]
    fetched = fetch(f"http://Finch.test:{server.port}/page", allow=("finch.test",))
    assert fetched.body == PAGE
    assert server.heads[0]["host"] == f"finch.test:{server.port}"


def test_international_names_and_paths(server, names):
    names["xn--mnchen-3ya.test"] = [["127.0.0.1"]]
    fetched = fetch(f"http://MÜNCHEN.test:{server.port}/vögel?q=燕", allow=("münchen.test",))
    assert fetched.url == f"http://xn--mnchen-3ya.test:{server.port}/v%C3%B6gel?q=%E7%87%95"
    assert server.heads[0]["host"] == f"xn--mnchen-3ya.test:{server.port}"


def test_the_next_address_is_tried(server, names):
    names["two.test"] = [["127.0.0.9", "127.0.0.1"]]
    assert fetch(f"http://two.test:{server.port}/page", allow=("two.test",)).body == PAGE


# TLS


def test_a_secure_page(secure_server, names, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    names["finch.test"] = [["127.0.0.1"]]
    fetched = fetch(f"https://finch.test:{secure_server.port}/page", allow=("finch.test",))
    assert fetched.body == PAGE
    assert secure_server.called == ["finch.test"]
    assert secure_server.heads[0]["host"] == f"finch.test:{secure_server.port}"


def test_a_certificate_of_an_unknown_authority(secure_server, names):
    names["finch.test"] = [["127.0.0.1"]]
    with pytest.raises(FetchError, match="certificate is not trusted"):
        fetch(f"https://finch.test:{secure_server.port}/page", allow=("finch.test",))
    assert secure_server.asked == []


def test_a_certificate_of_another_name(secure_server, names, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    names["other.test"] = [["127.0.0.1"]]
    with pytest.raises(FetchError, match="certificate is not trusted: Hostname mismatch"):
        fetch(f"https://other.test:{secure_server.port}/page", allow=("other.test",))
    assert secure_server.asked == []


def test_a_server_without_tls(server):
    with pytest.raises(FetchError, match="no secure connection"):
        fetch(f"https://{server.host}/page", allow=(server.host,))


# Sizes


def test_a_page_of_the_very_limit(server):
    assert get(server, "page", limits=FetchLimits(max_bytes=len(PAGE))).body == PAGE
    with pytest.raises(FetchError, match="page too big: more than 59 bytes"):
        get(server, "page", limits=FetchLimits(max_bytes=len(PAGE) - 1))


def test_a_port_without_a_server():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(FetchError, match="no connection: Connection refused"):
        fetch(f"http://localhost:{port}/", allow=("localhost",))


@pytest.mark.parametrize("name", ["connect", "read", "total", "max_bytes", "max_redirects"])
def test_limits_are_positive(name):
    with pytest.raises(OptionError, match=name):
        FetchLimits(**{name: -1})


@pytest.mark.parametrize(
    "host", ["victim.test", "victim.test.", "VICTIM.test:80", "victim.test.:80"]
)
def test_a_host_is_requested_under_one_name(host):
    assert parse_target(f"http://{host}/a").url == "http://victim.test/a"


REFRESH = "<title>Gone on</title><meta http-equiv={} content='{}'>"


@pytest.mark.parametrize(
    ("head", "ends_at"),
    [
        (REFRESH.format("refresh", "0;url=/page?new"), "/page?new"),
        (REFRESH.format('"Refresh"', '3; URL="page?new"'), "/page?new"),
        (REFRESH.format("refresh", "0 /page?new"), "/page?new"),
        (REFRESH.format("refresh", "30;url=/page?new"), "/markup"),
        (REFRESH.format("refresh", "0;url=/markup#part"), "/markup"),
        (REFRESH.format("refresh", "0"), "/markup"),
        (f"<noscript>{REFRESH.format('refresh', '0;url=/page')}</noscript>", "/markup"),
        (f"<!--{REFRESH.format('refresh', '0;url=/page')}-->", "/markup"),
        (f"<script>'{REFRESH.format('refresh', '0;url=/page')}'</script>", "/markup"),
    ],
)
def test_a_refresh_within_seconds_is_a_redirect(head, ends_at):
    page = Given(body=f"<!doctype html>{head}<p>Here.")
    with serving({"/markup": page, "/page?new": Given(body=PAGE)}) as server:
        fetched = get(server, "markup")
    assert fetched.url == f"{server.url}{ends_at}"
    assert len(fetched.redirects) == (ends_at != "/markup")
