"""Columns that follow from tags and shape."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels
from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse, tags
from chaffinch.page.flattening import LINE_KINDS
from strategies import markup


@given(html=markup(), data=st.data())
def test_in_and_around(same, html, data):
    page = parse(html)
    marks = data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page)))
    same("inside", page.end, np.array(marks, dtype=bool))
    same("around", page.end, np.array(marks, dtype=bool))


@given(html=markup())
def test_lines_and_tags(same, html):
    page = parse(html)
    tables = LINE_KINDS, tags.INVISIBLE, tags.table(["a"])
    same("text_columns", page.tag, page.end, page.text, page.text_at, *tables)
    same("held_tags", page.tag, len(tags.NAMES))


def test_rows_of_any_stride(same):
    page = parse("<p>a<b>c</b>")
    rows = np.zeros((len(page), 2), dtype=bool)
    rows[:, 1] = page.is_tag("p")
    same("inside", page.end, rows[:, 1])


@pytest.mark.parametrize(("tag", "end"), [(len(tags.NAMES), 1), (1, 2), (1, 0), (1, -5)])
def test_tags_and_ends_are_checked(tag, end):
    columns = np.array([tag], np.uint16), np.array([end], np.int32)
    tables = LINE_KINDS, tags.INVISIBLE, tags.INVISIBLE
    with pytest.raises(TypeError, match="text_columns"):
        kernels.text_columns(*columns, "", np.zeros(2, np.int32), *tables)


def test_columns_of_other_lengths():
    end, rows, more = np.array([2, 2], np.int32), np.zeros(2, bool), np.zeros(3, bool)
    for kernel in (_native.inside, _native.around):
        with pytest.raises(TypeError, match="fit"):
            kernel(end, rows, more)
        with pytest.raises(TypeError, match="fit"):
            kernel(end, more, rows)
