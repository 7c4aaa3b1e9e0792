"""Every kernel that a page's trip calls gives the same bits both ways."""

import random
from contextlib import suppress

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import ORACLES

import chaffinch
from chaffinch import kernels
from chaffinch.layout.estimated_boxes import flow
from chaffinch.layout.markup import read_markup
from chaffinch.metadata.values import words_held
from chaffinch.methods import METHODS
from chaffinch.page import parse
from chaffinch.page.flattening import highest
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

ALONE = [name for name, kind in METHODS.items() if not kind.needs_siblings]
LONG = "The chaffinch builds its nest of moss in the fork of a tree."
PARTS = st.sampled_from(
    [
        f"<p>{LONG}</p>",
        f"<div class=card><p>{LONG}</p></div>",
        "<p>Grain and chaff</p>",
        "<p><a href=x>Read more</a></p>",
        "<h1><a href=x>Title</a></h1>",
        "<h2>Heading<a href=#b>#</a></h2>",
        "<ul><li>One<li>Two</ul>",
        "<ul><li><p>One<p>Two<p>Three</ul>",
        "<dl><dt>Term<dd>Meaning<dd><ul><li>Inner</ul></dl>",
        "<table><tr><th>A<th>B<tr><td style='width:30%'>1<td>2</table>",
        "<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>",
        "<table><tr><td><p>Laid out<p>Thus</table>",
        "<nav><ul><li><a href=x>Home</a></ul><pre>code</pre></nav>",
        "<pre>\n code\nmore <b>  code \n\n</b></pre>",
        "<div role=dialog><p>Accept</div>",
        "<footer><p>Imprint</footer>",
        "<blockquote>Said<footer>Who</footer></blockquote>",
        "<div><button aria-expanded=false>Open</button></div>",
        "<div><div class=tab-pane hidden>Tab one</div><div class=TAB-PANE>Tab two</div></div>",
        "<details><summary>More</summary>Text</details><details>Other</details>",
        "<div class='Größe toggle-content'>Non-ASCII</div>",
        "<figure><img src=a><figcaption>Caption</figcaption></figure>",
        "<p>Text <img src=b> around<br>lines",
        "<img src=c width=20 height=20>",
        "<div><img src=d style='width:300px'></div><hr>",
        "<p>A formula <math><mi>x</mi></math> in text",
        "<title>grain and chaff</title><meta name=description content='grain and chaff'>",
    ]
)
HTML = st.lists(PARTS, min_size=1, max_size=25).map("".join) | markup()


def trip(html, **options):
    """Go through all that a page may be asked for."""
    got = chaffinch.extract(html, **options)
    assert got.text == got.text
    for written in (got.markdown, got.html):
        assert isinstance(written(), str)
    page = got.page
    assert len(page.path_hash) == len(page)
    assert dict(page.having("id")).keys() <= set(range(len(page)))
    assert list(page.values("class").rows) == list(
        dict.fromkeys(dict(page.having("class")).values())
    )
    page.rows_where("href", bool, "us", "http")
    classes = page.values("class")
    assert classes.containing("ai") == [one for one in classes.rows if "ai" in one.lower()]
    kernels.kept_bytes(page.text_at, got.keep, page.text, max(page.body, 0))
    flow(page, read_markup(page))
    blocks = text_blocks(page)
    assert blocks.texts() == [blocks.text(block) for block in range(len(blocks))]
    return got


@settings(max_examples=60)
@given(html=HTML)
def test_random_pages(compared, html):
    with compared():
        trip(html)


@settings(max_examples=60)
@given(html=HTML, method=st.sampled_from(ALONE))
def test_any_method(compared, html, method):
    with compared():
        trip(html, method=method)


def meet_kernels(rows):
    """Have pages of the example site meet the kernels that a page's trip calls."""
    for number, row in enumerate(rows[::40]):
        method = ALONE[number % len(ALONE)]
        trip(row["html"].encode("latin-1"), method=method, url=row["url"])
    trip(b'<script type="application/ld+json">{"@type": "Article"}</script><p>x')
    page = parse("<p>x")
    highest(page, np.ones(len(page)))
    parse("<p>" * 3_000 + "<p " + "a " * 150_000)
    parse(("<p " + "a " * 4_000 + ">") * 101)  # too many names, one by one
    kernels.parts_with(b".a{display:none}", (b"none",))
    words_held(page, np.zeros(len(page), np.int32), ["grain"])
    page.all_attributes()


def test_pages_of_the_example_site(compared, example_site):
    with compared() as calls:
        meet_kernels(example_site)
    # Kernels of the language model and of records have tests of their own: outputs ask for them.
    apart = {"counted_outputs", "half_sums", "common_values"}
    assert set(calls) == set(ORACLES) - apart


def test_pages_cut_anywhere(compared, example_site):
    rng = random.Random(11)  # noqa: S311  seeded, for pages and not for secrets
    with compared():
        for row in rng.sample(example_site, 30):
            html = row["html"].encode("latin-1")
            start, stop = sorted(rng.sample(range(len(html)), 2))
            with suppress(chaffinch.PageError):  # a piece of a script is no page
                trip(html[start:stop])
