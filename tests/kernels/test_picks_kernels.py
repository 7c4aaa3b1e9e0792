"""Sums over groups and stretches of rows, and picks among them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_pages import HTML

from chaffinch.decision.policy import Policy
from chaffinch.kernels.compiled import native as _native
from chaffinch.model.features import features
from chaffinch.model.head_signals import read_head_signals
from chaffinch.page import parse, tags
from chaffinch.segment.text_blocks import text_blocks
from decided import decide
from strategies import markup

SCORES = st.sampled_from([0.0, 0.02, 0.05, 0.25, 0.5, 0.51, 0.8, 1.0]) | st.floats(0, 1, width=32)
TABLE = tags.table("div p ul li table img".split())
LISTS = TABLE + 2 * tags.table(["ul"]).astype(np.uint8) + 4 * tags.table(["li"]).astype(np.uint8)
"""What tags are to stretches: lists are counted, by their items."""
KINDS = st.sampled_from(["article", "forum", "service", "product", "collection", "listing"])


def column(data, values, count, dtype):
    return np.array(data.draw(st.lists(values, min_size=count, max_size=count)), dtype=dtype)


def stretches_of(page, data):
    blocks = text_blocks(page)
    return blocks.first, blocks.last, column(data, st.booleans(), len(blocks), bool)


@given(html=markup(), data=st.data())
def test_rows(same, html, data):
    page = parse(html)
    marked = column(data, st.booleans(), len(page), bool)
    rows = np.flatnonzero(marked).astype(np.int32)
    none = np.zeros(0, np.int32)
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(page))] * 2)))
    for some in (marked, marked[:0]):
        same("rows_of", page.tag, TABLE, some, start, stop)
    every = np.arange(len(page), dtype=np.int32)
    same("touching", page.end, rows, *stretches_of(page, data))
    kinds = tags.table(["p"]) + 2 * tags.table(["a", "li"]).astype(np.uint8)
    bounds = data.draw(st.integers(0, 9)), data.draw(st.integers(0, 9))
    same("followers", page.tag, page.end, page.written_before, kinds, *bounds)
    above = same("topmost_without", page.parent, page.end, rows, every)
    assert (above[0] <= every).all()
    assert (above[1] == np.maximum(page.parent[above[0]], 0)).all()
    edges = np.sort(column(data, st.integers(0, len(page)), 2 * (len(page) // 2), np.int32))
    stretches = np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])
    keep = column(data, st.booleans(), len(edges) // 2, bool)
    between = same("tags_between", page.tag, TABLE, marked, *stretches, keep)
    assert not between[~marked].any()
    for further in (rows, none):
        for kinds in (TABLE.astype(np.uint8), LISTS):
            given = page.tag, page.end, rows, kinds, further, data.draw(st.integers(0, 3))
            same("outermost_stretches", *given)
    of_row = column(data, st.integers(0, 2), len(page), np.int32)
    named = np.array([False, True, False])
    same("blocks_inside", page.tag, page.end, rows, TABLE, of_row, named)
    same("blocks_inside", page.tag, page.end, rows, TABLE, none, named)


@given(data=st.data(), count=st.integers(0, 40), ranges=st.integers(0, 12))
def test_common_values(same, data, count, ranges):
    value = column(data, st.integers(0, 6), count, np.int64)
    weight = column(data, st.integers(0, 50), count, np.int32)
    edges = np.sort(column(data, st.integers(0, count), 2 * ranges, np.int64)).reshape(-1, 2)
    cuts = data.draw(st.lists(st.integers(0, ranges), max_size=4))
    bounds = np.array([0, *sorted(cuts), ranges], np.int64)
    first, last = edges.T.copy()
    share = data.draw(st.sampled_from([0.0, 0.5, 0.9]))
    weights, found, common = same("common_values", first, last, bounds, value, weight, share)
    for group, (start, stop) in enumerate(pairwise(bounds.tolist())):
        own = [set(value[a:b].tolist()) for a, b in edges[start:stop]]
        known = {one for one in range(7) if sum(one in some for some in own) >= 2}
        wanted = {one for one in known if sum(one in some for some in own) >= share * len(own)}
        assert common[group] == len(wanted)
        assert found[start:stop].tolist() == [len(some & wanted) for some in own]
        for at, (a, b) in enumerate(edges[start:stop].tolist(), start=start):
            assert weights[at] == sum(weight[i] for i in range(a, b) if value[i] in wanted)


@given(data=st.data(), count=st.integers(0, 40))
def test_sums(same, data, count):
    values, weights = (
        column(data, SCORES, count, "f4"),
        column(data, st.integers(0, 500), count, "f4"),
    )
    same("kept_sums", values, weights, column(data, st.booleans(), count, bool))
    if count:
        beta = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
        found = same("best_threshold", values, weights, beta, 0.05)
        assert found == 0.05 or found in values
    number = column(data, st.integers(-1, max(count - 1, 0)), count, np.int32)
    for some in (values, values.astype(np.float64)):
        same("pulled_to_means", number, weights, some, data.draw(st.sampled_from([0.7, 1.0])))


@given(html=HTML, data=st.data(), kind=KINDS, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_what_decides(compared, html, data, kind, beta):
    page = parse(f"<body><p>The start.</p>{html}")
    score = column(data, SCORES, len(text_blocks(page)), np.float32)
    with compared():
        found = features(page)
        decide(score, found, beta=beta, kind=kind, policy=Policy())
        read_head_signals(page)


def misfits_of_common_values():
    """Yield arguments that don't fit each other: ranges, bounds and values beyond what there is."""
    first, last, bounds, value = (np.array(own, np.int64) for own in ([0], [2], [0, 1], [0, 1]))
    weight, out = np.ones(2, np.int32), [np.zeros(1, np.int64) for _ in range(3)]
    room = np.zeros(6, np.int64)
    yield first, last + 1, bounds, value, weight, 0.5, *out, room
    yield first - 1, last, bounds, value, weight, 0.5, *out, room
    yield first + 3, last, bounds, value, weight, 0.5, *out, room
    yield first, last, bounds[::-1].copy(), value, weight, 0.5, *out, room
    yield first, last, bounds + 1, value, weight, 0.5, *out, room
    yield first, last, bounds[:0], value, weight, 0.5, *out, room
    yield first, last, bounds, value + 1, weight, 0.5, *out, room
    yield first, last, bounds, value - 1, weight, 0.5, *out, room
    yield first, last, bounds, value, weight[:1], 0.5, *out, room
    yield first, last, bounds, value, weight, 0.5, *out, room[:4]
    yield first, last, bounds, value, weight, 0.5, value, *out[1:], room


def test_arrays_that_dont_fit_are_refused():
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    tag, mask, beyond = np.zeros(1, np.uint16), np.ones(1, bool), np.array([5], np.int32)
    numbers, floats, kinds = np.zeros(1), np.ones(1, np.float32), np.ones(1, np.uint8)
    calls = [
        (_native.blocks_inside, (tag, two, one, mask, two[:0], mask, mask.copy())),
        (_native.kept_sums, (floats, floats, np.zeros(2, bool))),
        *((_native.common_values, given) for given in misfits_of_common_values()),
        (_native.pulled_to_means, (beyond, floats, floats, 1.0, numbers, np.zeros(2))),
        (_native.pulled_to_means, (one, floats, floats, 1.0, numbers, np.zeros(1))),
        (_native.pulled_to_means, (one, floats, one, 1.0, numbers, np.zeros(2))),
        (_native.best_threshold, (floats, np.ones(2, np.float32), 1.0, 0.5)),
        (_native.outermost_stretches, (tag, one, one, kinds, one, 1, one.copy())),
        (_native.outermost_stretches, (tag, beyond, one, kinds, one, 1, one.copy())),
        (_native.outermost_stretches, (tag, one + 1, one, kinds, one, 1, two.copy())),
        (_native.outermost_stretches, (tag, one + 1, one, kinds, one, -1, one.copy())),
        (_native.topmost_without, (one - 1, two, one, beyond, two.copy())),
        (_native.topmost_without, (one - 1, one, one, beyond, two.copy())),
        (_native.topmost_without, (one, one, one, one, two.copy())),
        (_native.topmost_without, (one - 1, one, one, one, one.copy())),
        (_native.tags_between, (tag, mask, mask, one, beyond, mask, mask.copy())),
        (_native.tags_between, (tag, mask, mask, one, one, np.ones(2, bool), mask.copy())),
        (_native.followers, (tag, one + 1, np.zeros(2, int), kinds, 1, 1, one.copy())),
        (_native.followers, (tag, one, np.zeros(2, int), kinds, 1, 1, np.zeros(2, np.int32))),
        (_native.touching, (one + 1, one + 1, one, one, mask, np.zeros(2, np.int32))),
        (_native.touching, (one + 1, one, one, one, mask, one.copy())),
        (_native.rows_of, (tag, mask, np.ones(2, bool), 0, 1, one.copy())),
        (_native.rows_of, (tag, mask, mask, 0, 1, two.copy())),
        (_native.rows_of, (tag, mask, mask, 0, 2, two.copy())),
        (_native.rows_of, (tag, mask, mask, -1, 0, one.copy())),
    ]
    for kernel, arguments in calls:
        with pytest.raises(TypeError, match="fit"):
            kernel(*arguments)
