"""Which pages are wanted, and the lists of links, on the command line."""

import json
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def web():
    """The example web in this process."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        import web_maker.faults  # noqa: PLC0415 found only after the line above
        import web_maker.server  # noqa: PLC0415
        import web_maker.traps  # noqa: PLC0415

        with web_maker.server.serving() as server:
            yield server
    finally:
        sys.path.remove(str(EXAMPLES))


def reach(host):
    return ["--resolve", f"{host}=127.0.0.1", "--allow-host", host, "--delay", "0"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--language", "de,fr"], "its language is en, not de or fr"),
        (["--only-with-metadata"], "it has no date of publication and no address"),
        (["--url", "https://b.example/1", "--url-blacklist", "https://b.example/*"], "blacklisted"),
    ],
)
def test_an_unwanted_page_is_left_out_with_a_note(run, page, options, why):
    result = run("extract", page, *options)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert f"{page}: left out: " in result.stderr
    assert why in result.stderr
    assert "Error" not in result.stderr


def test_the_others_are_extracted(run, page, tmp_path):
    (tmp_path / "x.html").write_text("<p>" + "Die Eule und der Fink sind auf dem Dach. " * 9)
    result = run("extract", tmp_path, "--language", "en", "-f", "json", "-w", "2")
    assert result.exit_code == 0
    assert [json.loads(line)["file"] for line in result.stdout.splitlines()] == [str(page)]
    assert "x.html: left out: its language is de, not en" in result.stderr
    assert run("extract", page, "--language", "English!").exit_code == 2
    assert run("extract", page, "--url-blacklist", "barn").exit_code == 2


def test_names_are_no_authors(run, tmp_path):
    path = tmp_path / "owls.html"
    path.write_text(
        "<meta name=author content='Will Barnes'><meta name=byl content='Jane Doe'><h1>Owls</h1><p>"
        + "The owls have been there for as long as the barn has stood. " * 9
    )
    result = run("extract", path, "-f", "json", "--author-blacklist", "will barnes")
    assert json.loads(result.stdout)["authors"] == ["Jane Doe"]


def test_json_has_comments_embeds_and_keywords(run, page):
    result = run("extract", page, "-f", "json", "--with", "keywords,comments,embeds")
    record = json.loads(result.stdout)
    assert record["comments"] == record["embeds"] == []
    assert "chaffinch" in [one["text"].lower() for one in record["keywords"]]


def test_links_of_a_saved_page(run, page):
    own = ["--url", "https://birds.example/"]
    result = run("crawl", "--dry-run", page, *own)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "https://birds.example/privacy"
    fewer = run(
        "crawl",
        "--dry-run",
        page,
        *own,
        "--url-blacklist",
        "https://birds.example/p*",
        "-f",
        "json",
    )
    urls = [json.loads(line)["url"] for line in fewer.stdout.splitlines()]
    assert "https://birds.example/privacy" not in urls
    assert "https://birds.example/imprint" in urls
    assert run("crawl", "--dry-run", page).exit_code == 3
    assert run("crawl", "--dry-run", page, "--from", "feeds").exit_code == 2


def test_links_of_feeds_and_sitemaps(run, web):
    feed = run(
        "crawl",
        "--dry-run",
        f"http://post.test:{web.port}/",
        "--from",
        "feeds",
        *reach("post.test"),
    )
    assert feed.exit_code == 0
    assert len(feed.stdout.splitlines()) == 30
    shop = f"http://shop.test:{web.port}/"
    listed = run(
        "crawl", "--dry-run", shop, "--from", "sitemaps", "-f", "json", *reach("shop.test")
    )
    first = json.loads(listed.stdout.splitlines()[0])
    assert (first["url"], first["date"]) == (f"{shop}item.html?id=0", "2025-11-20")
    missing = run("crawl", "--dry-run", f"{shop}no.xml", "--from", "sitemaps", *reach("shop.test"))
    assert missing.exit_code == 1
    assert "404" in missing.stderr


def test_a_crawl_takes_the_same_options(run, web, tmp_path):
    start = f"http://zh.post.test:{web.port}/"
    out = tmp_path / "zh.warc.gz"
    result = run(
        "crawl", start, "--output", out, "--pages", "2", "--depth", "1", "--language", "en",
        "--url-blacklist", f"{start}birds/*", *reach("zh.post.test"),
    )  # fmt: skip
    assert "its language is zh" in result.stdout
    assert "blacklisted" in result.stdout
