"""Crawl archives that earlier versions wrote: gone on with, and asked what has changed since."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from kept_files import PORT, crawl_options

SHARED = ("/robots.txt", "/.well-known/tdmrep.json")
"""What every run asks for anew."""


def records(path, *kinds):
    """Return the headers of an archive's records of some types."""
    with Path(path).open("rb") as file:
        every = [dict(record.headers) for record in ArchiveIterator(file, parse_http=False)]
    return [headers for headers in every if headers["WARC-Type"] in kinds]


def visited(path):
    """Return the addresses of an archive's visits."""
    return [headers["WARC-Target-URI"] for headers in records(path, "metadata")]


def visits(path):
    """Return address → what an archive says became of it, but for the time that it took."""
    found = {}
    with Path(path).open("rb") as file:
        for record in ArchiveIterator(file, parse_http=False):
            if record.headers["WARC-Type"] == "metadata":
                lines = record.reader.read().decode().splitlines()
                kept = [line for line in lines if not line.startswith("seconds: ")]
                found[record.headers["WARC-Target-URI"]] = kept
    return found


def answered(path):
    """Return the addresses of an archive's answers, each with the digest of what came."""
    found = records(path, "response", "revisit")
    return {(one["WARC-Target-URI"], one["WARC-Payload-Digest"]) for one in found}


def asked(web):
    """Return the addresses that the web was asked for, but for those that every run asks for."""
    return [
        f"http://{line['host']}:{PORT}{line['target']}"
        for line in web.asked
        if line["target"] not in SHARED
    ]


@pytest.mark.usefixtures("kept")
def test_a_crawl_that_was_killed_goes_on_to_the_same_records(web, run):
    whole, cut = "crawl/opted.warc.gz", "crawl/opted-cut.warc.gz"
    before = answered(cut) & answered(whole)
    url = f"http://opted.test:{PORT}/"
    said = run("crawl", url, "--out", cut, "--resume", *crawl_options("opted.test", web.host))
    assert "of these visits were in the file before" in said
    assert "bytes of half a record were cut from the file" in said
    assert Path(f"{cut}.cut").stat().st_size > 0
    assert sorted(visited(cut)) == sorted(visited(whole))
    assert visits(cut) == visits(whole)
    assert answered(cut) == answered(whole)
    assert 0 < len(asked(web)) < len(answered(whole))
    # The answer of the torn group is the only one that is asked for again.
    again = {url for url, _ in before} & set(asked(web))
    assert len(again) <= 1
    assert len(asked(web)) == len(set(asked(web)))


@pytest.mark.usefixtures("kept")
def test_a_crawl_that_ended_at_its_limit_goes_on(web, run):
    path = "crawl/docs.warc.gz"
    before = visited(path)
    options = ("--pages", "12", "--resume", *crawl_options("docs.test", web.host))
    said = run("crawl", f"http://docs.test:{PORT}/", "--out", path, *options, code=1)
    assert said.startswith("12 pages, ")
    assert visited(path)[: len(before)] == before
    assert sorted(asked(web)) == sorted(visited(path)[len(before) :])
    assert len(asked(web)) == 2


@pytest.mark.usefixtures("kept")
def test_pages_of_an_earlier_crawl_are_requested_if_they_have_changed(web, run):
    earlier = "crawl/docs.warc.gz"
    options = ("--pages", "10", *crawl_options("docs.test", web.host))
    url = f"http://docs.test:{PORT}/"
    said = run("crawl", url, "--out", "new.warc.gz", "--since", earlier, *options, code=1)
    same = [line for line in web.asked if line["status"] == 304]
    assert len(same) >= 8
    assert f"  {len(same)} unchanged" in said.splitlines()
    assert all("if-none-match" in line["headers"] for line in same)
    # What hasn't changed refers to the answer that is kept, and isn't kept twice.
    dates = {one["WARC-Target-URI"]: one["WARC-Date"] for one in records(earlier, "response")}
    revisits = records("new.warc.gz", "revisit")
    assert len(revisits) == len(same)
    for one in revisits:
        assert one["WARC-Refers-To-Date"] == dates[one["WARC-Refers-To-Target-URI"]]
    of_pages = {one for one in answered(earlier) if "/manual/chapter-" in one[0]}
    assert of_pages <= answered("new.warc.gz")
