"""The measure of fidelity, on pages whose structure is counted by hand."""

import pytest

for needed in ("apted", "markdown_it", "rapidfuzz"):
    pytest.importorskip(needed, reason="needs the group dev")
from bench.quality import fidelity  # noqa: E402  what it needs is there

URL = "https://example.org/d/p.html"
PAGE = """<h1>Grain</h1><ul><li>a<ol><li>b</ol><li>c</ul><pre><code class=language-py>x
 y</code></pre><p>Let \\(a_1\\) be <a href=/q>Q</a> <a href=#f>f</a> <img src=i/j.png?x=1>
<script type="math/tex">b^2</script><annotation encoding="application/x-tex">c</annotation></p>
<table><tr><th>u<th>v<tr><td rowspan=2>1<td>2<tr><td>3</table><table><tr><td>layout</table>"""


def test_structure():
    bags = fidelity.structure(PAGE, url=URL).bags
    assert dict(bags["heading"]) == {("h1", "grain"): 1}
    assert dict(bags["item"]) == {(1, "ul", "a"): 1, (2, "ol", "b"): 1, (1, "ul", "c"): 1}
    assert dict(bags["code language"]) == {(("x", " y"), "py"): 1}
    assert set(bags["formula"]) == {"a_1", "b^2", "c"}
    assert dict(bags["link"]) == {("https://example.org/q", "q"): 1}
    assert dict(bags["image"]) == {"j.png": 1}


def test_tables_are_compared_as_written_or_with_spans_filled():
    gold = fidelity.structure(PAGE, url=URL).tables
    assert gold == [[[["u", "v"], ["1", "2"], ["3"]], [["u", "v"], ["1", "2"], ["1", "3"]]]]
    for lines in gold[0]:
        assert fidelity.table_score(gold, [[lines, lines]]) == [1.0]
    assert fidelity.table_score(gold, []) == [0.0]
    wrong = [["u", "v"], ["1", "2"]]
    # One line and its cell are missing of a table of nine nodes.
    assert fidelity.table_score(gold, [[wrong, wrong]]) == [pytest.approx(1 - 2 / 9)]


def test_perfect_markdown_scores_one():
    page = fidelity.GoldPage(PAGE.encode(), URL, PAGE)
    figures = fidelity.measure(
        [page], {"all": fidelity.RENDERERS["chaffinch"]()}, in_container=True
    )
    own = figures["all"]
    for bag in ("heading", "item", "code", "code language", "link", "image"):
        assert fidelity.f1(own[bag])[2] == 1, bag
    assert own["table"] == [1.0]
    assert "| all |" in fidelity.report(figures, 1)
