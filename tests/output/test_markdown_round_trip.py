"""HTML → Markdown → HTML by a parser that knows nothing of the writer: the same elements again."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from output_pages import WORDS, content_of

from chaffinch.output import markdown
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse, tags

READER = MarkdownIt("commonmark", {"maxNesting": 2000}).enable(["table", "strikethrough"])
URL = "https://example.org/d/p.html"


def skeleton(source):
    """Return tags, addresses and texts in order; in tight items no paragraphs are written."""
    page = parse(source)
    out = []
    for row in range(page.body + 1, len(page)):
        name = page.name(row)
        if page.tag[row] == tags.TEXT:
            raw = page.text[page.text_at[row] : page.text_at[row + 1]]
            pre = any(page.name(above) == "pre" for above in page.ancestors(row))
            words = raw.strip("\n") if pre else " ".join(raw.split())
            if words:
                out.append(words)
        elif name not in ("thead", "tbody") and name != "p":
            said = [
                page.attribute(row, key) or "" for key in ("href", "src", "alt", "title", "start")
            ]
            out.append(" ".join(filter(None, [f"<{name}>", *said])))
    return out


def trip(html):
    source = markdown.render(content_of(html, url=URL), options=OutputOptions(titles=True))
    return skeleton(READER.render(source)), source


CASES = {
    "lists in lists in lists": (
        "<ul><li>a<ol><li>b<ul><li>c<ol start='7'><li>d</li><li>e</li></ol></li></ul></li>"
        "<li>f</li></ol></li><li>g</li></ul>"
    ),
    "paragraphs around a list in an item": (
        "<ol><li><p>a</p><ul><li>b</li></ul><p>c</p></li><li><p>d</p></li></ol>"
    ),
    "a quote with a list in an item": (
        "<ul><li>a<blockquote><p>b</p><ol><li>c</li><li>d</li></ol></blockquote></li></ul>"
    ),
    "ten items and what is in the tenth": (
        f"<ol>{''.join(f'<li>{n}</li>' for n in range(9))}<li>x<ul><li>y</li></ul></li></ol>"
    ),
    "a heading in an item": "<ul><li><h3>a</h3><p>b</p></li><li><h3>c</h3></li></ul>",
    "a heading in a quote": "<blockquote><h2>a</h2><p>b</p></blockquote>",
    "a table with pipes": (
        "<table><thead><tr><th>a|b</th><th>c</th></tr></thead><tbody><tr><td>|</td><td>\\|</td></tr>"
        "<tr><td><code>x|y</code></td><td><a href='https://e.org/a%7Cb'>l|m</a></td></tr></tbody></table>"
    ),
    "a table in an item": (
        "<ul><li><p>a</p><table><tr><th>b</th><th>c</th></tr><tr><td>d</td><td>e</td></tr></table>"
        "</li></ul>"
    ),
    "code that holds fences": (
        "<pre><code>```\nx\n````\n~~~</code></pre>"
        "<ul><li><pre><code>```python\ny = 1\n```</code></pre></li></ul>"
        "<blockquote><pre><code>  ```\n\n\tz</code></pre></blockquote>"
    ),
    "code between ticks": "<p>a <code>`b`</code> <code>``</code> <code>c`d</code></p>",
    "links with brackets": (
        "<p><a href='https://e.org/a(b)c'>a [b] (c)</a> <a href='https://e.org/?q=[x]&amp;y=)('>]</a>"
        " [no](link) <a href='https://e.org/' title='a &quot;b&quot; (c) \\'>d</a></p>"
    ),
    "images with titles": (
        "<p><img src='https://e.org/bird.png' alt='a [b] *c*' title='a &#39;&quot;bird&quot;'></p>"
        "<p><a href='https://e.org/'><img src='https://e.org/tit.png' alt='x'></a></p>"
    ),
    "hard breaks": "<p>a<br>b\\<br>1. c<br># d<br>* e</p><ul><li>f<br>g</li></ul>",
    "breaks in emphasis and links": (
        "<p><strong>a<br>b</strong> <a href='https://e.org/'>c<br>d</a></p>"
    ),
    "emphasis in links in headings": (
        "<h2>a <a href='https://e.org/'>b <em>c</em></a></h2><h3><em>d</em></h3>"
    ),
    "rules between lists": "<ul><li>a</li></ul><hr><ul><li>b</li></ul>",
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_again(case):
    html = CASES[case]
    read, source = trip(html)
    expected = [one.replace("%7C", "|") for one in skeleton(html)]
    assert [one.replace("%5B", "[").replace("%5D", "]").replace("%7C", "|") for one in read] == (
        expected
    ), source


texts = st.lists(
    st.sampled_from([word for word in WORDS if not re.search(r"[$~]", word)]),
    min_size=1,
    max_size=3,
).map(
    lambda words: " ".join(words).replace("&amp;", "&").replace("&", "&amp;").replace("<", "&lt;")
)
inlines = st.one_of(
    texts,
    texts.map(lambda one: f"a <code>{one}</code> b"),
    texts.map(lambda one: f"a <a href='https://e.org/(x)'>{one}</a> b"),
    texts.map(lambda one: f"a<br>{one}"),
)
leaves = st.one_of(
    inlines.map(lambda one: f"<p>{one}</p>"),
    inlines.map(lambda one: f"<h3>{one.replace('<br>', ' ')}</h3>"),
    texts.map(lambda one: f"<pre><code>{one}\n  {one}</code></pre>"),
    texts.map(
        lambda one: (
            f"<table><tr><th>{one}</th><th>h</th></tr><tr><td>x</td><td>{one}</td></tr></table>"
        )
    ),
)


def _holders(inner):
    blocks = st.lists(inner, min_size=1, max_size=3)
    items = st.lists(blocks.map(lambda own: f"<li>{''.join(own)}</li>"), min_size=1, max_size=3)
    return st.one_of(
        blocks.map(lambda own: f"<blockquote>{''.join(own)}</blockquote>"),
        items.map(lambda own: f"<ul>{''.join(own)}</ul>"),
        items.map(lambda own: f"<ol start='3'>{''.join(own)}</ol>"),
    )


pages = st.lists(st.recursive(leaves, _holders, max_leaves=12), min_size=1, max_size=4).map("".join)


@settings(max_examples=300)
@given(pages)
def test_any_well_made_page(html):
    read, source = trip(html)
    assert read == skeleton(html), source
