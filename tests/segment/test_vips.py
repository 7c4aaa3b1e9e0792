"""VIPS: separators, structure, what a browser hides, and the example site."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch.errors import OptionError
from chaffinch.page import layout_columns, parse
from chaffinch.segment.vips import Vips


def heads(segmentation):
    return [segmentation.text(int(block)).split("\n")[0] for block in segmentation.leaves]


def test_the_heaviest_separator_is_the_top_of_the_structure():
    page = parse("<div><p>a</p><p>b</p><hr><p>c</p><p>d</p></div>")
    segmentation = Vips(pdoc=10)(page)
    assert segmentation.parent.tolist()[:3] == [-1, 0, 0]
    inner = sorted(segmentation.text(int(block)) for block in (1, 2))
    assert inner == ["a\nb", "c\nd"]
    by_parent = dict(
        zip(
            segmentation.separators.parent.tolist(),
            segmentation.separators.weight.tolist(),
            strict=True,
        )
    )
    assert by_parent[0] > by_parent[1] == by_parent[2]
    assert segmentation.doc[0] == 9 - by_parent[0]
    assert segmentation.doc[1] == 9 - by_parent[1]


def test_what_a_browser_hides_is_in_no_block():
    page = parse("<div><p>a</p><p>b</p><div><p id=x>c</p><p>d</p></div></div>")
    columns = np.full((len(page), len(layout_columns.COLUMNS)), np.nan, dtype=np.float32)
    for place, row in enumerate([r for r in range(len(page)) if page.name(r) == "#text"]):
        box = (0, 100 * place, 500, 20)
        for at in (row, int(page.parent[row])):
            columns[at, : layout_columns.FONT_SIZE] = box
    columns[page.first("#x") :, layout_columns.VISIBLE] = 0
    segmentation = Vips(pdoc=10)(replace(page, layout=columns))
    assert heads(segmentation) == ["a", "b"]
    # The divisions around them have no box; they are as big as what they hold.
    assert segmentation.rectangle[0].tolist() == [0, 0, 500, 120]


def test_the_parts_of_an_article_page_end_in_different_blocks(example_site):
    articles = [row for row in example_site if row["template"] == "article"]
    assert articles
    for row in articles:
        page = parse(row["html"].encode("latin-1"))
        segmentation = Vips()(page)
        found = [
            set(segmentation.block[start : page.end[start]].tolist()) - {-1}
            for start in (page.first(selector) for selector in PARTS[row["lang"]])
        ]
        assert all(found), row["url"]
        assert len(set().union(*found)) == sum(map(len, found)), row["url"]


PARTS = {
    "en": (".main-nav", "article", ".column-side", "footer"),
    "zh": (".menu", ".art-body", ".right", ".bottom"),
}


def test_the_degree_is_checked():
    with pytest.raises(OptionError, match="pdoc"):
        Vips(pdoc=0)
