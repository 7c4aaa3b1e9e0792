"""Kernels of hashes, and of what is kept of a text, give what hashlib and plain Python give."""

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch import compiled
from chaffinch.page import hashing, parse
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.by_rules import Ruled
from chaffinch.site.summary import TextHashes

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

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
    source = "".join(f"<p>{text.replace('<', '&lt;')}</p>" for text in texts)
    blocks = text_blocks(parse(source))
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


@given(html=markup())
def test_paths(plainly, html):
    page = parse(html)
    found = hashing.path_hashes(page.symbols, page.depth, page.end)
    with plainly():
        expected = hashing.path_hashes(page.symbols, page.depth, page.end)
    assert found.dtype == expected.dtype == np.uint64
    assert found.tolist() == expected.tolist()


@given(
    texts=st.lists(st.text(LETTERS, max_size=9), min_size=1, max_size=6),
    data=st.data(),
)
def test_kept_share(plainly, texts, data):
    page = parse("<title>é</title>" + "".join(f"<p>{t.replace('<', '&lt;')}</p>" for t in texts))
    marks = data.draw(st.lists(st.booleans(), min_size=len(page), max_size=len(page)))
    ruled = Ruled(0, 1.0, np.array(marks, dtype=bool), np.zeros(len(page), np.int8))
    found = ruled.kept_share(page)
    with plainly():
        assert found == ruled.kept_share(page)


@needs_kernels
@pytest.mark.parametrize("end", [-1, 3])
def test_ends_outside_of_the_page(end):
    symbols, depth = np.zeros(2, np.uint64), np.zeros(2, np.int16)
    with pytest.raises(TypeError, match="don't fit"):
        KERNELS.path_hashes(symbols, depth, np.array([2, end], np.int32), np.zeros(3, np.uint64))


@needs_kernels
@pytest.mark.parametrize("at", [[0, 1, 4], [0, 2, 1], [-1, 1, 3], [0, 3]])
def test_texts_of_rows_that_dont_fit(at):
    with pytest.raises(TypeError, match="don't fit"):
        KERNELS.kept_bytes(np.array(at, np.int32), np.ones(2, dtype=bool), "abc", 0)
