"""XML-TEI: valid for any page, and what each element of a page becomes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of, contents
from tei_schema import NAMESPACE, require_schemas, valid

import chaffinch
from chaffinch.lists.discussion import Post
from chaffinch.metadata import FIELDS
from chaffinch.output import tei
from chaffinch.output.options import OutputOptions
from chaffinch.verdict import Content, Verdict

URL = "https://example.org/d/p.html"


@pytest.fixture(scope="module", autouse=True)
def _schemas():
    require_schemas()


def body(html, **options):
    """Return the body as lines, indented by depth, and only what tells the structure."""
    root = valid(tei.render(content_of(html, url=URL), options=OutputOptions(**options)))
    return outline(root.find(f".//{NAMESPACE}body"))


def outline(element, depth=-1):
    lines = []
    if depth >= 0:
        pairs = "".join(f" {key.rpartition('}')[2]}={v}" for key, v in element.attrib.items())
        name = element.tag.removeprefix(NAMESPACE)
        lines.append(f"{' ' * depth}{name}{pairs}: {(element.text or '').strip()}".rstrip(": "))
    for child in element:
        lines += outline(child, depth + 1)
        if child.tail and child.tail.strip():
            lines.append(f"{' ' * (depth + 1)}+ {child.tail.strip()}")
    return lines


CASES = {
    "sections": (
        "<p>a<h1>b</h1><p>c<h3>d</h3><p>e<h2>f</h2><h1>g</h1>",
        ["p: a", "div", " head: b", " p: c", " div", "  head: d", "  p: e", " div", "  head: f",
         "div", " head: g"],
    ),
    "headings elsewhere": (
        "<ul><li><h2>a</h2>b</ul><blockquote><h3>c</h3></blockquote>",
        ["list rend=bulleted", " item", "  p rend=h2: a", "  p: b", "quote", " p rend=h3: c"],
    ),
    "lists": (
        "<ol><li>a<ul><li>b<li><p>c<p>d</ul>x<li>e</ol>",
        ["list rend=numbered", " item", "  p: a", "  list rend=bulleted", "   item: b", "   item",
         "    p: c", "    p: d", "  p: x", " item: e"],
    ),
    "strays in lists": (
        "<ul>a<ul><li>b</ul></ul><p>c<li>d",
        ["list rend=bulleted", " item: a", "  list rend=bulleted", "   item: b", "p: c", "p: d"],
    ),
    "definitions": (
        "<dl><dt>a<dd>b<dd>c<dt>d<dt>e<dd>f</dl><dl><dd>g</dl>",
        ["list type=gloss", " label: a", " item", "  p: b", "  p: c", " label: d", " item",
         " label: e", " item: f", "list", " item: g"],
    ),
    "tables": (
        ("<table><thead><tr><th>a<th colspan=2>b</thead><tr><td rowspan=2>c<td><p>d<p>e<td>"
        "<tr><td><ul><li>f</ul><td>g</table>"),
        ["table", " row role=label", "  cell role=label: a", "  cell role=label cols=2: b", " row",
         "  cell rows=2: c", "  cell", "   p: d", "   p: e", "  cell", " row", "  cell",
         "   list rend=bulleted", "    item: f", "  cell: g"],
    ),
    "captions come first": (
        "<table><tr><th>a<th>b<tr><td>c<td>d<caption>t</caption></table>",
        ["table", " head: t", " row role=label", "  cell role=label: a", "  cell role=label: b",
         " row", "  cell: c", "  cell: d"],
    ),
    "tables of divs": (
        ("<div role=table><div role=row><span role=columnheader>a</span></div>"
        "<div><div role=row><span role=cell>b</span></div></div></div>"),
        ["table", " row role=label", "  cell role=label: a", " row", "  cell: b"],
    ),
    "layout tables": ("<table role=presentation><tr><td>a<td>b</table>", ["p: a", "p: b"]),
    "figures": (
        ("<figure><img src=a.png alt='an <x>' width=30><figcaption>b</figcaption></figure>"
         "<img src=c.png>"),
        ["figure", " graphic url=https://example.org/d/a.png width=30px", "  desc: an <x>",
         " head: b", "figure", " graphic url=https://example.org/d/c.png", "p"],
    ),
    "pictures in lines": (
        "<p>a <img src=bird.png> c <a href=/x><img src=d.png></a>",
        ["p: a", " graphic url=https://example.org/d/bird.png", " + c",
         " ref target=https://example.org/x", "  graphic url=https://example.org/d/d.png"],
    ),
    "within lines": (
        "<p>a <b>b<i>c</i></b> <a href='/x y'>d</a><br>e<sub>2</sub><q>f</q><ruby>g<rt>h</ruby>",
        ["p: a", " hi rend=bold: b", "  hi rend=italic: c",
         " ref target=https://example.org/x%20y: d",
         " lb", " + e", " hi rend=subscript: 2", " q: f", " + g(h)"],
    ),
    "code": (
        "<pre class=language-py>a\n  &lt;b></pre><p>c <code>d <a href=/e>f</a></code>",
        ["p rend=code", " code rend=block lang=py space=preserve: a\n  <b>", "p: c", " code: d",
         " ref target=https://example.org/e", "  code: f"],
    ),
    "formulas": (
        (r"<p>a <script type=math/tex>x&lt;y</script> \(z\)"
         "<script type='math/tex; mode=display'>w</script>"),
        ["p: a", " formula notation=TeX rend=inline: x&lt;y",
         " formula notation=TeX rend=inline: z",
         "p", " formula notation=TeX rend=display: w"],
    ),
    "rules, breaks, summaries": (
        "<p>a<br><br>b<hr><details><summary>c</summary>d</details>",
        ["p: a", "p: b", "milestone unit=section rend=rule", "p rend=summary: c", "p: d"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_structure(case):
    html, expected = CASES[case]
    assert body(html) == expected


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("links", ["p: a b", " figure"]),
        ("images", ["p", " ref target=https://example.org/x: a", " hi rend=bold: b"]),
        ("emphasis", ["p", " ref target=https://example.org/x: a", " + b"]),
        ("tables", ["p: c", "p: d"]),
    ],
)
def test_options(option, expected):
    html = "<p><a href=/x>a</a> <b>b</b></p><img src=i.png><table><tr><th>c<th>d</table>"
    got = body(html, **{option: False})
    if option == "links":
        assert got[:2] == ["p: a", " hi rend=bold: b"]
        assert not any("ref" in line for line in got)
    else:
        assert set(expected) <= set(got)
    assert any("graphic" in line for line in got) == (option != "images")
    assert any("table" in line for line in got) == (option != "tables")


@settings(max_examples=300)
@given(contents())
def test_any_page_is_valid(content):
    source = tei.render(content, options=OutputOptions(rows=True))
    if content:
        valid(source)
    else:
        assert source == ""


words = st.text(max_size=20)
addresses = st.one_of(
    st.just(""), words.map(lambda word: f"https://example.org/{word}"), words,
    st.sampled_from(["http://[::1]/a[b]", "http://a:b/", "//[", "a#b#c", "%zz%20", "mailto:a b"]),
)  # fmt: skip


@settings(max_examples=100)
@given(
    st.fixed_dictionaries(
        {
            name: st.none() | words
            for name in FIELDS
            if name not in ("authors", "editors", "contributors", "categories", "tags", "product")
        }
    ),
    st.lists(words, max_size=3),
    st.sampled_from(["2014-04-02", "2014-04-02T08:04:00+08:00", "0001-01-01", "then", "2014"]),
    addresses,
)
def test_any_header_is_valid(about, names, date, address):
    about |= {"authors": names, "tags": names, "categories": names, "published": date}
    about |= {"contributors": [{"role": "translator", "name": date}]}
    about |= {"editors": names, "product": {"name": date, "rating_count": 3}}
    about |= {"canonical": address, "licence": address, "language": "zh-Hans"}
    valid(tei.render(content_of("<p>a", url=address), about=about))


@settings(max_examples=100)
@given(addresses)
def test_any_address_is_valid(address):
    quoted = address.replace("&", "&amp;").replace('"', "&quot;")
    html = f'<p><a href="{quoted}">a</a><img src="{quoted}">'
    valid(tei.render(content_of(html, url=URL)))


@settings(max_examples=100)
@given(contents(), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9), words), max_size=4))
def test_any_posts_are_valid(content, spots):
    posts = [
        Post(at + 1, name, name, name, f"{name}\n", (row, row + size), "comment", at or None)
        for at, (row, size, name) in enumerate(spots)
    ]
    source = tei.render(content, posts=posts, options=OutputOptions(rows=True))
    assert bool(source) == bool(content or posts)
    if source:
        root = valid(source)
        assert len(root.findall(f".//{NAMESPACE}div[@type='post']")) == len(posts)


def test_posts_stand_in_document_order_in_place_of_their_rows():
    html = "<h1>q</h1><ul><li><b>Ann</b> says<p>one</li><li>x</li></ul><p>after"
    content = content_of(html)
    page = content.page
    first = page.first("li")
    rows = (first, int(page.end[first]))
    post = Post(1, "Ann", "https://example.org/ann", "2020-01-02", "one\nmore", rows, "post", None)
    root = valid(tei.render(content, posts=[post]))
    assert outline(root.find(f".//{NAMESPACE}body")) == [
        "div", " head: q", "div type=post subtype=post n=1 id=post1", " docAuthor",
        "  ref target=https://example.org/ann: Ann", " docDate when=2020-01-02: 2020-01-02",
        " p: one", " p: more", "div", " list rend=bulleted", "  item: x", " p: after",
    ]  # fmt: skip


def test_an_extract_has_its_metadata_in_the_header():
    html = """<html lang=en><head><title>Seeds of the finch</title>
<meta name=author content="Ann Lee"><meta property="article:published_time" content="2020-01-02">
<meta name=description content="What finches eat"></head><article><h1>Seeds of the finch</h1>
<p>The finch eats seeds of thistles, and of many other plants besides.</article>"""
    got = chaffinch.extract(html, url=URL, keep="article")
    root = valid(got.tei())
    header = root[0]
    assert header.findtext(f".//{NAMESPACE}titleStmt/{NAMESPACE}title") == "Seeds of the finch"
    assert header.findtext(f".//{NAMESPACE}author") == "Ann Lee"
    assert header.find(f".//{NAMESPACE}date").attrib == {"type": "published", "when": "2020-01-02"}
    assert header.findtext(f".//{NAMESPACE}abstract/{NAMESPACE}p") == "What finches eat"
    assert root[1].get("{http://www.w3.org/XML/1998/namespace}lang") == "en"


def test_editors_source_and_product_stand_in_the_header():
    product = {"name": "Seed bag", "price": "19.90"}
    zhou = {"role": "photographer", "name": "Zhou"}
    about = {"editors": ["Zhao"], "original_source": "The Agency", "product": product}
    about["contributors"] = [{"role": "editor", "name": "Zhao"}, zhou]
    header = tei.render(content_of("<p>a"), about=about).partition("</teiHeader>")[0]
    photographer = "<respStmt><resp>photographer</resp><name>Zhou</name></respStmt>"
    assert f"<title></title><editor>Zhao</editor>{photographer}</titleStmt>" in header
    assert "<publisher>The Agency</publisher></bibl>" in header
    assert '<item n="price">19.90</item>' in header


def test_no_content_is_nothing():
    page = content_of("<p>a").page
    nothing = Content(page, Verdict.empty(len(page)))
    assert tei.render(nothing, about={"title": "a"}) == ""
    assert np.count_nonzero(nothing.kept) == 0
