"""Archives as other programs write them, or as an accident leaves them: what is read of them."""

import gzip
import io
import re
import zipfile
import zlib

import brotli
import pytest
from backports import zstd
from fastwarc.stream_io import Lz4Writer

from chaffinch.cli.pages import of_record
from chaffinch.corpus.sources import Plan, Record, find_shards, read
from chaffinch.errors import PageError
from chaffinch.page import parse
from rows_of_cases import examples

PLAN = Plan(out="unused")
PAGE = "<!DOCTYPE html><html lang=cy><title>Halen</title><p>Mae'r môr yn hallt, {}.</p>".encode()
BIG = PAGE + b"<p>" + b"".join(b"%d grains of salt. " % n for n in range(9000))
HTML = "text/html; charset=utf-8"


def found_in(path, plan=PLAN):
    shards = find_shards([str(path)])
    return [one for shard in shards for one in read(shard, plan) if isinstance(one, Record)]


def written(tmp_path, data, name="a.warc.gz"):
    path = tmp_path / name
    path.write_bytes(data)
    return path


def record(  # noqa: PLR0913  keyword-only
    number, *, end="\r\n", gap=2, length=0, body=None, head=f"Content-Type: {HTML}"
):
    """Return a record of an archive that isn't packed; ``length`` is by how much it errs."""
    block = PAGE.replace(b"{}", b"%d" % number) if body is None else body
    if head and not head.startswith("HTTP/"):
        head = "HTTP/1.1 200 OK\r\n" + head.replace("\n", "\r\n") + "\r\n\r\n"
    block = head.encode() + block
    lines = [
        "WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: <https://halen.example/{number}>",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block) + length}",
    ]  # fmt: skip
    return (end.join(lines) + 2 * end).encode() + block + gap * end.encode()


def answered(body, head):
    """Return a WARC file of one answer."""
    return gzip.compress(record(0, body=body, head=head))


def chunks(body, *, size=100, more="", end="\r\n", last="0"):
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    lines = [b"%x" % len(part) + f"{more}{end}".encode() + part + end.encode() for part in parts]
    return b"".join(lines) + f"{last}{end}{end}".encode() * bool(last)


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


CHUNKED = "Transfer-Encoding: chunked"
BODIES = {
    "a plain body said to be chunked": (CHUNKED, PAGE, PAGE, ""),
    "chunks": (CHUNKED, chunks(PAGE), PAGE, ""),
    "chunks with extensions": (CHUNKED, chunks(PAGE, more=";name=value"), PAGE, ""),
    "sizes with blanks": ("transfer-encoding: Chunked", chunks(PAGE, more="  "), PAGE, ""),
    "chunks parted by LF": (CHUNKED, chunks(PAGE, end="\n"), PAGE, ""),
    "chunks with a trailer": (CHUNKED, chunks(PAGE, last="0\r\nExpires: 0"), PAGE, ""),
    "the last chunk is missing": (CHUNKED, chunks(PAGE, last=""), PAGE, "cut"),
    "a chunk breaks off": (CHUNKED, chunks(PAGE * 9)[:300], (PAGE * 9)[:284], "cut"),
    "a wrong size": (
        CHUNKED, chunks(PAGE[:50]).removesuffix(b"0\r\n\r\n") + b"4\r\nwrong size</p>\r\n0\r\n\r\n",
        PAGE[:50] + b"wrong size</p>", "cut",
    ),
    "gzip": ("Content-Encoding: gzip", gzip.compress(PAGE), PAGE, ""),
    "x-gzip": ("Content-Encoding: x-gzip", gzip.compress(PAGE), PAGE, ""),
    "gzip of two members": (
        "Content-Encoding: gzip", gzip.compress(PAGE) + gzip.compress(b"more"), PAGE + b"more", ""
    ),
    "gzip that breaks off": ("Content-Encoding: gzip", gzip.compress(BIG)[:-900], None, "cut"),
    "gzip without its checksum": ("Content-Encoding: gzip", gzip.compress(PAGE)[:-8], PAGE, "cut"),
    "a plain body said to be gzip": ("Content-Encoding: gzip", PAGE, PAGE, ""),
    "text said to be gzip": ("Content-Encoding: gzip", b"Halen y <b>ddaear</b>", None, ""),
    "deflate": ("Content-Encoding: deflate", zlib.compress(PAGE), PAGE, ""),
    "raw deflate": ("Content-Encoding: deflate", raw_deflate(PAGE), PAGE, ""),
    "gzip said to be deflate": ("Content-Encoding: deflate", gzip.compress(PAGE), PAGE, ""),
    "a plain body said to be deflate": ("Content-Encoding: deflate", b"\n" + PAGE, None, ""),
    "brotli": ("Content-Encoding: br", brotli.compress(PAGE), PAGE, ""),
    "brotli that breaks off": ("Content-Encoding: br", brotli.compress(BIG)[:-900], None, "cut"),
    "a plain body said to be brotli": ("Content-Encoding: br", PAGE, PAGE, ""),
    "zstd": ("Content-Encoding: zstd", zstd.compress(PAGE), PAGE, ""),
    "a plain body said to be zstd": ("Content-Encoding: zstd", PAGE, PAGE, ""),
    "an encoding of characters": ("Content-Encoding: utf-8", PAGE, PAGE, ""),
    "none": ("Content-Encoding: none", PAGE, PAGE, ""),
    "gzip in chunks": (
        f"{CHUNKED}\nContent-Encoding: gzip", chunks(gzip.compress(PAGE)), PAGE, ""
    ),
    "gzip twice": ("Content-Encoding: gzip, gzip", gzip.compress(gzip.compress(PAGE)), PAGE, ""),
    "gzip by the transfer": (
        "Transfer-Encoding: gzip, chunked", chunks(gzip.compress(PAGE)), PAGE, ""
    ),
    "chunked and gzip, both gone": (f"{CHUNKED}\nContent-Encoding: gzip", PAGE, PAGE, ""),
    "shorter than its length": ("Content-Length: 5000", PAGE, PAGE, "cut"),
    "longer than its packed length": ("Content-Length: 50\nContent-Encoding: gzip", PAGE, PAGE, ""),
}  # fmt: skip


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_decoded_as_far_as_their_head_is_right(tmp_path, name):
    head, body, wanted, truncated = BODIES[name]
    (found,) = found_in(written(tmp_path, answered(body, f"Content-Type: {HTML}\n{head}")))
    assert (found.truncated, found.error) == (truncated, "")
    if wanted is None:
        whole = BIG if "breaks off" in name else body
        assert found.html
        assert whole.startswith(found.html)
    else:
        assert found.html == wanted


def test_answers_of_other_protocols_are_no_pages(tmp_path):
    made = record(0, body=b"20240501 halen.example. 300 IN A 192.0.2.1", head="")
    other = made.replace(b"application/http; msgtype=response", b"text/dns")
    assert found_in(written(tmp_path, made + other, "a.warc")) == []


@pytest.mark.parametrize("name", ["a.wacz", "a.zip"])
def test_pages_of_archives_in_a_zip_have_places_of_their_own(tmp_path, name):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        archive.writestr("archive/one.warc", b"".join(FIVE))
    made = [of_record(one, "zip") for one in found_in(tmp_path / name)]
    assert len({one.name for one in made}) == 5
    assert all(one.place is None for one in made)  # files are named by addresses


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_what_a_bomb_unpacks_to_is_bounded(tmp_path, coding):
    bomb = bytes(64 << 20)
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress}
    body = pack.get(coding, zstd.compress)(bomb)
    head = f"Content-Type: {HTML}\nContent-Encoding: {coding}"
    path = written(tmp_path, answered(body, head))
    (found,) = found_in(path)
    assert len(found.html) == 1 + PLAN.recipe.max_bytes or len(found.html) == len(bomb)


TYPES = examples(__file__, "odd archives types")


@pytest.mark.parametrize(("kind", "is_read"), TYPES.items())
def test_media_types_however_they_are_spelt(tmp_path, kind, is_read):
    found = found_in(written(tmp_path, answered(PAGE, f"Content-Type: {kind}")))
    assert [one.html for one in found] == [PAGE] * is_read


@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n<html>", b"MZ\x90\0", b"PK\x03\x04<p>", b""])
def test_bytes_of_no_type_are_pages_only_where_they_begin_as_one(tmp_path, body):
    path = written(tmp_path, answered(body, "Content-Type: application/octet-stream"))
    assert found_in(path) == []


def headed(head):
    return [record(number, head=head.format(HTML) + "\r\n\r\n") for number in range(5)]


def arc_record(made):
    head, _, answer = made.rstrip().partition(b"\r\n\r\n")
    url = head.partition(b"<")[2].partition(b">")[0]
    return b"%s 9.9.9.9 20040925001013 text/html %d\n%s\n" % (url, len(answer), answer)


FIVE = [record(number) for number in range(5)]
FRAMINGS = {
    "as they should be": (FIVE, range(5)),
    "heads that end in LF": ([record(n, end="\n") for n in range(5)], range(5)),
    "one line end between": ([record(n, gap=1) for n in range(5)], range(5)),
    "none between": ([record(n, gap=0) for n in range(5)], range(5)),
    "many between": ([record(n, gap=20) for n in range(5)], range(5)),
    "blank lines first": ([b"\r\n\r\n", *FIVE], range(5)),
    "HTTP heads that end in LF": (
        [record(n, head=f"HTTP/1.1 200 OK\nContent-Type: {HTML}\n\n") for n in range(5)], range(5)
    ),
    "HTTP heads without a reason": (headed("HTTP/1.1  200\r\nContent-Type: {}"), range(5)),
    "HTTP heads in lower case": (headed("http/1.1 200 ok\r\nContent-Type: {}"), range(5)),
    "HTTP heads in lines that are folded": (
        headed("HTTP/2 200\r\nX: a\r\n\tb\r\nContent-Type:\r\n {}"), range(5)
    ),
    "an empty line and an interim answer before the answer": (
        headed("\r\nHTTP/1.1 100 A\r\n\r\nHTTP/1.1 200 B\r\nContent-Type: {}"), range(5)
    ),
    "records of an ARC file": ([b"filedesc://a.arc 0.0.0.0 20040925001013 text/plain 4\n1 0\n\n",
                                *map(arc_record, FIVE)], range(5)),
    "an ARC file whose first record says too little": (
        [b"filedesc://a.arc 0.0.0.0 20040925001013 text/plain 2\n1 0 Halen\n\n",
         *map(arc_record, FIVE)], range(5)
    ),
    "a type that another follows": (
        headed("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Type: {}"), range(5)
    ),
    "names of fields in lower case": (
        [one.replace(b"WARC-T", b"warc-t").replace(b"Content-L", b"content-l") for one in FIVE],
        range(5),
    ),
    "answers without a head": ([record(n, head="") for n in range(5)], range(5)),
    "no type in the HTTP head": (headed("HTTP/1.0 200 OK\r\nServer: x"), range(5)),
    "a length that is too short": ([*FIVE[:2], record(2, length=-20), *FIVE[3:]], range(5)),
    "a length that is too long": ([*FIVE[:2], record(2, length=90), *FIVE[3:]], range(5)),
    "a length beyond all others": ([*FIVE[:2], record(2, length=700), *FIVE[3:]], range(5)),
    "a length beyond a text with a line that begins as a record": (
        [*FIVE[:2], record(2, length=700).replace(b"</p>", b"</p>\nWARC/1.0 a\n"), *FIVE[3:]],
        range(5),
    ),
    "no length": (
        [*FIVE[:2], re.sub(rb"Content-Length.*\r\n", b"", FIVE[2], count=1), *FIVE[3:]], range(5)
    ),
}  # fmt: skip
PACKED = {
    "plain": (b"".join, "a.warc"),
    "members": (lambda made: b"".join(map(gzip.compress, made)), "a.warc.gz"),
    "one member": (lambda made: gzip.compress(b"".join(made)), "a.warc.gz"),
    "one frame": (lambda made: zstd.compress(b"".join(made)), "a.warc.zst"),
    "frames": (lambda made: b"".join(map(zstd.compress, made)), "a.warc.zst"),
}


PAIRS = [
    (name, packed)
    for name in FRAMINGS
    for packed in PACKED
    if packed in {"plain", "one member"} or name in {"as they should be", "no length"}
]
"""Framings are told apart in one stream of records; members and frames hold one each."""


@pytest.mark.parametrize(("name", "packed"), PAIRS)
def test_each_record_is_read_however_it_is_framed(tmp_path, name, packed):
    made, wanted = FRAMINGS[name]
    pack, file = PACKED[packed]
    path = written(tmp_path, pack(made), file)
    found = found_in(path)
    assert [one.error for one in found] == [""] * len(wanted)
    assert [one.url for one in found] == [f"https://halen.example/{n}" for n in wanted]
    for number, one in enumerate(found):
        assert b"hallt, %d.</p>" % number in one.html
        is_odd = "length" in name and number == 2
        assert one.truncated == ("length" if is_odd else "")


def test_an_archive_as_one_member_beyond_the_bound_of_a_record(tmp_path):
    filler = b"<p>" + b"salt " * (16 << 20 // 5)
    packer = zlib.compressobj(1, wbits=31)
    out = bytearray()
    for number in range(20):
        out += packer.compress(record(number, body=PAGE + filler[: 14 << 20]))
    small = Plan(out="unused")
    found = found_in(written(tmp_path, bytes(out + packer.flush())), small)
    assert [one.url[-3:].strip("e/") for one in found] == [str(n) for n in range(20)]
    assert not any(one.error for one in found)


def test_of_a_member_that_breaks_off_the_whole_records_are_read(tmp_path):
    salt = [record(n, body=PAGE + bytes((n * 7 + k * k) % 90 + 33 for k in range(4000)))
            for n in range(6)]  # fmt: skip
    packed = gzip.compress(b"".join(salt))
    for damaged in (packed[: len(packed) * 7 // 10], packed[:-4] + b"oops"):
        *found, last = found_in(written(tmp_path, damaged))
        assert len(found) >= 3
        assert not any(one.error for one in found)
        assert last.error == "record"
        assert last.url == f"https://halen.example/{len(found)}"
        assert "ends within it" in last.detail or "can't be unpacked" in last.detail


def test_a_damaged_member_is_an_error_with_its_address(tmp_path):
    members = [gzip.compress(one) for one in FIVE]
    broken = bytearray(members[2])
    broken[-40] ^= 0x5A
    found = found_in(written(tmp_path, b"".join([*members[:2], broken, *members[3:]])))
    assert [one.url[-1:] for one in found] == list("01234")
    assert [one.error for one in found] == ["", "", "record", "", ""]
    assert "bytes lost" in found[2].detail


@pytest.mark.parametrize("name", ["a.warc.zst", "a.warc.lz4"])
def test_of_a_damaged_file_the_rest_is_an_error(tmp_path, name):
    def pack(one):
        if name.endswith("zst"):
            return zstd.compress(one, options={zstd.CompressionParameter.checksum_flag: 1})
        out = io.BytesIO()
        writer = Lz4Writer(out)
        writer.write(one)
        writer.finish()
        writer.flush()
        return out.getvalue()

    frames = list(map(pack, FIVE))
    frames[3] = frames[3][:4] + b"\xff" * 20 + frames[3][24:]
    found = found_in(written(tmp_path, b"".join(frames), name))
    assert [one.url[-1:] for one in found if not one.error][:1] == ["0"]
    assert any("can't be unpacked" in one.detail for one in found if one.error), found


def test_a_wacz(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.wacz", "w") as archive:
        archive.writestr("datapackage.json", "{}")
        archive.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n')
        archive.writestr("archive/one.warc.gz", b"".join(map(gzip.compress, FIVE[:2])))
        archive.writestr("archive/two.warc", b"".join(FIVE[2:]))
        archive.writestr("indexes/index.cdx", b"")
    found = found_in(tmp_path / "a.wacz")
    assert [(one.url[-1:], one.member) for one in found] == [
        ("0", "archive/one.warc.gz"), ("1", "archive/one.warc.gz"),
        ("2", "archive/two.warc"), ("3", "archive/two.warc"), ("4", "archive/two.warc"),
    ]  # fmt: skip


OTHERS = examples(__file__, "odd archives others")
PAGES = examples(__file__, "odd archives pages")


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind, texts in OTHERS.items() for text in texts]
)
def test_data_scripts_and_style_sheets_are_no_pages(kind, text):
    for given in (text, text.encode(), f"\n {text}\n"):
        with pytest.raises(PageError, match=f"not HTML: {kind}"):
            parse(given)


@pytest.mark.parametrize("text", PAGES)
def test_what_only_begins_alike_is_a_page(text):
    parse(text)
    parse(text.encode())
