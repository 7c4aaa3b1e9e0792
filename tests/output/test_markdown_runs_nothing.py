"""Markdown read by CommonMark with raw HTML allowed: no element, no address but those written."""

import html

import pytest
from active_html import faults
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from output_pages import content_of

import chaffinch
from chaffinch.output import markdown, markdown_text, text

READER = MarkdownIt("commonmark", {"html": True, "maxNesting": 2000})
READER.enable(["table", "strikethrough"])
READER.validateLink = lambda _: True  # what it would refuse is to be seen
TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table thead tbody tr th td a img em strong s"
    " br hr sub sup".split()
)
ATTRIBUTES = frozenset("href src alt title start class style".split())
URL = "https://example.org/d/p.html"


def found_in(source):
    return faults(READER.render(source), TAGS, ATTRIBUTES)


def written(page):
    return markdown.render(content_of(page, url=URL))


IMAGE = "<img src=x onerror=alert(1)>"
PLACES = {
    "paragraph": "<p>{}</p>",
    "three lines": "<p>a<br>{}<br>b</p>",
    "item": "<ul><li>{}</li><li>x</li></ul>",
    "quote": "<blockquote><p>{}</p></blockquote>",
    "heading": "<h2>{}</h2>",
    "cell": "<table><tr><th>h</th><th>{}</th></tr><tr><td>x</td><td>{}</td></tr></table>",
    "caption": "<table><caption>{}</caption><tr><th>h</th></tr><tr><td>x</td></tr></table>",
    "term": "<dl><dt>{}</dt><dd>{}</dd></dl>",
    "figure": "<figure><img src=i.png alt=x><figcaption>{}</figcaption></figure>",
    "summary": "<details><summary>{}</summary>x</details>",
    "bold": "<p>a <b>{}</b> c <sub>{}</sub></p>",
    "ruby": "<p><ruby>a<rt>{}</rt></ruby></p>",
    "code": "<p>a <code>{}</code> b</p>",
    "code in an item": "<ul><li><code>{}</code></li></ul>",
    "block of code": "<pre><code>{}</code></pre>",
    "code in a quote": "<blockquote><pre>{}</pre></blockquote>",
    "code in a list": "<ol><li>a<pre>{}</pre></li></ol>",
    "code in a cell": "<table><tr><th>h</th></tr><tr><td><pre>{}</pre></td></tr></table>",
    "language": '<pre><code class="language-{}">x</code></pre>',
    "label": '<div class="highlight"><div class="code-header">{}</div><pre>x</pre></div>',
    "link": '<p>a <a href="https://e.org/">{}</a></p>',
    "address": '<p>a <a href="{}">b</a></p>',
    "address in a path": '<p>a <a href="https://e.org/{}">b</a></p>',
    "title": '<p><a href="/x" title="{}">a</a></p>',
    "image": '<p>a <img src="{}" alt="b"></p>',
    "alternative text": '<p><img src="i.png" alt="{}" title="{}"></p>',
    "image in a link": '<p><a href="/x" title="{}"><img src="i.png" alt="{}"></a></p>',
    "inline formula": r"<p>a \({}\) b</p>",
    "displayed formula": r"<p>\[{}\]</p>",
    "dollars": "<p>$$x={}$$</p>",
    "formula in a link": r'<p><a href="/[x](y)" title="{}">a \({}\) b</a></p>',
    "alttext": '<p>a <math alttext="{}"><mi>x</mi></math></p>',
    "data-tex": '<p>a <span data-tex="{}">x</span></p>',
    "image of a formula": '<p>a <img class="tex" alt="x={}" src="i.png"></p>',
    "mtext": "<p>a <math><mi>x</mi><mtext>{}</mtext></math></p>",
    "script": '<p>a <script type="math/tex">{}</script></p>',
    "annotation": (
        '<p>a <span class="katex"><math><semantics><mi>x</mi><annotation'
        ' encoding="application/x-tex">{}</annotation></semantics></math></span></p>'
    ),
}


def put(place, text):
    """Return a place of a page with text in it; nothing is markup in a script."""
    own = text.replace("</", "< /") if place == "script" else html.escape(text)
    return PLACES[place].replace("{}", own.replace("\r", "&#13;"))


VECTORS = {
    "image": IMAGE,
    "after a line": f"a\n\n{IMAGE}",
    "after a return": f"a\r{IMAGE}\r\rb",
    "closed code": f"``` `` `\n```\n````\n~~~\n{IMAGE}",
    "ticks": f"` `` {IMAGE} `",
    "script": "<script>alert(1)</script>",
    "comment": f"<!-- --> {IMAGE}",
    "CDATA": f"<![CDATA[ > ]]> {IMAGE}",
    "declaration": f"<!DOCTYPE x> <?x ?> {IMAGE}",
    "entities": "&lt;img src=x onerror=alert(1)&gt; &#60;script&#62;",
    "autolink": "<javascript:alert(1)> <vbscript:x> <data:text/html,x>",
    "link": "[a](javascript:alert(1)) ![b](data:text/html,x) [c](<javascript:x>)",
    "end of a link": "x](javascript:alert(1)) [y",
    "end of a title": f'x") {IMAGE} [a](b "',
    "reference": "[a]: javascript:alert(1)\n\n[a] [b][a]",
    "footnote": "[^1]: <b onclick=x>y</b>\n\n[^1]",
    "escaped": rf"\{IMAGE} \\{IMAGE} \\\{IMAGE}",
    "cell": f"a | {IMAGE} | `|` {IMAGE} `",
    "end of TeX": rf"x\) {IMAGE} \(y",
    "link in TeX": r"\href{javascript:alert(1)}{x} \url{javascript:x}",
    "address": "javascript:alert(1)",
    "address with controls": " \x01java\tscr\nipt:alert(1)",
    "address by entities": "&#106;avascript&colon;alert(1)",
    "data": "data:text/html,<script>alert(1)</script>",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("vector", VECTORS)
def test_vectors_run_nowhere(place, vector):
    source = written(f"{put(place, VECTORS[vector])}<p>and <code>{html.escape(IMAGE)}</code></p>")
    assert not found_in(source), source


def test_the_renderer_would_run_them():
    assert found_in(IMAGE) == ["<img onerror>"]
    assert found_in("[a](javascript:x)") == ["<a href='javascript:x'>"]
    assert found_in("> ```\n<b onclick=x>") == ["<b>", "<b onclick>"]


PIECES = [
    IMAGE, "<script>", "</script>", "<b>", "<b onclick=x ", "`", "``", "```", "~~~", "~~", "](",
    "[", "]", "(", ")", "!", "javascript:x", "<javascript:x>", "<!--", "-->", "<![CDATA[", "]]>",
    "<?", "&lt;", "&#60;", "&", "lt;", "\\", "\\\\", "\\(", "\\)", "\\[", "\\]", "$", "$$", "|",
    "\n", "\r", "\n\n", "\t", "    ", "<", ">", '"', "'", "*", "**", "_", "#", "- ", "1. ", ": ",
    "[a]: x", "[a]", "[^1]:", "\x0b", "\x0c", "\x85", "\u2028", "x", " ", "\\text{", "\\mbox {",
    "{", "}", "\\href{", "\\sqrt[3]", "---", "===", "@", "a@b.org", "/", "+++", "\\lq", "^",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
places = st.tuples(st.sampled_from(sorted(PLACES)), texts).map(lambda own: put(*own))


@settings(max_examples=1000)
@given(st.lists(places, min_size=1, max_size=4).map("".join))
def test_no_text_in_any_place_runs(page):
    source = written(page)
    assert not found_in(source), source


@settings(max_examples=500)
@given(texts, texts, st.booleans())
def test_no_tex_in_a_line_runs(tex, after, in_link):
    own = markdown_text.formula(tex, display=False, in_link=in_link)
    line = f"a [{own}](https://e.org/) `{after.replace('`', '')}`" if in_link else f"a {own} b"
    assert not found_in(line.replace("\n", " ").replace("\r", " ")), line


MEANINGS = {
    "a<b": "$a< b$",
    "a<1": "$a<1$",
    r"\text{if a<b} c<d": r"$\text{if a<{}b} c< d$",
    r"\text {\mathrm{a<b}}": r"$\text {\mathrm{a<{}b}}$",
    r"\sqrt[3](x)": r"$\sqrt[3] (x)$",
    r"\left[0,1\right](x)": r"$\left[0,1\right] (x)$",
    r"\begin{matrix}a&b\\c&d\end{matrix}": r"$\begin{matrix}a&b\\c&d\end{matrix}$",
    "a&lt;b": "$a& lt;b$",
    r"\&lt; \\&lt;": r"$\&lt; \\& lt;$",
    "`a'": r"$\lq a'$",
    r"\`a \\`a": r"$\`a \\\lq a$",
    r"\href{https://e.org/}{x} \href{javascript:y}{z}": r"$\href{https://e.org/}{x} {}{z}$",
    r"\def\u{javascript:y}\href\u{z} \hrefs": r"$\def\u{javascript:y}{}\u{z} \hrefs$",
}


@pytest.mark.parametrize("tex", MEANINGS)
def test_tex_means_the_same(tex):
    assert markdown_text.formula(tex, display=False, in_link=False) == MEANINGS[tex]


def test_lone_brackets_in_links_have_names():
    own = markdown_text.formula(r"(0,1] \sqrt[3]{x} [a,b) \]", display=True, in_link=True)
    assert own == r"$$(0,1\rbrack \sqrt[3]{x} \lbrack a,b) \]$$"


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(["title", "authors", "tags"]), st.lists(texts)))
def test_front_matter_runs_nowhere(values):
    source = text.front_matter(values)
    assert not found_in(source), source
    assert not faults(source, (), ()), source


def test_front_matter_before_html_and_markdown():
    page = f"<title>a{html.escape(IMAGE)}[a](javascript:x)</title><p>{'Words and words. ' * 40}</p>"
    found = chaffinch.extract(page)
    assert "[a](javascript:x)" in found.metadata.title.value
    assert not found_in(found.markdown(front_matter=True))
    assert not faults(found.html(front_matter=True), ("h1", "p"), ())
