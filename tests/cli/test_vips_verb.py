"""``chaffinch explain --blocks vips``: the tree of visual blocks as text and JSON."""

import json

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


@pytest.mark.parametrize("page", ["", "<p>", "<p hidden>x</p>", "<title>x</title>"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_pages_without_blocks(run, tmp_path, page, form):
    path = tmp_path / "a.html"
    path.write_text(page)
    result = run("explain", "--blocks", "vips", path, "-f", form)
    found = Vips()(chaffinch.parse(page))
    assert result.exit_code == (0 if len(found) else 3)
