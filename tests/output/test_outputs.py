"""Text, HTML and TEI: what a page is written as, by the table of cases, and what any page is."""

import re
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from output_pages import CASES, bare, content_of, contents
from tei_schema import NAMESPACE, require_schemas, valid

import chaffinch
from chaffinch.metadata import FIELDS
from chaffinch.output import html, markdown, tei, text
from chaffinch.output.options import OutputOptions
from chaffinch.output.whole_page import whole_page
from chaffinch.page import parse
from everything import all_of

URL = "https://example.org/d/p.html"


@pytest.fixture(scope="module")
def schemas():
    require_schemas()


def tei_lines(source):
    """Return the body as lines, indented by depth, and only what tells the structure."""
    lines = []

    def tell(element, depth):
        pairs = "".join(f" {key.rpartition('}')[2]}={v}" for key, v in element.attrib.items())
        name = element.tag.removeprefix(NAMESPACE)
        lines.append(f"{' ' * depth}{name}{pairs}: {(element.text or '').strip()}".rstrip(": "))
        for child in element:
            tell(child, depth + 1)
            if child.tail and child.tail.strip():
                lines.append(f"{' ' * (depth + 1)}+ {child.tail.strip()}")

    for child in valid(source).find(f".//{NAMESPACE}body"):
        tell(child, 0)
    return "".join(f"{line}\n" for line in lines)


WRITERS = {
    "text": text.render,
    "markdown": markdown.render,
    "html": html.render,
    "tei": lambda content: tei_lines(tei.render(content)),
}
OF_WRITERS = [(name, one) for name, case in CASES.items() for one in WRITERS if one in case]


@pytest.mark.usefixtures("schemas")
@pytest.mark.parametrize(("case", "writer"), OF_WRITERS)
def test_case(case, writer):
    assert WRITERS[writer](content_of(CASES[case]["page"], url=URL)) == CASES[case][writer]


OPTIONS = (
    "<p><a href=/x>a</a> <b>b</b></p><img src=i.png><table><tr><th>c<th>d<tr><td>e<td>f</table>"
)


@pytest.mark.usefixtures("schemas")
@pytest.mark.parametrize("name", ["markdown", "html", "tei"])
@pytest.mark.parametrize("option", ["links", "images", "emphasis", "tables"])
def test_options(option, name):
    signs = {
        "markdown": {"links": "x)", "images": "![", "emphasis": "**", "tables": "|"},
        "html": {"links": "<a", "images": "<img", "emphasis": "<b>", "tables": "<t"},
        "tei": {"links": "<ref", "images": "<graphic", "emphasis": "<hi", "tables": "<table"},
    }[name]
    render = {"markdown": markdown, "html": html, "tei": tei}[name].render
    written = render(content_of(OPTIONS, url=URL), options=OutputOptions(**{option: False}))
    shown = {one for one, sign in signs.items() if sign in written.partition("<body>")[2] + written}
    assert shown == {*signs} - {option}
    assert {*re.findall(r"\b[a-f]\b", written)} >= {*"abcdef"}


# HTML

ATTRIBUTES = set(
    "href src srcset alt title width height colspan rowspan scope headers lang dir datetime cite"
    " start reversed value type id class open data-row".split()
)
SCHEMES = ("http://", "https://", "mailto:", "tel:", "ftp://")
HOSTILE = st.sampled_from([
    "javascript:alert(1)", " java\tscript:alert(1)", "JaVaScRiPt:x", "\x01javascript:x",
    "data:text/html,x", "vbscript:x", "&#106;avascript:x", "java&Tab;script:x", "//e.org/x",
    'x"onload=y', "'><script>", 'https://e.org/a b"c', "file:///etc/passwd", "blob:x", "http://[x",
    "#f", "?q=<", "x y 2x, z 3x", "\u200bjavascript:x", "\\\\e.org\\x", "a:b", "", "mailto:a@b.org",
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
        attributes = "".join(f' {name}="{own.replace(chr(34), "&quot;")}"' for name, own in pairs)
        words = draw(st.sampled_from(["", "x", " x ", "&lt;b>", "<!-- c -->", "]]>", "&amp;lt;"]))
        parts.append(f"<{tag}{attributes}>{words}")
    return "".join(parts)


@settings(max_examples=120)
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


@settings(max_examples=120)
@given(st.one_of(hostile().map(lambda source: content_of(source, url=URL)), contents()))
def test_what_is_written_reads_back_the_same(content):
    tables = content.page.is_tag("table")
    assume(not (tables & (content.page.length == 0)).any())  # its wbr alone keep its empty cells
    written = html.render(content)
    again = all_of(parse(f"<!doctype html>{written}".encode()))
    judges = replace(again.verdict, judges_images=content.verdict.judges_images)
    assert html.render(replace(again, verdict=judges)) == written
    lines = (
        [bare(line) for line in re.split(r"[\n\t]", text.render(one))] for one in (again, content)
    )
    read, told = ([line for line in own if line] for own in lines)
    assert "".join(read) == "".join(told), written


def test_whole_page_without_its_noise():
    page = (
        "<html lang=en><head><title>a & b</title><base href=/x/><script>s</script>"
        "<link rel='stylesheet' href=s.css media=screen><style>p{}</style></head>"
        "<body class=c onload=x><div id=n><p>noise</p></div><main class='m' data-q=1>"
        "<p onclick=y style='color:red'>text <a href=javascript:x class=l>l</a><my-x>m</my-x>"
        "<script>z</script></p><picture><source srcset=a.png><img src=b.png></picture></main>"
    )
    assert whole_page(content_of(page, drop="#n", url=URL)) == (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<base href="https://example.org/x/">\n<title>a &amp; b</title>\n'
        '<link rel="stylesheet" href="https://example.org/x/s.css" media="screen">\n</head>\n'
        '<body class="c">\n<main class="m" data-q="1"><p style="color:red">text '
        '<a class="l">l</a><my-x>m</my-x></p><picture><source srcset="a.png"><img src="b.png">'
        "</picture></main>\n</body>\n</html>\n"
    )


# TEI


@pytest.mark.usefixtures("schemas")
@settings(max_examples=120)
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
LISTS = ("authors", "editors", "contributors", "categories", "tags", "product")


@pytest.mark.usefixtures("schemas")
@settings(max_examples=100)
@given(
    st.fixed_dictionaries({name: st.none() | words for name in FIELDS if name not in LISTS}),
    st.lists(words, max_size=3),
    st.sampled_from(["2014-04-02", "2014-04-02T08:04:00+08:00", "0001-01-01", "then", "2014"]),
    addresses,
)
def test_any_header_and_address_is_valid(about, names, date, address):
    about |= {"authors": names, "tags": names, "categories": names, "published": date}
    about |= {"contributors": [{"role": "translator", "name": date}]}
    about |= {"editors": names, "product": {"name": date, "rating_count": 3}}
    about |= {"canonical": address, "licence": address, "language": "zh-Hans"}
    quoted = address.replace("&", "&amp;").replace('"', "&quot;")
    page = f'<p><a href="{quoted}">a</a><img src="{quoted}">'
    valid(tei.render(content_of(page, url=address), about=about))


@pytest.mark.usefixtures("schemas")
def test_the_header_says_what_is_known():
    page = """<html lang=en><head><title>Seeds of the finch</title>
<meta name=author content="Ann Lee"><meta property="article:published_time" content="2020-01-02">
<meta name=description content="What finches eat"></head><article><h1>Seeds of the finch</h1>
<p>The finch eats seeds of thistles, and of many other plants besides.</article>"""
    root = valid(chaffinch.extract(page, url=URL, keep="article").tei())
    header = root[0]
    assert header.findtext(f".//{NAMESPACE}titleStmt/{NAMESPACE}title") == "Seeds of the finch"
    assert header.findtext(f".//{NAMESPACE}author") == "Ann Lee"
    assert header.find(f".//{NAMESPACE}date").attrib == {"type": "published", "when": "2020-01-02"}
    assert header.findtext(f".//{NAMESPACE}abstract/{NAMESPACE}p") == "What finches eat"
    assert root[1].get("{http://www.w3.org/XML/1998/namespace}lang") == "en"
    product = {"name": "Seed bag", "price": "19.90"}
    about = {"editors": ["Zhao"], "original_source": "The Agency", "product": product}
    zhou = {"role": "photographer", "name": "Zhou"}
    about["contributors"] = [{"role": "editor", "name": "Zhao"}, zhou]
    written = tei.render(content_of("<p>a"), about=about).partition("</teiHeader>")[0]
    photographer = "<respStmt><resp>photographer</resp><name>Zhou</name></respStmt>"
    assert f"<title></title><editor>Zhao</editor>{photographer}</titleStmt>" in written
    assert "<publisher>The Agency</publisher></bibl>" in written
    assert '<item n="price">19.90</item>' in written


# Images: all outputs and the part ``images`` are of one opinion


PROSE = (
    "<p>A sentence of the article, long enough to speak for what stands beside it, or above." * 3
)
PAGE = f"""<html><head><title>Old barns</title></head><body><article><h1>Old barns</h1>{PROSE}
<figure><img src=/barn.jpg width=640 height=480 alt=Barn><figcaption>A barn</figcaption></figure>
<a href="https://ads.example/c?id=4"><img src=/offer.gif width=300 height=250></a>{PROSE}
<p><img src=/count.gif width=1 height=1><img class=icon src=/icons/pen.png></p>
<div><img src="/mill_%7Bwidth%7Dx.jpg"><noscript><img src=/mill.jpg></noscript></div>{PROSE}
<amp-img src=/loft.jpg width=600 height=400></amp-img>{PROSE}<a href=/><img src=/logo.svg></a>
</article></body></html>"""


def images_of(found):
    outputs = [
        (found.markdown(), r"!\[[^]]*\]\(([^)]*)\)"),
        (found.html(), r"<img[^>]* src=\"([^\"]*)\""),
        (found.clean(), r"<(?:amp-)?img[^>]* src=\"([^\"]*)\""),
        (found.tei(), r"<graphic[^>]* url=\"([^\"]*)\""),
    ]
    for written, pattern in outputs:
        yield {one.rpartition("/")[2] for one in re.findall(pattern, written)}


@pytest.mark.parametrize("method", ["auto", "information_blocks", "block_density"])
def test_images_are_the_same_in_every_output(example_site, method):
    named = ("article", "product", "thread", "list")
    pages = [row for row in example_site if row["template"] in named][::9]
    for row in [{"html": PAGE, "url": URL}, *pages]:
        found = chaffinch.extract(row["html"].encode("latin-1"), url=row["url"], method=method)
        listed = {one.url.rpartition("/")[2] for one in found.images}
        assert all(one == listed for one in images_of(found)), row["url"]
    kept = chaffinch.extract(PAGE, url=URL, keep=["article"])
    wanted = {"barn.jpg", "mill.jpg", "loft.jpg"}
    assert all(one == wanted for one in images_of(kept))


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>a<i>[1]</i>, b</p>", "a, b"),
        ("<p>a <i>[1]</i> b</p>", "a b"),
        ("<p>a<i> [1]</i>b</p>", "a b"),
        ("<p>a</p><div><i>ad</i></div><p>b</p>", "a\nb"),
        ("<table><tr><td>1<td><i>x</i><td>3</table>", "1\t3"),
    ],
)
def test_dropped_text_leaves_at_most_a_space(page, expected):
    assert text.render(content_of(page, drop="i")) == expected
    assert text.render(content_of("<p><b>a</b> <b>b</b><b>c</b></p>", keep="b")) == "a bc"
