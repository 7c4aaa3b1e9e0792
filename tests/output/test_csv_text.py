"""Cells of CSV that spreadsheets would take for formulas are text, and numbers stay numbers."""

import csv
import io
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from output_pages import content_of

from chaffinch.errors import OptionError
from chaffinch.output.table_forms import as_csv, tables

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


def test_tables_are_defused():
    page = "<table><tr><th>a<th>b<tr><td>=1+1<td>-3.5</table>"
    [table] = tables(content_of(page))
    assert table.csv() == "a,b\n'=1+1,-3.5\n"
    assert table.csv(defused=False) == "a,b\n=1+1,-3.5\n"
    assert table.records() == [{"a": "=1+1", "b": "-3.5"}]
    with pytest.raises(OptionError):
        table.csv(defused=None)
