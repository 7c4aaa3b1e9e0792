"""Measures methods on labelled pages, side by side with baselines, in one run.

``run(corpora, methods=...)`` gives an :class:`Evaluation`; :func:`render` makes its tables.
"""

from chaffinch.evaluate.baselines import BASELINES
from chaffinch.evaluate.corpora import LabelledPage, known_corpora, read_corpus
from chaffinch.evaluate.evaluation import Evaluation, render, run

__all__ = [
    "BASELINES", "Evaluation", "LabelledPage", "known_corpora", "read_corpus", "render", "run",
]  # fmt: skip
