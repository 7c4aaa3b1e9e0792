from __future__ import annotations

import pickle
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import FetchError, OptionError, PageError
from chaffinch.web import FetchLimits, fetch
from chaffinch.web.guard import parse_target, redirect_target

CERTIFICATE = Path(__file__).with_name("finch.test.pem")
PAGE = b"<!doctype html><title>Finches</title><p>The chaffinch sings."
HASTY = FetchLimits(connect=2, read=0.3, total=5)


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
    plain, asked = server.asked
    assert "(" not in plain.headers["user-agent"]
    assert asked.headers["host"] == server.host
    assert asked.headers["user-agent"].startswith("Chaffinch/")
    assert asked.headers["user-agent"].endswith("(+https://finch.example/bot)")
    assert "text/html" in asked.headers["accept"]
    assert "gzip" in asked.headers["accept-encoding"]
    assert not {"cookie", "authorization", "referer"} & set(asked.headers)


def test_the_charset_of_the_transport(server):
    fetched = get(server, "gbk")
    assert fetched.encoding == "gbk"
    assert fetched.body.decode(fetched.encoding) == "<p>苍头燕雀"


@pytest.mark.parametrize("kind", ["application/pdf", "image/png", "text/plain", "application/json"])
def test_other_types_are_no_pages(server, kind):
    with pytest.raises(FetchError, match=f"not a page: the server calls it '{kind}'"):
        get(server, f"typed/{kind}")


@pytest.mark.parametrize("kind", ["application/xhtml+xml", "TEXT/HTML ;x"])
def test_page_types(server, kind):
    assert get(server, f"typed/{kind}".replace(" ", "%20")).status == 200


@pytest.mark.parametrize("status", [304, 400, 403, 404, 410, 429, 500, 503, 799])
def test_statuses_are_errors(server, status):
    with pytest.raises(FetchError, match=f"HTTP status {status}") as caught:
        get(server, f"status/{status}")
    assert isinstance(caught.value, PageError)


def test_words_of_the_server_stay_off_the_terminal(server):
    with pytest.raises(FetchError, match=r"^HTTP status 404 Not Found$"):
        get(server, "hostile")


# Redirects


def test_redirects_are_followed(server):
    fetched = get(server, "moved/here")
    assert fetched.url == f"{server.url}/page?from=here"
    assert fetched.redirects == (f"{server.url}/moved/here",)
    assert fetched.body == PAGE


def test_redirects_to_addresses_in_utf8(server):
    assert get(server, "utf8").url == f"{server.url}/%E8%8B%8D%E5%A4%B4"


def test_so_many_redirects_and_no_more(server):
    limits = FetchLimits(max_redirects=3)
    assert len(get(server, "count/3", limits=limits).redirects) == 3
    with pytest.raises(FetchError, match="more than 3 redirects"):
        get(server, "count/4", limits=limits)
    assert len(server.asked) == 4 + 4


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("file:///etc/passwd", "only http and https"),
        ("ftp://localhost/", "only http and https"),
        ("data:text/html,x", "only http and https"),
        ("http://169.254.169.254/latest/meta-data", "not a public address"),
        ("http://[::1]/", "not a public address"),
        ("http://10.0.0.1/", "not a public address"),
        ("http://user:secret@localhost/", "user name or password"),
        ("http://[x", "what is no address"),
    ],
)
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


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("finch.example", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("javascript:alert(1)", "only http and https"),
        ("http://", "without a host|not an address"),
        ("http:///path", "without a host|not an address"),
        ("http://[::1/", "not an address"),
        ("http://a:b:c/", "not an address"),
        ("http://host:99999/", "not an address"),
        ("http://user:secret@finch.example/", "user name or password"),
        ("http://localhost/", "refused: localhost"),
        ("http://127.0.0.1/", r"refused: 127\.0\.0\.1 is not a public address"),
        ("http://no-such-name.invalid/", "unknown host"),
    ],
)
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
    assert server.asked[0].headers["host"] == f"finch.test:{server.port}"


def test_international_names_and_paths(server, names):
    names["xn--mnchen-3ya.test"] = [["127.0.0.1"]]
    fetched = fetch(f"http://MÜNCHEN.test:{server.port}/vögel?q=燕", allow=("münchen.test",))
    assert fetched.url == f"http://xn--mnchen-3ya.test:{server.port}/v%C3%B6gel?q=%E7%87%95"
    assert server.asked[0].headers["host"] == f"xn--mnchen-3ya.test:{server.port}"


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
    assert secure_server.asked[0].headers["host"] == f"finch.test:{secure_server.port}"


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


# Sizes and compression


@pytest.mark.parametrize("path", ["gzip", "brotli", "chunked", "untyped"])
def test_codings(server, path):
    assert get(server, path).body == (b"<p>finch" if path == "chunked" else PAGE)


def test_a_page_of_the_very_limit(server):
    assert get(server, "page", limits=FetchLimits(max_bytes=len(PAGE))).body == PAGE
    with pytest.raises(FetchError, match="page too big: more than 59 bytes"):
        get(server, "page", limits=FetchLimits(max_bytes=len(PAGE) - 1))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("notgzip", "isn't compressed as declared"),
        ("badchunk", "broke off"),
        ("halfchunk", "broke off"),
        ("half", "broke off"),
        ("hangup", "closed the connection|reset the connection"),
        ("nonsense", "not HTTP"),
    ],
)
def test_broken_answers(server, path, words):
    with pytest.raises(FetchError, match=words):
        get(server, path)


# Time


def test_a_silent_server(server):
    with pytest.raises(FetchError, match=r"silent for 0\.3 s"):
        get(server, "silent", limits=HASTY)


@pytest.mark.parametrize("path", ["drip", "dripheaders", "dripend"])
def test_a_server_that_is_never_silent_nor_done(server, path):
    with pytest.raises(FetchError, match=r"not done within 0\.4 s"):
        get(server, path, limits=FetchLimits(read=5, total=0.4))


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
def test_a_refresh_within_seconds_is_a_redirect(server, head, ends_at):
    server.markup = f"<!doctype html>{head}<p>Here."
    fetched = get(server, "markup")
    assert fetched.url == f"{server.url}{ends_at}"
    assert len(fetched.redirects) == (ends_at != "/markup")


def test_what_is_no_page_is_named(server):
    with pytest.raises(FetchError, match=r"calls it 'json' \(JSON\)"):
        get(server, "typed?application/json")
