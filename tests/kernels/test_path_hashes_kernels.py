"""Path hashes, and bytes of what is kept of a text."""

import numpy as np
import pytest
from hypothesis import given

from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse
from strategies import markup


@given(html=markup())
def test_paths(same, html):
    page = parse(html)
    same("path_hashes", page.symbols, page.depth, page.end)


@pytest.mark.parametrize("end", [-1, 3])
def test_ends_outside_of_the_page(end):
    symbols, depth = np.zeros(2, np.uint64), np.zeros(2, np.int16)
    with pytest.raises(TypeError, match="don't fit"):
        _native.path_hashes(symbols, depth, np.array([2, end], np.int32), np.zeros(3, np.uint64))


@pytest.mark.parametrize("at", [[0, 1, 4], [0, 2, 1], [-1, 1, 3], [0, 3]])
def test_texts_of_rows_that_dont_fit(at):
    with pytest.raises(TypeError, match="don't fit"):
        _native.kept_bytes(np.array(at, np.int32), np.ones(2, dtype=bool), "abc", 0)
