"""Estimated boxes of blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.layout.estimated_boxes import flow
from chaffinch.layout.markup import read_markup
from chaffinch.page import parse
from strategies import markup

SIZED = st.sampled_from(["width:30%", "width:7px", "height:9.5px", "font-size:33px", "width:150%"])
TABLES = st.lists(st.tuples(st.sampled_from(["td", "th", "tr", "table", "p"]), SIZED))


@given(html=markup(), sized=TABLES)
def test_boxes(compared, html, sized):
    inner = "".join(f"<{tag} style='{style}'>word, 字" for tag, style in sized)
    page = parse(f"<table>{inner}</table>{html}<ul style='width:50%'><li>{html}")
    with compared() as calls:
        flow(page, read_markup(page))
    assert {"flow_across", "flow_heights"} <= set(calls)


def columns(count):
    ints, bools, floats = (np.zeros(count, kind) for kind in (np.int32, bool, float))
    parent = ints - 1
    parent[1:] = 0
    across = [parent, bools, *[floats] * 5, floats.copy(), floats.copy()]
    order, depth = np.arange(count, dtype=np.int32), ints.astype(np.int16)
    heights = [order, parent, depth, bools, bools, *[floats] * 4]
    heights += [ints.copy(), floats.copy(), floats.copy()]
    return across, heights


@pytest.mark.parametrize("place", range(9))
def test_columns_across_of_other_lengths(place):
    across, more = columns(3)[0], columns(4)[0]
    _native.flow_across(*across)
    across[place] = more[place]
    with pytest.raises(TypeError, match="flow_across"):
        _native.flow_across(*across)


@pytest.mark.parametrize("place", range(12))
def test_columns_of_heights_of_other_lengths(place):
    heights, more = columns(3)[1], columns(4)[1]
    _native.flow_heights(*heights)
    heights[place] = more[place]
    with pytest.raises(TypeError, match="flow_heights"):
        _native.flow_heights(*heights)


@pytest.mark.parametrize("parent", [[0, 0], [-1, 1], [-1, 5]])
def test_parents_of_boxes_are_checked(parent):
    across, heights = columns(2)
    across[0] = heights[1] = np.array(parent, np.int32)
    with pytest.raises(TypeError, match="flow_across"):
        _native.flow_across(*across)
    with pytest.raises(TypeError, match="flow_heights"):
        _native.flow_heights(*heights)


def test_an_empty_page_has_no_boxes():
    across, heights = columns(0)
    _native.flow_across(*across)
    _native.flow_heights(*heights)
