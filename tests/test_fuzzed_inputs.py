"""What isn't a page is fuzzed, too: archives, tables, robots.txt, models, weights,
journals, settings.

A file that is well is changed in many ways. What comes out is read, or is an error of the project's
own; nothing is ever unpickled. Single values of a model's files are changed in `site/test_models`.
"""

import asyncio
import gzip
import pickle
import random
from contextlib import suppress
from pathlib import Path

import pytest

import chaffinch
from bench.lib.hostile_grammar import mutated
from chaffinch import PageError, SetupError, Site
from chaffinch.cli.options import _tables
from chaffinch.corpus import Plan, Recipe, read_report, run
from chaffinch.corpus.sources import find_shards, read
from chaffinch.errors import OptionError, RulesError, WeightsError
from chaffinch.methods import Learned
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


@pytest.fixture
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


@pytest.mark.usefixtures("_nothing_is_unpickled")
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


@pytest.mark.usefixtures("_nothing_is_unpickled")
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
        return self.body, ""


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


@pytest.mark.usefixtures("_nothing_is_unpickled")
@pytest.mark.parametrize("name", ["rules.toml", "data.npz"])
def test_site_models(tmp_path, name):
    pages = [chaffinch.parse(f"{PAGE}{n}<div class=a>All rights reserved") for n in range(6)]
    site = Site.learn(pages, date="2026-01-01")
    site.save(tmp_path)
    refused = 0
    for number, data in enumerate(changed((tmp_path / name).read_bytes(), name)):
        (tmp_path / name).write_bytes(data)
        try:
            again = Site.load(tmp_path)
            again.extract(pages[0]).text.encode()
            again.report().to_text()
            again.findings()
        except RulesError as error:
            refused += number > 0 and str(tmp_path / name) in str(error)
    assert refused > ROUNDS / 4


@pytest.mark.usefixtures("_nothing_is_unpickled")
def test_weights(tmp_path):
    well = Path(chaffinch.__file__).with_name("model").joinpath("weights.npz").read_bytes()
    refused = 0
    for number, data in zip(range(20), changed(well, "weights"), strict=False):
        path = tmp_path / f"{number}.npz"  # each is read once a process
        path.write_bytes(data)
        try:
            chaffinch.extract(PAGE, method=Learned(weights=str(path))).text.encode()
        except WeightsError as error:
            refused += str(path) in str(error)
    assert 10 < refused < 20


def test_journals_of_runs(tmp_path):
    source, out = tmp_path / "rye.jsonl", tmp_path / "out"
    source.write_bytes(LINES)
    plan = Plan(out=str(out), form="jsonl", recipe=Recipe(method="block_density"))
    run([str(source)], plan, workers=1)
    journals = [path for path in out.rglob("*.json") if path.name != "report.json"]
    assert len(journals) >= 2
    refused = 0
    for path in journals:
        for data in changed(well := path.read_bytes(), path.name):
            path.write_bytes(data)
            try:
                read_report(str(out)).to_json()
                run([str(source)], plan, workers=1, resume=True)
            except SetupError as error:
                assert str(error)  # noqa: PT017 - either will do
                refused += 1
        path.write_bytes(well)
    assert refused > ROUNDS / 4


@pytest.mark.parametrize("data", [b"a = " + b"[" * 100_000, b"\xff", b"[extract\n", b"a=1\na=2"])
def test_settings(tmp_path, data):
    (tmp_path / "chaffinch.toml").write_bytes(data)
    with pytest.raises(OptionError, match=r"chaffinch\.toml isn't TOML"):
        _tables(tmp_path / "chaffinch.toml")
