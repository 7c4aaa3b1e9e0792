"""Keywords of text without white space (Han, kana, Thai and others): strings that repeat, weighed.

No dictionary cuts the text into words. A string of two to eight characters that stands at two
places or more is a candidate; what marks a word, not a part of one or two halves, is what
stands beside it: different neighbours, ends of runs and function words on both sides (Z. Harris,
"From phoneme to morpheme", Language 31, 1955). A logistic regression weighs these with how often it
stands there, whether the title has it, and its length.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import exp, log
from typing import Final

from chaffinch.page_work import checked

_LONGEST: Final = 8
_LEAST_REPEATED: Final = 2
_RUN: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]++"
)
_FUNCTION: Final = frozenset(
    "的了是在和与也就都而及着或一不没有我你他她它们这那个为以于对从到把被让给上下中并但其将之所"
    "はがをにでとものかられてしまいうなるだけよ"
)
"""Characters that are mostly function words, or parts of them."""

WEIGHTS: Final = {
    "count": 3.749,
    "count in a long text": -0.489,
    "in the title": 1.577,
    "of two": -0.455,
    "of three": 0.624,
    "of four": 0.676,
    "left neighbours": 0.895,
    "right neighbours": 0.632,
    "ends": 0.715,
    "function characters at its ends": -1.307,
    "constant": -6.226,
}
"""Feature of a `Candidate` → its weight: fitted by `python -m training.keywords --fit` on what
Chinese pages declare as their keywords."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A string that may be a keyword.

    Attributes:
        text: the string.
        count: at how many places it stands, overlapping ones included.
        features: values in the order of `WEIGHTS`.
    """

    text: str
    count: int
    features: tuple[float, ...]

    @property
    def score(self) -> float:
        """The probability, in 0..1, that the page would declare it, as far as `WEIGHTS` know."""
        return 1 / (1 + exp(-sum(map(float.__mul__, WEIGHTS.values(), self.features))))


@dataclass(slots=True)
class _Places:
    """What stands beside a string, at all its places together."""

    left: set[str] = field(default_factory=set)
    right: set[str] = field(default_factory=set)
    left_ends: int = 0
    right_ends: int = 0
    is_titled: bool = False


def runs_of(text: str) -> list[str]:
    """Return the stretches of a text that are written without white space."""
    return _RUN.findall(text)


def candidates(title: str, text: str) -> list[Candidate]:
    """Return the strings that repeat in title and text, in no order that means anything.

    Only those with two different neighbours or more on either side: others are parts of longer
    ones.
    """
    titled = runs_of(title)
    runs = [*titled, *runs_of(text)]
    counts, places = _counted(runs, len(titled))
    total = sum(map(len, runs))
    return [
        Candidate(one, counts[one], _features(one, counts[one], beside, total))
        for one, beside in places.items()
        if min(len(beside.left), len(beside.right)) > 1 and not _FUNCTION.issuperset(one)
    ]


def _counted(runs: list[str], titled: int) -> tuple[Counter[str], dict[str, _Places]]:
    """Return how often characters and repeated strings stand in runs, and what is beside these.

    Args:
        runs: stretches of text.
        titled: how many of them, at the beginning, are of the title.
    """
    counts = Counter(character for run in runs for character in run)
    places: dict[str, _Places] = defaultdict(_Places)
    alive = [(number, at) for number, run in enumerate(runs) for at in range(len(run))]
    for size in range(2, _LONGEST + 1):
        found = [
            (number, at, runs[number][at : at + size])
            for number, at in checked(alive, every=4_096)
            if at + size <= len(runs[number])
            and counts[runs[number][at : at + size - 1]] >= _LEAST_REPEATED
        ]
        counts.update(text for *_, text in found)
        repeated = [one for one in found if counts[one[2]] >= _LEAST_REPEATED]
        for number, at, text in repeated:
            _see(places[text], runs[number], at, at + size, str(number))
            places[text].is_titled |= number < titled
        alive = [(number, at) for number, at, _ in repeated]
    return counts, places


def _see(beside: _Places, run: str, begin: int, end: int, at_end: str) -> None:
    """Take in what stands beside one place; ``at_end`` is the neighbour where the run ends."""
    before = run[begin - 1] if begin else at_end
    after = run[end] if end < len(run) else at_end
    beside.left.add(before)
    beside.right.add(after)
    beside.left_ends += before is at_end or before in _FUNCTION
    beside.right_ends += after is at_end or after in _FUNCTION


def _features(text: str, count: int, beside: _Places, total: int) -> tuple[float, ...]:
    """Return the features of a string, in the order of `WEIGHTS`; ``total`` in characters."""
    return (
        log(count),
        log(count) * log(total),
        float(beside.is_titled),
        float(len(text) == 2),  # noqa: PLR2004  a length, as of its name
        float(len(text) == 3),  # noqa: PLR2004
        float(len(text) == 4),  # noqa: PLR2004
        log(len(beside.left)),
        log(len(beside.right)),
        min(beside.left_ends, beside.right_ends) / count,
        float((text[0] in _FUNCTION) + (text[-1] in _FUNCTION)),
        1.0,
    )
