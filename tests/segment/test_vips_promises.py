"""VIPS: what holds on any page, and separators against a plain reading of the report."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.layout.estimated_boxes import looks
from chaffinch.page import parse, tags
from chaffinch.segment.vips import Vips
from chaffinch.segment.vips.blocks import Block, decide

NAMES = (
    "div div section ul li p p span b a h2 table tr td td form blockquote font center img br hr"
    " input script"
).split()
STYLES = ("", "", "", ' style="display:none"', ' bgcolor="#ff0"', ' width="40%"', " hidden")


@st.composite
def pages(draw):
    parts = draw(
        st.lists(
            st.tuples(st.sampled_from(NAMES), st.sampled_from(STYLES), st.integers(0, 3)),
            max_size=40,
        )
    )
    html, opened = [], []
    for number, (name, style, what) in enumerate(parts):
        html.append(f"<{name}{style}>")
        if name not in {"img", "br", "hr", "input"}:
            opened.append(name)
        if what:
            html.append(f"text {number} ")
        if what > 1 and opened:
            html.append(f"</{opened.pop()}>")
    return parse("".join(html))


def promises(page):
    """Check what every segmentation of ``page`` must hold to."""
    seen = looks(page)
    decisions = decide(page, seen)
    before = 0
    for pdoc in range(1, 11):
        found = Vips(pdoc=pdoc)(page)
        leaves = found.leaves
        texts = np.flatnonzero(seen.seen & (page.tag == tags.TEXT))
        # Every text that is shown lies in exactly one leaf.
        owners = np.zeros(len(page), dtype=int)
        for leaf in leaves.tolist():
            for row in found.roots(leaf).tolist():
                owners[row : page.end[row]] += 1
                assert (found.block[row : page.end[row]] == leaf).all()
        assert owners.max(initial=0) <= 1
        assert (owners[texts] == 1).all()
        assert ((found.block >= 0) == (owners == 1)).all()
        # Finer where more is asked for, and each leaf coherent enough or whole for good.
        assert len(leaves) >= before
        before = len(leaves)
        for leaf in leaves.tolist():
            roots = found.roots(leaf)
            assert len(roots)
            assert found.doc[leaf] >= pdoc or not decisions.dividable[roots].any()
        children = found.parent[1:]
        assert (children < np.arange(1, len(found))).all()
        assert (found.doc[1:] >= found.doc[children]).all()
        assert (found.rectangle[:, 2:] >= found.rectangle[:, :2]).all()
        assert (found.separators.parent < len(found)).all()


@settings(max_examples=60)
@given(pages())
def test_promises_on_random_pages(page):
    promises(page)


@pytest.mark.parametrize("number", range(0, 40, 6))
def test_promises_on_the_example_site(example_site, number):
    promises(parse(example_site[number]["html"].encode("latin-1")))


# Separators


def block(left, top, right, bottom, row=0):
    return Block((row,), 5, True, left, top, right, bottom, (0, False), 13)
