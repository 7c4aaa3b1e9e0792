"""Lengths of texts."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import written_places

from chaffinch.kernels.compiled import native as _native

SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200b\u2028\u3000"
TABLES = (
    np.array([0, 1, 2, 0, 0], np.uint8),
    np.array([0, 0, 0, 1, 0], bool),
    np.array([0, 0, 0, 0, 1], bool),
)
"""What five tags are: text, a block, a break, something invisible, a link."""
TEXTS = st.text(max_size=8) | st.text(st.sampled_from(f"a字𝄞\ud800{SPACES}"), max_size=8)


def _leaves(count):
    """Return tags and ends of so many texts side by side."""
    return np.zeros(count, np.uint16), np.arange(1, count + 1, dtype=np.int32)


@given(text=TEXTS)
def test_written_places(text):
    places = written_places(text).tolist()
    assert places == [place for place, letter in enumerate(text) if not letter.isspace()]


@pytest.mark.parametrize("last", [0xFF, 0xFFFF, sys.maxunicode])  # as each kind of string
def test_every_character(same, last):
    text = "".join(map(chr, range(last + 1)))
    text_at = np.arange(len(text) + 1, dtype=np.int32)
    before = same("text_columns", *_leaves(len(text)), text, text_at, *TABLES).before
    assert np.diff(before).tolist() == [not letter.isspace() for letter in text]


def _columns(rows):
    """Return what `text_columns` takes, of (text, tag, rows in it) by row."""
    texts, kinds, sizes = ([row[i] for row in rows] for i in range(3))
    text_at = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    end = [min(row + size, len(rows)) for row, size in enumerate(sizes)]
    return np.array(kinds, np.uint16), np.array(end, np.int32), "".join(texts), text_at


@given(
    rows=st.lists(st.tuples(TEXTS | st.just(""), st.integers(0, 4), st.integers(1, 4))),
    start=st.data(),
)
def test_lengths(same, rows, start):
    tag, end, text, text_at = _columns(rows)
    shown = same("text_columns", tag, end, text, text_at, *TABLES).shown
    if rows:
        same("kept_bytes", text_at, shown, text, start.draw(st.integers(0, len(rows) - 1)))


@pytest.mark.parametrize("text_at", [[0, 2, 1, 3], [-1, 1, 2, 3], [0, 1, 2, 4], [0, 3]])
def test_offsets_are_checked(text_at):
    outputs = *np.zeros((3, 3), bool), *np.zeros((2, 3), np.int32), np.zeros(4, np.intp)
    with pytest.raises(TypeError, match="text_columns"):
        _native.text_columns(*_leaves(3), "abc", np.array(text_at, np.int32), *TABLES, *outputs)
