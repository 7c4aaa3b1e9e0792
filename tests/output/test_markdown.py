"""What is written is read back by a Markdown parser that knows nothing of the writer."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from output_pages import content_of, contents

from chaffinch.elements.code.code_rows import code_rows
from chaffinch.elements.tables.data_tables import shows_data
from chaffinch.errors import OptionError
from chaffinch.output import html, markdown, tei, text
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse, tags
from time_growth import is_linear

READER = MarkdownIt("commonmark", {"maxNesting": 2000}).enable(["table", "strikethrough"])


def written(html, **options):
    options = OutputOptions(**options)
    return markdown.render(content_of(html, url="https://example.org/d/p.html"), options=options)


def bare(source):
    return re.sub(r"\s+", "", source)


def outline(source):
    """The read-back structure: nested names of blocks, as (depth, name, text)."""
    out = []
    depth = 0
    for token in READER.parse(source):
        depth += min(token.nesting, 0)
        if token.type == "inline":
            name, _ = out[-1][1], out.pop()
            out.append((depth - 1, name, _words(token)))
        elif token.nesting == 1 and token.type not in ("thead_open", "tbody_open"):
            out.append((depth, token.tag, ""))
        elif token.nesting == 0:
            out.append((depth, token.tag, token.content))
        depth += max(token.nesting, 0)
    return out


def _words(token):
    return "".join(
        "\n" if child.type == "hardbreak" else child.content
        for child in token.children
        if child.type != "html_inline"
    )


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
    "a\u00a0b", "$x_1$", "=", "x  y", "!", "a]b[c", "](", "[[x]]", "(1)", "–", "• x", "\ufeffx",
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


CASES = {
    "headings": (
        "<h1>a</h1><h3>b <b>c</b></h3><h2></h2><h6>d<br>e</h6>",
        [(0, "h1", "a"), (0, "h3", "b c"), (0, "h6", "d e")],
    ),
    "nested lists": (
        "<ul><li>a<ol start=3><li>b<li>c<ul><li>d</ul></ol><li>e</ul>",
        [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "ol", ""), (3, "li", ""), (4, "p", "b"),
         (3, "li", ""), (4, "p", "c"), (4, "ul", ""), (5, "li", ""), (6, "p", "d"), (1, "li", ""),
         (2, "p", "e")],
    ),
    "list in list without item": (
        "<ul><li>a<ul><li>b</ul></ul><ul><li>a</li><ul><li>b</ul></ul>",
        [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "ul", ""), (3, "li", ""), (4, "p", "b"),
         (0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "ul", ""), (3, "li", ""), (4, "p", "b")],
    ),
    "paragraphs and code in an item": (
        "<ol><li><p>a<p>b<pre>c\n\n  d</pre><li>e</ol>",
        [(0, "ol", ""), (1, "li", ""), (2, "p", "a"), (2, "p", "b"), (2, "code", "c\n\n  d\n"),
         (1, "li", ""), (2, "p", "e")],
    ),
    "lists side by side": (
        "<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>",
        [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (0, "ul", ""), (1, "li", ""), (2, "p", "b"),
         (0, "ol", ""), (1, "li", ""), (2, "p", "c"), (0, "ol", ""), (1, "li", ""), (2, "p", "d")],
    ),
    "list without an item in an item": (
        "<ul><li>a<ul>b</ul></ul>",
        [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "p", "b")],
    ),
    "item of a list only": (
        "<ul><li><ul><li>a</ul></ul>",
        [(0, "ul", ""), (1, "li", ""), (2, "ul", ""), (3, "li", ""), (4, "p", "a")],
    ),
    "quotes": (
        ("<blockquote>a<blockquote><ul><li>b</ul></blockquote></blockquote>"
        "<blockquote>c</blockquote><p>d"),
        [(0, "blockquote", ""), (1, "p", "a"), (1, "blockquote", ""), (2, "ul", ""), (3, "li", ""),
         (4, "p", "b"), (0, "blockquote", ""), (1, "p", "c"), (0, "p", "d")],
    ),
    "table": (
        "<table><thead><tr><th>a|b<th>c</thead><tr><td>d<br>e<td><code>f|g</code></table>",
        [(0, "table", ""), (2, "tr", ""), (3, "th", "a|b"), (3, "th", "c"), (2, "tr", ""),
         (3, "td", "de"), (3, "td", "f|g")],
    ),
    "table with spans": (
        ("<table><tr><th>a<th>b<th>c<tr><td rowspan=2>d<td colspan=2>e<tr><td>f<td>g"
        "<tr><td colspan=3>h</table>"),
        [(0, "table", ""), (2, "tr", ""), (3, "th", "a"), (3, "th", "b"), (3, "th", "c"),
         (2, "tr", ""), (3, "td", "d"), (3, "td", "e"), (3, "td", "e"),
         (2, "tr", ""), (3, "td", "d"), (3, "td", "f"), (3, "td", "g"),
         (2, "tr", ""), (3, "td", "h"), (3, "td", ""), (3, "td", "")],
    ),
    "row headers": (
        "<table><caption>t</caption><tr><th>a<td>1<tr><th>b<td></table>",
        [(0, "p", "t"), (0, "table", ""), (2, "tr", ""), (3, "th", ""), (3, "th", ""),
         (2, "tr", ""), (3, "td", "a"), (3, "td", "1"),
         (2, "tr", ""), (3, "td", "b"), (3, "td", "")],
    ),
    "layout table": (
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        [(0, "p", "a"), (0, "p", "b"), (0, "p", "c"), (0, "p", "d")],
    ),
    "definitions": (
        "<dl><dt>a<dd>b<dd><p>c</p><dt>d<dd>e</dl>",
        [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "p", "b"), (2, "p", "c"), (1, "li", ""),
         (2, "p", "d"), (2, "p", "e")],
    ),
    "definitions of several blocks": (
        "<dl><dt>a<dd>b<dl><dt>f<dd>g</dl><dt>d<dd><ul><li>e</ul></dl>",
        [(0, "p", "a"), (0, "p", "b"), (0, "ul", ""), (1, "li", ""), (2, "p", "f"), (2, "p", "g"),
         (0, "p", "d"), (0, "ul", ""), (1, "li", ""), (2, "p", "e")],
    ),
    "definitions without terms": ("<dl><dd>a<dd>b</dl>", [(0, "p", "a"), (0, "p", "b")]),
    "list in a list without items": (
        "<ol start=7><ul>a</ul><li>b</ol>",
        [(0, "p", "a"), (0, "ol", ""), (1, "li", ""), (2, "p", "b")],
    ),
    "line numbers": (
        ("<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\n b</pre></table>"
        "<pre><span class=line-number>1</span>a\n<span class=line-number>2</span>  b</pre>"),
        [(0, "code", "a\n b\n"), (0, "code", "a\n  b\n")],
    ),
    "code of blocks": (
        "<pre><div>a</div><div>  b</div><div>\n</div><div>c</div></pre>",
        [(0, "code", "a\n  b\n\nc\n")],
    ),
    "code with breaks": (
        "<p>a <code>if x:<br>\n&nbsp; y  <br><b>z</b></code> b</p>",
        [(0, "p", "a"), (0, "code", "if x:\n  y \nz\n"), (0, "p", "b")],
    ),
    "code with its lines": (
        "<p>a</p><code class=language-py>if x:\n  y\n</code><p><code>c\nd</code></p>",
        [(0, "p", "a"), (0, "code", "if x:\n  y\n"), (0, "p", "c d")],
    ),
    "breaks": (
        "<p>a<br>b<br><br>c<br> <br/>d</p>",
        [(0, "p", "a\nb"), (0, "p", "c"), (0, "p", "d")],
    ),
    "rule": ("<ul><li>a<hr>b</ul><hr>",
             [(0, "ul", ""), (1, "li", ""), (2, "p", "a"), (2, "hr", ""), (2, "p", "b"),
              (0, "hr", "")]),
    "disclosure and figure": (
        "<details><summary>a</summary>b</details><figure><figcaption>c</figcaption></figure>",
        [(0, "p", "a"), (0, "p", "b"), (0, "p", "c")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_structure(case):
    html, expected = CASES[case]
    source = written(html)
    assert outline(source) == expected, source


INLINE = {
    "emphasis": ("a <b>b</b> <i>c</i>", "a **b** _c_"),
    "white space inside": ("a<b> b </b>c", "a **b** c"),
    "within words": ("gr<i>ai</i>n <b>gra</b>in", "gr*ai*n **gra**in"),
    "punctuation moves out": ("a<b>“b”</b>c <b>b!</b>c", "a“**b**”c **b**!c"),
    "punctuation stays": ("<b>b!</b> c", "**b!** c"),
    "chinese": ("中文<b>“重点”</b>的<b>词</b>。", "中文“**重点**”的**词**。"),
    "side by side": ("<b>a</b><b>b</b><i>c</i>", "**ab**_c_"),
    "nested": ("<b><i>a</i></b> <b><strong>b</strong></b>", "**_a_ b**"),
    "empty": ("a<b></b><i> </i>b", "a b"),
    "only punctuation": ("a<b>...</b>b", "a...b"),
    "over breaks": ("<b>a<br>b</b>", "**a\\\nb**"),
    "code": ("<code>a`b</code> <code>`</code> <kbd>k</kbd>", "``a`b`` `` ` `` `k`"),
    "code with links": ("<code>a <a href=/u>b</a></code>", "`a` [`b`](https://example.org/u)"),
    "strike": ("<s>a</s><del>b</del>", "~~ab~~"),
    "sub and sup": ("H<sub>2</sub>O<sup>[1]</sup>", "H<sub>2</sub>O<sup>[1]</sup>"),
    "ruby": ("<ruby>漢<rt>kan</rt></ruby>", "漢(kan)"),
    "ruby with its own": ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢(kan)"),
    "link": ("<a href='../x y' title='t \"q\"'>a [b]</a>",
             '[a \\[b\\]](https://example.org/x%20y "t \\"q\\"")'),
    "parentheses": ("<a href=/a_(b)>x</a> <a href=/a)>y</a>",
                    "[x](https://example.org/a_(b)) [y](https://example.org/a\\))"),
    "entity in address": ("<a href='/?a=1&amp;amp;b'>x</a>", "[x](https://example.org/?a=1\\&amp;b)"),
    "unsafe": ("<a href=' java\tscript:x'>a</a><a>b</a><a href=data:x>c</a>", "abc"),
    "empty link": ("a<a href=/x> </a>b", "a b"),
    "mail": ("<a href=mailto:a@b.org>m</a>", "[m](mailto:a@b.org)"),
    "exclamation": ("a!<a href=/x>b</a>", "a\\![b](https://example.org/x)"),
    "image": ("<img src=i.png alt='a ]'><img src='data:x' alt=y>",
              "![a \\]](https://example.org/d/i.png)"),
    "image in link": ("<a href=/x><img src=i.png></a>",
                      "[![](https://example.org/d/i.png)](https://example.org/x)"),
    "bold link in bold": ("<b>a <a href=/x>b</a> c</b>", "**a [b](https://example.org/x) c**"),
}  # fmt: skip


@pytest.mark.parametrize("case", INLINE)
def test_inline(case):
    html, expected = INLINE[case]
    assert written(f"<p>{html}</p>") == expected + "\n"


def test_a_link_around_blocks_is_given_to_each():
    assert written("<a href=/x><h3>a</h3><p>b</p></a>") == (
        "### [a](https://example.org/x)\n\n[b](https://example.org/x)\n"
    )


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


@pytest.mark.parametrize(
    ("html", "fence"),
    [
        ("<pre class='brush: js'>x</pre>", "```js"),
        ("<pre><code class='hljs language-c++'>x</code></pre>", "```c++"),
        ("<div class='highlight highlight-source-python'><pre>x</pre></div>", "```python"),
        ("<pre data-lang=Rust>x</pre>", "```rust"),
        ("<pre class='lang-none'>x</pre>", "```"),
        ("<pre>```\nx</pre>", "````"),
        ("<pre class='language-a`b'>x</pre>", "```a"),
    ],
)
def test_fences(html, fence):
    assert written(html).split("\n")[0] == fence


def test_a_block_of_code_that_is_a_button_is_none():
    assert written("<pre><button>grain</button></pre>") == ""


def test_code_is_exact():
    source = "  a\tb  \n\n\n    <x> & *y* \\\n> q\n\tz"
    html = (
        f"<ul><li>x<blockquote><pre>{source.replace('&', '&amp;').replace('<', '&lt;')}</pre></ul>"
    )
    codes = [token.content for token in READER.parse(written(html)) if token.type == "fence"]
    assert codes == [source + "\n"]


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
