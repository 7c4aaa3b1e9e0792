"""Pages that the service has a browser render: what comes, and what the page can't reach."""

import threading

import pytest
from running_service import Web, running

from escaping_page import datagrams, escapes

SHELL = (
    "<!doctype html><title>Shell</title><div id=root></div><script>"
    "const p = document.createElement('article');"
    "p.innerHTML = '<h1>Built</h1><p>' + 'A script wrote this sentence of the page. '.repeat(9);"
    "document.getElementById('root').append(p)</script>"
)


@pytest.fixture(scope="module")
def secret():
    """A server that nobody may ask."""
    server = Web()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def service(web, browser):
    web.pages["shell"] = lambda site: site.answer(SHELL)
    web.pages["failed"] = lambda site: site.answer(SHELL, 503)
    options = [
        "--render",
        "always",
        "--browser",
        browser,
        "--deadline",
        "120",
        "--delay",
        "0",
    ]
    # `own.test` alone is allowed, and is this machine; its address isn't.
    names = ["--allow-host", "own.test", "--resolve", "own.test=127.0.0.1"]
    with running("--workers", "1", *options, *names, "--ignore-robots") as one:
        yield one


def test_shells_are_rendered_and_others_are_not(service, web):
    address = f"http://own.test:{web.server_port}"
    plain = service.get(f"/v1/read?url={address}/shell&format=text")
    assert "A script wrote" not in plain.body.decode()
    for render, path in (("auto", "shell"), ("always", "shell")):
        found = service.get(f"/v1/read?url={address}/{path}&render={render}&format=text")
        assert found.body.decode().count("A script wrote this") == 9, found
        assert found.headers["chaffinch-rendered"] == "true"
    found = service.get(f"/v1/read?url={address}/page&render=auto&format=text")
    assert "chaffinch sings" in found.body.decode()
    assert "chaffinch-rendered" not in found.headers


def test_sources_are_rendered_without_the_network(service, web):
    before = len(web.seen)
    asked = {"html": SHELL, "render": "auto", "url": f"http://own.test:{web.server_port}/shell"}
    assert "A script wrote" in service.post("/v1/extract", asked).json["text"]
    assert len(web.seen) == before


def test_the_browser_reaches_no_address_that_the_guard_refuses(service, web, secret):
    with datagrams() as (udp, heard):
        page = escapes(f"http://127.0.0.1:{secret.server_port}", udp)
        web.pages["escaping"] = lambda site: site.answer(page)
        address = f"http://own.test:{web.server_port}/escaping"
        found = service.get(f"/v1/read?url={address}&render=always&format=text")
    assert found.body.decode().startswith("A page that wants"), found
    assert secret.seen == []
    assert heard == []


@pytest.mark.parametrize("render", ["auto", "always"])
def test_refused_addresses_are_no_more_rendered_than_fetched(service, web, secret, render):
    there = f"http://127.0.0.1:{secret.server_port}/page"
    for url in (there, f"http://own.test:{web.server_port}/redirect?to={there}"):
        found = service.get(f"/v1/read?url={url}&render={render}")
        assert found.kind == "refused-address"
        assert "127.0.0.1" not in found.json["detail"]
    assert secret.seen == []


def test_pages_wait_for_the_browser_one_after_the_other(service, web):
    address = f"http://own.test:{web.server_port}/shell"
    path = f"/v1/read?url={address}&render=always&format=text"
    found = []
    threads = [threading.Thread(target=lambda: found.append(service.get(path))) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [one.status for one in found] == [200] * 3
