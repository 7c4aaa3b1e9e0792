"""What is taken as a page, by everything that takes one, and what is refused with a hint."""

import gzip
import io
import lzma
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from lxml import etree
from lxml import html as lxml_html

import chaffinch
from chaffinch import OptionError, PageError
from rows_of_cases import examples

TEXT = "Rye is a grass, grown for its grain, and the chaffinch takes some of it. " * 6
HTML = f"<html><head><title>Rye</title></head><body><p>{TEXT}</p><p>Café</p></body></html>"
MHTML = (
    "From: <Saved by a browser>\r\n"
    "Snapshot-Content-Location: https://grain.example/rye\r\n"
    "Subject: Rye\r\n"
    "MIME-Version: 1.0\r\n"
    'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="--b"\r\n\r\n'
    "----b\r\nContent-Type: {kind}; charset=windows-1252\r\n"
    "Content-Transfer-Encoding: quoted-printable\r\n"
    "Content-Location: https://grain.example/rye\r\n\r\n"
    "<title>Rye</title><p>Caf=E9 =\r\nau lait\r\n"
    "----b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
    "----b--\r\n"
)
ARCHIVE = MHTML.format(kind="text/html").encode()


def written(path, data):
    path.write_bytes(data)
    return path


FORMS = {
    "text": lambda _: HTML,
    "bytes": lambda _: HTML.encode(),
    "bytearray": lambda _: bytearray(HTML.encode()),
    "memoryview": lambda _: memoryview(HTML.encode()),
    "gzip": lambda _: gzip.compress(HTML.encode()),
    "page": lambda _: chaffinch.parse(HTML),
    "path": lambda folder: written(folder / "rye.html", HTML.encode()),
    "packed path": lambda folder: written(folder / "rye.html.gz", gzip.compress(HTML.encode())),
    "binary file": lambda folder: written(folder / "rye.html", HTML.encode()).open("rb"),
    "text file": lambda folder: written(folder / "rye.html", HTML.encode()).open(encoding="utf-8"),
    "gzip file": lambda folder: gzip.open(FORMS["packed path"](folder)),  # noqa: SIM115 - closed by the test
    "bytes in memory": lambda _: io.BytesIO(HTML.encode()),
    "text in memory": lambda _: io.StringIO(HTML),
    "lxml element": lambda _: lxml_html.fromstring(HTML),
    "lxml tree": lambda _: etree.ElementTree(lxml_html.fromstring(HTML)),
    "xml.etree element": lambda _: ET.fromstring(HTML),  # noqa: S314 - our own
    "XHTML of xml.etree": lambda _: ET.fromstring(  # noqa: S314 - our own
        HTML.replace("<html", "<html xmlns='http://www.w3.org/1999/xhtml'")
    ),
}
"""Form → a page in it, in a folder where it needs one."""


@pytest.fixture(scope="module")
def site():
    pages = [chaffinch.parse(HTML, url=f"https://grain.example/{n}") for n in range(3)]
    return chaffinch.Site.learn(pages)


READERS = {
    "parse": lambda given, _: chaffinch.parse(given).text_of(0),
    "extract": lambda given, _: chaffinch.extract(given).text,
    "sibling": lambda given, _: chaffinch.extract(
        HTML.replace("Rye", "Oats"), method="layout_similarity", siblings=[given]
    ).page.text_of(0) + " Rye",
    "extract_many": lambda given, _: next(iter(chaffinch.extract_many([given]))).text,
    "compare": lambda given, _: chaffinch.compare(given, methods=["learned"]).page.text_of(0),
    "Site.learn": lambda given, _: chaffinch.Site.learn([given]).extract(HTML).text,
    "Site.extract": lambda given, site: site.extract(given).text,
    "is_readable": lambda given, _: TEXT if chaffinch.is_readable(given) else "",
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("reader", READERS)
def test_every_form_is_read_by_everything_that_takes_a_page(reader, form, tmp_path, site):
    given = FORMS[form](tmp_path)
    assert "Rye is a grass" in READERS[reader](given, site) or reader == "sibling"
    if hasattr(given, "close"):
        given.close()


def test_every_form_is_sent_to_workers(tmp_path):
    given = {}
    for form, make in FORMS.items():
        folder = tmp_path / form
        folder.mkdir()
        given[form] = make(folder)
    given["none"] = tmp_path / "none.html"
    found = dict(zip(given, chaffinch.extract_many(given.values(), workers=2), strict=True))
    assert isinstance(found.pop("none"), PageError)
    assert {one.text.split(",")[0] for one in found.values()} == {"Rye is a grass"}
    for one in given.values():
        if hasattr(one, "close"):
            one.close()


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("https://grain.example/rye", "is a URL, not a page: chaffinch.load"),
        (" HTTP://grain.example/?a=b \n", "is a URL"),
        ("file:///tmp/rye.html", "is a URL"),
        ("story.html", r"is the name of a file, not a page: give pathlib.Path\('story.html'\)"),
        ("/a/b/story.xhtml", "is the name of a file"),
        ("saved.mhtml", "is the name of a file"),
        ("C:\\pages\\story.HTM", "is the name of a file"),
        ("a.html.gz", "is the name of a file"),
        (None, "not NoneType"),
        (3, "not int"),
        ([HTML], "not list"),
        (Path, "not type"),
    ],
)
def test_what_cant_be_meant_is_refused(reader, given, hint, site):
    with pytest.raises(OptionError, match=hint):
        READERS[reader](given, site)


@pytest.mark.parametrize("pages", ["abc", b"abc", HTML, Path("a"), chaffinch.parse(HTML), {}, 3])
def test_one_page_isnt_several(pages):
    for call in (chaffinch.extract_many, chaffinch.Site.learn):
        with pytest.raises(OptionError, match="several pages"):
            call(pages)
    with pytest.raises(OptionError, match="several pages"):
        chaffinch.extract(HTML, method="layout_similarity", siblings=pages)


@pytest.mark.parametrize(
    "html", [ARCHIVE, ARCHIVE.replace(b"\r\n", b"\n"), gzip.compress(ARCHIVE)], ids=len
)
def test_a_web_archive_is_the_page_in_it(html, tmp_path):
    path = written(tmp_path / "rye.mhtml", html)
    for page in (chaffinch.parse(html), chaffinch.parse(path), chaffinch.load(path)):
        assert page.text_of(page.body).split("\n")[0] in {"Café au lait", "Café au lait\r"}
        assert page.url == "https://grain.example/rye"
        assert page.encoding == "windows-1252"
    assert chaffinch.parse(html, url="https://a.example/").url == "https://a.example/"


def test_a_web_archive_without_a_page():
    with pytest.raises(PageError, match="MHTML without a page"):
        chaffinch.parse(MHTML.format(kind="text/plain").encode())


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"\xff\xd8\xff\xe0", "JPEG image"),
        (lzma.compress(b"<p>a"), "xz-compressed"),
        (b'<?xml version="1.0"?>\n<!-- a -->\n<rss version="2.0"><channel/></rss>', "RSS feed"),
        ('<?xml version="1.0"?><rss><channel/></rss>'.encode("utf-16"), "RSS feed"),
        (b'\xef\xbb\xbf<feed xmlns="http://www.w3.org/2005/Atom">', "Atom feed"),
        (b'<rdf:RDF xmlns="http://purl.org/rss/1.0/">', "RSS feed"),
        (b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">', "site map"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "SVG image"),
    ],
)
def test_what_is_no_page_is_named(data, kind, tmp_path):
    path = written(tmp_path / "page", data)
    for call in (chaffinch.parse, chaffinch.extract, chaffinch.compare):
        for given in (data, path):
            with pytest.raises(PageError, match=f"not HTML: {kind}"):
                call(given)
    for given in (path, str(path)):
        with pytest.raises(PageError, match=f"not HTML: {kind}"):
            chaffinch.load(given)


@pytest.mark.parametrize("html", examples(__file__, "pages that hold other markup are pages"))
def test_pages_that_hold_other_markup_are_pages(html):
    assert "Rye" in chaffinch.parse(html).text


def test_what_cant_be_read(tmp_path):
    closed = io.BytesIO(b"<p>a")
    closed.close()
    with pytest.raises(OptionError, match="closed"):
        chaffinch.parse(closed)
    for path in (tmp_path / "none.html", tmp_path, Path("a\0b")):
        with pytest.raises(PageError, match="can't be read"):
            chaffinch.parse(path)
    with (
        written(tmp_path / "a.html", b"\xff<p>").open(encoding="utf-8") as file,
        pytest.raises(PageError, match="open it in binary"),
    ):
        chaffinch.parse(file)
    few = chaffinch.Limits(max_bytes=10)
    for given in (io.StringIO(HTML), io.BytesIO(HTML.encode()), FORMS["path"](tmp_path)):
        with pytest.raises(PageError, match="too big"):
            chaffinch.parse(given, limits=few)
