"""Figures of groups and their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.evaluate.bootstrap import percentile_interval, resampled_sums
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.evaluate.grades import GradeScale
from chaffinch.evaluate.scoring import score_page
from chaffinch.evaluate.summaries import PageResult, summarize
from chaffinch.evaluate.tokens import tokenize


def result(extracted, *, at=0, domain="a", error="", **labels):
    page = LabelledPage(corpus="tiny", id=str(at), html=b"", domain=domain, **labels)
    gold = tokenize(page.gold_text or "")
    return PageResult(
        system="one",
        corpus="tiny",
        id=page.id,
        url=None,
        domain=domain,
        lang=page.lang,
        page_type=page.page_type,
        seconds=0.004 if error else 0.002,
        length=len(extracted),
        error=error,
        scores=score_page(extracted, page, gold, scale=GradeScale()),
    )


def whole(results, **options):
    (summary,) = (s for s in summarize(results, draws=0, **options) if s.kind == "all")
    return summary


def test_means_of_two_pages():
    pages = [
        result("a b c d", gold_text="a b c d"),
        result("", gold_text="a b c d", domain="b", error="KeyError: 'x'"),
    ]
    summary = whole(pages)
    figures = {name: figure.value for name, figure in summary.figures.items()}
    assert figures["word_f1"] == 0.5
    # The empty output has no precision, so the other page's is the mean: 2 * 1 * 0.5 / 1.5.
    assert figures["shingle_precision"] == 1
    assert figures["shingle_recall"] == 0.5
    assert figures["shingle_f1"] == pytest.approx(2 / 3)
    assert figures["shingle_accuracy"] == 0.5
    assert (figures["grade_1"], figures["grade_5"], figures["good"]) == (0.5, 0.5, 0.5)
    assert "snippet_f1" not in figures
    assert (summary.pages, summary.empty, summary.errors) == (2, 1, {"KeyError": 1})
    assert summary.ms_mean == pytest.approx(3)
    assert summary.pages_per_second == pytest.approx(2 / 0.006)


def test_an_extractor_that_finds_nothing_scores_zero_everywhere():
    figures = whole([result("", gold_text="a b"), result("", gold_text="c")]).figures
    for name in ("word_f1", "shingle_f1", "rouge_l", "share", "good"):
        assert figures[name].value == 0


def test_snippets_are_counted_over_all_pages():
    pages = [
        result("wanted", wanted=("wanted",), unwanted=("menu",)),
        result("menu", wanted=("x", "y", "z"), unwanted=("menu",), domain="b"),
    ]
    figures = {name: figure.value for name, figure in whole(pages).figures.items()}
    # 1 true positive, 1 false positive, 3 false negatives, 1 true negative.
    assert figures["snippet_precision"] == 1 / 2
    assert figures["snippet_recall"] == 1 / 4
    assert figures["snippet_f1"] == pytest.approx(2 / 6)
    assert figures["snippet_accuracy"] == pytest.approx(2 / 6)
    assert "word_f1" not in figures


def test_groups_by_page_type_and_language():
    pages = [
        result("a", gold_text="a", page_type="article", lang="en"),
        result("", gold_text="a", page_type="forum", lang="en"),
    ]
    found = {(s.kind, s.group): s.figures["word_f1"].value for s in summarize(pages, draws=0)}
    assert found == {
        ("all", ""): 0.5,
        ("page_type", "article"): 1,
        ("page_type", "forum"): 0,
        ("lang", "en"): 0.5,
    }


def test_one_domain_has_no_interval_and_two_have():
    pages = [result("a", gold_text="a", at=0), result("a b", gold_text="a", at=1)]
    alone = next(iter(summarize(pages, draws=100)))
    assert alone.figures["word_f1"].low is None
    pages.append(result("", gold_text="a", domain="b", at=2))
    both = next(iter(summarize(pages, draws=100)))
    figure = both.figures["word_f1"]
    assert figure.low == 0
    assert figure.high == pytest.approx(5 / 6)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcdefgh")), min_size=1, max_size=40),
    st.integers(0, 5),
)
def test_every_sample_lies_within_the_pages(pages, seed):
    values, clusters = zip(*pages, strict=True)
    matrix = np.column_stack([values, np.ones(len(values))])
    sums = resampled_sums(matrix, clusters, draws=50, seed=seed)
    assert np.array_equal(sums, resampled_sums(matrix, clusters, draws=50, seed=seed))
    means = sums[:, 0] / sums[:, 1]
    assert means.min() >= min(values) - 1e-9
    assert means.max() <= max(values) + 1e-9


@given(st.lists(st.floats(0, 1), min_size=5, max_size=40))
def test_the_interval_holds_the_mean(values):
    matrix = np.array(values)[:, None]
    clusters = [str(at) for at in range(len(values))]
    means = resampled_sums(matrix, clusters, draws=1000)[:, 0] / len(values)
    low, high = percentile_interval(means)
    assert low - 1e-9 <= np.mean(values) <= high + 1e-9


def test_clusters_widen_the_interval():
    values = np.repeat([0.0, 1.0], 50)[:, None]
    apart = resampled_sums(values, [str(at) for at in range(100)], draws=500)
    together = resampled_sums(values, [str(at // 10) for at in range(100)], draws=500)
    assert np.ptp(together) > 1.5 * np.ptp(apart)


def test_no_interval_of_nothing():
    assert percentile_interval(np.array([np.nan, np.nan])) is None
