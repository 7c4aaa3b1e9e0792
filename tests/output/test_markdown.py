"""What is written is read back by a Markdown parser that knows nothing of the writer."""

import numpy as np
import pytest
from hypothesis import given, settings
from markdown_reader import READER, bare, outline, written
from output_pages import content_of, contents

from chaffinch.elements.code import code_rows
from chaffinch.elements.tables import shows_data
from chaffinch.errors import OptionError
from chaffinch.output import html, markdown, tei, text
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse, tags
from time_growth import is_linear

NASTY = [
    "1. not a list", "12) not", "# not heading", "###### x", "#", "***", "* * *", "---", "- - -",
    "___", "- x", "+ x", "-", "> no quote", "===", "<script>alert(1)</script>", "</p>",
    "<!-- x -->",
    "<?php", "a | b", "| --- | --- |", "--|--", ":--", "`code`", "``", "```", "~~~", "~~no~~",
    "~a~",
    "ends with \\", "\\", "\\*x\\*", "C:\\dir\\x", "[x](y)", "[x]: http://e.org", "[x][y]",
    "[^1]: n",
    "[ ] todo", "![x](y)", "*a*", "**a**", "_a_", "__init__", "snake_case_name", "2 * 3 * 4",
    "2*3*4",
    "&amp;", "&copy;", "&#65;", "AT&T", "a < b > c", "a<b", "<http://e.org>", "<a@b.org>", "1.",
    "1)",
    "a\u00a0b", "$x_1$", "=", "x  y", "!", "a]b[c", "](", "[[x]]", "(1)", "–", "\ufeffx",
]  # fmt: skip


FRAMES = [
    "<p>{}</p>",
    "<p>x<br>{}<br>y</p>",
    "<ul><li>{}</li></ul>",
    "<h2>{}</h2>",
    "<blockquote>{}</blockquote>",
    "<p><b>{}</b></p>",
    "<p>x<i>{}</i>y</p>",
    "<p><span>{}</span><a href=/u>{}</a>{}</p>",
    "<table><tr><th>h<th>k<tr><td>{}<td>x</table>",
    "<dl><dt>{}<dd>{}</dl>",
    "<p><code>{}</code></p>",
    "<pre>{}</pre>",
    "<p><del>{}</del>x<sup>{}</sup></p>",
    "<p><img src=i.png alt=x>{}</p>",
    "<table><caption>{}</caption><tr><th>h<th>k<tr><td>a<td>x</table>",
]


@pytest.mark.parametrize("raw", NASTY)
def test_nasty_text_reads_as_itself(raw):
    for frame in FRAMES:
        html = frame.replace("{}", raw.replace("&", "&amp;").replace("<", "&lt;"))
        source = written(html)
        read = READER.render(source)
        assert bare(parse(read).text) == bare(text.render(content_of(html))), source
        plain = [name for _, name, _ in outline(written(frame.replace("{}", "x")))]
        assert [name for _, name, _ in outline(source)] == plain, source


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("links", "**a** b\n\n| c | d |\n| --- | --- |\n| e | f |\n"),
        ("emphasis", "a [b](https://example.org/x)\n\n| c | d |\n| --- | --- |\n| e | f |\n"),
        ("tables", "**a** [b](https://example.org/x)\n\nc\n\nd\n\ne\n\nf\n"),
    ],
)
def test_options(option, expected):
    html = "<b>a</b> <a href=/x>b</a><table><tr><th>c<th>d<tr><td>e<td>f</table>"
    assert written(html, **{option: False}) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("markdown", "a x_1 b y c {z}\n\n`\\(k\\)`\n"),
        ("html", "<p>a x_1 b y c {z}</p>\n<p><code>\\(k\\)</code></p>"),
        ("tei", "<p>a x_1 b y c {z}</p>"),
    ],
)
def test_formulas_as_text(form, expected):
    content = content_of(
        "<p>a <script type='math/tex'>x_1</script> b \\(y\\) c $${z}$$<p><code>\\(k\\)</code>"
    )
    told = {"markdown": markdown, "html": html, "tei": tei}[form].render(
        content, options=OutputOptions(formulas=False)
    )
    assert expected in told.replace("\\_", "_")
    assert "<formula" not in told


def test_unknown_options():
    with pytest.raises(OptionError, match="known: links, images"):
        OutputOptions.of(None, {"link": True})
    assert OutputOptions.of(None, {"links": False}) == OutputOptions(links=False)


def test_without_images():
    assert (
        written("<p>a<img src=i.png alt=x>b<a href=/u><img src=i.png></a>", images=False) == "ab\n"
    )


NOT_IN_ORDER = (
    "[colspan], [rowspan], rt, :is(thead, tbody, tfoot) ~ caption,"
    " [role=table] :is(pre, h1, h2, h3, h4, h5, h6)"
)
"""What Markdown repeats or writes elsewhere: spans, captions behind rows or of other elements."""


@settings(max_examples=400)
@given(contents())
def test_any_page_reads_back(content):
    page = content.page
    rows = np.arange(len(page))
    moved = page.select(NOT_IN_ORDER)
    if len(moved) and content.kept[moved].any():
        return
    source = markdown.render(content)
    tokens = READER.parse(source)
    read = parse(READER.render(source))
    assert bare(read.text) == bare(text.render(content)), source
    data = [r for r in page.select("table").tolist() if shows_data(page)[r]]
    flat = page.inside(np.isin(rows, data))
    headings = tags.HEADING[page.tag]
    broken = page.total(tags.BREAK[page.tag]) > 0
    sources = tags.PREFORMATTED[page.tag] | (page.is_tag("code") & broken)
    expected = [
        int(page.name(row)[1])
        for row in np.flatnonzero(headings & content.kept & ~flat).tolist()
        if not any(headings[a] or sources[a] for a in page.ancestors(row)) and _says(content, row)
    ]
    assert [int(t.tag[1]) for t in tokens if t.type == "heading_open"] == expected, source
    count = sum(
        not any(headings[a] or sources[a] for a in page.ancestors(row))
        and _says(content, row, images=False)
        for row in np.flatnonzero(sources & content.kept & ~flat).tolist()
    )
    assert sum(t.type == "fence" for t in tokens) == count, source
    assert not any(t.type in ("html_block", "code_block") for t in tokens), source
    inline = [child for token in tokens for child in token.children or ()]
    raw = {child.content for child in inline if child.type == "html_inline"}
    assert raw <= {"<sub>", "</sub>", "<sup>", "</sup>", "<br>"}, source
    for kind, name in (("link_open", "href"), ("image", "src")):
        known = {
            "https://example.org/l(1)",
            "https://example.org/block",
            "https://example.org/i.png",
        }
        assert {child.attrs[name] for child in inline if child.type == kind} <= known, source


def _says(content, row, *, images=True):
    """Tell whether something is written in the kept part of a subtree, copy buttons aside."""
    page = content.page
    inner = np.arange(row, page.end[row])
    pictures = np.isin(inner, page.select("img[src]")) & images
    told = content.kept & ~code_rows(page).left_out
    return bool((told[inner] & (page.written[inner] | pictures)).any())


@pytest.mark.parametrize("part", ["-", "- ", "=", "#", "|", ": ", "1", "&a", "`"])
def test_a_line_of_signs_takes_linear_time(part):
    def content(size):
        return content_of(f"<p>{part * (size // len(part))}a</p>")

    assert is_linear(markdown.render, content)
