"""Kernels of path hashes, and of what is kept of a text, give what numpy and plain Python give."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.page import hashing, parse
from chaffinch.site.by_rules import Ruled

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

KERNELS = compiled.kernels()
needs_kernels = pytest.mark.skipif(KERNELS is None, reason="the extension isn't built")
LETTERS = st.sampled_from("ab<>09 \t\n\x1c\x85\u2003\u0665\U0001d7d8é字\ud800😀\x00")


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
