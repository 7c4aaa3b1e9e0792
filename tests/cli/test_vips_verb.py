"""``chaffinch explain --blocks vips``: the tree of visual blocks as text, JSON and picture."""

import json
import xml.etree.ElementTree as ET

import pytest

import chaffinch
from chaffinch.segment.vips import Vips


@pytest.fixture
def article(example_site, tmp_path):
    row = next(row for row in example_site if row["template"] == "article")
    path = tmp_path / "article.html"
    path.write_bytes(row["html"].encode("latin-1"))
    return path


def test_json_is_the_segmentation(run, article):
    page = chaffinch.parse(article.read_bytes())
    found = Vips()(page)
    values = json.loads(run("explain", "--blocks", "vips", article, "-f", "json").stdout)
    assert values["rendered"] is False
    assert [one["doc"] for one in values["blocks"]] == found.doc.tolist()
    assert [one["parent"] for one in values["blocks"]] == [None, *found.parent[1:].tolist()]
    assert [one["block"] for one in values["blocks"] if one["leaf"]] == sorted(
        found.leaves.tolist()
    )
    assert len(values["separators"]) == len(found.separators)
    for one in values["blocks"]:
        assert one["rows"] == found.roots(one["block"]).tolist()
        for selector, row in zip(one["selectors"], one["rows"], strict=True):
            element = row if page.tag[row] else page.parent[row]
            assert page.first(selector) == element
        assert bool(one["text"]) <= one["leaf"]


def test_the_picture_holds_each_leaf(run, article, tmp_path):
    out = tmp_path / "out.svg"
    assert run("explain", "--blocks", "vips", article, "--picture", out).exit_code == 0
    drawn = ET.parse(out).getroot()  # noqa: S314  our own file
    found = Vips()(chaffinch.parse(article.read_bytes()))
    space = "{http://www.w3.org/2000/svg}"
    assert len(drawn.findall(f"{space}rect")) == 1 + len(found.leaves)
    assert len(drawn.findall(f"{space}line")) == len(found.separators)


@pytest.mark.parametrize("page", ["", "<p>", "<p hidden>x</p>", "<title>x</title>"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_pages_without_blocks(run, tmp_path, page, form):
    path, out = tmp_path / "a.html", tmp_path / "a.svg"
    path.write_text(page)
    result = run("explain", "--blocks", "vips", path, "-f", form, "--picture", out)
    found = Vips()(chaffinch.parse(page))
    assert result.exit_code == (0 if len(found) else 3)
    assert ET.parse(out).getroot() is not None  # noqa: S314  our own file


def test_pictures_are_xml_whatever_the_page_holds(run, tmp_path):
    path, out = tmp_path / "a.html", tmp_path / "a.svg"
    path.write_text("<p>a\x0c&#1;\x1b[2J &lt;script&gt; ]]&gt; \ufffe &amp;</p>" * 3)
    result = run("explain", "--blocks", "vips", path, "--picture", out)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "script" in "".join(ET.parse(out).getroot().itertext())  # noqa: S314  our own file
