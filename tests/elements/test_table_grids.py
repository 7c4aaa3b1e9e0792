import numpy as np
import pytest

from chaffinch.elements.tables import aria_tables, grid, shows_data
from chaffinch.page import parse


def cells(html):
    page = parse(f"<table>{html}</table>")
    found = grid(page, page.first("table"), np.ones(len(page), dtype=bool))
    return found, [[page.folded(c) if c >= 0 else "" for c in line] for line in found.lines]


@pytest.mark.parametrize(
    ("html", "headers", "lines"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d", 1, [["a", "b"], ["c", "d"]]),
        ("<tr><td>a<td>b<tr><th>c<td>d", 0, [["a", "b"], ["c", "d"]]),
        ("<thead><tr><td>a<tr><td>b</thead><tr><th>c", 2, [["a"], ["b"], ["c"]]),
        (
            "<tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td rowspan=9>d<tr><td>e<td>f",
            0,
            [["a", "b", "b"], ["a", "c", "d"], ["e", "f", "d"]],
        ),
        ("<tr><td>a<td rowspan=2>b<tr><td>c", 0, [["a", "b"], ["c", "b"]]),
        ("<tr><td>a<td>b<td rowspan=2>c<tr><td>d", 0, [["a", "b", "c"], ["d", "", "c"]]),
        ("<tr><td rowspan=0 colspan=x>a<td>b", 0, [["a", "b"]]),
    ],
)
def test_grid(html, headers, lines):
    found, texts = cells(html)
    assert texts == lines
    assert (found.headers, found.width) == (headers, max(map(len, lines)))


def test_caption_and_dropped_rows():
    page = parse("<table><caption>a</caption><tr><td>b<tr><td>c</table>")
    shown = np.ones(len(page), dtype=bool)
    shown[page.select("tr")[0] :] = False
    shown[page.select("tr")[1] :] = True
    found = grid(page, page.first("table"), shown)
    assert page.folded(found.caption) == "a"
    assert [[page.folded(c) for c in line] for line in found.lines] == [["c"]]


def test_no_page_can_ask_for_a_huge_grid():
    found, _ = cells(
        "<tr>" + "<td rowspan=65000 colspan=1000>a" * 300 + "</tr>" + "<tr><td>b</tr>" * 3000
    )
    assert sum(map(len, found.lines)) < 200_000


@pytest.mark.parametrize(
    ("html", "data"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", True),
        ("<table><tr><td>a<td>b</table>", False),
        ("<table><tr><td>a<tr><td>b</table>", False),
        ("<table><tr><th>a<tr><td>b</table>", True),
        ("<table role=presentation><tr><th>a<th>b</table>", False),
        ("<table role=grid><tr><td>a</table>", True),
        (f"<table><tr><td><h2>a</h2>{'b' * 300}<td>b<tr><th>c<td>d</table>", False),
        ("<table><tr><td><h3>a</h3><td>b<tr><th>c<td>d</table>", True),
        ("<table><tr><th colspan=2><h3>a</h3><tr><td>b<td>c</table>", True),
        ("<table role=navigation><tr><th>a<th>b</table>", False),
        ("<table><tr><th><a href=x>a</a><td><a href=y>b</a></table>", False),
        ("<table><thead><tr><td>a</thead><tr><td>b</table>", False),
        ("<table><thead><tr><td>a<td>b</thead></table>", True),
        ("<table>" + f"<tr><td>a<td>{'b ' * 150}" * 3 + "</table>", True),
        ("<table>" + f"<tr><td>a<td>{'b ' * 150}" * 2 + "</table>", False),
        ("<table>" + "<tr><td>a<td><td>" * 2 + "</table>", False),
        ("<table><tr><td>a<td>b<tr><td><pre>c</pre><td>d</table>", False),
        ("<table><caption>x<tr><td>b</table>", True),
        ("<table><tr><td>a<td><table><tr><th>b</table><tr><td>c<td>d</table>", False),
        (f"<table><tr><td>{'word ' * 99}<td>b<tr><td>c<td>d</table>", False),
    ],
)
def test_data_tables(html, data):
    page = parse(html)
    assert bool(shows_data(page)[page.first("table")]) is data


ARIA = """<div role=table><div role=caption>c</div><div role=rowgroup><div role=row>
<span role=columnheader>a</span><div class=x><span role=columnheader aria-colspan=2>b</span></div>
</div></div><section><div role=row><span role=rowheader>d</span><span role=cell>e</span>
<span role=gridcell>f</span></div></section></div>"""


def test_tables_made_of_divs():
    page = parse(ARIA)
    table = page.first("[role=table]")
    found = grid(page, table, np.ones(len(page), dtype=bool))
    assert page.folded(found.caption) == "c"
    assert [[page.folded(c) for c in line] for line in found.lines] == [list("abb"), list("def")]
    assert (found.headers, len(found.named)) == (1, 3)
    assert shows_data(page)[table]


@pytest.mark.parametrize(
    "html",
    [
        "<div role=table><span role=cell>a</span></div>",
        "<div role=table><div role=row>a</div></div>",
        "<div role=grid><div role=row><div role=cell><table><tr><td>a</table></div></div></div>",
        "<div role=row><span role=cell>a</span></div>",
        "<table role=grid><tr role=row><td role=gridcell>a</table>",
    ],
)
def test_roles_that_make_no_table(html):
    assert "td" not in aria_tables(parse(html)).values()
