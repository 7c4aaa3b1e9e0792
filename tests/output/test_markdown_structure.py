"""Blocks and marks of Markdown: what each element of a page is written as."""

import pytest
from markdown_reader import READER, outline, written

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
             "[a \\[b\\]](https://example.org/x%20y)"),
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


def test_titles_of_links_and_images_are_asked_for():
    html = "<p><a href=/x title='t \"q\"'>a</a> <img src=/i.png alt=b title=c width=900></p>"
    shown = '[a](https://example.org/x "t \\"q\\"") ![b](https://example.org/i.png "c")\n'
    assert written(html, titles=True) == shown
    assert written(html) == "[a](https://example.org/x) ![b](https://example.org/i.png)\n"


def test_a_link_around_blocks_is_given_to_each():
    assert written("<a href=/x><h3>a</h3><p>b</p></a>") == (
        "### [a](https://example.org/x)\n\n[b](https://example.org/x)\n"
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
