"""Lengths of texts."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

_native = pytest.importorskip("chaffinch.kernels._native")
SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200b\u2028\u3000"
TEXTS = st.text(max_size=8) | st.text(st.sampled_from(f"a字𝄞\ud800{SPACES}"), max_size=8)


@given(text=TEXTS)
def test_written_places(same, text):
    places = same("written_places", text).tolist()
    assert places == [place for place, letter in enumerate(text) if not letter.isspace()]


@pytest.mark.parametrize("last", [0xFF, 0xFFFF, sys.maxunicode])  # as each kind of string
def test_every_character(same, last):
    text = "".join(map(chr, range(last + 1)))
    expected = [code for code, letter in enumerate(text) if not letter.isspace()]
    assert same("written_places", text).tolist() == expected


def _columns(rows):
    """Return what `own_lengths` takes, of (text, starts a line, shown) by row."""
    texts, starts, shown = ([row[i] for row in rows] for i in range(3))
    text_at = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    line = np.cumsum(starts, dtype=np.int32)
    return "".join(texts), text_at, line, np.array(shown, dtype=bool)


@given(rows=st.lists(st.tuples(TEXTS | st.just(""), st.booleans(), st.booleans())), start=st.data())
def test_lengths(same, rows, start):
    text, text_at, line, shown = _columns(rows)
    same("own_lengths", text, text_at, line, shown)
    if rows:
        same("kept_bytes", text_at, shown, text, start.draw(st.integers(0, len(rows) - 1)))


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("text_at", [[0, 2, 1, 3], [-1, 1, 2, 3], [0, 1, 2, 4], [0, 3]])
def test_offsets_are_checked(text_at):
    kernel = _native.own_lengths
    line, before, own = np.zeros(3, np.int32), np.zeros(4, np.intp), np.zeros(3, np.int32)
    with pytest.raises(TypeError, match="own_lengths"):
        kernel("abc", np.array(text_at, dtype=np.int32), line, line == 0, before, own)
