"""Clean HTML holds only what is allowed, and reads back as it was written."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from output_pages import content_of, contents

from chaffinch.output import html, text
from chaffinch.output.options import OutputOptions
from chaffinch.output.whole_page import whole_page
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict

URL = "https://example.org/d/p.html"
ATTRIBUTES = set(
    "href src srcset alt title width height colspan rowspan scope headers lang dir datetime cite"
    " start reversed value type id class open data-row".split()
)
SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")


def cleaned(source, **options):
    return html.render(content_of(source, url=URL), options=OutputOptions(**options))


CASES = {
    "folded": ("<p> a\n <b> b</b>c </p>", "<p>a <b>b</b>c</p>\n"),
    "attributes": (
        "<p class=x onclick=y style=z data-q=1 lang=en><a href=q.html target=_blank title=t>a</a>",
        '<p lang="en"><a href="https://example.org/d/q.html" title="t">a</a></p>\n',
    ),
    "unsafe": (
        "<p><a href=' java\tscript:x'>a</a><a href='data:text/html,x'>b</a><img src=javascript:x>",
        "<p><a>a</a><a>b</a></p>\n",
    ),
    "script": (
        "<p>a<script>x</script><style>y</style></p><svg><text>s</text></svg>",
        "<p>a</p>\ns",
    ),
    "empty wrappers": ("<div><div><span></span></div><p><b> </b></p></div><p>a", "<p>a</p>\n"),
    "unknown element": ("<my-x><p>a</my-x>", "<p>a</p>\n"),
    "button": ("<p>a<button><p>b</p></button>c", "<p>a</p>\n<p>b</p>\nc"),
    "pre": ("<pre>\n\n a\n  b</pre>", "<pre>\n\n a\n  b</pre>\n"),
    "code": (
        "<pre><code class='hljs language-py'>a &lt; b</code></pre>",
        '<pre>\n<code class="language-py">a &lt; b</code></pre>\n',
    ),
    "empty cells": (
        "<table><tr><td></td><td>a</td></tr></table>",
        "<table><tbody><tr><td></td><td>a</td></tr>\n</tbody>\n</table>\n",
    ),
    "footnotes": (
        "<p>a<a href=#f>1</a><a href=#g>2</a><p id=f>b<p id=h>c",
        (
            '<p>a<a href="#f">1</a><a href="https://example.org/d/p.html#g">2</a></p>\n'
            '<p id="f">b</p>\n<p>c</p>\n'
        ),
    ),
    "srcset": (
        "<img src=a.png srcset='b.png 2x, javascript:x 3x,https://e.org/c,d.png 640w' alt='\"<'>",
        (
            '<img src="https://example.org/d/a.png" srcset="https://example.org/d/b.png 2x,'
            ' https://e.org/c,d.png 640w" alt="&quot;&lt;">'
        ),
    ),
    "old names": ("<center><strike>a</strike></center>", "<div><s>a</s></div>\n"),
}


@pytest.mark.parametrize("case", CASES)
def test_fragment(case):
    source, expected = CASES[case]
    assert cleaned(source) == expected


def test_rows_lead_back():
    source = cleaned("<div><p>a</p><img src=i.png></div>", rows=True)
    page = parse("<div><p>a</p><img src=i.png></div>")
    assert [
        (name, page.name(int(row)))
        for name, row in re.findall(r'<(\w+)[^>]* data-row="(\d+)"', source)
    ] == [("div", "div"), ("p", "p"), ("img", "img")]


HOSTILE = st.sampled_from([
    "javascript:alert(1)", " java\tscript:alert(1)", "JaVaScRiPt:x", "\x01javascript:x",
    "data:text/html,x",
    "vbscript:x", "&#106;avascript:x", "java&Tab;script:x", "//e.org/x", 'x"onload=y', "'><script>",

    'https://e.org/a b"c', "file:///etc/passwd", "blob:x", "http://[x", "#f", "?q=<",
    "x y 2x, z 3x",
    "\u200bjavascript:x", "\\\\e.org\\x", "a:b", "", "mailto:a@b.org",
])  # fmt: skip
NAMES = st.sampled_from(
    "href src srcset style onclick ONLOAD id class title formaction xlink:href action background"
    ' cite colspan data-x srcdoc lang width x"y <z ping'.split()
)
TAGS = st.sampled_from(
    "a img p b svg math iframe form button table td tr ul li object video source embed style script"
    " noscript template textarea select option xmp plaintext title base link meta div h1 dd my-x"
    " foreignObject annotation-xml image input marquee ruby rt details summary".split()
)


@st.composite
def hostile(draw):
    parts = []
    for _ in range(draw(st.integers(1, 12))):
        tag = draw(TAGS)
        if draw(st.integers(0, 3)) == 0:
            parts.append(f"</{tag}>")
            continue
        pairs = draw(st.lists(st.tuples(NAMES, HOSTILE), max_size=3))
        attributes = "".join(
            f' {name}="{value.replace(chr(34), "&quot;")}"' for name, value in pairs
        )
        words = draw(st.sampled_from(["", "x", " x ", "&lt;b>", "<!-- c -->", "]]>", "&amp;lt;"]))
        parts.append(f"<{tag}{attributes}>{words}")
    return "".join(parts)


@settings(max_examples=300)
@given(hostile(), st.sampled_from([URL, None]))
def test_only_what_is_allowed(source, url):
    written = html.render(content_of(source, url=url), options=OutputOptions(rows=True))
    page = parse(written.encode())
    names = {page.name(row) for row in range(len(page))} - {"#text", "html", "head", "body"}
    assert names <= html.SAME, written
    for row in range(len(page)):
        for name, value in page.attributes(row).items():
            assert name in ATTRIBUTES, written
            if name in ("href", "src", "cite") and ":" in value.split("/")[0]:
                assert value.lower().startswith(SCHEMES) or not value.isascii(), written


@settings(max_examples=300)
@given(st.one_of(hostile().map(lambda source: content_of(source, url=URL)), contents()))
def test_what_is_written_reads_back_the_same(content):
    tables = content.page.is_tag("table")
    assume(not (tables & (content.page.length == 0)).any())  # its wbr alone keep its empty cells
    written = html.render(content)
    page = parse(f"<!doctype html>{written}".encode())
    everything = Verdict.empty(len(page)).with_keep(np.ones(len(page), dtype=bool))
    same_images = replace(everything, judges_images=content.verdict.judges_images)
    again = Content(page, same_images)
    assert html.render(again) == written
    told, read = (re.sub(r"\s", "", text.render(one)) for one in (content, again))
    assert read == told, written


@settings(max_examples=200)
@given(contents())
def test_lines_are_those_of_the_text(content):
    page = parse(f"<!doctype html>{html.render(content)}".encode())  # «{}» alone is JSON
    again = Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), dtype=bool)))
    read, told = (
        [line for line in map(bare, re.split(r"[\n\t]", text.render(one))) if line]
        for one in (again, content)
    )
    assert read == told


def bare(line):
    return re.sub(r"\s", "", line)


WHOLE = (
    "<html lang=en><head><title>a & b</title><base href=/x/><script>s</script>"
    "<link rel='stylesheet' href=s.css media=screen><style>p{}</style></head>"
    "<body class=c onload=x><div id=n><p>noise</p></div><main class='m' data-q=1>"
    "<p onclick=y style='color:red'>text <a href=javascript:x class=l>l</a><my-x>m</my-x>"
    "<script>z</script></p><picture><source srcset=a.png><img src=b.png></picture></main></body>"
)


def test_whole_page_without_its_noise():
    written = whole_page(content_of(WHOLE, drop="#n", url=URL))
    assert written == (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<base href="https://example.org/x/">\n<title>a &amp; b</title>\n'
        '<link rel="stylesheet" href="https://example.org/x/s.css" media="screen">\n</head>\n'
        '<body class="c">\n<main class="m" data-q="1"><p style="color:red">text '
        '<a class="l">l</a><my-x>m</my-x></p><picture><source srcset="a.png"><img src="b.png">'
        "</picture></main>\n</body>\n</html>\n"
    )


@settings(max_examples=200)
@given(hostile())
def test_whole_page_runs_nothing(source):
    page = parse(whole_page(content_of(source, url=URL)))
    for row in range(len(page)):
        assert page.name(row) not in ("script", "iframe", "object", "embed")
        for name, value in page.attributes(row).items():
            assert not name.startswith("on")
            scheme = re.sub(r"[\x00-\x20]", "", value or "").lower()
            assert name not in ("href", "src", "action", "xlink:href") or not scheme.startswith(
                ("javascript:", "vbscript:", "data:text")
            )
