"""Kernels of columns that follow from tags and shape give what numpy gives."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.page import Page, lengths, parse, tags

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

EMPTY = Page(
    *(np.zeros(0, dtype) for dtype in (np.uint16, np.int32, np.int16, np.int32)),
    text="",
    text_at=np.zeros(1, np.int32),
    _attributes={},
)


@given(html=markup(), data=st.data())
def test_in_and_around(plainly, html, data):
    page = parse(html)
    marks = np.array(data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page))))
    rows = marks.astype(bool)
    inside, around = page.inside(rows), page.around(rows)
    with plainly():
        assert np.array_equal(inside, page.inside(rows))
        assert np.array_equal(around, page.around(rows))
    assert inside.dtype == around.dtype == bool


@given(html=markup())
def test_lines(plainly, html):
    page = parse(html)
    with plainly():
        expected = lengths.line_ids(page.tag, page.end)
    assert page.line.dtype == expected.dtype
    assert page.line.tolist() == expected.tolist()


def test_rows_of_any_stride(plainly):
    page = parse("<p>a<b>c</b>")
    rows = np.zeros((len(page), 2), dtype=bool)
    rows[:, 1] = page.is_tag("p")
    inside = page.inside(rows[:, 1])
    with plainly():
        assert inside.tolist() == page.inside(rows[:, 1]).tolist()


@pytest.mark.usefixtures("plainly")
def test_a_page_without_rows():
    none = np.zeros(0, dtype=bool)
    for column in (EMPTY.inside(none), EMPTY.around(none), EMPTY.line, EMPTY.own_length):
        assert column.tolist() == []
    assert EMPTY.written_before.tolist() == [0]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize(("tag", "end"), [(len(tags.NAMES), 1), (1, 2), (1, 0), (1, -5)])
def test_tags_and_ends_are_checked(tag, end):
    with pytest.raises(TypeError, match="line_ids"):
        lengths.line_ids(np.array([tag], np.uint16), np.array([end], np.int32))


@pytest.mark.usefixtures("plainly")
def test_columns_of_other_lengths():
    kernels = compiled.kernels()
    end, rows, more = np.array([2, 2], np.int32), np.zeros(2, bool), np.zeros(3, bool)
    for kernel in (kernels.inside, kernels.around):
        with pytest.raises(TypeError, match="fit"):
            kernel(end, rows, more)
        with pytest.raises(TypeError, match="fit"):
            kernel(end, more, rows)
