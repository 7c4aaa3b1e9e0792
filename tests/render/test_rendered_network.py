"""Whatever a page tries, the browser reaches no address that the guard refuses."""

import socket
from pathlib import Path

import pytest

from chaffinch.errors import FetchError
from chaffinch.render import Renderer
from escaping_page import datagrams, escapes


def rendered_with(browser, own, secret, limits, *, allow):
    with (
        datagrams() as (udp, heard),
        Renderer(browser=browser, allow=allow, limits=limits, images=True) as one,
    ):
        found = one.rendered(own.put("/", escapes(f"http://127.0.0.1:{secret.port}", udp)))
    return found, heard


def test_no_way_leads_to_a_private_address(browser, own, secret, limits):
    found, heard = rendered_with(browser, own, secret, limits, allow=["own.test"])
    assert (secret.asked, secret.log.connections, heard) == ([], 0, [])
    assert own.asked == ["/"]  # no service worker, either
    assert found.page.folded(found.page.first("article")).startswith("A page that wants")
    assert f"127.0.0.1:{secret.port}" in found.refused
    assert "not a public address" in found.refused[f"127.0.0.1:{secret.port}"]
    assert Path("/etc/hostname").read_text("utf-8").strip() not in found.page.text


def test_the_ways_are_ways(browser, own, secret, limits):
    """Where the address is allowed they lead there: what the test above forbids does happen."""
    rendered_with(browser, own, secret, limits, allow=["own.test", f"127.0.0.1:{secret.port}"])
    asked = {path.strip("/") for path in secret.asked}
    ways = {"css", "import", "script", "image", "frame", "inner-image", "inner-script", "object"}
    assert ways | {"fetch", "xhr", "events", "socket", "module", "form"} <= asked


@pytest.mark.parametrize(
    "sent_on",
    [
        {"status": 302, "Location": "{}/secret"},
        {"status": 200, "Refresh": "0; url={}/secret"},
        "<meta http-equiv=refresh content='0; url={}/secret'>",
        "<script>location = '{}/secret'</script>",
        "<script>setTimeout(() => location.replace('{}/secret'), 100)</script>",
    ],
)
def test_a_page_that_sends_on_to_a_private_address_is_refused(renderer, own, secret, sent_on):
    where = f"http://127.0.0.1:{secret.port}"
    if isinstance(sent_on, str):
        url = own.put("/", sent_on.format(where))
    else:
        given = {name: str(value).format(where) for name, value in sent_on.items()}
        url = own.put("/", "", status=int(given.pop("status")), **given)
    with pytest.raises(FetchError, match=r"redirected to .*not a public address"):
        renderer.render(url)
    assert secret.asked == []


def test_a_page_that_sends_on_to_a_file_shows_none(renderer, own):
    for body in (
        "<script>location = 'file:///etc/hostname'</script><p>here",
        "<meta http-equiv=refresh content='0; url=file:///etc/hostname'><p>here",
    ):
        assert renderer.render(own.put("/", body)).text == "here"
    with pytest.raises(FetchError, match="neither http nor https"):
        renderer.render(own.put("/to", "", status=302, Location="file:///etc/hostname"))


def test_public_web_addresses_alone_are_rendered(renderer):
    for url in (
        "file:///etc/hostname", "data:text/html,<p>x", "chrome://version", "about:blank",
        "view-source:http://own.test/", "javascript:alert(1)", "http://user:word@own.test/",
        "http://①②⑦.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://inner.test/",
    ):  # fmt: skip
        with pytest.raises(FetchError):
            renderer.render(url)


@pytest.mark.parametrize("host", ["0x7f.1", "2130706433", "127.1", "①②⑦.0.0.1", "[::ffff:7f00:1]"])
def test_no_spelling_that_a_browser_knows_leads_a_page_there(renderer, own, secret, host):
    page = f"<p>here<script src='http://{host}:{secret.port}/'></script><img src='//{host}/'>"
    renderer.render(own.put("/", page))
    assert secret.asked == []


def test_no_proxy_of_the_environment_is_asked(browser, own, secret, limits, monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, secret.url)
    with Renderer(browser=browser, allow=["own.test"], limits=limits) as one:
        assert one.render(own.put("/", "<p>here")).text == "here"
    assert secret.asked == []


def test_a_name_whose_answer_changes_is_judged_at_each_connection(browser, own, secret):
    """DNS rebinding: public when it is first asked, this machine from then on."""
    look_up, asked = socket.getaddrinfo, []

    def answer(host, *rest, **options):
        if host == "own.test":
            return look_up("127.0.0.1", *rest, **options)
        if host == "rebinding.test":
            asked.append(host)
            return look_up("127.0.0.1" if len(asked) > 1 else "192.0.78.24", *rest, **options)
        return look_up(host, *rest, **options)

    page = f"<p>here<script src='http://rebinding.test:{secret.port}/'></script>"
    with (
        pytest.MonkeyPatch.context() as patch,
        Renderer(browser=browser, allow=["own.test"]) as one,
    ):
        patch.setattr(socket, "getaddrinfo", answer)
        one._proxy.guard.addresses("rebinding.test", 80)  # noqa: SLF001 the first, harmless answer
        found = one.rendered(own.put("/", page))
    assert len(asked) > 1
    assert secret.asked == []
    assert "not a public address" in found.refused[f"rebinding.test:{secret.port}"]


def test_a_saved_page_sends_no_request(renderer, own):
    page = renderer.render(escapes(own.url, 9), base_url=own.url + "/saved")
    assert page.url == own.url + "/saved"
    assert page.first("article") > 0
    assert own.asked == []
