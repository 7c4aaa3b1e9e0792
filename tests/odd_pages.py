"""Pages of odd kinds, as files, for tests that run everything on each of them."""

import gzip
import io
import json
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from embedded_pages import TEXT, shell

ARTICLE = (
    "<html lang=en><head><title>The chaffinch</title></head><body><nav><a href=/>Home</a></nav>"
    "<article><h1>The chaffinch</h1>"
    + "<p>The chaffinch is a small bird, common in Europe; its cap is blue, and its song loud.</p>"
    * 6
    + "<p>See <a href=more.html>more</a> of it.</p></article></body></html>"
)
"""A page with content."""


def warc_bytes(*pages, head=b"", url="https://finch.example/{}", status="200 OK"):
    """Return a WARC file, packed by gzip, with answers that hold the pages, which are bytes.

    ``head`` is further lines of HTTP, each with its line break.
    """
    out = io.BytesIO()
    writer = GzipWriter(out)
    for number, html in enumerate(pages):
        first = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n".encode()
        content = first + head + b"\r\n" + html
        record = WarcRecord()
        record.init_headers(WarcRecordType.response, content_length=len(content))
        record.headers["WARC-Target-URI"] = url.format(number)
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(content)
        record.write(writer)
        writer.finish()
    writer.flush()
    return out.getvalue()


def zip_bytes(pages):
    """Return a zip file of name → bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, html in pages.items():
            archive.writestr(name, html)
    return out.getvalue()


def tar_bytes(pages, mode="w:xz"):
    """Return a tar file of name → bytes."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, html in pages.items():
            info = tarfile.TarInfo(name)
            info.size = len(html)
            archive.addfile(info, io.BytesIO(html))
    return out.getvalue()


def parquet_bytes(rows):
    """Return a Parquet file of rows, which are dicts."""
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


def lines_bytes(*rows):
    """Return JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


_MHTML = (
    "From: <Saved by a browser>\r\nSnapshot-Content-Location: https://finch.example/a\r\n"
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="part"\r\n\r\n'
    f"--part\r\nContent-Type: text/html\r\n\r\n{ARTICLE}\r\n--part--\r\n"
)
_WARC = warc_bytes(ARTICLE.encode())
_GARBLED = ARTICLE.replace("small", "smäll").encode().decode("latin-1")

ODD_PAGES = {
    "embedded.html": shell({"props": {"body": TEXT}}).encode(),
    "empty.html": b"",
    "frameset.html": b"<html><title>F</title><frameset><frame src=a></frameset></html>",
    "feed.xml": b"<?xml version='1.0'?><rss version='2.0'><channel/></rss>",
    "page.pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "picture.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "binary.html": bytes(range(256)) * 40,
    "page.mhtml": _MHTML.encode(),
    "page.html.gz": gzip.compress(ARTICLE.encode()),
    "pages.jsonl": lines_bytes({"html": ARTICLE}),
    "latin-1.jsonl": lines_bytes({"html": _GARBLED}),
    "no-json.jsonl": b"<html>no JSON\n",
    "pages.warc.gz": _WARC,
    "cut.warc.gz": _WARC[:-20],
    "warc.html": _WARC,
    "pages.zip": zip_bytes({"a.html": ARTICLE}),
    "broken.zip": b"nothing",
    "pages.tar.xz": tar_bytes({"a.html": ARTICLE.encode()}),
    "pages.parquet": parquet_bytes([{"html": ARTICLE}]),
    "broken.parquet": b"PAR1 nothing PAR1",
}
"""Name of a file → its bytes."""

WHOLE = (
    "page.mhtml", "page.html.gz", "pages.jsonl", "pages.warc.gz", "pages.zip", "pages.tar.xz",
    "pages.parquet",
)  # fmt: skip
"""Those that hold `ARTICLE`."""

EMPTY = ("empty.html", "frameset.html")
"""Those that are pages without content."""

REFUSED = {
    "feed.xml": "not HTML: RSS feed",
    "page.pdf": "not HTML: PDF",
    "picture.png": "not HTML: PNG image",
    "binary.html": "not HTML: binary bytes",
    "latin-1.jsonl": "looks like bytes that were decoded as Latin-1",
    "no-json.jsonl": "not JSON",
    "cut.warc.gz": "the file ends within it",
    "warc.html": "not HTML: WARC archive",
    "broken.zip": "File is not a zip file",
    "broken.parquet": "the rest can't be read",
}
"""Those that hold no page that can be read → a part of the message."""
