"""Fields of one's own by their labels, in the forms in which pages write them."""

import json
import lzma
import os
from pathlib import Path

import pytest

from chaffinch import OptionError, extract
from chaffinch.metadata.values import fold

TEXT = "<p>It opens a furrow, drops one seed at a time and covers it again, all in one go.</p>"
PAGES = [
    # page, what is wanted, value, form
    ("<table><tr><th>Weight:</th><td>6.4 kg</td></tr></table>", "Weight", "6.4 kg", "table"),
    ("<table><tr><td>品牌</td><td>河湾</td><td>产地</td><td>安徽</td></tr></table>", "产地", "安徽",
     "table"),
    ("<dl><dt>Verlag</dt><dd>Kornhaus</dd><dt>Seiten</dt><dd>320</dd></dl>", "Seiten", "320",
     "terms"),
    ("<dl><dt>Editor<dd>A. Marsh<dd>B. Lee</dl>", "editor", "A. Marsh", "terms"),
    ("<p>作者：李明　出版社：人民出版社　ISBN：978-7-02-000001-2</p>", "出版社", "人民出版社",
     "line"),
    ("<p><b>Salary</b>: 2,900 € a month | <b>Place</b>: Bonn</p>", "salary", "2,900 € a month",
     "line"),
    ("<div>Площадь : 54 м²<br>Этаж: 3 из 9</div>", "Этаж", "3 из 9", "line"),
    ("<p>الناشر: دار النهر</p>", "الناشر", "دار النهر", "line"),
    ("<ul><li><span>Pages</span> <span>210</span><li><span>Format</span> <span>A5</span></ul>",
     "Format", "A5", "pair"),
    ("<div class=r><i>間取り</i><b>2LDK</b></div><div class=r><i>築年数</i><b>12年</b></div>",
     "間取り", "2LDK", "pair"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "label", "value", "form"), PAGES)
def test_value_beside_a_label(html, label, value, form):
    found = extract(f"<h1>A page</h1>{TEXT}{html}{TEXT}").fields([f"own={label}"])["own"]
    assert (found.value, found.source.partition(":")[0]) == (value, form)


@pytest.mark.parametrize(
    "html",
    [
        "<p>We met at 10:30 and spoke until noon.</p>",
        "<p>See https://example.org/Weight: it is long.</p>",
        "<div><span>Weight</span> <span>6 kg</span></div>",  # one pair alone is no list of them
        "<h2>Weight</h2><p>It is six kilos.</p>",
        f"<p>Weight: {'very ' * 120}heavy</p>",
    ],
)
def test_what_is_no_label(html):
    assert extract(f"{TEXT}{html}").fields(["Weight", "at 10"]) == {}


def test_values_of_the_content_come_first_and_names_keep_their_order():
    page = (
        "<aside><p>Publisher: Somebody Else</p></aside><article><h1>Birds of the field</h1>"
        + TEXT * 3
        + "<p>Publisher: North Press</p>"
        + TEXT
        + "</article>"
    )
    found = extract(page).fields({"house": ["Verlag", "PUBLISHER"], "none": "ISBN"})
    assert {name: one.value for name, one in found.items()} == {"house": "North Press"}
    record = extract(page).to_dict(fields=["house=Publisher"])
    assert record["fields"]["house"]["source"] == "line:Publisher"
    assert "fields" not in extract(page).to_dict()


@pytest.mark.parametrize("wanted", ["ISBN", ["="], ["a="], [3], {"": "x"}, {"a": []}, {"a": [""]}])
def test_wrong_fields(wanted):
    with pytest.raises(OptionError):
        extract(TEXT).fields(wanted)


def test_fields_of_a_shop_for_books():
    """Publisher, number and date of all pages of the one site that is labelled with them."""
    shared = Path(os.environ.get("CHAFFINCH_CORPORA") or Path(__file__).parents[3] / "shared")
    path = shared / "sites" / "booksamillion.jsonl.xz"
    if not path.exists():
        pytest.skip(f"NO SITES: {path} isn't there; set CHAFFINCH_CORPORA")
    wanted = ["isbn_13=ISBN-13", "publisher=Publisher", "publication_date=Date"]
    with lzma.open(path, "rt") as lines:
        for row in map(json.loads, lines):
            found = extract(row["html"].encode("latin-1"), url=row["url"]).fields(wanted)
            for name, one in found.items():
                assert fold(one.value) == fold(row["attributes"][name][0])
            assert len(found) == len(wanted)
