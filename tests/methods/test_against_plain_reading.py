"""The fast methods against a plain, slow reading of the published procedures, on random pages."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.methods import BlockDensity, InformationBlocks
from chaffinch.segment.densities import BLOCKS, block_lengths, combined_density, dense_runs

sys.path.insert(0, str(Path(__file__).parent))
import plain_reading

TEXTS = (
    *("grain, and more. ", "谷物，谷物。", "x", "home", " ", "\n"),
    "a text without any mark in it ",
)
PLACES = "div div table section p ul li h1 a b form th td tr".split()
SINGLE = (
    "<br>",
    "<input>",
    "<img>",
    "<img width=300 height=200>",
    "<img width=90>",
    "<img width=900 height=100>",
    "<img height=120>",
    "<iframe></iframe>",
    "<script>a, b, c.</script>",
    "<table><tr><td>1</td><td>2</td></tr></table>",
    "<table><tr><td>only, this.</td></tr></table>",
    "<table><caption>of</caption><tr><td><div>a, b.</div></td></tr></table>",
    "<table><tr><td><a>1</a><a>2</a><a>3</a><a>4</a></td><td>b</td></tr></table>",
)
leaves = st.one_of(st.sampled_from(TEXTS), st.sampled_from(SINGLE))
elements = st.recursive(
    leaves,
    lambda inner: st.tuples(st.sampled_from(PLACES), st.lists(inner, max_size=5)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=25,
)
pages = st.lists(elements, max_size=6).map("".join)


@given(pages)
def test_information_blocks(html):
    page = parse(html)
    slow = plain_reading.InformationBlocks(page)
    fast = InformationBlocks(table_hints=False)(page)
    assert fast.notes.region.row == slow.region.row
    assert set(np.flatnonzero(fast.keep).tolist()) == slow.kept()


@given(pages)
def test_block_density(html):
    page = parse(html)
    slow = plain_reading.block_densities(page, set(BLOCKS))
    fast = combined_density(page, page.is_tag(*BLOCKS), alpha=0.3)
    for row, density in slow.items():
        assert fast[row] == pytest.approx(density, abs=1e-12)
    kept = np.flatnonzero(BlockDensity()(page).keep)
    best = max(slow.values(), default=0)
    assert (len(kept) > 0) == (best > 0)
    if best > 0:
        assert slow[kept[0]] == pytest.approx(best)


@given(
    st.lists(st.sampled_from([0, 0, 0, 1, 20, 50, 90, 300])),
    st.integers(1, 4),
    st.integers(1, 3),
)
def test_dense_runs(lengths, width, end_blocks):
    block = block_lengths(np.array(lengths, dtype=np.int64), width)
    runs = zip(*dense_runs(block, threshold=86, end_blocks=end_blocks), strict=True)
    fast = [line for start, stop in runs for line in range(start, stop)]
    slow = plain_reading.dense_lines(lengths, width=width, end_blocks=end_blocks)
    assert fast == slow
