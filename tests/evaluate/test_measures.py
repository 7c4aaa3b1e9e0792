"""Every measure by values worked out by hand, and by what must hold for all texts."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.evaluate.grades import Grade, GradeScale
from chaffinch.evaluate.rouge import common_length, rouge_l
from chaffinch.evaluate.shingles import ShingleCounts, shingle_counts
from chaffinch.evaluate.snippets import SnippetCounts, snippet_counts
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import Score, word_score

token_lists = st.lists(st.sampled_from(["a", "b", "c", "鸟"]), max_size=30)
texts = st.text(st.sampled_from("ab c鸟は국,.\n"), max_size=80)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Chaffinch, a bird.", ["the", "chaffinch", "a", "bird"]),
        ("苍头燕雀 bird", ["苍", "头", "燕", "雀", "bird"]),
        ("アトリ、スズメ目", ["ア", "ト", "リ", "ス", "ズ", "メ", "目"]),
        ("한국어", ["한", "국", "어"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("Ｆｕｌｌ ２０", ["full", "20"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("snake_case don't", ["snake", "case", "don", "t"]),
        ("3月14日", ["3", "月", "14", "日"]),
        (" —…!? ", []),
        ("", []),
    ],
)
def test_tokens_of_scripts(text, tokens):
    assert tokenize(text) == tokens


@given(texts, texts)
def test_tokens_of_two_lines_are_those_of_each(first, second):
    assert tokenize(f"{first}\n{second}") == tokenize(first) + tokenize(second)


def test_word_score_by_hand():
    score = word_score(["a", "a", "b", "x"], ["a", "b", "b", "c", "c"])
    assert score == Score(2 / 4, 2 / 5, 4 / 9)


def test_word_score_ignores_order_and_rouge_does_not():
    forward, backward = ["a", "b", "c", "d"], ["d", "c", "b", "a"]
    assert word_score(forward, backward).f1 == 1
    assert rouge_l(forward, backward).f1 == pytest.approx(1 / 4)


@pytest.mark.parametrize(
    ("extracted", "gold", "f1"),
    [([], [], 1.0), ([], ["a"], 0.0), (["a"], [], 0.0), (["a"], ["b"], 0)],
)
@pytest.mark.parametrize("measure", [word_score, rouge_l])
def test_empty_texts(measure, extracted, gold, f1):
    assert measure(extracted, gold).f1 == f1


@given(token_lists, token_lists)
@pytest.mark.parametrize("measure", [word_score, rouge_l])
def test_scores_are_shares_and_f1_is_symmetric(measure, first, second):
    score = measure(first, second)
    assert 0 <= min(score.precision, score.recall) <= score.f1
    assert score.f1 <= max(score.precision, score.recall) <= 1
    turned = measure(second, first)
    assert (turned.precision, turned.recall, turned.f1) == (score.recall, score.precision, score.f1)


@given(token_lists)
@pytest.mark.parametrize("measure", [word_score, rouge_l])
def test_a_text_against_itself_is_perfect(measure, tokens):
    assert measure(tokens, tokens) == Score(1, 1, 1)


def plain_common_length(first, second):
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in product(range(len(first)), range(len(second))):
        same = first[i] == second[j]
        table[i + 1][j + 1] = table[i][j] + 1 if same else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(token_lists, token_lists)
def test_common_length_equals_the_plain_table(first, second):
    assert common_length(first, second) == plain_common_length(first, second)


def test_common_length_of_long_texts():
    first = [str(n % 997) for n in range(10_000)]
    assert common_length(first, first) == 10_000
    assert common_length(first, first[2500:7500]) == 5000


def test_share_is_of_the_output():
    assert rouge_l(["x", "a", "b", "y"], ["a", "b", "c"]).precision == 0.5
    assert rouge_l(["b", "a"], ["a", "b"]).precision == 0.5
    assert rouge_l([], ["a"]).precision == 0


def test_shingles_by_hand():
    # gold: abcd bcde cdef; output: abcd bcde; so 2 of 3 found and none too many.
    counts = shingle_counts("a b c d e", "a b c d e f")
    assert counts == ShingleCounts(2 / 3, 0, 1 / 3)
    assert (counts.precision, counts.recall, counts.exact) == (1, pytest.approx(2 / 3), False)


def test_shingles_count_repetitions_and_case():
    counts = shingle_counts("a b c d a b c d", "a b c d")
    assert counts == ShingleCounts(1 / 5, 4 / 5, 0)
    assert shingle_counts("A b c d", "a b c d") == ShingleCounts(0, 1 / 2, 1 / 2)


def test_a_short_text_is_one_shingle_and_an_empty_one_none():
    assert shingle_counts("two words", "two words") == ShingleCounts(1, 0, 0)
    nothing = shingle_counts("", "a b")
    assert (nothing.precision, nothing.recall) == (None, 0)
    neither = shingle_counts("", "…")
    assert (neither.precision, neither.recall, neither.exact) == (None, None, True)


@given(texts, texts)
def test_shingle_shares_add_up_to_one(first, second):
    counts = shingle_counts(first, second)
    whole = counts.true_positive + counts.false_positive + counts.false_negative
    assert whole == pytest.approx(1) or whole == 0
    assert shingle_counts(first, first).exact


def test_snippets_by_hand():
    counts = snippet_counts(
        "One  line\nand another. Menu", ["line and", "missing"], ["Menu", "Ads"]
    )
    assert counts == SnippetCounts(1, 1, 1, 1)
    assert snippet_counts("", ["a"], ["b"]) == SnippetCounts(0, 0, 1, 1)
    assert snippet_counts("Text", ["text"], []) == SnippetCounts(0, 0, 1, 0)


@pytest.mark.parametrize(
    ("precision", "recall", "grade"),
    [
        (1.0, 1.0, Grade.GOOD),
        (0.95, 0.95, Grade.GOOD),
        (0.94, 1.0, Grade.FAIRLY_GOOD),
        (0.80, 0.95, Grade.FAIRLY_GOOD),
        (0.79, 1.0, Grade.MEDIUM),
        (2 / 3, 1.0, Grade.MEDIUM),
        (0.66, 1.0, Grade.RATHER_POOR),
        (0.10, 1.0, Grade.RATHER_POOR),
        (1.0, 0.94, Grade.MEDIUM),
        (0.80, 0.80, Grade.MEDIUM),
        (0.79, 0.90, Grade.RATHER_POOR),
        (1.0, 0.79, Grade.RATHER_POOR),
        (1.0, 0.51, Grade.RATHER_POOR),
        (1.0, 0.50, Grade.POOR),
        (0.0, 0.0, Grade.POOR),
    ],
)
def test_grades_by_the_words_of_the_source(precision, recall, grade):
    f1 = 0.0 if not precision + recall else 2 * precision * recall / (precision + recall)
    assert GradeScale().grade(Score(precision, recall, f1)) is grade


shares = st.floats(0, 1)


@given(shares, shares, shares, shares)
def test_a_better_result_never_gets_a_worse_grade(precision, recall, more_precise, more_recalled):
    scale = GradeScale()
    better = Score(max(precision, more_precise), max(recall, more_recalled), 0)
    assert scale.grade(better) <= scale.grade(Score(precision, recall, 0))
