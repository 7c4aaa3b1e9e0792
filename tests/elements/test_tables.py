"""Tables of the content: where their cells are, and every form that they are written in."""

import csv
import io

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from output_pages import content_of, contents, texts

from chaffinch.cli import main
from chaffinch.elements.tables import aria_tables, grid, shows_data
from chaffinch.output import markdown
from chaffinch.output.html import render
from chaffinch.output.table_forms import tables
from chaffinch.page import parse

READER = MarkdownIt("commonmark").enable("table")
SPANS = """<table><caption>Birds &amp; <i>seeds</i></caption>
<thead><tr><th rowspan=2>bird<th colspan=2>seeds<tr><th>small<th>big</thead>
<tr><td>finch<br>(common)<td>1,5<td rowspan=2>a "b"<tr><td>tit<td>2</table>"""


def one(html, **options):
    found = tables(content_of(html, **options))
    assert len(found) == 1
    return found[0]


def test_spans_headers_and_caption():
    table = one(SPANS)
    assert (table.kind, table.caption, table.headers) == ("table", "Birds & seeds", 2)
    assert table.texts == [
        ["bird", "seeds", "seeds"],
        ["bird", "small", "big"],
        ["finch\n(common)", "1,5", 'a "b"'],
        ["tit", "2", 'a "b"'],
    ]
    bird, seeds, _ = table.cells[0]
    assert (bird.height, bird.width, bird.is_header) == (2, 1, True)
    assert (seeds.height, seeds.width) == (1, 2)
    assert table.cells[3][2] is table.cells[2][2]


def test_records_by_joined_headers():
    first, second = one(SPANS).records()
    assert first == {"bird": "finch\n(common)", "seeds small": "1,5", "seeds big": 'a "b"'}
    assert second["seeds big"] == 'a "b"'


def test_groups_of_a_definition_list():
    table = one("<dl><dt>a<dt>b<dd>1<dd>2<dt>c<dd>3<dt>d</dl>")
    assert table.kind == "definition list"
    assert table.texts == [["a", "1"], ["a", "2"], ["b", "1"], ["b", "2"], ["c", "3"]]
    assert table.records() == [{"a": "1\n2", "b": "1\n2", "c": "3"}]
    assert table.html() == (
        "<dl><dt>a</dt>\n<dt>b</dt>\n<dd>1</dd>\n<dd>2</dd>\n"
        "<dt>c</dt>\n<dd>3</dd>\n<dt>d</dt>\n</dl>\n"
    )


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


cells = st.tuples(
    st.sampled_from(
        ["td", "td", "th", "td colspan=2", "td rowspan=3", "th rowspan=0", "td colspan=x"]
    ),
    texts | st.just(""),
).map(lambda pair: f"<{pair[0]}>{pair[1]}")
grids = st.lists(st.lists(cells, max_size=4), min_size=1, max_size=4).map(
    lambda lines: "<table role=table>" + "".join(f"<tr>{''.join(line)}" for line in lines)
)


@settings(max_examples=150)
@given(html=grids)
def test_promises_of_every_grid(html):
    for table in tables(content_of(html)):
        assert len({len(line) for line in table.cells}) == 1
        assert list(csv.reader(io.StringIO(table.csv(defused=False)))) == table.texts
        read = list(csv.reader(io.StringIO(table.csv())))
        assert [[cell.removeprefix("'") for cell in line] for line in read] == (
            [[text.removeprefix("'") for text in line] for line in table.texts]
        )
        assert len(set(table.names)) == len(table.names) == len(table.cells[0])
        records = table.records()
        if len(records) > 1:
            assert all(list(record) == table.names for record in records)
        lines = [token for token in READER.parse(table.markdown()) if token.type == "tr_open"]
        assert len(lines) >= len(table)


def test_command_writes_tables_as_csv(tmp_path):
    page = tmp_path / "page.html"
    words = "<p>" + "The finch eats seeds, and the tit eats what is left of them. " * 20 + "</p>"
    page.write_text(f"<main>{words}{SPANS}<dl><dt>size<dd>7 cm</dl></main>")
    result = CliRunner().invoke(main, ["extract", str(page), "--format", "csv", "--keep", "main"])
    assert result.exit_code == 0
    tables_of_page = result.stdout.rstrip("\n").split("\n\n")
    read = [list(csv.reader(io.StringIO(part))) for part in tables_of_page]
    assert [len(lines) for lines in read] == [4, 1]
    assert read[1] == [["size", "7 cm"]]


def cells(html):
    page = parse(f"<table>{html}</table>")
    found = grid(page, page.first("table"), np.ones(len(page), dtype=bool))
    return found, [[page.folded(c) if c >= 0 else "" for c in line] for line in found.lines]


def test_no_page_can_ask_for_a_huge_grid():
    found, _ = cells(
        "<tr>" + "<td rowspan=65000 colspan=1000>a" * 300 + "</tr>" + "<tr><td>b</tr>" * 3000
    )
    assert sum(map(len, found.lines)) < 200_000


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
