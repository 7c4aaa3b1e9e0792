"""Aligns labelled text with the text blocks of a page: which share of each block is content.

Block tokens and gold tokens are aligned by their longest common subsequence, so that order tells
a short block of the content («2», «Share») from its twin in the navigation. Runs of text that the
gold has in another place are then found by their shingles among the gold tokens left over. What
is left wrong is measured: `Labels.bound` is the word F1 of keeping the blocks labelled over half.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.segment.text_blocks import TextBlocks

_RUN = 4
"""Tokens of a shingle."""
_LONGEST = 30_000
"""Tokens a side: beyond, the alignment's bit matrix is over 100 MB."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of m blocks.

    Attributes:
        share: float32[m], share of each block's tokens that the gold has.
        tokens: int32[m], tokens of each block.
        gold: tokens of the gold.
        bound: word F1 of keeping every block with a share over 0.5.
    """

    share: NDArray[np.float32]
    tokens: NDArray[np.int32]
    gold: int
    bound: float


def label_blocks(blocks: TextBlocks, gold_text: str) -> Labels:
    """Align ``gold_text`` with ``blocks``."""
    parts = [tokenize(text) for text in blocks.texts()]
    gold = tokenize(gold_text)
    sizes = np.array([len(part) for part in parts], dtype=np.int32)
    flat = [token for part in parts for token in part]
    whose = np.repeat(np.arange(len(parts)), sizes)
    matched = np.zeros(len(flat), dtype=bool)
    used = np.zeros(len(gold), dtype=bool)
    numbers = {token: number for number, token in enumerate(set(flat) | set(gold))}
    ours = [numbers[token] for token in flat]
    theirs = [numbers[token] for token in gold]
    if 0 < len(ours) <= _LONGEST and 0 < len(theirs) <= _LONGEST:
        for step in LCSseq.opcodes(ours, theirs):
            if step.tag == "equal":
                matched[step.src_start : step.src_end] = True
                used[step.dest_start : step.dest_end] = True
    share = np.bincount(whose, weights=matched, minlength=len(parts)) / np.maximum(sizes, 1)
    share = np.maximum(share, _moved(ours, sizes, theirs, used, share))
    share = _without_strays(share, sizes, _longest_runs(matched, whose, len(parts)))
    kept = [token for part, one in zip(parts, share, strict=True) if one > 1 / 2 for token in part]
    bound = word_score(kept, gold).f1
    return Labels(share.astype(np.float32), sizes, len(gold), bound)


def _longest_runs(
    matched: NDArray[np.bool_], whose: NDArray[np.intp], count: int
) -> NDArray[np.intp]:
    """Return intp[count]: the longest run of matched tokens in each block."""
    change = np.diff(np.concatenate([[0], matched.view(np.int8), [0]]))
    change[1:-1][np.diff(whose) > 0] = 0
    starts, ends = np.flatnonzero(change > 0), np.flatnonzero(change < 0)
    longest = np.zeros(count, dtype=np.intp)
    if len(starts) == len(ends) and len(starts):
        np.maximum.at(longest, whose[starts], ends - starts)
    return longest


def _moved(
    ours: list[int],
    sizes: NDArray[np.int32],
    theirs: list[int],
    used: NDArray[np.bool_],
    share: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the share of each poorly matched block's shingles among unused gold tokens."""
    left = Counter(
        tuple(theirs[at : at + _RUN])
        for at in range(len(theirs) - _RUN + 1)
        if not used[at : at + _RUN].all()
    )
    found = np.zeros(len(sizes))
    start = 0
    for block, size in enumerate(sizes.tolist()):
        if size >= 2 * _RUN and share[block] < 3 / 4:
            shingles = Counter(
                tuple(ours[at : at + _RUN]) for at in range(start, start + size - _RUN + 1)
            )
            hits = shingles & left
            if 2 * hits.total() > shingles.total():
                found[block] = hits.total() / shingles.total()
                left -= hits
        start += size
    return found


def _without_strays(
    share: NDArray[np.float64], sizes: NDArray[np.int32], longest: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Zero what was matched word by word only: frequent words that lie scattered in noise."""
    stray = (sizes >= _RUN) & (longest < np.minimum(sizes / 2, _RUN)) & (share < 3 / 4)
    return np.where(stray, 0.0, share)
