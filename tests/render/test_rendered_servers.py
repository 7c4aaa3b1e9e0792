"""What servers answer, and what becomes of it: errors in plain words, redirects followed."""

import socket

import pytest

from chaffinch.errors import FetchError
from chaffinch.page import parse
from chaffinch.render import Renderer, RenderLimits
from rows_of_cases import examples


@pytest.mark.parametrize(
    ("answer", "message"),
    examples(__file__, "what is no page"),
)
def test_what_is_no_page(renderer, own, answer, message):
    url = own.put("/", "<p>words", **answer)
    with pytest.raises(FetchError, match=message):
        renderer.render(url)


def test_too_much_and_too_slow(browser, own):
    big = own.put("/big", "<p>much too much " * 20_000)
    slow = own.put("/slow", "<p>here<script src=/silent></script><p>there")
    own.pages["/silent"] = None
    limits = RenderLimits(load=1.5, settle=1, slow=1, quiet=0.2, max_bytes=100_000, total=15)
    with Renderer(browser=browser, allow=["own.test"], limits=limits) as one:
        with pytest.raises(FetchError, match="page too big: more than 100,000 bytes"):
            one.render(big)
        with pytest.raises(FetchError, match=r"no answer within 1\.5 s"):
            one.render(own.url + "/silent")
        page = one.render(slow)
    assert "here" in page.text  # what was there when the time for loading was over


def test_no_server_and_no_host(renderer):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(FetchError, match=r"no connection to own\.test"):
        renderer.render(f"http://own.test:{port}/")
    with pytest.raises(FetchError, match="unknown host"):
        renderer.render("http://nowhere.invalid/")


def test_redirects_are_followed_and_the_last_address_is_the_pages(renderer, own):
    own.put("/end", "<title>End</title><p>the end")
    own.put("/script", "<script>location = '/end#part'</script>")
    own.put("/again", "", status=301, Location="/script")
    page = renderer.render(own.put("/", "", status=302, Location="/again"))
    assert page.url == own.url + "/end"
    assert page.text == "Endthe end"
    assert parse("<p>x", url=page.url).base == page.base


def test_sent_on_without_end(renderer, own):
    own.put("/", "<p>x<script>location = '/?' + Math.random()</script>")
    with pytest.raises(FetchError, match="more than 10 redirects"):
        renderer.render(own.url + "/")


def test_addresses_that_a_script_gives_itself_are_no_redirects(renderer, own):
    script = "for (let n = 0; n < 30; n++) history.pushState({}, '', '/state/' + n)"
    page = renderer.render(own.put("/", f"<p>here<script>{script}</script>"))
    assert page.text == "here"
    assert page.url == own.url + "/state/29"
