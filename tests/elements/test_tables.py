"""Tables of the content: where their cells are, and every form that they are written in."""

import numpy as np
import pytest
from hypothesis import given, settings
from output_pages import content_of, contents

from chaffinch.elements.tables import aria_tables, grid
from chaffinch.output import markdown
from chaffinch.output.html import render
from chaffinch.output.table_forms import tables
from chaffinch.page import parse

SPANS = """<table><caption>Birds &amp; <i>seeds</i></caption>
<thead><tr><th rowspan=2>bird<th colspan=2>seeds<tr><th>small<th>big</thead>
<tr><td>finch<br>(common)<td>1,5<td rowspan=2>a "b"<tr><td>tit<td>2</table>"""


def one(html, **options):
    found = tables(content_of(html, **options))
    assert len(found) == 1
    return found[0]


def test_html_reads_back():
    table = one(SPANS)
    again = one(table.html())
    assert (again.texts, again.caption, again.headers) == (
        table.texts,
        table.caption,
        table.headers,
    )
    assert again.html() == table.html()


WIDE = """<p>before<table><caption>c</caption>
<tr><th colspan=3>all of it<tr><th>a<th>b<th>c<tr><td colspan=2><b>two</b> wide<td><a href=/x>x</a>
<tr><td>1<td>2<td>3</table><p>after"""


def test_markdown_is_what_the_content_has():
    content = content_of(WIDE, url="https://example.org/")
    table = tables(content)[0]
    assert table.markdown() == (
        "| all of it |  |  |\n| --- | --- | --- |\n| a | b | c |\n"
        "| **two** wide | **two** wide | [x](https://example.org/x) |\n| 1 | 2 | 3 |\n"
    )
    assert f"\n{table.markdown()}\n" in markdown.render(content)


@settings(max_examples=100)
@given(content=contents())
def test_tables_and_content_agree(content):
    whole, written = markdown.render(content), render(content)
    page = content.page
    around = page.select("pre, code, h1, h2, h3, h6, a, b, i, table, li, dl, blockquote, summary")
    for table in tables(content):
        if not any(table.row in range(row, page.end[row]) for row in around if row != table.row):
            assert table.markdown() in whole
            assert table.html() in written
        if table.kind == "definition list":
            continue
        again = tables(content_of(table.html()))
        if again or not page.attribute(table.row, "role"):  # without which one cell is no table
            assert again[0].headers == table.headers


def cells(html):
    page = parse(f"<table>{html}</table>")
    found = grid(page, page.first("table"), np.ones(len(page), dtype=bool), {})
    return found, [[page.folded(c) if c >= 0 else "" for c in line] for line in found.lines]


def test_no_page_can_ask_for_a_huge_grid():
    found, _ = cells(
        "<tr>" + "<td rowspan=65000 colspan=1000>a" * 300 + "</tr>" + "<tr><td>b</tr>" * 3000
    )
    assert sum(map(len, found.lines)) < 200_000


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


def test_made_of_divs():
    table = one(
        "<div role=table><div role=row><b role=columnheader>a</b><b role=columnheader>b</b></div>"
        "<div><div role=row><b role=cell>1</b><b role=cell>2</b></div></div></div>"
    )
    assert (table.kind, table.headers) == ("grid", 1)
    assert table.records() == [{"a": "1", "b": "2"}]
