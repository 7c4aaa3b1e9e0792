"""Clusters found in partitions that send to each other are those of one process."""

import itertools
import pickle

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.lib.made_up_signatures import write_signatures
from chaffinch.batch import shuffled_duplicates
from chaffinch.batch.duplicates import CLUSTERS, find_clusters
from chaffinch.batch.exchanges import Sent
from chaffinch.batch.page_clusters import NO_PAIRS, Pairs, joined, large_stars, small_stars
from chaffinch.batch.storage import SIGNATURES, Storage
from chaffinch.batch.text_signatures import VALUES


class Exchange:
    """Partitions in this process; `test_engines` has those of Ray and Spark."""

    def __init__(self, partitions):
        self.partitions = partitions
        self.steps = self.largest = 0
        self._sent = [[] for _ in range(partitions)]

    def step(self, work):
        made = [work(number, pieces) for number, pieces in enumerate(self._sent)]
        assert all(isinstance(one, Sent) and max(one.pieces, default=0) < 99 for one in made)
        self._sent = [
            [one.pieces[target] for one in made if target in one.pieces]
            for target in range(self.partitions)
        ]
        pieces = [piece for one in made for piece in one.pieces.values()]
        self.largest = max([self.largest, *(len(pickle.dumps(piece)) for piece in pieces)])
        self.steps += 1
        return [one.report for one in made]


def clusters(folder):
    """Return the rows of all files of clusters, and remove them."""
    rows = []
    for path in sorted((folder / CLUSTERS).glob("*.parquet")):
        rows += pq.read_table(path).to_pylist()
        path.unlink()
    return rows


def both(folder, partitions):
    """Return what one process finds, and what partitions do, with the exchange."""
    storage = Storage(str(folder))
    one = find_clusters(storage), clusters(folder)
    exchange = Exchange(partitions)
    names = storage.names(SIGNATURES, ".parquet")
    other = shuffled_duplicates.find_clusters(exchange, str(folder), names), clusters(folder)
    return one, other, exchange


@pytest.mark.parametrize("partitions", [1, 3, 8])
def test_the_clusters_are_those_of_one_process(tmp_path, partitions):
    write_signatures(tmp_path, 900, shards=7, alike=0.4)
    one, other, _ = both(tmp_path, partitions)
    assert one == other
    (found, others), rows = one
    assert found > 50
    assert len(rows) == found + others


def test_chains_of_pages_take_several_rounds(tmp_path):
    """Each page is like the next ones alone: a chain, whose ends have nothing in common."""
    page = np.random.default_rng(1).integers(0, 1 << 32, VALUES, dtype=np.uint32)
    chain = [page]
    for number in range(40):
        page = page.copy()
        page[[(12 * number + step) % VALUES for step in range(12)]] = range(
            12 * number, 12 * number + 12
        )
        chain.append(page)
    order = np.random.default_rng(2).permutation(len(chain))
    write_signatures(tmp_path, 0, shards=5, more=[chain[at] for at in order])
    one, other, exchange = both(tmp_path, 4)
    assert one == other
    assert one[0][1] > 20
    assert exchange.steps > 10


def test_no_pages_and_no_duplicates(tmp_path):
    write_signatures(tmp_path, 20, shards=3, alike=0)
    assert both(tmp_path, 2)[1] == ((0, 0), [])
    assert shuffled_duplicates.find_clusters(Exchange(2), str(tmp_path), []) == (0, 0)


def test_a_page_with_many_copies_is_sent_once(tmp_path):
    page = np.random.default_rng(3).integers(0, 1 << 32, VALUES, dtype=np.uint32)
    write_signatures(tmp_path, 0, shards=6, more=[page] * 900)
    one, other, exchange = both(tmp_path, 3)
    assert one == other
    assert one[0] == (1, 899)
    assert exchange.largest < 899 / 3 * page.nbytes


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40))
def test_stars_are_the_connected_components(edges):
    pairs = joined([NO_PAIRS, *(Pairs(np.array([a]), np.array([b])) for a, b in edges if a != b)])
    for _ in range(50):
        both_ways = joined([pairs, Pairs(pairs.other, pairs.one)])
        pairs, are_stars = large_stars(both_ways)
        if are_stars:
            break
        pairs = small_stars(joined([pairs]))
    assert are_stars
    first = list(range(31))
    for _, (a, b) in itertools.product(range(31), edges):
        first[a] = first[b] = min(first[a], first[b])
    wanted = {(page, of) for page, of in enumerate(first) if page != of}
    assert set(zip(pairs.one.tolist(), pairs.other.tolist(), strict=True)) == wanted
