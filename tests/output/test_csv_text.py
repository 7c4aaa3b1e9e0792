"""Cells of CSV that spreadsheets would take for formulas are text, and numbers stay numbers."""

import csv
import io
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.output.table_forms import as_csv

TABLE = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


def read(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("cell", TABLE["formulas"])
def test_formulas_are_defused(cell):
    assert read(as_csv([["x", cell]])) == [["x", f"'{cell}"]]
    assert read(as_csv([["x", cell]], defused=False)) == [["x", cell]]


@pytest.mark.parametrize("cell", TABLE["no formulas"])
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
