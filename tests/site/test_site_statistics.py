"""Statistics of a site's pages merge in any order, stay small and survive being stored."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch import OptionError
from chaffinch.errors import RulesError
from chaffinch.site.sample import GENERATIONS, Collector, Statistics, merged


def seen(statistics):
    """Return all that statistics hold, as values that can be compared."""
    return statistics.to_bytes()


def parts_of(rows, **settings):
    return [
        Statistics.of_page(row["page"], verdict=row["verdict"], **{"date": "1", **settings})
        for row in rows
    ]


@given(data=st.data())
@settings(max_examples=10)
def test_merging_is_associative_and_commutative(english, data):
    parts = parts_of(english[:9], most=4)
    whole = seen(merged(parts))
    order = data.draw(st.permutations(range(len(parts))))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(parts) - 1), max_size=3)))
    shards = [
        [parts[place] for place in order[start:stop]]
        for start, stop in itertools.pairwise([0, *cuts, len(parts)])
    ]
    assert seen(merged([merged(shard) for shard in shards])) == whole
    one_by_one = merged(shards[0])
    for shard in shards[1:]:
        one_by_one = merged(shard).merge(one_by_one)
    assert seen(one_by_one) == whole


def test_a_sample_is_kept_and_all_are_counted(english):
    statistics = merged(parts_of(english, most=5))
    assert len(statistics.kept) == 5
    assert statistics.pages == {"1": len(english)}
    assert statistics.hosts == {"grain.example": len(english)}
    keys = sorted(row["part"].kept[0].key for row in english)
    assert [page.key for page in statistics.kept] == keys[:5]


def test_the_collector_reads_only_what_it_keeps(english):
    asked = []

    def judge(page):
        asked.append(page)
        return next(row["verdict"] for row in english if row["page"] is page)

    collector = Collector(date="1", most=3, method=judge)
    for row in english:
        collector.add(row["page"])
    assert seen(collector.result()) == seen(merged(parts_of(english, most=3)))
    assert len(asked) < len(english)


def test_only_the_latest_generations_stay(english):
    dates = [f"2026-0{month}-01" for month in range(1, 8)]
    parts = [parts_of(english[:2], date=date)[0] for date in dates]
    assert sorted(merged(parts).samples) == dates[-GENERATIONS:]
    assert sum(merged(parts).pages.values()) == len(dates)


def test_stored_and_read_again(english):
    statistics = merged(parts_of(english[:6]))
    again = Statistics.from_bytes(statistics.to_bytes())
    assert seen(again) == seen(statistics)
    assert np.array_equal(again.kept[0].log_odds, statistics.kept[0].log_odds)
    assert seen(again.merge(statistics)) == seen(statistics.merge(statistics))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 no archive", b'{"kind": "x"}'])
def test_what_is_no_sample_is_refused(data):
    with pytest.raises(RulesError, match="not a usable sample"):
        Statistics.from_bytes(data)


@pytest.mark.parametrize("value", [8.5, -60_000, np.inf, np.nan])
def test_odds_have_bounds(english, value):
    statistics = parts_of(english[:1])[0]
    statistics.kept[0].log_odds[0] = value
    with pytest.raises(RulesError, match="log_odds must be within ±8"):
        Statistics.from_bytes(statistics.to_bytes())


def test_statistics_of_different_sizes_do_not_merge(english):
    small, large = parts_of(english[:1], most=2)[0], parts_of(english[:1], most=3)[0]
    with pytest.raises(OptionError, match="one number of pages"):
        small.merge(large)
