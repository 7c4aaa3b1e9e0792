"""Addresses listed by pages, feeds and sitemaps of the example web, and which are wanted."""

import gzip
import tomllib
from pathlib import Path

import pytest

from chaffinch.extraction.extract import PageFilter
from chaffinch.page import parse
from chaffinch.web import (
    AddressGuard,
    LinkFilter,
    Politeness,
    find_links,
    links_of,
)
from chaffinch.web.listings import listed_pages

RSS = b"""<rss><channel><title>Barn news</title><language>de-DE</language>
<item><title><![CDATA[Owls &amp; mice]]></title><link>/a?utm_source=x</link>
<pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate></item>
<item><link>https://other.example/b</link></item><item><link>mailto:a@b</link></item>
<item><link>/a</link></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"><title>All</title>
<entry><title>Un</title><link href="/un"/><published>2024-05-06T07:08:09Z</published>
<updated>2025-01-01T00:00:00Z</updated></entry>
<entry xml:lang="en"><title>Two</title><link rel="self" href="/x"/><link href="/two"/></entry>
</feed>"""
MAP = b"""<urlset><url><loc>https://barn.example/1</loc><lastmod>2024-01-02</lastmod></url>
<url><loc>https://barn.example/2</loc><lastmod>yesterday?</lastmod></url></urlset>"""
INDEX = b"<sitemapindex><sitemap><loc>https://barn.example/m2.xml</loc></sitemap></sitemapindex>"
BASE = "https://barn.example/feed"


def polite(host, **options):
    guard = AddressGuard((host,), (f"{host}=127.0.0.1",))
    return {"politeness": Politeness(delay=0, retries=0), "guard": guard} | options


def test_feeds_say_titles_dates_and_languages():
    first, second = listed_pages(RSS, BASE)
    assert (first.url, first.title) == ("https://barn.example/a", "Owls & mice")
    assert (first.date, first.language) == ("2003-06-10T04:00:00+00:00", "de")
    assert (second.url, second.title, second.date) == ("https://other.example/b", "", "")
    un, two = listed_pages(ATOM, BASE)
    assert (un.url, un.title, un.language) == ("https://barn.example/un", "Un", "fr")
    assert un.date.startswith("2024-05-06")
    assert (two.url, two.language) == ("https://barn.example/two", "en")


def test_sitemaps_say_when_and_which_are_maps():
    assert [(one.url[-1], one.date) for one in listed_pages(MAP, BASE)] == [
        ("1", "2024-01-02"),
        ("2", ""),
    ]
    assert [one.role for one in listed_pages(INDEX, BASE)] == ["map"]
    for other in (b"", b"<html><a href=/x>x</a>", b"\x1f\x8bno gzip", b"<rss><item><link>"):
        assert listed_pages(other, BASE) == []


AROUND = {
    "rss": ("<?xml version='1.0'?><rss version='2.0'><channel><link>/</link>", "</channel></rss>"),
    "urlset": (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>|</urlset>"
    ).split("|"),
    "feed": ("<feed xmlns='http://www.w3.org/2005/Atom'><link href='/'/>", "</feed>"),
    "whole": ("", ""),
}  # fmt: skip


def listing(kind, content):
    return content.join(AROUND[kind])


A, B, C = "<link>/a</link>", "<link>/b</link>", "<link>/c</link>"
TWO = "<urlset><url><loc>/a</loc></url><url><loc>/b</loc>{}</url></urlset>"
FILE = Path(__file__).with_name("listings.toml")
LISTINGS = {
    name: (listing(kind, content), urls)
    for kind, some in tomllib.loads(FILE.read_text("utf-8")).items()
    for name, (urls, content) in some.items()
} | {
    "control characters": (TWO.format("<x>\x0b\x01</x>"), "a b"),
    "a byte of Latin-1": (TWO.format("<t>Å|ngström</t>").encode().replace(b"|", b"\xe5"), "a b"),
    **{
        f"{charset} that says so": (
            f"<?xml version='1.0' encoding='{charset}'?>{TWO.format(word)}".encode(charset), "a b",
        )
        for charset, word in (("ISO-8859-1", "<t>Größe</t>"), ("koi8-r", "<t>Соль</t>"))
    },
    "UTF-16": (TWO.encode("utf-16"), "a b"),
    "UTF-16 without a mark": (TWO.encode("utf-16-le"), "a b"),
    "gzip": (gzip.compress(TWO.encode()), "a b"),
    "gzip twice": (gzip.compress(gzip.compress(listing("rss", f"<item>{A}").encode())), "a"),
    "gzip that breaks off": (gzip.compress(TWO.encode())[:-12], "a b"),
    "a list as text in UTF-16": ("https://barn.example/a\n".encode("utf-16"), "a"),
    "a long notice of the server first": ("Notice: no such\n" * 90 + TWO.format(""), "a b"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0\r", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTINGS)
def test_listings_are_read_however_they_are_written(name):
    document, wanted = LISTINGS[name]
    body = document if isinstance(document, bytes) else document.encode()
    found = [one.url.removeprefix("https://barn.example/") for one in listed_pages(body, BASE)]
    assert found == wanted.split()


def test_titles_of_listings_that_are_not_well_formed():
    items = (
        f"<title>Käse &amp;amp; Brot & Wein&nbsp;</title>{A}",
        f"<title><![CDATA[Tom & Jerry]]></title>{B}<media:title>z</media:title>",
        f"{C}<dc:date>2024-03-04</dc:date><pubDate>oops</pubDate>",
    )
    body = listing("rss", "".join(f"<item>{one}</item>" for one in items))
    first, second, third = listed_pages(body.encode(), BASE)
    assert (first.title, second.title) == ("Käse & Brot & Wein", "Tom & Jerry")
    assert third.date == "2024-03-04"
    (item,) = listed_pages(
        b'{"version": "https://jsonfeed.org/version/1", "language": "is", "items": [{"url": "/a",'
        b' "title": "Salt", "date_published": "2024-05-06T07:08:09Z"}]}',
        BASE,
    )
    assert (item.title, item.language, item.date[:10]) == ("Salt", "is", "2024-05-06")


def test_only_wanted_addresses_are_listed():
    def urls(**fields):
        external = fields.pop("external", False)
        chosen = LinkFilter(external=external, wanted=PageFilter(**fields))
        listed = [*listed_pages(RSS, BASE), *listed_pages(ATOM, BASE), *listed_pages(INDEX, BASE)]
        return [one.url.partition("://")[2] for one in chosen.chosen(listed, "barn.example")]

    assert urls() == ["barn.example/a", "barn.example/un", "barn.example/two"]
    assert "other.example/b" in urls(external=True)
    assert urls(languages=("fr",)) == ["barn.example/un"]
    assert urls(url_blacklist=("https://barn.example/u*", "http://barn.example/a")) == [
        "barn.example/two"
    ]


def test_the_links_of_a_page_stand_in_order():
    page = parse(
        "<a href=/b>b</a><a href='#x'>x</a><a href=/a hreflang=de>a</a><a href=mailto:a@b>m</a>"
        "<a href=/b?utm_source=y>b</a><a href=//other.example/>o</a>",
        url="https://barn.example/",
    )
    assert [one.url for one in links_of(page).pages] == [f"https://barn.example/{n}" for n in "ba"]
    english = LinkFilter(external=True, wanted=PageFilter(languages=("en",)))
    assert [one.url for one in links_of(page, english).pages] == [
        "https://barn.example/b",
        "https://other.example/",
    ]
    without_address = parse("<a href=https://a.example/>a</a><a href=/b>b</a>")
    assert [one.url for one in links_of(without_address).pages] == ["https://a.example/"]


def test_feeds_of_a_page_are_found_and_read(web):
    base = f"http://post.test:{web.port}"
    given = polite("post.test")
    urls = find_links(f"{base}/story/7", "feeds", **given).urls
    assert len(urls) == 30
    assert all(url.startswith(f"{base}/") for url in urls)
    assert find_links(f"{base}/feed.xml", "feeds", **given).urls == urls
    assert not find_links(f"http://docs.test:{web.port}/", "feeds", **polite("docs.test")).urls
    asked = [line["target"] for line in web.asked if line["host"] == "post.test"]
    assert "/robots.txt" in asked


def test_sitemaps_are_those_that_robots_txt_names(web):
    base = f"http://shop.test:{web.port}"
    given = polite("shop.test")
    urls = find_links(base, "sitemaps", **given).urls
    assert f"{base}/item.html?id=44" in urls
    for name in ("sitemap-gone.php", "robots.txt"):
        assert find_links(f"{base}/{name}", "sitemaps", **given).urls == urls
    found = find_links(f"{base}/sitemap.xml", "sitemaps", **given)
    assert found.urls == urls
    assert found.lists == [f"{base}/sitemap.xml"]
    assert found.pages[0].date == "2025-11-20"
