"""A whole page as HTML reads back as it was written, and neither reading runs anything."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of, sources

from chaffinch.output import html
from chaffinch.output.whole_page import is_element, whole_page
from chaffinch.page import parse, tags

LEADS = ("href", "action", "formaction", "xlink:href")
URL = "https://example.org/d/p.html"


def clean(source, **options):
    return whole_page(content_of(source, url=URL), **options)


def body(written):
    """Return what stands in the body of a page that was written."""
    return re.search(r"<body[^>]*>\n(.*)\n</body>\n</html>\n$", written, re.DOTALL)[1].strip()


def read(written):
    """Return the body that a parser finds in a page, written as it should have been."""
    page, parts, ends = parse(written), [], []
    for row in range(page.body + 1, len(page)):
        while ends and row >= ends[-1][0]:
            parts.append(ends.pop()[1])
        if not page.tag[row]:
            parts.append(html.escaped(page.text[page.text_at[row] : page.text_at[row + 1]]))
            continue
        name = page.name(row)
        pairs = page.attributes(row).items()
        given = "".join(f" {key}" if own is None else html.pair(key, own) for key, own in pairs)
        parts.append(f"<{name}{given}>" + "\n" * (name in ("pre", "listing", "textarea")))
        if not tags.VOID[page.tag[row]]:
            ends.append((int(page.end[row]), f"</{name}>"))
    return "".join([*parts, *(end for _, end in reversed(ends))]).strip()


def runs(source):
    """Return what could run."""
    page = parse(source)
    found = []
    for row in range(len(page)):
        name = page.name(row)
        is_head = name in ("meta", "link", "base") and page.name(int(page.parent[row])) == "head"
        if page.tag[row] and not is_head and not is_element(name):
            found.append(name)
        for key, value in page.attributes(row).items():
            bare = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if key.startswith("on") or key in ("srcdoc", "http-equiv"):
                found.append(key)
            elif bare.startswith(("javascript:", "vbscript:")) or (
                bare.startswith("data:") and key in LEADS and name != "image"
            ):
                found.append(f"{key}={value}")
    return found


VECTORS = {
    "animate": "<svg><a><animate attributeName=href values=javascript:x /><text>a</text></a></svg>",
    "set": "<svg><a><set attributeName=href to=javascript:x /><text>a</text></a></svg>",
    "animate in HTML, flattened": (
        "<div>" * 508
        + "<svg><a><desc><p><animate attributeName=href values=javascript:x></p></desc>a</a></svg>"
    ),
    "svg as data": "<a href='data:image/svg+xml,<svg onload=x>'>a</a>",
    "svg as the action": "<form action='data:image/svg+xml,x'><button formaction=data:image/png>a",
    "image in svg": "<svg><image href='data:image/png;base64,x' /></svg>",
    "link in math": "<math><maction href='javascript:x'>a</maction></math>",
    "blocks in svg": "<svg><desc><p>a<div>b</desc><style><img onerror=x></style></svg>",
    "table in svg": "<svg><foreignobject><table><tr><td>a<svg><p>b</table></svg>",
    "mglyph": "<math><mtext><table><mglyph><style><!--</style><img title='--><img onerror=x>'>",
    "annotation": "<math><annotation-xml encoding=text/html><p>a<style></math><img onerror=x>",
    "svg in math": "<math><annotation-xml><svg><foreignobject><math><mi><p>a",
    "noscript": "<noscript><p title='</noscript><img src=x onerror=x>'>a</noscript>",
    "template": "<p>a<template><script>x</script></template>b",
    "textarea": "<textarea></textarea><p>a</p><textarea>&lt;/textarea><img onerror=x></textarea>",
    "textarea in svg": "<svg><textarea><a title='</textarea><img onerror=x>'></a></textarea></svg>",
    "title in svg": "<svg><title><a title='</title><img onerror=x>'>a</title></svg>",
    "xmp": "<xmp><img onerror=x></xmp><p>a",
    "plaintext": "<p>a<plaintext><img onerror=x></plaintext>",
    "noembed": "<noembed><img onerror=x></noembed><p>a",
    "iframe": "<iframe srcdoc='<script>x</script>'></iframe><p>a",
    "select": "<select><option>a<style></option></select><img title='</style><img onerror=x>'>",
    "forms": "<form action=/a><div></form><form action=javascript:x><input></form></div></form>",
    "tables": "<table><a href=/x>a<tr><td>b<table><p>c<td>d</table>",
    "links": "<a href=/a>a<table><tr><td><a href=/b>b</a></table></a>",
    "paragraph in quirks": "<p>a<table><tr><td>b</table>c",
    "buttons": "<button>a<div><button>b</div>c</button>",
    "backticks": "<p title='``onmouseover=x'>a</p><img alt='`><script>x</script>' src=i.png>",
    "comments": "<p>a<!--></p><img onerror=x>--!><b>c</b>",
    "CDATA": "<svg><![CDATA[<img onerror=x>]]></svg><p>a<![CDATA[<img onerror=x>]]>",
    "a name with a quote": '<p><x"y onclick=x>a</x"y><z\' onload=x>b',
    "handlers": "<body onload=x><p ONCLICK=x onfoo=x>a<details ontoggle=x open>b",
    "styles": "<p style='background:url(java\\73 cript:x)'>a<b style='width:exp/**/ression(x)'>b",
    "set of sources": "<img src=i.png srcset='a.png 1x, java&#10;script:x 2x'>",
    "pings": "<a ping='javascript:x' href=/x>a</a><video poster='vbscript:x' src=v.ogg>b</video>",
    "refresh": "<meta http-equiv=refresh content='0;javascript:x'><base href='javascript:x'><p>a",
    "base of data": "<base href='data:text/html,x'><p>a <a href=b>c</a>",
    "scripts in TeX": r"<p>\(\href{javascript:x}{y}\)</p>",
    "headings": "<h1>a<h2>b<h3>c",
    "items": "<ul><li>a<li>b<div><li>c</ul>",
    "ruby": "<ruby>a<rb>b<rt>c<rtc>d<rt>e</ruby>",
}


@pytest.mark.parametrize("case", VECTORS)
def test_vectors(case):
    written = clean(VECTORS[case])
    assert not runs(written)
    assert "javascript:" not in written.replace("\\", "")
    assert read(written) == body(written)


def test_reading_once_more_changes_what_would_change():
    written = clean(VECTORS["paragraph in quirks"])
    assert "<p>a</p><table><tbody><tr><td>b</td></tr></tbody></table>c" in written


NAMES = (
    "a p b i div span table tr td th caption tbody colgroup col form button select option optgroup"
    " textarea svg math desc title foreignObject annotation-xml mtext mi mglyph malignmark style"
    " script noscript template xmp plaintext noembed iframe animate set use image img li ul dl dd"
    " dt h1 h2 nobr font ruby rt rb marquee object details summary my-x pre listing br hr input"
    " frameset body html head"
).split()
ATTRIBUTES = [
    "", " href=javascript:x", " href='data:image/svg+xml,x'", " onclick=x", " attributeName=href",
    " values=javascript:x", " encoding=text/html", " xlink:href=javascript:x", " title='</style>'",
    " title='</title><img src=x onerror=x>'", " action='data:image/svg+xml,x'", " src=x",
    " style='width:expression(x)'", " color=red", " srcdoc='<b>'", " type=hidden", " id=a",
]  # fmt: skip
starts = st.tuples(st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES)).map("<{0[0]}{0[1]}>".format)
tokens = st.one_of(
    starts,
    starts,
    st.sampled_from(NAMES).map("</{}>".format),
    st.sampled_from(["a", " ", "\n", "&lt;img src=x onerror=x>", "<!--", "--!>", "-->", "]]>",
                     "<![CDATA[", "&#13;", "&nbsp;", "<!DOCTYPE html>", "\\href{javascript:x}"]),
)  # fmt: skip
hostile = st.lists(tokens, min_size=1, max_size=14).map("".join)


@settings(max_examples=500)
@given(st.one_of(hostile, sources.map("<p>{}".format)), st.booleans())
def test_any_page_reads_back(source, is_deep):
    written = clean("<div>" * 505 * is_deep + source)
    assert not runs(written), written
    assert read(written) == body(written)
