"""ROUGE-L and the share measure: words in common, in the same order.

Source of ROUGE-L: Lin 2004, «ROUGE: A Package for Automatic Evaluation of Summaries», section 3
(with beta = 1, on whole texts instead of sentences). The length of the longest common subsequence
comes from the bit-parallel recurrence of Hyyrö 2004, «Bit-Parallel LCS-length Computation
Revisited»: one row of the dynamic program is one long integer, so 10,000 tokens against 10,000
take a few big additions each, not 100 million steps.

Source of the share measure: layout-similarity, section 3.3: «the share that labelled content has
in the extraction result». The source doesn't specify how it is counted; here it is the tokens
of the output that stand in the gold in the same order, over the tokens of the output: ROUGE-L's
precision, which measures nothing of what is missing. On Chinese text a token is a character. The
source's gold holds title, time, source, editor and captions, but no related links; a corpus with
another policy gives another figure.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from chaffinch.evaluate.words import Score

if TYPE_CHECKING:
    from collections.abc import Sequence


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two token lists, in tokens."""
    shared = set(first) & set(second)
    short, long = sorted(
        ([t for t in first if t in shared], [t for t in second if t in shared]), key=len
    )
    places: defaultdict[str, int] = defaultdict(int)
    for at, token in enumerate(short):
        places[token] |= 1 << at
    everything = (1 << len(short)) - 1
    row = everything
    for token in long:
        hits = row & places[token]
        row = ((row + hits) | (row - hits)) & everything
    return len(short) - row.bit_count()


def rouge_l(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Return precision, recall and F1 of the longest common subsequence of two token lists."""
    return Score.of(common_length(extracted, gold), len(extracted), len(gold))
