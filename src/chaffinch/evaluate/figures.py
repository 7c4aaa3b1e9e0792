"""The figures of a table, each a function of sums over pages.

Every figure (a mean, an F1 of two means, a ratio of counts) follows from the column sums of one
matrix with a row a page, so the same code gives the figure of a group and of every bootstrap
sample of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.evaluate.grades import Grade

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from chaffinch.evaluate.scoring import PageScores

COLUMNS = (
    "gold",  # 1 where the text is labelled
    "word_precision",
    "word_recall",
    "word_f1",
    "rouge_l",
    "share",
    "with_output",  # 1 where the shingle measure's precision is defined
    "shingle_precision",
    "with_gold",  # 1 where its recall is defined
    "shingle_recall",
    "exact",
    *(f"grade_{grade.value}" for grade in Grade),
    "true_positive",
    "false_positive",
    "false_negative",
    "true_negative",
)
"""Columns of the matrix of addends."""

Sums = dict[str, "NDArray[np.float64]"]


def addends(scores: PageScores) -> list[float]:
    """Return one page's row of the matrix, in the order of COLUMNS."""
    row = dict.fromkeys(COLUMNS, 0.0)
    text, snippets = scores.text, scores.snippets
    if text is not None:
        row |= {
            "gold": 1.0,
            "word_precision": text.words.precision,
            "word_recall": text.words.recall,
            "word_f1": text.words.f1,
            "rouge_l": text.rouge_l.f1,
            "share": text.share,
            "exact": float(text.shingles.exact),
            f"grade_{text.grade.value}": 1.0,
        }
        if text.shingles.precision is not None:
            row |= {"with_output": 1.0, "shingle_precision": text.shingles.precision}
        if text.shingles.recall is not None:
            row |= {"with_gold": 1.0, "shingle_recall": text.shingles.recall}
    if snippets is not None:
        row |= {
            "true_positive": snippets.true_positive,
            "false_positive": snippets.false_positive,
            "false_negative": snippets.false_negative,
            "true_negative": snippets.true_negative,
        }
    return [row[name] for name in COLUMNS]


def _ratio(part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide; nan where the whole is 0, for there the figure isn't defined."""
    result = np.full(part.shape, np.nan)
    np.divide(part, whole, out=result, where=whole > 0)
    return result


def _mean(name: str) -> Callable[[Sums], NDArray[np.float64]]:
    return lambda sums: _ratio(sums[name], sums["gold"])


def _shingle_f1(sums: Sums) -> NDArray[np.float64]:
    precision = _ratio(sums["shingle_precision"], sums["with_output"])
    recall = _ratio(sums["shingle_recall"], sums["with_gold"])
    # Where nothing was extracted from any page, precision isn't defined and F1 is 0.
    precision = np.where(np.isnan(precision) & ~np.isnan(recall), 0.0, precision)
    f1 = _ratio(2 * precision * recall, precision + recall)
    return np.where(precision + recall == 0, 0.0, f1)


def _good(sums: Sums) -> NDArray[np.float64]:
    good = sums[f"grade_{Grade.GOOD.value}"] + sums[f"grade_{Grade.FAIRLY_GOOD.value}"]
    return _ratio(good, sums["gold"])


def _snippet_f1(sums: Sums) -> NDArray[np.float64]:
    hits = 2 * sums["true_positive"]
    return _ratio(hits, hits + sums["false_positive"] + sums["false_negative"])


def _snippet_accuracy(sums: Sums) -> NDArray[np.float64]:
    right = sums["true_positive"] + sums["true_negative"]
    return _ratio(right, right + sums["false_positive"] + sums["false_negative"])


FIGURES: dict[str, Callable[[Sums], NDArray[np.float64]]] = {
    "word_f1": _mean("word_f1"),
    "word_precision": _mean("word_precision"),
    "word_recall": _mean("word_recall"),
    "shingle_f1": _shingle_f1,
    "shingle_precision": lambda s: _ratio(s["shingle_precision"], s["with_output"]),
    "shingle_recall": lambda s: _ratio(s["shingle_recall"], s["with_gold"]),
    "shingle_accuracy": _mean("exact"),
    "rouge_l": _mean("rouge_l"),
    "share": _mean("share"),
    "good": _good,
    **{f"grade_{grade.value}": _mean(f"grade_{grade.value}") for grade in Grade},
    "snippet_f1": _snippet_f1,
    "snippet_precision": lambda s: _ratio(
        s["true_positive"], s["true_positive"] + s["false_positive"]
    ),
    "snippet_recall": lambda s: _ratio(
        s["true_positive"], s["true_positive"] + s["false_negative"]
    ),
    "snippet_accuracy": _snippet_accuracy,
}
"""Every figure by name, in 0..1; nan where no page of the group has the labels it needs.

``good`` is the share of pages that are good or fairly good, ``grade_1`` to ``grade_5`` the shares
of the five steps, ``share`` the share of labelled content in the output.
"""


def figures_of(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Return every figure of FIGURES for float64[samples, columns] sums, each float64[samples]."""
    columns = {name: sums[:, at] for at, name in enumerate(COLUMNS)}
    return {name: figure(columns) for name, figure in FIGURES.items()}
