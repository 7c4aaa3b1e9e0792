"""The page table: rows of the tree, attributes, selectors, XPath; pages joined into one."""

import pickle
import tomllib
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from chaffinch import parse
from chaffinch.errors import OptionError
from chaffinch.page import tags
from chaffinch.page.attributes import Search
from chaffinch.page.bounds import Limits
from chaffinch.page.joining import join_pages
from rows_of_cases import examples
from strategies import markup

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))

OPAQUE = {"script", "style", "iframe", "noembed", "noframes", "template"}


def slow_rows(tree):
    """Return (name, parent, depth, text, attributes, identity) of each row by plain recursion."""
    rows = []

    def visit(node, parent, depth):
        if node.is_comment_node:
            return
        row = len(rows)
        name = "#text" if node.is_text_node else node.tag
        text = node.text_content if node.is_text_node else ""
        rows.append((name, parent, depth, text, node.attributes, node.mem_id))
        if name not in OPAQUE:
            child = node.first_child
            while child is not None:
                visit(child, row, depth + 1)
                child = child.next

    visit(tree.root, -1, 0)
    return rows


@given(markup())
def test_rows_are_those_of_the_tree(html):
    page = parse(html)
    rows = slow_rows(LexborHTMLParser(html, options=1))
    assert [page.name(r) for r in range(len(page))] == [r[0] for r in rows]
    assert page.parent.tolist() == [r[1] for r in rows]
    assert page.depth.tolist() == [r[2] for r in rows]
    assert [dict(page.attributes(r)) for r in range(len(page))] == [r[4] for r in rows]
    own = [page.text[a:b] for a, b in zip(page.text_at[:-1], page.text_at[1:], strict=True)]
    texts = [r[3] for r in rows]
    spaced = [f"{text} " for text in texts]  # a label or a link beside the next
    assert [one in both for one, *both in zip(own, texts, spaced, strict=True)] == [True] * len(own)


@given(markup())
def test_subtrees_are_slices(html):
    page = parse(html)
    for row in range(len(page)):
        below = [r for r in range(len(page)) if r == row or row in page.ancestors(r)]
        assert below == list(range(row, page.end[row]))
        assert page.children(row) == [r for r in range(len(page)) if page.parent[r] == row]
        assert page.size[row] == len(below)


def subtree_key(page, row, what):
    """Return what a subtree hash stands for, in full."""
    out = []
    for r in range(row, page.end[row]):
        key = [page.name(r), page.depth[r] - page.depth[row]]
        if what != "shape":
            key.append(sorted(page.attributes(r).items(), key=str))
        if what == "content" and page.tag[r] == tags.TEXT:
            key.append(page.text_of(r))
        out.append(key)
    return repr(out)


@given(markup(max_size=60))
@settings(max_examples=60)
def test_hashes_tell_subtrees_apart(html):
    page = parse(html)
    hashes = {
        "shape": page.shape_hash,
        "content": page.content_hash,
    }
    for what, column in hashes.items():
        keys = [subtree_key(page, r, what) for r in range(len(page))]
        seen: dict[int, str] = {}
        for value, key in zip(column.tolist(), keys, strict=True):
            assert seen.setdefault(value, key) == key
        assert len(set(keys)) == len(seen)
    paths = [page.tag_path(r) for r in range(len(page))]
    assert len(set(zip(paths, page.path_hash.tolist(), strict=True))) == len(set(paths))
    assert len(set(page.path_hash.tolist())) == len(set(paths))


SELECTORS = examples(__file__, "page selectors")


@given(markup(max_size=60), st.sampled_from(SELECTORS))
@settings(max_examples=120)
def test_selectors_match_what_the_parser_matches(html, selector):
    page = parse(html)
    tree = LexborHTMLParser(html, options=1)
    row_of = {one[-1]: row for row, one in enumerate(slow_rows(tree))}
    expected = sorted({row_of[n.mem_id] for n in tree.css(selector) if n.mem_id in row_of})
    assert page.select(selector).tolist() == expected


@given(markup())
def test_paths_lead_back(html):
    page = parse(html)
    for row in range(len(page)):
        if "#" not in page.xpath(row) and page.tag[row] > 1:
            assert page.select(page.xpath(row)).tolist() == [row]
        element = row if page.tag[row] else page.parent[row]
        assert page.select(page.selector(row)).tolist() == [element]


@given(markup())
def test_pages_survive_pickling_and_threads(html):
    page = parse(html, url="https://grain.example/a")
    with ThreadPoolExecutor(4) as pool:
        hashes = list(pool.map(lambda _: page.content_hash.tolist(), range(4)))
    assert all(h == hashes[0] for h in hashes)
    again = pickle.loads(pickle.dumps(page))  # noqa: S301
    assert again.content_hash.tolist() == hashes[0]
    assert (again.url, again.text, again.base) == (page.url, page.text, page.base)


def test_pages_do_not_change():
    page = parse("<p class=a>x")
    for column in ("tag", "parent", "depth", "end", "text_at", "own_length", "line", "size"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(page, column)[0] = 1
    with pytest.raises(AttributeError):
        page.text = ""
    with pytest.raises(TypeError):
        page.attributes(page.first("p"))["class"] = "b"


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ('<p><a href="/mill">The mill</a> grinds</p>', "The mill"),
        ('<p><a onclick="go()" id="m">The mill</a> grinds</p>', "The mill"),
        ('<h2><a id="mill"/>The mill</h2><p>It grinds <a href="/rye">rye</a>.</p>', "rye"),
        ('<p><a name="mill">The mill</a> grinds</p>', ""),
        ('<dl><dt><a name="a" id="a"/><dd>Rye<dt><a name="b"/><dd>Oats</dl>', ""),
    ],
)
def test_the_name_of_a_place_is_no_link_even_where_nobody_closed_it(html, linked):
    page = parse(html)
    rows = (page.in_link & page.written).nonzero()[0]
    assert "".join(map(page.folded, rows)) == linked


def test_shadow_roots_are_flattened_in_and_other_templates_left_out():
    page = parse("<x-a><template shadowrootmode=open><p>in</p></template><b>light</b></x-a>")
    assert page.folded(0) == "inlight"
    assert page.shown[page.first("p")]
    assert parse("<template><p>out</p></template>").text == ""
    drawn = parse("<svg><template shadowrootmode=open><g>out</g></template></svg>after")
    assert drawn.text == "after"


def deep_trees():
    """Yield pages whose elements and texts lie deeper than tables go, from each parser."""
    deep = "<div>t" * 700 + "</div>u" * 700
    yield parse(deep)
    yield parse(deep, limits=Limits(max_depth=3))
    lxml_html = pytest.importorskip("lxml.html", reason="lxml: pip install 'chaffinch[lxml]'")
    parser = lxml_html.HTMLParser(huge_tree=True)
    yield parse(lxml_html.document_fromstring(deep, parser=parser))


def test_parent_depth_and_end_agree_below_the_depth_that_is_kept():
    for page in deep_trees():
        rows = np.arange(1, len(page))
        above = page.parent[1:]
        assert ((above < rows) & (page.end[above] >= page.end[1:])).all()
        assert (page.depth[1:] == page.depth[above] + 1).all()
        assert page.text == "t" * 700 + "u" * 700


def test_lxml_trees_become_the_same_table():
    lxml_html = pytest.importorskip("lxml.html", reason="lxml: pip install 'chaffinch[lxml]'")
    source = (
        "<html lang='en'><head><title>t</title></head><body><!-- c --><div id='a'>x<b>y</b>z"
        "<script type='application/json'>[1]</script></div><foo-bar>q</foo-bar> tail</body></html>"
    )
    mine, theirs = parse(source), parse(lxml_html.document_fromstring(source))
    assert theirs.tag.tolist() == mine.tag.tolist()
    assert theirs.end.tolist() == mine.end.tolist()
    assert theirs.text == mine.text
    assert theirs.sources == mine.sources
    assert theirs.names == mine.names
    assert theirs.content_hash.tolist() == mine.content_hash.tolist()


NAMED = st.lists(st.text(st.sampled_from("aAbK\u212aİß s"), max_size=5), max_size=6)
WORDS = ("aa", "ab", "ba", "ss", "k ", "bk")
SEARCHES = [Search(name, *two) for name in ("class", "id", "lang") for two in pairwise(WORDS)]


@given(names=NAMED)
def test_many_searches_together_find_what_each_finds_alone(names):
    html = "".join(f"<p class='{name}' title=ab>x" for name in names) + "<p id=ab>y"
    page = parse(html)
    for search in SEARCHES:
        assert search.rows(page) == [
            row
            for row, value in page.having(search.name)
            if any(word in value.lower() for word in search.words)
        ]


def test_more_searches_than_one_pass_has_bits_are_found():
    searches = [Search("class", f"w{number:03}x") for number in range(100)]
    html = "".join(f"<p class='{search.words[0].upper()}'>x" for search in searches)
    for page in (parse(html), parse(html)):  # what was asked of the first is remembered
        rows = [row for row, _ in page.having("class")]
        assert [search.rows(page) for search in searches] == [[row] for row in rows]


PAGE = parse(
    '<html><head><meta property="og:title" content=" A  b"></head><body><o:p>x</o:p>'
    '<div class="story a" id=q>Hello <b>you</b> there<p>para<br>next</div><p>\x01odd\x00'
)


@pytest.mark.parametrize(("select", "texts"), TABLE["texts"])
def test_texts(select, texts):
    found = PAGE.selected(select)
    own = (PAGE.text_of(one.row) if one.value is None else one.value for one in found)
    assert [*filter(None, (" ".join(text.split()) for text in own))] == texts


@pytest.mark.parametrize(
    ("select", "message"), [*TABLE["wrong"], ("//p" + "[1" * 5000, "bad XPath")]
)
def test_what_cannot_be_meant_is_refused(select, message):
    with pytest.raises(OptionError, match=message):
        PAGE.select(select)


PAGES = st.lists(markup(), min_size=2, max_size=4)


def parts_of(sources):
    """Return the pages of sources, of which each has a text in a body."""
    return [parse(f"<p>{number}</p>{source}") for number, source in enumerate(sources)]


@given(PAGES)
def test_each_part_is_there_row_by_row(sources):
    pages = parts_of(sources)
    joined = join_pages(pages)
    assert len(joined.rows) == len(pages)
    for part, (begin, stop) in zip(pages[1:], joined.rows[1:], strict=True):
        own = slice(part.body, int(part.end[part.body]))
        assert stop - begin == own.stop - own.start
        names = [part.name(row) for row in range(own.start, own.stop)]
        assert [joined.page.name(row) for row in range(begin, stop)] == ["div", *names[1:]]
        assert joined.page.text_of(begin) == part.text_of(part.body)
    body = joined.page.body
    texts = [page.text_of(page.body) for page in pages]
    assert joined.page.text_of(body) == "".join(texts)
    column = joined.column([np.full(len(page), number) for number, page in enumerate(pages)])
    assert len(column) == len(joined.page)
    for number, (begin, stop) in enumerate(joined.rows[1:], 1):
        assert (column[begin:stop] == number).all()
