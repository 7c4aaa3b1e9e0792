"""What isn't a page is fuzzed, too: archives, tables, lists of addresses, robots.txt, site configs.

A file that is well is changed in many ways. What comes out is read, or is an error of the project's
own; nothing is ever unpickled. Site models, their samples and counts, weights, journals, labelled
pages and settings are in `test_broken_files`.
"""

import asyncio
import gzip
import pickle
import random
from contextlib import suppress

import pytest

import chaffinch
from bench.lib.hostile_grammar import mutated
from chaffinch import PageError, SetupError
from chaffinch.corpus import Plan
from chaffinch.corpus.sources import find_shards, read
from chaffinch.site.configs import read_site_config
from chaffinch.web.listings import listed_pages
from chaffinch.web.polite import RobotsCache
from odd_pages import lines_bytes, parquet_bytes, tar_bytes, warc_bytes, zip_bytes

ROUNDS = 60
PAGE = "<title>Rye</title><h1>Rye</h1><p>" + "Rye is grown by the river. " * 12
PIECES = (
    b"\x00", b"\xff\xfe", b"\r\n\r\n", b"Content-Length: 99999999999", b"\x1f\x8b\x08", b"PAR1",
    b"{", b"]", b'"', b"9" * 40, b"-1", b"[" * 5000, b"<!ENTITY a 'b'>", b"&a;", b"<loc>", b"null",
    b"\xed\xa0\x80", b"WARC/1.0", b"User-agent: *", b"Crawl-delay: 1e999",
    b"Disallow: /" + b"*a" * 200 + b"$", b"strip: //*[", b"body: " + b"(" * 90,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_is_unpickled(monkeypatch):
    def refuse(*_, **__):
        pytest.fail("something was unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, refuse)


def changed(data, seed):
    """Yield the data as they are, and changed in many ways."""
    rng = random.Random(seed)  # noqa: S311  no secrets
    yield data
    for _ in range(ROUNDS):
        yield mutated([data], lambda: rng.choice(PIECES), rng)


WARC = warc_bytes(*[PAGE.encode()] * 3)
LINES = lines_bytes(*({"html": PAGE, "status": 200} for _ in range(3)))
ARCHIVES = {
    "a.warc.gz": WARC,
    "a.warc": gzip.decompress(WARC),
    "a.jsonl": LINES,
    "a.parquet": parquet_bytes([{"html": PAGE.encode(), "url": "https://rye.example"}] * 3),
    "a.zip": zip_bytes({f"{number}.html": PAGE for number in range(3)}),
    "a.wacz": zip_bytes({"archive/data.warc.gz": WARC}),
    "a.tar.gz": tar_bytes({"a.html": PAGE.encode()}, "w:gz"),
    "a.jsonl.gz": gzip.compress(LINES),
}

TEXTS = {"a.warc", "a.jsonl"}
"""What is still read after most changes."""


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives(name, tmp_path):
    path, plan = tmp_path / name, Plan(out=str(tmp_path / "out"))
    pages = []
    for number, data in enumerate(changed(ARCHIVES[name], name)):
        path.write_bytes(data)
        found = 0
        with suppress(SetupError, PageError):
            for shard in find_shards([str(path)]):
                for record in read(shard, plan):
                    html = getattr(record, "html", None)
                    found += bool(html)
                    if html and number < 20:
                        with suppress(PageError):
                            assert chaffinch.extract(html).text is not None
        pages.append(found)
    assert pages[0] >= 1
    if name in TEXTS:
        assert sum(map(bool, pages)) > ROUNDS / 10


SITEMAP = (
    "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    + "".join(
        f"<url><loc>https://rye.example/{n}</loc><lastmod>2026-01-0{n}</lastmod></url>"
        for n in range(1, 4)
    )
    + "</urlset>"
)
RSS = (
    "<rss version='2.0'><channel><title>Rye</title><link>https://rye.example</link><item><title>A"
    "</title><link>https://rye.example/a</link><pubDate>Mon, 05 Jan 2026 10:00:00 GMT</pubDate>"
    "</item></channel></rss>"
)
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/b'/>"
    "<updated>2026-01-05</updated></entry></feed>"
)
LISTS = {
    "sitemap": SITEMAP.encode(), "sitemap, gzip": gzip.compress(SITEMAP.encode()),
    "sitemap, UTF-16": SITEMAP.encode("utf-16"), "RSS": RSS.encode(), "Atom": ATOM.encode(),
    "addresses": b"https://rye.example/a\nhttps://rye.example/b\n",
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_sitemaps_and_feeds(name):
    found = [listed_pages(one, "https://rye.example/feed") for one in changed(LISTS[name], name)]
    assert found[0]
    for one in (page for pages in found for page in pages):
        assert one.url.startswith(("http://", "https://"))


class OneFile(RobotsCache):
    """The rules of hosts that all have one robots.txt, without a network."""

    body = b""

    async def _file(self, url):
        assert url.startswith("https://rye.example/")
        return 200, self.body, ""


class Slowed:
    """What a crawl's client is told of a host."""

    def __init__(self):
        self.delays = []

    def slow_down(self, host, seconds):
        assert host
        assert seconds >= 0
        self.delays.append(seconds)


ROBOTS = (
    b"User-agent: *\nDisallow: /private/*.html$\nAllow: /private/a\nCrawl-delay: 2\n"
    b"Sitemap: https://rye.example/sitemap.xml\n\nUser-agent: other\nDisallow: /\n"
)


def test_robots():
    for number, body in enumerate(changed(ROBOTS, "robots")):
        client = Slowed()
        cache = OneFile(client, None)
        cache.body = body
        rules = asyncio.run(cache.rules("https://rye.example/a"))
        said = (
            rules.refusal("https://rye.example/private/b.html"),
            rules.refusal("https://rye.example/%ff?*$"),
        )
        assert set(said) <= {"", "robots.txt forbids it"}
        if not number:
            assert said[0]
            assert client.delays == [2.0]
        assert all(one.startswith("http") for one in rules.sitemaps)


CONFIG = (
    "# made up\ntitle: //h1\nbody: //div[@id='main'] | //article\nstrip: //div[@class='x']\n"
    "strip_id_or_class: menu\nstrip_image_src: pixel\n"
    "author: //a[@rel='author']/text()\ndate: //time/@datetime\n"
    "find_string: <b>\nreplace_string: <i>\nreplace_string(a): b\ntest_url: https://rye.example/a\n"
    "test_contains: Rye\nprune: no\nhttp_header(user-agent): x\nsingle_page_link: //a[1]\n"
)


def test_site_configs():
    page = "<div id=main><h1>Rye</h1><p>Rye is grown.</div>"
    for number, data in enumerate(changed(CONFIG.encode(), "config")):
        try:
            config = read_site_config(data.decode("utf-8", "replace"), "rye.example")
            text = config.site.extract(page, url="https://rye.example/a").text
        except (SetupError, PageError):
            assert number
            continue
        assert len(config.lines) >= bool(data.strip())
        assert isinstance(text, str)
