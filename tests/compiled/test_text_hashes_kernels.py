"""Kernels of hashes of texts give what hashlib and plain Python give."""

import hashlib

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch import compiled
from chaffinch.page import hashing, parse
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.summary import TextHashes

KERNELS = compiled.kernels()
needs_kernels = pytest.mark.skipif(KERNELS is None, reason="the extension isn't built")
LETTERS = st.sampled_from("ab<>09 \t\n\x1c\x85\u2003\u0665\U0001d7d8é字\ud800😀\x00")
TEXTS = st.text(LETTERS | st.characters(), max_size=200)


@given(text=TEXTS)
@example(text="x" * 127)
@example(text="x" * 128)
@example(text="x" * 129)
@example(text="字" * 256)
def test_strings(text):
    data = text.encode("utf-8", "surrogatepass")
    expected = hashlib.blake2b(data, digest_size=8).digest()
    assert hashing.hash_string(text) == int.from_bytes(expected, "little")


@given(text=TEXTS, data=st.data())
def test_masked_parts(plainly, text, data):
    places = st.integers(0, len(text))
    parts = data.draw(st.lists(st.tuples(places, places), max_size=5))
    starts, stops = np.array(parts, dtype=np.int32).reshape(-1, 2).T.copy()
    found = hashing.masked_hashes(text, starts, stops)
    with plainly():
        expected = hashing.masked_hashes(text, starts, stops)
    assert found.dtype == expected.dtype == np.uint32
    assert found.tolist() == expected.tolist()


@given(texts=st.lists(st.text(LETTERS, max_size=60), max_size=5))
@example(texts=["12345678901 3456789012 3", "abcdefghijklmnopqrstuvw", "abcdefghijklmnopqrstuvwx"])
def test_texts_of_blocks(plainly, texts):
    markup = "".join(f"<p>{text.replace('<', '&lt;')}</p>" for text in texts)
    blocks = text_blocks(parse(markup))
    found = TextHashes.of(blocks)
    with plainly():
        expected = TextHashes.of(blocks)
    for name, column in vars(expected).items():
        assert getattr(found, name).dtype == column.dtype == np.uint32
        assert getattr(found, name).tolist() == column.tolist()


@needs_kernels
@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (0, 4), (4, 5)])
def test_parts_outside_of_the_text(start, stop):
    starts, stops = np.array([0, start], np.int32), np.array([1, stop], np.int32)
    with pytest.raises(TypeError, match="don't fit"):
        KERNELS.masked_hashes(starts, stops, np.empty(2, np.uint32), "abc")
    with pytest.raises(TypeError, match="don't fit"):
        KERNELS.text_hashes(starts, stops, np.empty((4, 2), np.uint32), "abc", 12)


@needs_kernels
def test_arrays_that_dont_fit():
    two, three = np.zeros(2, np.int32), np.zeros(3, np.int32)
    for edge, hashes in ((12, np.empty(2, np.uint32)), (0, np.empty((4, 2), np.uint32))):
        with pytest.raises(TypeError, match="don't fit"):
            KERNELS.text_hashes(two, two, hashes, "abc", edge)
    with pytest.raises(TypeError, match="don't fit"):
        KERNELS.masked_hashes(two, three, np.empty(2, np.uint32), "abc")
    with pytest.raises(TypeError, match="a str"):
        KERNELS.hash_string(b"abc")
