"""The kind of a page, by information blocks in three scripts and by anchor blocks."""

import pytest

from chaffinch import parse
from chaffinch.methods import AnchorBlocks, InformationBlocks
from rows_of_cases import examples

SENTENCE = {
    "en": "The mill stood by the river for a hundred years, and nobody knew who had built it.",
    "zh": "磨坊在河边立了一百年，谁也不知道是谁建造的。水涨的时候，水车被吊起来。",
    "ar": "وقفت الطاحونة عند النهر مئة عام، ولم يعرف أحد من بناها، ونام الطحان في العلية.",
}


@pytest.mark.parametrize("sentence", SENTENCE.values(), ids=SENTENCE)
@pytest.mark.parametrize(
    ("kind", "unit"),
    [
        ("topic", "<p>{0}</p><p>{0}</p>"),
        ("table", "<table><tr><th>1</th><td>{1}</td></tr><tr><th>2</th><td>5</td></tr></table>"),
        ("directory", "<div><a href=/1>{0}</a> {1}</div>"),
        ("image", "<div>{1}<img src=a width=640 height=480><img src=b width=640 height=480></div>"),
    ],
)
def test_the_kind_of_page_is_the_form_of_most_of_it(kind, unit, sentence):
    inner = "".join(unit.format(sentence, sentence[:8]) for _ in range(6))
    page = parse(f"<div><a href=/>Home</a></div><div><h1>T</h1><p>{sentence}</p>{inner}</div>")
    assert InformationBlocks()(page).page_type == kind


@pytest.mark.parametrize(("html", "kind"), examples(__file__, "kind of a page"))
def test_kind_of_a_page_by_anchor_blocks(html, kind):
    assert AnchorBlocks()(parse(html)).page_type == kind
