"""The five-step scale: is a result good, fairly good, medium, rather poor or poor?

Source: topic-information, section 4. People graded the pages there by these words: *good*, the
content complete and practically no noise; *fairly good*, complete with a little noise; *medium*,
complete with more noise, though clearly less noise than content, or at most 20 % of the content
missing and no more than a little noise; *rather poor*, more than 20 % but less than 50 % missing,
or complete with clearly too much noise; *poor*, the wrong region, or more missing.

Departure: here recall and precision of words decide. Only 20 % and 50 % are the source's; the
words «complete», «practically no», «a little» and «clearly less» have no figure there, so they
are fields of :class:`GradeScale`. A case the source has no words for (at most 20 % missing and
more than a little noise) is rather poor. The source's content includes images and tables as
such; here their text alone counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chaffinch.evaluate.words import Score


class Grade(IntEnum):
    """The steps, from 1 (best) to 5 (worst)."""

    GOOD = 1
    FAIRLY_GOOD = 2
    MEDIUM = 3
    RATHER_POOR = 4
    POOR = 5


@dataclass(frozen=True, kw_only=True)
class GradeScale:
    """The figures behind the words; all are shares in 0..1.

    Noise is the share of the output's words that aren't content (1 - precision); what is missing
    is the share of the content's words that the output lacks (1 - recall).
    """

    complete: float = 0.05
    """Content is complete with at most this share missing: labels and spelling differ that much."""
    partly_missing: float = 0.20
    """A part is missing: the source's figure."""
    mostly_missing: float = 0.50
    """From here on the result is poor: the source's figure."""
    no_noise: float = 0.05
    """Practically no noise."""
    little_noise: float = 0.20
    """A little noise: the figure that the source has for a small loss."""
    tolerable_noise: float = 1 / 3
    """Noise clearly less than content: half as much, so a third of the output."""

    def grade(self, score: Score) -> Grade:
        """Return the step for the word score of one page."""
        # Rounded, so that a precision of 0.95 is a noise of 0.05 and not of 0.05000000000000004.
        noise, missing = round(1 - score.precision, 9), round(1 - score.recall, 9)
        if missing >= self.mostly_missing:
            return Grade.POOR
        if missing > self.partly_missing:
            return Grade.RATHER_POOR
        if missing > self.complete:
            return Grade.MEDIUM if noise <= self.little_noise else Grade.RATHER_POOR
        if noise <= self.no_noise:
            return Grade.GOOD
        if noise <= self.little_noise:
            return Grade.FAIRLY_GOOD
        return Grade.MEDIUM if noise <= self.tolerable_noise else Grade.RATHER_POOR
