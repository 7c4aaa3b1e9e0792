"""Siblings that a page's own links don't lead to."""

import re

import pytest

from chaffinch.errors import FetchError, RefusedError
from chaffinch.web import AddressGuard, FetchLimits, Politeness, find_siblings

FEED = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
HOST = "post.test"


def found(web, path, count=5):
    return find_siblings(
        f"http://{HOST}:{web.port}{path}",
        count=count,
        politeness=Politeness(delay=0, back_off=0.01),
        limits=FetchLimits(total=5),
        guard=AddressGuard((HOST,), (f"{HOST}=127.0.0.1",)),
    )


@pytest.fixture
def path(web_maker):
    return web_maker.texts.entry("article", "en", 7).link


@pytest.fixture
def without_links(web_maker, monkeypatch, path):
    """Makes the web answer for one article without any link, its head as given."""
    answer = web_maker.server.answer

    def change(head):
        def changed(asked):
            given = answer(asked)
            if asked.target != path:
                return given
            bare = re.sub(rb' href="[^"]*"', b"", given.body).replace(b"</head>", head + b"</head>")
            return web_maker.Answer(body=bare, headers=given.headers, kind=given.kind)

        monkeypatch.setattr(web_maker.server, "answer", changed)

    return change


@pytest.mark.parametrize("feed", [FEED, f"{FEED.replace('link', 'a')}RSS</a>"])
def test_feeds_are_read_where_links_do_not_suffice(web, path, without_links, feed):
    without_links(feed.encode())
    discovery = found(web, path)
    assert len(discovery.siblings) == 5
    assert [url.rpartition("/")[2] for url in discovery.looked_at] == ["feed.xml"]
    assert {one.source for one in discovery.siblings} == {"a feed or site map"}


def test_sitemaps_are_the_last_resort(web, path, without_links):
    without_links(b"")
    discovery = found(web, path)
    assert len(discovery.siblings) == 5
    assert [url.rpartition("/")[2] for url in discovery.looked_at] == ["sitemap.xml"]
    years = {re.search(r"/(20\d\d)/", one.url)[1] for one in discovery.siblings}
    assert len(years) >= 3  # spread over time


def test_pages_of_another_template_give_way(web, path, web_maker, monkeypatch):
    answer = web_maker.server.answer

    def changed(asked):
        if asked.path.startswith("/towns/20") and asked.path != path and "-1" in asked.path:
            return web_maker.Answer(body=b"<title>Else</title><table><tr><td>Another template.")
        return answer(asked)

    monkeypatch.setattr(web_maker.server, "answer", changed)
    discovery = found(web, path, count=8)
    left_out = [reason for _, reason in discovery.left_out]
    assert any(reason.startswith("another template") for reason in left_out)
    assert all(one.path_similarity >= 0.5 for one in discovery.siblings)


def test_robots_and_the_guard_hold_here_too(web, path):
    with pytest.raises(RefusedError, match=r"robots\.txt forbids"):
        found(web, "/authors/nan.html")
    with pytest.raises(FetchError, match="404"):
        found(web, "/towns/2025/none.html")
    with pytest.raises(RefusedError, match="another host"):
        found(web, "/shop/index.html")
    guard = AddressGuard((), (f"{HOST}=127.0.0.1",))
    with pytest.raises(FetchError, match="not a public address"):
        find_siblings(
            f"http://{HOST}:{web.port}{path}",
            politeness=Politeness(delay=0),
            limits=FetchLimits(),
            guard=guard,
        )
    assert not [line for line in web.asked if line["target"].startswith("/authors/")]
