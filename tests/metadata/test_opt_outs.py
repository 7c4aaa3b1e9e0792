"""What owners say that is not to be done with a page, and where they say it."""

from __future__ import annotations

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
    ("head", "value"),
    [
        ("<meta name=robots content='NoAI, noimageai'>", ("noai", "noimageai")),
        ("<meta name=robots content='noindex,follow'>", ("noindex",)),
        ("<meta name=chaffinch content=none>", ("none",)),
        ("<meta name=tdm-reservation content=1>", (RESERVATION,)),
        (
            "<meta name=robots content=noai><meta name=tdm-reservation content=1>",
            ("noai", RESERVATION),
        ),
    ],
)
def test_of_the_page(head, value):
    one = found(head)
    assert one.value == value
    assert one.source.startswith("meta:")
    assert one.row > 0
    assert one.confidence == 1


@pytest.mark.parametrize(
    "head",
    [
        "",
        "<meta name=robots content='index, follow, max-snippet:-1'>",
        "<meta name=otherbot content=noai>",
        "<meta name=tdm-reservation content=0>",
        "<meta name=tdm-reservation content=perhaps>",
    ],
)
def test_nothing_is_taken_back(head):
    assert found(head) is None


def test_the_page_is_stronger_than_the_header():
    header = [("TDM-Reservation", "1")]
    assert found(headers=header).value == (RESERVATION,)
    assert found("<meta name=tdm-reservation content=0>", header) is None
    assert found("<meta name=tdm-reservation content=x>", header).value == (RESERVATION,)


def test_headers_for_others_do_not_count():
    said = [("X-Robots-Tag", "otherbot: noai"), ("x-robots-tag", "chaffinch: noimageai")]
    assert found(headers=said).value == ("noimageai",)
    assert found(headers=said).row == -1


def test_all_places_are_named():
    one = found("<meta name=robots content=noai>", [("X-Robots-Tag", "noai, noindex")])
    assert one.value == ("noindex", "noai")
    assert (one.source, one.agreeing) == ("meta:robots", ("header:x-robots-tag",))


@given(st.lists(st.sampled_from(DIRECTIVES), unique=True))
def test_directives_come_back_however_they_are_parted(words):
    written = " , ".join(words).upper()
    assert read_directives([written]) == words
    assert list(header_directives(f"chaffinch: {written}")) == words
    assert read_directives(words) == words


@given(st.text())
def test_any_text_is_read(text):
    for word in read_directives([text]):
        assert word == word.strip()
    list(header_directives(text))


def test_a_date_that_never_ends_takes_linear_time():
    assert is_linear(read_directives, lambda size: ["unavailable_after: 1" + ", 1" * size])
