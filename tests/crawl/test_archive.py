import base64
import gzip
import hashlib
import os
import sys
from datetime import UTC, datetime

import pytest
from warcio.archiveiterator import ArchiveIterator

from chaffinch.errors import ArchiveError
from chaffinch.web.archive import Archive, payload_digest
from chaffinch.web.client import RawResponse
from chaffinch.web.frontier import Visit
from chaffinch.web.polite import Download
from chaffinch.web.warc import Window, frames

PLAN = {"chaffinch-urls": "http://a.test/", "chaffinch-extent": "site"}
WHEN = datetime(2025, 11, 20, 10, 0, 0, 123456, tzinfo=UTC)


def download(body=b"<p>Finch", status=200, **headers):
    given = {"Content-Type": "text/html", "Transfer-Encoding": "chunked", "ETag": '"1"'} | headers
    response = RawResponse(
        status=status,
        reason="Fine",
        version=11,
        headers=(*given.items(), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")),
        body=body,
        address="127.0.0.1",
    )
    sent = (("host", "a.test"), ("user-agent", "Chaffinch/1"))
    return Download(response=response, problem="", request_headers=sent, began=WHEN)


def visit(number, body=b"<p>Finch"):
    return Visit(
        url=f"http://a.test/{number}",
        kind="page",
        status=200,
        payload=payload_digest(body),
        outlink=((f"http://a.test/{number + 1}", "page"),),
    )


def filled(path, count=3):
    with Archive(path, plan=PLAN) as archive:
        for number in range(count):
            body = b"<p>Finch %d" % number
            archive.write(visit(number, body), download(body))
    return path.read_bytes()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "crawl.warc.gz"


def test_the_records_are_those_of_warc(path):
    filled(path, 1)
    with path.open("rb") as file:
        found = {
            record.rec_type: (record, record.content_stream().read())
            for record in ArchiveIterator(file)
        }
    assert list(found) == ["warcinfo", "response", "request", "metadata"]
    response, body = found["response"]
    digest = base64.b32encode(hashlib.sha1(b"<p>Finch 0").digest()).decode()  # noqa: S324
    for name, value in {
        "WARC-Date": "2025-11-20T10:00:00.123456Z",
        "WARC-IP-Address": "127.0.0.1",
        "WARC-Payload-Digest": f"sha1:{digest}",
    }.items():
        assert response.rec_headers.get_header(name) == value
    assert response.http_headers.get_header("X-Crawler-Transfer-Encoding") == "chunked"
    cookies = [value for name, value in response.http_headers.headers if name == "Set-Cookie"]
    assert (body, cookies) == (b"<p>Finch 0", ["a=1", "b=2"])
    request = found["request"][0].http_headers
    assert request.get_header("user-agent") == "Chaffinch/1"
    assert request.statusline == "/0 HTTP/1.1"


def test_a_revisit_refers_to_its_record(path):
    with Archive(path, plan=PLAN) as archive:
        archive.write(visit(0), download())
        first = archive.first_responses[visit(0).payload]
        archive.write(visit(1), download(), same=first)
    with path.open("rb") as file:
        found = [r.rec_headers for r in ArchiveIterator(file) if r.rec_type == "revisit"]
    assert found[0].get_header("WARC-Profile").endswith("revisit/identical-payload-digest")
    assert found[0].get_header("WARC-Refers-To-Target-URI") == "http://a.test/0"
    assert found[0].get_header("WARC-Refers-To-Date") == "2025-11-20T10:00:00.123456Z"
    assert found[0].get_header("WARC-Payload-Digest") == visit(0).payload


def test_wherever_a_crash_cuts_the_file_whole_groups_stay(path):
    data = filled(path)
    with path.open("rb") as file:
        found = list(frames(Window(file)))
    ends = [frame.end for frame in found if b"WARC-Type: metadata" in frame.data]
    info = found[0].end
    cuts = {len(data), *ends, *(end - 1 for end in ends), *(end + 1 for end in ends[:-1])}
    for cut in sorted(cuts | set(range(info, len(data), 97))):
        path.write_bytes(data[:cut])
        path.with_name(path.name + ".cut").unlink(missing_ok=True)
        whole = sum(end <= cut for end in ends)
        with Archive(path, plan=PLAN, resume=True) as archive:
            seen = [one.url for one in archive.visits]
            assert seen == [f"http://a.test/{n}" for n in range(whole)]
            sound = ends[whole - 1] if whole else info
            assert archive.cut == cut - sound
            for number in range(whole, 3):
                body = b"<p>Finch %d" % number
                archive.write(visit(number, body), download(body))
        if cut > sound:
            assert path.with_name(path.name + ".cut").read_bytes() == data[sound:cut]
        with path.open("rb") as file:
            kinds = [record.rec_type for record in ArchiveIterator(file)]
        assert kinds == ["warcinfo"] + ["response", "request", "metadata"] * 3


def test_a_file_is_gone_on_with_on_purpose_and_under_the_same_plan(path):
    data = filled(path)
    with pytest.raises(ArchiveError, match="--resume"):
        Archive(path, plan=PLAN)
    other = PLAN | {"chaffinch-extent": "sitemap"}
    with pytest.raises(ArchiveError, match="chaffinch-extent was 'site'"):
        Archive(path, plan=other, resume=True)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        b"no gzip",
        b"\x1f\x8b\x08\0 half a beginning",
        gzip.compress(b"WARC/1.1\r\nWARC-Type: metadata\r\n\r\nfetchTimeMs: 1\r\n", mtime=0),
    ],
)
def test_files_of_others_are_left_alone(path, data):
    path.write_bytes(data)
    with pytest.raises(ArchiveError):
        Archive(path, plan=PLAN, resume=True)
    assert path.read_bytes() == data


@pytest.mark.skipif(sys.platform == "win32", reason="names are text there")
def test_a_name_of_any_bytes_is_one_header(tmp_path):
    path = tmp_path / os.fsdecode(b"rye\xff\r\nX-Other: 1.warc.gz")
    Archive(path, plan=PLAN).close()
    with path.open("rb") as file:
        (info,) = ArchiveIterator(file)
        assert info.rec_headers["WARC-Filename"] == "rye\ufffd X-Other: 1.warc.gz"
        assert "X-Other" not in dict(info.rec_headers.headers)
