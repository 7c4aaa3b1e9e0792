"""The verbs that ask many pages of a server: crawl, siblings, learn, extract --siblings auto."""

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
from fastwarc.warc import ArchiveIterator


@pytest.fixture(scope="module")
def served(web_maker):
    """The example web in this process: its server, and the entries it is made of."""
    with web_maker.server.serving() as server:
        server.entry = web_maker.texts.entry
        yield server


def options(host):
    return ["--resolve", f"{host}=127.0.0.1", "--allow-host", host, "--delay", "0"]


def visited(path):
    """Return the addresses of the metadata records, and address → digest of the others."""
    urls, digests = Counter(), set()
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            kind, url = record.headers["WARC-Type"], record.headers.get("WARC-Target-URI")
            if kind == "metadata":
                urls[url] += 1
            elif kind in ("response", "revisit"):
                digests.add((url, record.headers["WARC-Payload-Digest"]))
    return urls, digests


@pytest.mark.slow
def test_a_crawl_that_was_killed_goes_on_to_the_same_records(served, tmp_path):
    url = f"http://opted.test:{served.port}/"
    whole, parts = tmp_path / "whole.warc.gz", tmp_path / "parts.warc.gz"

    def command(out):
        start = [sys.executable, "-m", "chaffinch", "crawl", url, "--output", str(out), "--resume"]
        return [*start, *options("opted.test"), "--per-host", "4", "--delay", "0.03"]

    done = subprocess.run(command(whole), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pages, " in done.stdout.splitlines()[0]
    assert done.stderr == f"wrote {whole}\n"
    before = len(served.asked)
    kills = 0
    for share in (0.2, 0.6):
        process = subprocess.Popen(command(parts), stdout=subprocess.DEVNULL)
        size = whole.stat().st_size * share
        while process.poll() is None and not (parts.exists() and parts.stat().st_size > size):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
    assert kills == 2
    # What a crash leaves at the end: half a group.
    with parts.open("ab") as file:
        file.write(whole.read_bytes()[:100])
    done = subprocess.run(command(parts), capture_output=True, text=True, check=False)
    assert "were in the file before" in done.stdout
    assert "bytes of half a record were cut" in done.stdout
    assert visited(parts) == visited(whole)
    assert max(visited(parts)[0].values()) == 1
    asked = Counter(line["target"] for line in served.asked[before:])
    rules = asked.pop("/robots.txt") + asked.pop("/.well-known/tdmrep.json")
    assert rules <= 2 * 3
    # Only what was on the line when the kill came is asked for again: at most 4 a kill.
    assert sum(count - 1 for count in asked.values()) <= 4 * kills


def test_the_summary_names_what_failed_and_exit_codes_say_it(served, tmp_path, run):
    def crawled(url, name, *more):
        done = run("crawl", url, "--output", tmp_path / name, *more)
        return done.exit_code, " ".join(done.output.split())

    url = f"http://faulty.test:{served.port}/status/404"
    code, said = crawled(url, "a.warc.gz", *options("faulty.test"))
    assert (code, f"failed: {url}: HTTP status 404 Not Found" in said) == (1, True)
    code, said = crawled(f"http://127.0.0.1:{served.port}/", "b.warc.gz", "--delay", "0")
    assert (code, "0 pages, 0 requests" in said, "--allow-host allows it" in said) == (3, 1, 1)
    url = f"http://slow.test:{served.port}/"
    (tmp_path / "c.warc.gz").write_bytes(b"")
    code, said = crawled(url, "c.warc.gz", *options("slow.test"))
    assert (code, "--resume" in said) == (2, True)
    assert crawled("file:///etc/passwd", "d")[0] == 2
    assert not (tmp_path / "d").exists()
    start = f"http://zh.post.test:{served.port}/"
    more = (
        "--pages",
        "2",
        "--depth",
        "1",
        "--language",
        "en",
        "--url-blacklist",
        f"{start}birds/*",
    )
    said = crawled(start, "e.warc.gz", *more, *options("zh.post.test"))[1]
    assert "its language is zh" in said
    assert "blacklisted" in said


def test_a_list_of_urls_is_fetched_alone(served, tmp_path, run):
    base, out = f"http://docs.test:{served.port}", tmp_path / "new" / "a.warc.gz"
    (tmp_path / "urls.txt").write_text(f"{base}/\r\n  # pages\n\n{base}/none\n", "utf-8-sig")
    more = ("--depth", "0", *options("docs.test"))
    assert run("crawl", tmp_path / "urls.txt", "--output", out, *more).exit_code == 1
    assert set(visited(out)[0]) == {f"{base}/", f"{base}/none"}
    done = run("crawl", tmp_path / "none.txt", "--output", tmp_path / "b.warc.gz")
    assert (done.exit_code, "can't read" in done.output) == (2, True)


def listed(run, *arguments):
    result = run("crawl", "--dry-run", *arguments)
    return result.exit_code, result.stdout.splitlines(), result.stderr


def test_links_of_pages_feeds_and_sitemaps(served, page, run):
    own = (page, "--url", "https://birds.example/")
    code, lines, _ = listed(run, *own)
    assert (code, lines[-1]) == (0, "https://birds.example/privacy")
    _, fewer, _ = listed(run, *own, "--url-blacklist", "https://birds.example/p*", "-f", "json")
    assert [json.loads(line)["url"] for line in fewer] == lines[:-1]
    post, shop = (f"http://{one}.test:{served.port}/" for one in ("post", "shop"))
    code, lines, _ = listed(run, post, "--from", "feeds", *options("post.test"))
    assert (code, len(lines)) == (0, 30)
    _, lines, _ = listed(run, shop, "--from", "sitemaps", "-f", "json", *options("shop.test"))
    first = json.loads(lines[0])
    assert (first["url"], first["date"]) == (f"{shop}item.html?id=0", "2025-11-20")
    given = (f"{shop}no.xml", "--from", "sitemaps", *options("shop.test"))
    code, _, said = listed(run, *given)
    assert (code, "404" in said) == (1, True)


def test_siblings_of_an_address_are_explained(served, run):
    path = served.entry("article", "en", 4).link
    url = f"http://post.test:{served.port}{path}"
    done = run("site", "siblings", url, *options("post.test"))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"{url}: 8 siblings"
    assert lines[2].strip().startswith("100% of directories in common, address of the same shape")
    assert any(line.startswith("looked at ") for line in lines)
    found = json.loads(
        run("site", "siblings", url, *options("post.test"), "-f", "json", "-n", 3).stdout
    )
    assert len(found["siblings"]) == 3
    first = served.entry("article", "en", 0)  # of two parts, which are set apart
    url = f"http://post.test:{served.port}{first.link}"
    parted = json.loads(run("site", "siblings", url, *options("post.test"), "-f", "json").stdout)
    assert parted["parts"] == [url.replace(".html", "_2.html")]
    assert all("/birds/20" in one["url"] and one["layout"] >= 0.5 for one in found["siblings"])


def test_extraction_with_siblings_that_are_found(served, run):
    entry = served.entry("article", "en", 7)
    url = f"http://post.test:{served.port}{entry.link}"
    done = run("extract", url, "--siblings", "auto", *options("post.test"))
    assert done.exit_code == 0
    assert "with 8 pages of the same template" in done.stderr
    first = entry.body.split("\n\n")[0]
    assert first in done.stdout
    assert "All rights reserved" not in done.stdout
    named = run(
        "extract", url, "--siblings", "auto", *options("post.test"), "-m", "layout_similarity"
    )
    assert first in named.stdout
    assert named.stdout != done.stdout
    lone = f"http://slow.test:{served.port}/1.html"
    done = run("extract", lone, "--siblings", "auto", *options("slow.test"))
    assert (done.exit_code, "no page of the same template" in done.stderr) == (1, True)


def test_a_site_is_learned_from_one_address(served, tmp_path, run):
    from chaffinch.site import Site  # noqa: PLC0415 what is tested

    url = f"http://forum.test:{served.port}/thread/77/"
    model = tmp_path / "site"
    done = run("learn", url, "--output", model, "--same-template", "8", *options("forum.test"))
    assert done.exit_code == 0, done.output
    site = Site.load(model)
    assert site.history[-1].pages == 9
    assert site.templates
    lost = run("learn", f"{url}none", "--output", tmp_path / "b.toml", *options("forum.test"))
    assert lost.exit_code == 2
    assert "404" in lost.stderr
    both = [url, f"{url}none", "--same-template", "1", "--output", tmp_path / "c"]
    assert run("learn", *both, *options("forum.test")).exit_code == 1  # one of them failed
