"""Kernels of what stands above rows and of sums below them give what numpy gives."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.page import Page, parse
from chaffinch.page.ancestry import highest, nearest

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

EMPTY = Page(
    *(np.zeros(0, dtype) for dtype in (np.uint16, np.int32, np.int16, np.int32)),
    text="",
    text_at=np.zeros(1, np.int32),
    _attributes={},
)
LIMITS = {kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in (np.int32, np.int64)}


def drawn(data, numbers, count):
    return data.draw(st.lists(numbers, min_size=count, max_size=count))


@given(html=markup(), data=st.data())
def test_nearest(plainly, html, data):
    page = parse(html)
    marked = np.array(drawn(data, st.booleans(), len(page)), dtype=bool)
    found = nearest(page, marked)
    with plainly():
        expected = nearest(page, marked)
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()


@given(html=markup(), data=st.data())
def test_highest(plainly, html, data):
    page = parse(html)
    values = np.array(drawn(data, st.floats() | st.integers(0, 3).map(float), len(page)), float)
    found = highest(page, values)
    with plainly():
        assert np.array_equal(found, highest(page, values), equal_nan=True)


@given(html=markup(), data=st.data(), kind=st.sampled_from([bool, np.int32, np.int64]))
def test_totals(plainly, html, data, kind):
    page = parse(html)
    numbers = st.booleans() if kind is bool else st.integers(*LIMITS[kind])
    own = np.array(drawn(data, numbers, len(page)), dtype=kind)
    sums = page.total(own)
    with plainly():
        expected = page.total(own)
    assert sums.dtype == expected.dtype
    assert sums.tolist() == expected.tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int16, np.float32, np.float64])
def test_totals_of_other_kinds(plainly, kind):
    page = parse("<p>a<b>c</b>")
    own = np.arange(len(page)).astype(kind)
    sums = page.total(own)
    with plainly():
        assert sums.tobytes() == page.total(own).tobytes()


def test_columns_of_any_stride(plainly):
    page = parse("<p>a<b>c</b>")
    values = np.arange(2.0 * len(page)).reshape(-1, 2)[::-1, 1]
    got = page.total(values > 4), nearest(page, values > 4), highest(page, values)
    with plainly():
        expected = page.total(values > 4), nearest(page, values > 4), highest(page, values)
    assert [column.tolist() for column in got] == [column.tolist() for column in expected]


@pytest.mark.usefixtures("plainly")
def test_an_empty_page():
    none = np.zeros(0, dtype=bool)
    for column in (EMPTY.total(none), nearest(EMPTY, none), highest(EMPTY, none.astype(float))):
        assert column.tolist() == []


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("parent", [[0, 0], [-1, 1], [-1, 2], [-2, 0]])
def test_parents_are_checked(parent):
    kernels = compiled.kernels()
    parent = np.array(parent, np.int32)
    with pytest.raises(TypeError, match="nearest"):
        kernels.nearest(parent, np.zeros(2, bool), np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="highest"):
        kernels.highest(parent, np.zeros(2), np.zeros(2))


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("end", [[2, 1], [3, 2], [-1, 2], [2]])
def test_ends_are_checked(end):
    end = np.array(end, np.int32)
    for kind in (bool, np.int32, np.int64):
        with pytest.raises(TypeError, match="total"):
            compiled.kernels().total(end, np.zeros(2, kind), np.zeros(2, summed(kind)))


def summed(kind):
    return np.int32 if kind is bool else np.int64
