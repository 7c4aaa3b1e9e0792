"""Which of many phrases stand in a text: those whose runs of three characters all do, searched.

A search for each of some 540 phrases in the short texts of a page costs more than to read the page;
next to none of them can stand there, by a table of the runs of three characters that the text has.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.state_words import PHRASES

if TYPE_CHECKING:
    from numpy.typing import NDArray

_RUN: Final = 3
_BITS: Final = 16
_FACTORS: Final = np.array([31, 1021, 33391], dtype=np.uint32)


def phrases_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return state → the phrases of `PHRASES` that stand in a text of lower case, in order."""
    states, phrases, hashes, starts = _phrases()
    known = np.zeros(1 << _BITS, dtype=bool)
    known[_hashes(text)] = True
    held = np.logical_and.reduceat(known[hashes], starts)
    found: dict[str, list[str]] = {state: [] for state in PHRASES}
    for at in np.flatnonzero(held).tolist():
        if phrases[at] in text:
            found[states[at]].append(phrases[at])
    return {state: tuple(some) for state, some in found.items()}


@cache
def _phrases() -> tuple[list[str], list[str], NDArray[np.uint32], NDArray[np.int64]]:
    """Return states and phrases, the hashes of their runs end to end, and where each begins.

    A phrase that is shorter than a run has the hash 0, which every text is given.
    """
    pairs = [(state, phrase) for state, some in PHRASES.items() for phrase in some]
    hashes = [_hashes(phrase)[1:] if len(phrase) >= _RUN else _hashes("") for _, phrase in pairs]
    starts = np.cumsum([0, *map(len, hashes)])[:-1]
    return [one for one, _ in pairs], [one for _, one in pairs], np.concatenate(hashes), starts


def _hashes(text: str) -> NDArray[np.uint32]:
    """Return 0, and the hash of each run of a text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    count = max(len(codes) - _RUN + 1, 0)
    hashes = np.zeros(count + 1, dtype=np.uint32)
    for at, factor in enumerate(_FACTORS):
        hashes[1:] ^= codes[at : at + count] * factor
    return hashes & np.uint32((1 << _BITS) - 1)
