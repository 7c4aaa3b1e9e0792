"""Pages come out of every kind of source as they went in, and what is broken is said."""

import gzip
import json
import lzma

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from answering_server import files_of, serving
from chaffinch.corpus.rows import Extraction
from chaffinch.corpus.sources import (
    FILES,
    Plan,
    Recipe,
    Record,
    Skipped,
    find_shards,
    read,
)
from chaffinch.errors import MissingExtraError, OptionError
from odd_pages import tar_bytes, zip_bytes

PLAN = Plan(out="unused")
PAGE = "<p>A finch ate {} grains.</p>"


def records(*sources, plan=PLAN):
    return [one for shard in find_shards([str(x) for x in sources]) for one in read(shard, plan)]


def pages(*sources, **options):
    return [one for one in records(*sources, **options) if isinstance(one, Record)]


def warc(path, *answers):
    """Write a WARC file of pairs: a head of HTTP and a body."""
    with path.open("wb") as file:
        writer = GzipWriter(file)
        for number, (head, body, more) in enumerate(answers):
            record = WarcRecord()
            content = head + b"\r\n\r\n" + body
            record.init_headers(WarcRecordType.response, content_length=len(content))
            record.headers["WARC-Target-URI"] = f"https://finch.example/{number}"
            record.headers["Content-Type"] = "application/http; msgtype=response"
            for name, value in more.items():
                record.headers[name] = value
            record.set_bytes_content(content)
            record.write(writer)
            writer.finish()
        writer.flush()
    return path


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin-1"


def test_answers_of_a_warc(tmp_path):
    packed = gzip.compress(b"<p>packed</p>")
    path = warc(
        tmp_path / "a.warc.gz",
        (OK, "<p>Gr\xfc\xdfe</p>".encode("latin-1"), {}),
        (OK + b"\r\nContent-Encoding: gzip", packed, {"WARC-Truncated": "length"}),
        (OK + b"\r\nTransfer-Encoding: chunked", b"3\r\n<p>\r\n4\r\nfour\r\n0\r\n\r\n", {}),
        (b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"<p>none</p>", {}),
        (b"HTTP/1.1 200 OK\r\nContent-Type: image/png", b"\x89PNG", {}),
        (OK, b"<p>other</p>", {"WARC-Block-Digest": "sha1:" + 32 * "A"}),
    )
    found = records(path)
    assert [one.why for one in found if isinstance(one, Skipped)] == ["status 404", "not HTML"]
    kept = [one for one in found if isinstance(one, Record)]
    assert [one.html for one in kept] == [
        b"<p>Gr\xfc\xdfe</p>", b"<p>packed</p>", b"<p>four", b"<p>other</p>",
    ]  # fmt: skip
    assert [one.truncated for one in kept] == ["", "length", "", "digest"]
    assert kept[0].encoding == "iso-8859-1" or kept[0].encoding == "latin-1"
    assert kept[0].url == "https://finch.example/0"
    assert kept[0].status == 200
    assert [one.offset for one in kept] == sorted({one.offset for one in kept})


def test_all_damage_of_the_archive_is_reported(archive):
    folder, manifest = archive
    found = pages(*manifest.files)
    lost = [one for one in found if one.error]
    assert len(lost) == 3
    assert {one.error for one in lost} == {"record"}
    assert len(found) - len(lost) == manifest.pages - manifest.lost
    assert folder.as_posix() in lost[0].file


def test_what_is_too_big_is_cut_one_byte_behind_the_bound(tmp_path):
    path = warc(tmp_path / "a.warc.gz", (OK, b"<p>" + b"x" * 5000, {}))
    (tmp_path / "b.html").write_bytes(b"x" * 5000)
    small = Plan(out="unused", recipe=Recipe(max_bytes=1000))
    assert [len(one.html) for one in pages(path, tmp_path / "b.html", plan=small)] == [1001, 1001]


def test_a_folder_with_files_of_all_kinds(tmp_path):
    (tmp_path / "deep").mkdir()
    for number in range(3):
        (tmp_path / "deep" / f"{number}.html").write_text(PAGE.format(number))
    warc(tmp_path / "w.warc.gz", (OK, b"<p>w", {}))
    (tmp_path / "notes.md").write_text("no page")
    found = pages(tmp_path)
    assert [one.html for one in found if one.file.endswith(".html")] == [
        PAGE.format(number).encode() for number in range(3)
    ]
    assert len(found) == 4
    with pytest.raises(OptionError, match="files end in"):
        find_shards([str(tmp_path / "notes.md")])
    with pytest.raises(OptionError, match="no such file"):
        find_shards([str(tmp_path / "nothing*.warc.gz")])
    with pytest.raises(OptionError, match="in a list"):  # not each letter of it, / among them
        find_shards(str(tmp_path / "rye.html"))
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("no address")
    with pytest.raises(OptionError, match=r"no page is in .*empty: files end in "):
        find_shards([str(tmp_path / "empty")])


def test_a_folder_and_a_file_of_a_name_that_is_a_pattern(tmp_path):
    folder = tmp_path / "b*[1]?"
    folder.mkdir()
    (folder / "p[2].html").write_text(PAGE)
    for source in (folder, folder / "p[2].html", folder.parent / "b*" / "*.html"):
        assert [one.file for one in pages(source)] == [str(folder / "p[2].html")]


def test_large_folders_are_several_shards(tmp_path):
    for number in range(FILES + 1):
        (tmp_path / f"{number:05d}.htm").touch()
    assert [len(shard.items) for shard in find_shards([str(tmp_path)])] == [FILES, 1]


MEMBERS = {f"in/{number}.html": (PAGE.format(number) * 50).encode() for number in range(3)}
ARCHIVES = ("a.zip", "a.tar", "a.tar.gz", "a.tar.xz")


def archived(path, members):
    """Write an archive of the kind that its name says."""
    kind = path.suffix[1:].replace("tar", "")
    is_zip = path.suffix == ".zip"
    path.write_bytes(zip_bytes(members) if is_zip else tar_bytes(members, f"w:{kind}"))


@pytest.mark.parametrize("name", ARCHIVES)
def test_zip_and_tar(tmp_path, name):
    archived(tmp_path / name, {**MEMBERS, "in/picture.png": b"png"})
    assert {one.member: one.html for one in pages(tmp_path / name)} == MEMBERS


def test_broken_zip_and_tar(tmp_path):
    for name in ARCHIVES:
        archived(tmp_path / name, MEMBERS)
    data = bytearray((tmp_path / "a.zip").read_bytes())
    data[60] ^= 0xFF
    (tmp_path / "a.zip").write_bytes(bytes(data))
    assert [one.error for one in pages(tmp_path / "a.zip")] == ["record", "", ""]
    (tmp_path / "none.zip").write_bytes(b"nothing")
    assert [one.error for one in pages(tmp_path / "none.zip")] == ["record"]
    whole = (tmp_path / "a.tar.gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    assert pages(tmp_path / "cut.tar.gz")[-1].error == "record"


def test_lines_and_tables(tmp_path):
    rows = [
        {"html": PAGE.format(n), "url": f"https://f.example/{n}", "status": 200} for n in range(3)
    ]
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    (tmp_path / "a.jsonl").write_bytes(lines)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines))
    (tmp_path / "a.jsonl.xz").write_bytes(lzma.compress(lines))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    binary = [{**row, "html": row["html"].encode("utf-16"), "encoding": "utf-16"} for row in rows]
    pq.write_table(pa.Table.from_pylist(binary), tmp_path / "b.parquet")
    for name in ("a.jsonl", "a.jsonl.gz", "a.jsonl.xz", "a.parquet"):
        found = pages(tmp_path / name)
        assert [(one.html.decode(), one.url, one.status, one.offset) for one in found] == [
            (row["html"], row["url"], 200, number) for number, row in enumerate(rows)
        ], name
    assert pages(tmp_path / "b.parquet")[1].encoding == "utf-16"


def test_broken_lines_and_tables(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        '{"html": "<p>x"}\nno json\n[]\n{"url": "u"}\n\n{"html": "y"}'
    )
    assert [one.error for one in pages(tmp_path / "a.jsonl")] == ["", *["record"] * 3, ""]
    whole = gzip.compress(b'{"html": "<p>x"}\n' * 99)
    (tmp_path / "b.jsonl.gz").write_bytes(whole[:-12])
    assert pages(tmp_path / "b.jsonl.gz")[-1].error == "record"
    (tmp_path / "c.parquet").write_bytes(b"PAR1 nothing PAR1")
    assert [one.error for one in pages(tmp_path / "c.parquet")] == ["record"]
    pq.write_table(pa.table({"text": ["no html"]}), tmp_path / "d.parquet")
    assert [one.detail for one in pages(tmp_path / "d.parquet")] == ["no field html or html_base64"]


@pytest.fixture
def server(tmp_path):
    """Serve a folder on 127.0.0.1."""
    with serving(files_of(tmp_path)) as log:
        yield f"http://127.0.0.1:{log.port}"


def test_a_row_of_a_table_that_is_too_large_costs_itself_alone(tmp_path):
    html = [PAGE.format(number) for number in range(12)]
    html[5] += "x" * (66 << 20)
    pq.write_table(pa.table({"html": html}), tmp_path / "a.parquet", row_group_size=4)
    found = pages(tmp_path / "a.parquet")
    assert [one.offset for one in found] == list(range(12))
    assert len(found[5].html) == Recipe().max_bytes + 1  # which is refused as too big
    rest = [one.html.decode() for one in found if one.offset != 5]
    assert rest == html[:5] + html[6:]


def test_sources_by_http(tmp_path, server):
    warc(tmp_path / "w.warc.gz", (OK, b"<p>w", {}))
    (tmp_path / "a.html").write_text("<a href=b.html>a page with links is no folder</a>")
    (archived,) = pages(f"{server}/w.warc.gz")
    assert archived.html == b"<p>w"
    (page,) = pages(f"{server}/a.html")
    assert page.file == page.url == f"{server}/a.html"
    assert page.html.startswith(b"<a")


def test_object_stores(clean_archive):
    _, manifest = clean_archive
    files = fsspec.filesystem("memory")
    for path in manifest.files:
        files.put_file(path, f"/bucket/{path.rpartition('/')[2]}")
    stored, local = pages("memory://bucket/*.warc.gz"), pages(*manifest.files)
    assert [one.html for one in stored] == [one.html for one in local]
    assert stored[0].file.startswith("memory://")
    with pytest.raises(MissingExtraError, match="pip install s3fs"):
        find_shards(["s3://bucket/x.warc.gz"])
    with pytest.raises(OptionError, match="nothing"):
        find_shards(["nothing://bucket/x.warc.gz"])


def test_the_folder_of_results_is_no_source(tmp_path):
    out = tmp_path / "out"
    (out / "pages").mkdir(parents=True)
    (tmp_path / "rye.html").write_text(PAGE)
    (out / "report.html").write_text(PAGE)
    (out / "pages" / "a.jsonl").write_text("{}")
    (tmp_path / "linked").symlink_to(out)
    (tmp_path / "linked.html").symlink_to(out / "report.html")
    for source, folder in (
        (tmp_path, out),
        (f"{tmp_path}/*.html", out),
        (f"file://{tmp_path}", f"{tmp_path}/./out/"),
        (tmp_path, tmp_path / "linked"),
    ):
        shards = find_shards([str(source)], out=str(folder))
        assert [shard.items for shard in shards] == [(str(tmp_path / "rye.html"),)], source
    for source in (out, f"{out}/*/*", tmp_path / "linked", tmp_path / "linked.html"):
        with pytest.raises(OptionError, match="the output folder"):
            find_shards([str(source)], out=str(out))
    assert find_shards([f"{tmp_path}/rye.html"], out=f"{tmp_path}/rye")
    fsspec.filesystem("memory").pipe({"/shelf/a.warc": b"", "/shelf/out/b.warc": b""})
    shards = find_shards(["memory://shelf"], out="memory://shelf/out")
    assert [shard.source for shard in shards] == ["memory:///shelf/a.warc"]


def test_shards_are_named_by_what_they_are(clean_archive):
    _, manifest = clean_archive
    shards = find_shards([*manifest.files, *manifest.files])
    assert len({shard.name for shard in shards}) == len(shards) == len(manifest.files)
    assert shards == find_shards(manifest.files)


SAVED = (
    b"From: <Saved by a browser>\r\nSnapshot-Content-Location: https://finch.example/saved\r\n"
    b'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="part"\r\n\r\n'
    b"--part\r\nContent-Type: text/html\r\n\r\n<p>A finch was saved.</p>\r\n--part--\r\n"
)


PACKED = {
    "a.mhtml": SAVED,
    "b.html.gz": gzip.compress(PAGE.format(2).encode()),
    "c.MHT.GZ": gzip.compress(SAVED),
}
WANTED = [
    ("https://finch.example/saved", "A finch was saved."),
    ("", "A finch ate 2 grains."),
    ("https://finch.example/saved", "A finch was saved."),
]


def test_web_archives_and_packed_pages_alone_and_in_folders_and_archives(tmp_path):
    (tmp_path / "pages" / "sub").mkdir(parents=True)
    paths = [tmp_path / "pages" / "sub" / name for name in PACKED]
    for path in paths:
        path.write_bytes(PACKED[path.name])
    (tmp_path / "pages" / "sub" / "d.js.gz").write_bytes(b"no page")
    for name in ("a.zip", "a.tar"):
        archived(tmp_path / name, PACKED)
    for source in ([tmp_path / "pages"], paths, [tmp_path / "a.zip"], [tmp_path / "a.tar"]):
        found = [Extraction(PLAN.recipe)(one) for one in pages(*source)]
        assert [(one["url"], one["text"]) for one in found] == WANTED, source
