"""The kernel that walks the parser's tree makes the page that the walk in Python makes."""

import pickle
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ORACLES
from selectolax.lexbor import LexborHTMLParser

from chaffinch import PageError, kernels, parse
from chaffinch.page.bounds import Limits
from strategies import markup

PARSER = sys.modules["chaffinch.page.parsing"]._PARSER  # noqa: SLF001  what is bound
COLUMNS = "tag parent depth end text_at".split()
NAMES = "class id href data-x type xlink:href viewBox no-such".split()

PIECES = (
    "<p> </p> <div> </div> <b> <i> <svg> </svg> <math> <mi> <template> </template> <table> <td>"
    " <!--c--> x é 字 𝄞 &amp; &#0; &#xD800; <x-y> <X-É> </x-y> <lineargradient> <svg><use"
    " <iframe>a</iframe> <style>b</style> <select> <option> <frameset> <plaintext> <html"
    " <script>window._STATE_</script> <script></script> <p"
).split()
PIECES += [
    " ",
    "\0",
    "\ud800",
    "<a href=1 href=2 class='a b'>",
    "<p class data-x='' id=é>",
    "<svg viewBox=0 viewbox=1 xlink:href=a href=b XLINK:HREF=c>",
    "<html lang=en class=b>",
    "<body id=x>",
    "<script type=' Application/LD+JSON'>{}</script>",
    "<script type='math/tex; mode=display'>x</script>",
    "<script>window.__A_STATE__ = 1; _STATE_</script>",
    "<div><template shadowrootmode=open><p>x</template>",
    "<template shadowrootmode=open>y</template>",
    "<math><annotation-xml encoding='text/html'><p>",
]
pieces = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def assert_same(page, plain):
    for name in COLUMNS:
        ours, theirs = getattr(page, name), getattr(plain, name)
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist(), name
        assert not ours.flags.writeable
    assert page.text == plain.text
    assert page.names == plain.names
    assert page.sources == plain.sources
    rows = range(-1, len(page) + 1)
    assert [list(page.attributes(row).items()) for row in rows] == [
        list(plain.attributes(row).items()) for row in rows
    ]
    assert list(page.all_attributes()) == list(plain.all_attributes())
    assert page.attribute_names == plain.attribute_names
    for name in {*NAMES, *plain.attribute_names}:
        assert page.having(name) == plain.having(name)
        assert page.values(name).rows == plain.values(name).rows


def both(html, **options):
    page = parse(html, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "walk", ORACLES["walk"])
        plain = parse(html, **options)
    assert_same(page, plain)
    assert_same(pickle.loads(pickle.dumps(page)), plain)  # noqa: S301  our own
    return page


@given(html=markup() | pieces)
def test_pages(html):
    both(html)


@given(html=pieces, depth=st.integers(1, 6))
def test_depth(html, depth):
    page = both(html, limits=Limits(max_depth=depth))
    assert page.depth.max() <= depth


@pytest.mark.parametrize(
    "html",
    [
        "",
        "\0",
        "<div>" * 3_000 + "x",
        "<b><p>" * 300,
        "<p a=1>" * 5_000,
        "".join(f"<p a{i}={i}>" for i in range(3_000)),
        "".join(f"<x-{i}>" for i in range(600)),
        "<p>" + "字é𝄞x" * 5_000 + "<p title='" + "字" * 5_000 + "'>",
        "<html a b><body c><html d b=2><body e c=3>",
        "<!--a--><p><!--b--></p><!--c--></html><!--d-->",
        b"<p title='\xff'>\xed\xa0\x80<b>\xe5\xad</b>\x97",
    ],
    ids=range(11),
)
def test_edges(html):
    both(html)


def test_too_many_rows():
    html = "<p>x" * 50
    assert len(both(html, limits=Limits(max_rows=103))) == 103
    with pytest.raises(PageError, match="more than 102 rows"):
        parse(html, limits=Limits(max_rows=102))


def test_which_walk_is_in_use():
    assert not kernels.walk_hindrance(PARSER)
    other = replace(PARSER, library="/no/such/library.so")
    assert "lacks functions" in kernels.walk_hindrance(other)
    root = LexborHTMLParser("<p class=a>b").root
    assert kernels.walk(root, other, 100, 100).attributes == {3: {"class": "a"}}
    reads_nothing = replace(PARSER, sample=LexborHTMLParser("").create_node("p").clone)
    assert "different" in kernels.walk_hindrance(reads_nothing)
