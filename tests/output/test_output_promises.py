"""What every renderer promises, run over all of them."""

import html as entities
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from lxml import etree
from output_pages import READER, bare, content_of, contents, for_the_hand

from chaffinch.output import html, markdown, tei, text
from chaffinch.output.whole_page import whole_page
from chaffinch.page import parse, tags
from chaffinch.verdict import Content, Verdict


def _read(source):
    page = parse(source)
    body = page.body
    return page.text_of(body) if body >= 0 else ""


def _read_tei(source):
    """Read the words of the text: no descriptions of graphics, no header."""
    if not source:
        return ""
    text = etree.fromstring(source.encode(), etree.XMLParser(huge_tree=True))[1]
    etree.strip_elements(text, "{*}desc", with_tail=False)
    return "".join(text.itertext())


RENDERERS = {
    "text": (text.render, str),
    "markdown": (markdown.render, lambda source: _read(READER.render(source))),
    "html": (html.render, _read),
    "whole": (whole_page, _read),
    "tei": (tei.render, _read_tei),
}
"""Name → what renders, and what reads the words back from it."""


@pytest.fixture(params=RENDERERS)
def renderer(request):
    return RENDERERS[request.param]


@pytest.mark.parametrize("name", RENDERERS)
@settings(max_examples=80)
@given(content=contents())
def test_deterministic_and_clean(name, content):
    render, _ = RENDERERS[name]
    before = pickle.dumps((content.page, content.verdict))
    written = render(content)
    assert isinstance(written, str)
    assert render(Content(content.page, content.verdict)) == written
    assert "\0" not in written
    written.encode()
    assert pickle.dumps((content.page, content.verdict)) == before


def numbered(content):
    """The same page with a word of its own for each text row, so that words tell rows."""
    page = content.page
    parts = []
    for row in range(len(page)):
        own = page.text[page.text_at[row] : page.text_at[row + 1]]
        parts.append(f" w{row}w " if own.strip() else own)
    lengths = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    state = page.__getstate__() | {"text": "".join(parts), "text_at": lengths}
    return Content(type(page)(**state), content.verdict)


@pytest.mark.parametrize("name", RENDERERS)
@settings(max_examples=150)
@given(content=contents())
def test_kept_text_in_order_and_no_other(name, content):
    render, read = RENDERERS[name]
    content = numbered(content)
    page = content.page
    spans = page.inside(
        np.isin(np.arange(len(page)), page.select("[colspan], [rowspan], [aria-colspan]"))
    )
    rows = content.kept & (page.tag == tags.TEXT) & page.written
    if name != "whole":
        rows &= ~for_the_hand(content)
    rows = np.flatnonzero(rows)
    found = [int(row) for row in re.findall(r"w(\d+)w", read(render(content)))]
    once = list(dict.fromkeys(found))
    if name == "tei" and page.is_tag("caption").any():
        assert sorted(found) == rows.tolist()
    elif name != "markdown":
        assert found == rows.tolist()
    elif not page.is_tag("caption").any():
        assert once == rows.tolist()
        assert all(spans[row] for row in rows.tolist() if found.count(row) > 1)
    else:
        assert sorted(once) == rows.tolist()


NESTED = "<div><ul><li><blockquote><b><span>" * 200 + "deep" + "</span></b>" * 200 + "<p>after"
SPECIAL = {
    "no bytes": ("", ""),
    "nothing kept": ("<p>a", None),
    "only images": ("<img src=a.png><img src=b.png>", ""),
    "nested tables": ("<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>", "abcd"),
    "table without cells": ("<table><caption>a</caption></table><table></table>", "a"),
    "wide spans": ("<table><tr><th colspan=1000 rowspan=65000>a</table>", "a"),
    "deep": (NESTED, "deepafter"),
    "frames": ("<frameset><frame src=x></frameset>", ""),
    "text alone": ("a", "a"),
    "list in nothing": ("<li>a<dd>b<dt>c<td>d<caption>e<option>f", "abcdef"),
    "all in a heading": ("<h1>" + "<p>long words here</p>" * 40, "longwordshere" * 40),
    "marks of no partner": ("</b></p></table><b><i>a</b>b</i>", "ab"),
    "NUL and surrogate": ("<p>a\0b&#xD800;c&#0;", "ab\ufffdc\ufffd"),
    "controls": ("<p>a\x0b\x0c\x1c\x85\u2028b", "ab"),
}


@pytest.mark.parametrize("case", SPECIAL)
def test_special_pages(renderer, case):
    source, expected = SPECIAL[case]
    content = content_of(source, keep="no-such" if expected is None else None)
    render, read = renderer
    words = bare(read(render(content))).replace("\ufffd", "")
    assert words == bare(expected or "").replace("\ufffd", "")


def test_entities_are_written_once(renderer):
    raw = "&lt;b&gt; &amp;amp; &quot;x&quot; &copy; &nbsp;"
    render, read = renderer
    assert bare(read(render(content_of(f"<p>{raw}</p>")))) == bare(entities.unescape(raw))


BLANKS = """<p>one<span> </span>two<b> <i>
</i></b>three <em></em>four<a href=/x><b>&nbsp;</b></a>five<u></u>!</p>
<pre>six<i> </i>seven<b>
</b>eight</pre><div> <span> </span></div>"""


@pytest.mark.parametrize("name", RENDERERS)
def test_blanks_in_elements_of_their_own_part_words(name):
    page = parse(BLANKS)
    written = (page.tag == tags.TEXT) & page.written
    content = Content(page, Verdict.empty(len(page)).with_keep(written))
    render, read = RENDERERS[name]
    assert read(render(content)).split() == "one two three four five! six seven eight".split()


PARTED = "<div>one <p></p> two <div class=x>ad</div> three<br>four</div>"


@pytest.mark.parametrize(
    ("render", "expected"),
    [
        (text.render, "one\ntwo\nthree\nfour"),
        (markdown.render, "one\n\ntwo\n\nthree\\\nfour\n"),
        (html.render, "<div>one<br>two<br>three<br>four</div>\n"),
        (tei.render, "<p>one</p>\n<p>two</p>\n<p>three<lb/>four</p>\n"),
    ],
)
def test_blocks_that_are_not_shown_part_lines(render, expected):
    assert expected in render(content_of(PARTED, drop=".x"))
