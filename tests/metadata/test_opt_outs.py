"""What owners say that is not to be done with a page, and where they say it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.metadata import read_metadata
from chaffinch.metadata.page_fields import (
    DIRECTIVES,
    RESERVATION,
    header_directives,
    read_directives,
)
from chaffinch.page import parse
from time_growth import is_linear


def found(head="", headers=()):
    return read_metadata(parse(f"<head>{head}</head><p>x"), None, tuple(headers)).opt_outs


@pytest.mark.parametrize(
    ("head", "headers", "value"),
    [
        ("<meta name=robots content='NoAI, noimageai'>", (), ("noai", "noimageai")),
        ("<meta name=robots content='noindex,follow'>", (), ("noindex",)),
        ("<meta name=chaffinch content=none>", (), ("none",)),
        ("<meta name=tdm-reservation content=1>", (), (RESERVATION,)),
        (
            "<meta name=robots content=noai><meta name=tdm-reservation content=1>",
            (),
            ("noai", RESERVATION),
        ),
        ("", (), None),
        ("<meta name=robots content='index, follow, max-snippet:-1'>", (), None),
        ("<meta name=otherbot content=noai>", (), None),
        ("<meta name=tdm-reservation content=0>", (), None),
        ("<meta name=tdm-reservation content=perhaps>", (), None),
        ("", [("TDM-Reservation", "1")], (RESERVATION,)),
        ("<meta name=tdm-reservation content=0>", [("TDM-Reservation", "1")], None),
        ("<meta name=tdm-reservation content=x>", [("TDM-Reservation", "1")], (RESERVATION,)),
        (
            "",
            [("X-Robots-Tag", "otherbot: noai"), ("x-robots-tag", "chaffinch: noimageai")],
            ("noimageai",),
        ),
    ],
)
def test_what_is_taken_back(head, headers, value):
    one = found(head, headers)
    assert (one and one.value) == value
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
