"""Kernels of text blocks and of the elements above them give what numpy gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.model.ancestors import Ancestors
from chaffinch.page import parse, tags
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

BLOCKS = ("first", "last", "owner", "block")
ABOVE = ("begun", "holds", "rows", "place", "up", "over")
DEEP = "<i>" * 600 + "a<br>b" + "</i>" * 300 + "c"


def columns(thing, names):
    return [(array.dtype, array.tolist()) for array in (getattr(thing, name) for name in names)]


def remade(html):
    """Return the text blocks of a fresh page: they are kept with it."""
    return text_blocks(parse(html))


@given(html=markup() | st.sampled_from(["", DEEP, "<br>", "a", "<title>t</title>", "<p>&#xd800;"]))
def test_text_blocks(plainly, html):
    blocks = columns(remade(html), BLOCKS)
    with plainly():
        assert columns(remade(html), BLOCKS) == blocks


@given(html=markup(), numbers=st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1))
def test_sums_above(plainly, html, numbers):
    above = Ancestors.of(remade(html))
    values = np.resize(np.array(numbers, dtype=np.int32), (3, len(above.rows)))
    sums, found = above.sums(values), columns(above, ABOVE)
    with plainly():
        above = Ancestors.of(remade(html))
        assert columns(above, ABOVE) == found
        again = above.sums(values)
        assert (again.dtype, again.tolist()) == (sums.dtype, sums.tolist())


def arrays(**columns):
    """Return the columns of a page of three rows, of which some are given."""
    columns = {"tag": [2, 46, 0], "parent": [-1, 0, 1], "end": [3, 3, 3]} | columns
    kinds = {"tag": np.uint16}
    return [np.array(column, kinds.get(name, np.int32)) for name, column in columns.items()]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    "wrong", [{"parent": [-1, 9, 1]}, {"parent": [-1, 2, 1]}, {"tag": [46, 999, 0]}]
)
def test_blocks_of_rows_that_lead_out_of_the_page_are_refused(wrong):
    tag, parent, _ = arrays(**wrong)
    three, seen, room = np.zeros(3, np.int32), np.ones(3, bool), np.zeros(9, np.int32)
    kernel = compiled.kernels().text_blocks
    with pytest.raises(TypeError, match="don't fit"):
        kernel(tag, parent, three, seen, seen, tags.BLOCK, room, three)


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(
    "wrong", [{"parent": [-1, 9, 1]}, {"parent": [-1, 2, 1]}, {"end": [3, 9, 3]}, {"first": [3]}]
)
def test_elements_above_rows_that_lead_out_of_the_page_are_refused(wrong):
    tag, parent, end, first = arrays(**{"first": [2]} | wrong)
    three, four, seen = np.zeros(3, np.int32), np.zeros(4, np.int32), np.ones(3, bool)
    kernel = compiled.kernels().above
    with pytest.raises(TypeError, match="don't fit"):
        kernel(tag, parent, end, first, four, seen, np.zeros(3, np.intp), three, three, first)


@pytest.mark.usefixtures("plainly")
def test_sums_above_elements_that_are_not_there_are_refused():
    one, two = np.zeros(1, dtype=np.int32), np.full(1, 2, dtype=np.int32)
    for up, over in ((two, one), (one, two), (one, -two)):
        with pytest.raises(TypeError, match="don't fit"):
            compiled.kernels().sums_above(up, over, one, one.copy(), one.copy())
