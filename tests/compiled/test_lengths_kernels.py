"""Kernels of lengths give what numpy gives."""

from hypothesis import given
from hypothesis import strategies as st

from chaffinch.page import lengths

SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u200b\u2028\u3000"


@given(text=st.text() | st.text(st.sampled_from(f"a字𝄞\ud800{SPACES}")))
def test_written_places(plainly, text):
    places = lengths.written_places(text).tolist()
    with plainly():
        assert lengths.written_places(text).tolist() == places
    assert places == [place for place, letter in enumerate(text) if not letter.isspace()]
