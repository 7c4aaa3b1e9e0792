"""All measures of one output against one labelled page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch.evaluate.rouge import rouge_l
from chaffinch.evaluate.shingles import ShingleCounts, shingle_counts
from chaffinch.evaluate.snippets import SnippetCounts, snippet_counts
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import Score, word_score

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.evaluate.grades import Grade, GradeScale


@dataclass(frozen=True, kw_only=True)
class TextScores:
    """The measures that need the whole labelled text. ``share`` is in 0..1."""

    words: Score
    rouge_l: Score
    share: float
    shingles: ShingleCounts
    grade: Grade


@dataclass(frozen=True, kw_only=True)
class PageScores:
    """The scores of one page: by its text, by its snippets, or both."""

    text: TextScores | None
    snippets: SnippetCounts | None

    @property
    def main(self) -> float | None:
        """One figure in 0..1 to order pages by; None where the page has no labels.

        The word F1 where the text is labelled, else the share of snippets that are right.
        """
        if self.text is not None:
            return self.text.words.f1
        if self.snippets is None:
            return None
        one = self.snippets
        right = one.true_positive + one.true_negative
        return right / (right + one.false_positive + one.false_negative)


def score_page(
    extracted: str, page: LabelledPage, gold: Sequence[str], *, scale: GradeScale
) -> PageScores:
    """Score one output.

    Args:
        extracted: the output.
        page: the labels.
        gold: the tokens of the page's labelled text (they are the same for every extractor).
        scale: figures of the five-step scale.
    """
    text = None
    if page.gold_text is not None:
        tokens = tokenize(extracted)
        words, order = word_score(tokens, gold), rouge_l(tokens, gold)
        text = TextScores(
            words=words,
            rouge_l=order,
            share=order.precision,
            shingles=shingle_counts(extracted, page.gold_text),
            grade=scale.grade(words),
        )
    snippets = None
    if page.wanted or page.unwanted:
        snippets = snippet_counts(extracted, page.wanted, page.unwanted)
    return PageScores(text=text, snippets=snippets)
