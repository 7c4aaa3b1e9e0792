"""Measures by values worked out by hand and by what must hold for all texts; figures of groups."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.evaluate.evaluation import PageResult, summarize
from chaffinch.evaluate.scoring import (
    Score,
    lacks,
    rouge_l,
    score_page,
    tokenize,
    visual_blocks,
    word_score,
)
from rows_of_cases import examples

token_lists = st.lists(st.sampled_from(["a", "b", "c", "鸟"]), max_size=30)
texts = st.text(st.sampled_from("ab c鸟は国,.\n"), max_size=80)


@pytest.mark.parametrize(("text", "tokens"), examples(__file__, "tokens of scripts"))
def test_tokens_of_scripts(text, tokens):
    assert tokenize(text) == tokens


@given(texts, texts)
def test_tokens_of_two_lines_are_those_of_each(first, second):
    assert tokenize(f"{first}\n{second}") == tokenize(first) + tokenize(second)


def test_scores_by_hand():
    assert word_score(["a", "a", "b", "x"], ["a", "b", "b", "c", "c"]) == Score(2 / 4, 2 / 5, 4 / 9)
    forward, backward = ["a", "b", "c", "d"], ["d", "c", "b", "a"]
    assert word_score(forward, backward).f1 == 1
    assert rouge_l(forward, backward).f1 == pytest.approx(1 / 4)
    assert rouge_l(["x", "a", "b", "y"], ["a", "b", "c"]).precision == 0.5
    pages = [([], [], 1), ([], ["a"], 0), (["a"], [], 0), (["a"], ["b"], 0)]
    for measure, (extracted, gold, f1) in product((word_score, rouge_l), pages):
        assert measure(extracted, gold).f1 == f1


@given(token_lists, token_lists)
@pytest.mark.parametrize("measure", [word_score, rouge_l])
def test_scores_are_shares_and_f1_is_symmetric(measure, first, second):
    score = measure(first, second)
    assert 0 <= min(score.precision, score.recall) <= score.f1
    assert score.f1 <= max(score.precision, score.recall) <= 1
    turned = measure(second, first)
    assert (turned.precision, turned.recall, turned.f1) == (score.recall, score.precision, score.f1)
    assert measure(first, first) == Score(1, 1, 1)


@given(token_lists, token_lists)
def test_the_common_subsequence_is_that_of_the_plain_table(first, second):
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in product(range(len(first)), range(len(second))):
        same = first[i] == second[j]
        table[i + 1][j + 1] = table[i][j] + 1 if same else max(table[i][j + 1], table[i + 1][j])
    found = rouge_l(first, second)
    assert round(found.precision * len(first)) == (table[-1][-1] if second or not first else 0)


@pytest.mark.parametrize(
    ("kept", "missing", "noise", "good"),
    [(20, 0, 0, 1), (19, 1, 0, 1), (20, 0, 5, 1), (19, 1, 4, 1), (18, 2, 0, 0), (20, 0, 6, 0)],
)
def test_a_good_page_misses_a_twentieth_and_has_a_fifth_of_noise_at_most(
    kept, missing, noise, good
):
    page = result("a " * kept + "b " * noise, gold_text="a " * (kept + missing))
    assert page.scores["good"] == (good, 1)


# Figures of groups


def result(extracted, *, at=0, domain="a", error="", **labels):
    page = LabelledPage(corpus="tiny", id=str(at), html=b"", domain=domain, **labels)
    scores = score_page(extracted, page, tokenize(page.gold_text or ""))
    return PageResult(
        system="one",
        page=page,
        seconds=0.004 if error else 0.002,
        is_empty=not extracted,
        error=error,
        scores=scores,
    )


def whole(*results):
    (summary,) = (s for s in summarize(results, draws=0) if s.kind == "all")
    return summary


def figures(*results):
    return {name: figure.value for name, figure in whole(*results).figures.items()}


def shingles(extracted, gold):
    scores = result(extracted, gold_text=gold).scores
    names = ("shingle_precision", "shingle_recall")
    return tuple(scores[name][0] if name in scores else None for name in names)


def test_shingles_by_hand():
    # gold: abcd bcde cdef; output: abcd bcde; so 2 of 3 found and none too many.
    assert shingles("a b c d e", "a b c d e f") == (1, pytest.approx(2 / 3))
    assert shingles("a b c d a b c d", "a b c d") == (1 / 5, 1)
    assert shingles("A b c d", "a b c d") == (0, 0)
    assert shingles("two words", "two words") == (1, 1)
    assert shingles("", "a b") == (None, 0)
    assert shingles("", "…") == (None, None)


def test_means_of_two_pages():
    pages = [
        result("a b c d", gold_text="a b c d"),
        result("", gold_text="a b c d", domain="b", error="KeyError: 'x'"),
    ]
    summary, found = whole(*pages), figures(*pages)
    assert found["word_f1"] == found["good"] == 0.5
    # The empty output has no precision, so the other page's is the mean: 2 * 1 * 0.5 / 1.5.
    assert found["shingle_f1"] == pytest.approx(2 / 3, abs=1e-5)
    assert "snippet_f1" not in found
    assert (summary.pages, summary.empty, summary.errors) == (2, 1, {"KeyError": 1})
    assert summary.ms_median == pytest.approx(3)
    assert summary.pages_per_second == pytest.approx(2 / 0.006, abs=0.001)


def test_snippets_are_counted_over_all_pages():
    pages = [
        result("One  line\nand another", wanted=("line and",), unwanted=("menu",)),
        result("menu", wanted=("x", "y", "Menu"), unwanted=("menu",), domain="b"),
    ]
    found = figures(*pages)
    # 1 wanted one found and 3 missed, 1 unwanted one found and 1 not.
    assert found == {
        "snippet_precision": 1 / 2, "snippet_recall": 1 / 4, "snippet_f1": 0.33333,
    }  # fmt: skip


def test_one_domain_has_no_interval_and_two_have():
    pages = [result("a", gold_text="a", at=0), result("a b", gold_text="a", at=1)]
    assert summarize(pages, draws=100)[0].figures["word_f1"].low is None
    pages.append(result("", gold_text="a", domain="b", at=2))
    figure = summarize(pages, draws=100)[0].figures["word_f1"]
    assert (figure.low, figure.high) == (0, pytest.approx(5 / 6, abs=1e-5))


def test_noise_blocks_that_are_dropped():
    text = "The chaffinch is a small bird, common in all of Europe."
    html = (
        "<nav><a href=/>Home page of the fields</a> <a href=/b>All of the birds</a></nav>"
        "<div style='padding:40px'><p>The chaffinch is a small bird, common in all of Europe.</p>"
        "</div><footer>Imprint and terms of use of this page</footer>"
    )
    page = LabelledPage(corpus="own", id="1", html=html.encode(), gold_text=text)
    blocks = visual_blocks(page)
    noise = lacks(blocks, page.gold_text)
    assert 0 < sum(noise) < len(blocks)
    gold = tokenize(page.gold_text)
    for text, share in ((page.gold_text, 1), ("".join(blocks), 0)):
        found = score_page(text, page, gold, blocks)
        (both, of_noise), (_, dropped) = found["block_recall"], found["block_precision"]
        assert both == share * of_noise == dropped
    assert lacks(["ab", "abcdefghij"], "x ab y abcdefghi") == [False, False]
    assert lacks(["ab", "abcdefghij"], "") == [True, True]
