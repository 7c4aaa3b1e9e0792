"""Text blocks and the elements above them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import sums_above

from chaffinch import kernels
from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse, tags
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

DEEP = "<i>" * 600 + "a<br>b" + "</i>" * 300 + "c"
PAGES = markup() | st.sampled_from(["", DEEP, "<br>", "a", "<title>t</title>", "<p>&#xd800;"])


@given(html=PAGES)
def test_blocks_and_what_is_above(same, html):
    page = parse(html)
    of_rows = page.tag, page.parent, page.line, page.shown, page.written
    first, *_ = same("text_blocks", *of_rows, tags.BLOCK)
    same("above", page.tag, page.parent, page.end, first)


@given(html=PAGES, factor=st.integers(-(2**31), 2**31 - 1))
def test_sums_over_what_is_above_equal_a_walk(html, factor):
    page = parse(html)
    first = text_blocks(page).first
    *_, rows, _, up, over = kernels.above(page.tag, page.parent, page.end, first)
    with np.errstate(over="ignore"):
        values = (rows[None] * factor).astype(np.int32)
    sums = sums_above(up, over, values)
    for number, row in enumerate(first.tolist()):
        expected = factor * sum(page.ancestors(row))
        assert (int(sums[0, number]) - expected) % (1 << 32) == 0


def arrays(**columns):
    """Return the columns of a page of three rows, of which some are given."""
    columns = {"tag": [2, 46, 0], "parent": [-1, 0, 1], "end": [3, 3, 3]} | columns
    kinds = {"tag": np.uint16}
    return [np.array(column, kinds.get(name, np.int32)) for name, column in columns.items()]


@pytest.mark.parametrize(
    "wrong", [{"parent": [-1, 9, 1]}, {"parent": [-1, 2, 1]}, {"tag": [46, 999, 0]}]
)
def test_blocks_of_rows_that_lead_out_of_the_page_are_refused(wrong):
    tag, parent, _ = arrays(**wrong)
    three, seen, room = np.zeros(3, np.int32), np.ones(3, bool), np.zeros(9, np.int32)
    kernel = _native.text_blocks
    with pytest.raises(TypeError, match="don't fit"):
        kernel(tag, parent, three, seen, seen, tags.BLOCK, room, three)


@pytest.mark.parametrize(
    "wrong", [{"parent": [-1, 9, 1]}, {"parent": [-1, 2, 1]}, {"end": [3, 9, 3]}, {"first": [3]}]
)
def test_elements_above_rows_that_lead_out_of_the_page_are_refused(wrong):
    tag, parent, end, first = arrays(**{"first": [2]} | wrong)
    three, four, seen = np.zeros(3, np.int32), np.zeros(4, np.int32), np.ones(3, bool)
    kernel = _native.above
    with pytest.raises(TypeError, match="don't fit"):
        kernel(tag, parent, end, first, four, seen, np.zeros(3, np.intp), three, three, first)
