"""Measures extractors on labelled pages, side by side with peers, in one run.

``run(EvaluateOptions(...))`` gives an :class:`Evaluation`; ``EvaluationReport.of(evaluation)``
makes its tables (:func:`render`), JSON and picture (:func:`chaffinch.evaluate.plot`).
"""

from chaffinch.evaluate.corpora import LabelledPage, known_corpora, read_corpus
from chaffinch.evaluate.grades import Grade, GradeScale
from chaffinch.evaluate.page_dump import dump
from chaffinch.evaluate.panels import plot
from chaffinch.evaluate.peers import PEERS, Peer, peer_names
from chaffinch.evaluate.report import EvaluationReport, render
from chaffinch.evaluate.runner import EvaluateOptions, Evaluation, WorstPage, run

__all__ = [
    "PEERS", "EvaluateOptions", "Evaluation", "EvaluationReport", "Grade", "GradeScale",
    "LabelledPage", "Peer", "WorstPage", "dump", "known_corpora", "peer_names", "plot",
    "read_corpus", "render", "run",
]  # fmt: skip
