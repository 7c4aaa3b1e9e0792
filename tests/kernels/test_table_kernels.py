"""The kernel of tables counts what numpy counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.elements.tables import data_tables
from chaffinch.elements.tables.aria_roles import aria_tables
from chaffinch.page import parse

OPEN = st.sampled_from(
    "<table> <tr> <td> <th> <caption> <thead> <h2> <form> <pre> <a> </table> </tr> </td> </div>"
    " <div&role=table> <div&role=row> <div&role=cell> <div&role=columnheader>".split()
).map(lambda tag: tag.replace("&", " "))
HTML = st.lists(OPEN | st.sampled_from(["grain", " ", "<table><tr><td>1<td>2"]), max_size=40)


@given(html=HTML.map("".join))
def test_tables_that_show_data(plainly, html):
    def counted():
        page = parse(html)
        parts = aria_tables(page)
        table = page.is_tag("table").copy()
        table[[row for row, part in parts.items() if part == "table"]] = True
        counts = data_tables._counts_of(page, table, parts)  # noqa: SLF001  what is compiled
        return counts.tolist(), data_tables.shows_data(page).tolist()

    with_kernels = counted()
    with plainly():
        assert counted() == with_kernels


def test_arrays_that_dont_fit_each_other(plainly):
    del plainly
    none, one = np.zeros(0, np.int64), np.zeros(1, np.int64)
    count = compiled.kernels().table_counts
    marked, kinds = np.ones(1, bool), np.zeros(1, np.uint8)
    for parent, length, counts in (
        (np.zeros(1, np.int32), one, np.zeros(11, np.int64)),
        (np.full(1, -1, np.int32), none, np.zeros(11, np.int64)),
        (np.full(1, -1, np.int32), one, np.zeros(0, np.int64)),
    ):
        with pytest.raises(TypeError):
            count(parent, marked, kinds, length, one, counts)
