"""What tables hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.elements import tables
from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse

OPEN = st.sampled_from(
    "<table> <tr> <td> <th> <caption> <thead> <h2> <form> <pre> <a> </table> </tr> </td> </div>"
    " <div&role=table> <div&role=row> <div&role=cell> <div&role=columnheader>".split()
).map(lambda tag: tag.replace("&", " "))
HTML = st.lists(OPEN | st.sampled_from(["grain", " ", "<table><tr><td>1<td>2"]), max_size=40)


@given(html=HTML.map("".join))
def test_tables_that_show_data(compared, html):
    with compared() as calls:
        tables.shows_data(parse(html))
    assert "<table" not in html or "table_counts" in calls


def test_arrays_that_dont_fit_each_other():
    none, one = np.zeros(0, np.int64), np.zeros(1, np.int64)
    count = _native.table_counts
    marked, kinds = np.ones(1, bool), np.zeros(1, np.uint8)
    for parent, length, counts in (
        (np.zeros(1, np.int32), one, np.zeros(11, np.int64)),
        (np.full(1, -1, np.int32), none, np.zeros(11, np.int64)),
        (np.full(1, -1, np.int32), one, np.zeros(0, np.int64)),
    ):
        with pytest.raises(TypeError):
            count(parent, marked, kinds, length, one, counts)
