"""What is compared, and which nodes the walk deletes, by hand and against a plain reading."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.methods.layout_similarity import compared_nodes, equal_nodes

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
import plain_comparison

from strategies import markup


def deleted(html, reference_html, **options):
    page, reference, numbers = parse(html), parse(reference_html), {}
    nodes = compared_nodes(page, numbers, **options)
    twin = compared_nodes(reference, numbers, **options)
    found = equal_nodes(nodes, twin)
    known = compared_nodes(page, numbers, learn=False, **options)
    assert np.array_equal(equal_nodes(known, twin), found)
    return page, nodes.row[found].tolist()


def test_a_collision_of_hashes_deletes_nothing():
    numbers = {}
    one, other = (compared_nodes(parse(h), numbers) for h in ("<p>a</p>", "<p>b</p>"))
    forged = type(other)(**(vars(other) | {"hash": one.hash}))
    assert not equal_nodes(one, forged).any()
    assert equal_nodes(one, one).tolist() == [False, True, True]


def test_a_page_of_equal_nodes_takes_no_quadratic_time():
    html = "<p>a</p>" * 20_000
    page, rows = deleted(html, html)
    assert len(rows) == len(page) - 3  # all but html, head and body


TAGS = [
    *("div", "p class=x", "p id=y", "b", "a", "form", "ul hidden", "foo-x", "textarea", "label"),
    *("script", "noscript", "button", "p style='visibility:hidden'", "p style='display:nonesuch'"),
]
words = st.sampled_from(["a", "b", " ", "a b", "a\n  b", "<br>", "<img>", "<input>", "<i>a</i>"])
trees = st.recursive(
    words,
    lambda inner: st.tuples(
        st.sampled_from(TAGS),
        st.lists(inner, max_size=4),
    ).map(lambda t: f"<{t[0]}>{''.join(t[1])}</{t[0].split()[0]}>"),
    max_leaves=12,
)
bodies = st.lists(trees, max_size=6)


def check_against_plain_reading(html, reference_html, options):
    page, rows = deleted(html, reference_html, **options)
    body, other = (
        plain_comparison.prepared(one, **options) for one in (page, parse(reference_html))
    )
    nodes = compared_nodes(page, {}, **options)
    assert nodes.row.tolist() == [n.row for n in (body, *body.below())]
    assert set(rows) == plain_comparison.deleted(body, other)


options = st.fixed_dictionaries(
    {"void_elements": st.booleans(), "max_dropped": st.sampled_from([0.0, 0.5, 1.0])}
)


@settings(max_examples=200)
@given(bodies, bodies, bodies, options)
def test_against_a_plain_reading(common, own, others, options):
    check_against_plain_reading("".join(own + common), "".join(common[::-1] + others), options)


@given(markup(), markup(), options)
def test_against_a_plain_reading_on_wild_pages(html, reference, options):
    check_against_plain_reading(html + reference, reference, options)
