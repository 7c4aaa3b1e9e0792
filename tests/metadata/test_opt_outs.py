"""What owners say that is not to be done with a page, and where they say it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.metadata import read_metadata
from chaffinch.metadata.page_fields import DIRECTIVES, header_directives, read_directives
from chaffinch.page import parse
from time_growth import is_linear

TABLE = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


def found(head="", headers=()):
    return read_metadata(parse(f"<head>{head}</head><p>x"), None, tuple(headers)).opt_outs


@pytest.mark.parametrize(("head", "headers", "value"), TABLE["opt-outs"])
def test_what_is_taken_back(head, headers, value):
    one = found(head, headers)
    assert (one.value if one else ()) == tuple(value)
    assert one is None or one.confidence == 1
    assert one is None or (one.row > 0) == one.source.startswith("meta:")


@given(st.lists(st.sampled_from(DIRECTIVES), unique=True), st.text())
def test_directives_come_back_however_they_are_parted(words, text):
    written = " , ".join(words).upper()
    assert read_directives([written]) == read_directives(words) == words
    assert list(header_directives(f"chaffinch: {written}")) == words
    assert all(word == word.strip() for word in read_directives([text]))
    list(header_directives(text))


def test_a_date_that_never_ends_takes_linear_time():
    assert is_linear(read_directives, lambda size: ["unavailable_after: 1" + ", 1" * size])
