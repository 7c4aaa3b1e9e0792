"""Each verb that takes --render acts on the page as the browser makes it."""

import gzip
import json

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from chaffinch import extract, parse
from chaffinch.page.source import page_source
from printed import called

BIRDS = ("chaffinch", "brambling", "greenfinch", "siskin", "serin")
PLACES = ("oak woods", "orchards", "old parks", "hedges")
SENTENCE = (
    "The {} builds its nest of moss and lichen in the fork of a tree, high above the ground. "
)


def shell(number):
    """Return a page that its script builds: an article and links to all others."""
    bird = BIRDS[number]
    links = "".join(
        f"<li><a href=/story/{other}.html>All about the {name}, a bird</a>"
        for other, name in enumerate(BIRDS)
    )
    content = (
        f"<nav><ul>{links}</ul></nav><article><h1>The {bird}</h1>"
        + "".join(f"<p>{SENTENCE.format(bird) * 3}So it is in {place}." for place in PLACES)
        + "</article><footer>Birds of the wood</footer>"
    )
    return (
        f"<!doctype html><title>The {bird}</title><div id=root></div>"
        f"<script>document.getElementById('root').innerHTML = {json.dumps(content)};</script>"
    )


@pytest.fixture
def folder(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    for number in range(len(BIRDS)):
        (site / f"{number}.html").write_text(shell(number), encoding="utf-8")
    return site


@pytest.fixture
def site(own):
    own.put("/robots.txt", "User-agent: *\nAllow: /\n", content_type="text/plain")
    for number in range(len(BIRDS)):
        own.put(f"/story/{number}.html", shell(number))
    return f"http://127.0.0.1:{own.port}/story/0.html"


@pytest.fixture
def run(browser):
    def call(*arguments, renders=True, code=0):
        given = ["--render", "auto", "--browser", str(browser)] if renders else []
        done = called(["-m", "chaffinch", *map(str, arguments), *given], None)
        assert done.returncode == code, done.stderr + done.stdout
        return done.stdout

    return call


POLITE = ("--allow-host", "127.0.0.1", "--delay", "0")


def test_compare_and_explain(run, folder):
    page = folder / "0.html"
    assert "lichen" not in run("compare", page, "-f", "json", renders=False, code=3)
    for verb in (["compare"], ["explain"]):
        assert "lichen" in run(*verb, page, "-f", "json")
    found = json.loads(run("explain", "--blocks", "vips", page, "-f", "json"))
    assert found["rendered"]


def test_siblings(run, site):
    call = ["site", "siblings", site, "-f", "json", *POLITE]
    assert json.loads(run(*call, renders=False, code=3))["siblings"] == []
    found = json.loads(run(*call, "-n", "3"))
    assert len(found["siblings"]) == 3
    assert all("/story/" in one["url"] for one in found["siblings"])


def test_learn(run, folder, tmp_path):
    model = tmp_path / "birds.toml"
    run("learn", folder, "--output", model)
    told = run("extract", folder / "0.html", "--site", model)
    assert told.count("lichen") == 12
    assert "All about" not in told


def test_run(run, folder, tmp_path):
    plain, out = tmp_path / "plain", tmp_path / "out"
    run("run", folder, "--output", plain, "-f", "jsonl", "-w", "1", renders=False)
    run("run", folder, "--output", out, "-f", "jsonl", "-w", "1")

    def texts(where):
        files = [file for file in where.rglob("*.jsonl*") if file.is_file()]
        return "".join(_read(file) for file in files)

    assert "lichen" not in texts(plain)
    assert texts(out).count("The serin builds its nest") >= 12


def _read(file):
    data = file.read_bytes()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()


def test_crawl(run, site, tmp_path):
    plain, out = tmp_path / "plain.warc.gz", tmp_path / "out.warc.gz"
    assert "1 page," in run("crawl", site, "--output", plain, *POLITE, renders=False)
    assert f"{len(BIRDS)} pages" in run("crawl", site, "--output", out, *POLITE)
    with out.open("rb") as file:
        kinds = [record.record_type for record in ArchiveIterator(file)]
    assert kinds.count(WarcRecordType.conversion) == len(BIRDS)
    assert kinds.count(WarcRecordType.response) == len(BIRDS)
    rows = run("extract", out, "-f", "json", renders=False).splitlines()
    assert len(rows) == len(BIRDS)
    assert all("lichen" in json.loads(row)["text"] for row in rows)
    again = run("crawl", site, "--output", out, "--resume", *POLITE)
    assert f"{len(BIRDS)} pages" in again


def test_a_rendered_page_is_written_as_it_is(renderer):
    page = renderer.render(shell(2), base_url="http://app.test/")
    again = parse(page_source(page), url="http://app.test/")
    assert [*map(again.name, range(len(again)))] == [*map(page.name, range(len(page)))]
    assert again.text == page.text
    assert extract(again).text == extract(page).text
