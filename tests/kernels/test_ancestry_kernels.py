"""What stands above rows, and sums over what is below them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse
from strategies import markup

LIMITS = {kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in (np.int32, np.int64)}


def drawn(data, numbers, count):
    return data.draw(st.lists(numbers, min_size=count, max_size=count))


@given(html=markup(), data=st.data())
def test_nearest_and_highest(same, html, data):
    page = parse(html)
    same("nearest", page.parent, np.array(drawn(data, st.booleans(), len(page)), dtype=bool))
    numbers = st.floats() | st.integers(0, 3).map(float)
    values = np.array(drawn(data, numbers, len(page)), float)
    values[np.isnan(values)] = np.nan  # their bits may differ
    values += 0.0  # of two zeros either sign is the highest
    same("highest", page.parent, values)


@given(html=markup(), data=st.data(), kind=st.sampled_from([bool, np.int32, np.int64]))
def test_totals(same, html, data, kind):
    page = parse(html)
    numbers = st.booleans() if kind is bool else st.integers(*LIMITS[kind])
    same("total", page.end, np.array(drawn(data, numbers, len(page)), dtype=kind))


@given(html=markup(), data=st.data(), least=st.integers(0, 40))
def test_sums_around(same, html, data, least):
    page = parse(html)
    left_out, kept = (np.array(drawn(data, st.booleans(), len(page)), bool) for _ in range(2))
    rows = np.array(data.draw(st.lists(st.integers(0, len(page) - 1), max_size=9)), np.int32)
    same("sums_around", page.parent, page.end, page.own_length, left_out, kept, rows, least)


def test_sums_around_known_rows(same):
    parent, end = np.array([-1, 0, 1, 0], np.int32), np.array([4, 3, 3, 4], np.int32)
    own, kept = np.array([0, 0, 5, 7], np.int32), np.array([0, 0, 1, 0], bool)
    given = parent, end, own, np.zeros(4, bool), kept, np.array([0, 2, 3], np.int32)
    boxes, sums = same("sums_around", *given, 5)
    assert boxes.tolist() == [[-1, 1, 0], [-1, 0, -1]]
    assert sums.tolist() == [[[0, 5, 12], [0, 12, 0]], [[0, 5, 5], [0, 5, 0]]]


@pytest.mark.parametrize("kind", [np.uint8, np.uint64, np.int16, np.float32, np.float64])
def test_totals_of_other_kinds(same, kind):
    page = parse("<p>a<b>c</b>")
    same("total", page.end, np.arange(len(page)).astype(kind))


def test_columns_of_any_stride(same):
    page = parse("<p>a<b>c</b>")
    values = np.arange(2.0 * len(page)).reshape(-1, 2)[::-1, 1]
    same("total", page.end, values > 4)
    same("nearest", page.parent, values > 4)
    same("highest", page.parent, values)


@pytest.mark.parametrize("parent", [[0, 0], [-1, 1], [-1, 2], [-2, 0]])
def test_parents_are_checked(parent):
    parent = np.array(parent, np.int32)
    with pytest.raises(TypeError, match="nearest"):
        _native.nearest(parent, np.zeros(2, bool), np.zeros(2, np.int32))
    with pytest.raises(TypeError, match="highest"):
        _native.highest(parent, np.zeros(2), np.zeros(2))


@pytest.mark.parametrize("end", [[2, 1], [3, 2], [-1, 2], [2]])
def test_ends_are_checked(end):
    end = np.array(end, np.int32)
    for kind in (bool, np.int32, np.int64):
        with pytest.raises(TypeError, match="total"):
            _native.total(end, np.zeros(2, kind), np.zeros(2, summed(kind)))


def summed(kind):
    return np.int32 if kind is bool else np.int64


@pytest.mark.parametrize(
    ("parent", "end", "row"), [([-1, 1], [2, 2], 0), ([-1, 0], [2, 3], 0), ([-1, 0], [2, 2], 2)]
)
def test_rows_of_sums_around_are_checked(parent, end, row):
    parent, end = np.array(parent, np.int32), np.array(end, np.int32)
    own, mask, rows = np.ones(2, np.int32), np.zeros(2, bool), np.array([row], np.int32)
    room = np.empty((2, 3), np.int64), np.empty((2, 1), np.int32), np.empty((2, 2, 1), np.int64)
    with pytest.raises(TypeError, match="sums_around"):
        _native.sums_around(parent, end, own, mask, mask, rows, 1, *room)
