"""The word F1 to expect of a method that gives no confidence of its own.

By what its verdict looks like: how much of the page is kept, how long and how linked the kept
blocks are beside the dropped ones, whether they stand together. Of each method a ridge regression
from these to the word F1 of labelled pages, and a calibration of what it gives, both fitted by
``python -m training.method_confidence``, with domains left out for the calibration (of methods that
learn from a site, whole sites). So the number means what the default's confidence means; the
reliability of the default's stands in docs/model.md, that of the others in docs/assessment.md.

A site model that reads a page in full has probabilities, and so an expected F1 like the default's,
which needs a calibration only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import WeightsError
from chaffinch.segment.text_blocks import block_prose, text_blocks
from chaffinch.storage import read_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.verdict import Content

SIGNALS: Final = (
    *("kept length", "dropped length", "kept share", "kept blocks", "share of links in kept"),
    *("share of links in dropped", "mean length of kept blocks", "kept share between the ends"),
    *("kept share of prose", "prose share of kept", "mean score of kept", "mean score of dropped"),
)
"""Names of what `verdict_signals` returns; each counts a second time as its square."""
_LONG: Final = 60


def verdict_signals(content: Content) -> NDArray[np.float64]:
    """Return float64[len(SIGNALS)]: what a verdict looks like; lengths are logarithms."""
    blocks = text_blocks(content.page)
    if not len(blocks):
        return np.zeros(len(SIGNALS))
    kept = content.kept[blocks.first]
    length, linked = blocks.length.astype(float), blocks.link_length.astype(float)
    prose = block_prose(content.page)
    prose = np.where(prose >= _LONG, prose, 0)
    score = content.verdict.score[blocks.first]
    total, inside = length.sum(), length[kept].sum()
    rows = np.flatnonzero(kept)
    span = length[rows[0] : rows[-1] + 1].sum() if len(rows) else 0.0
    values = (
        np.log1p(inside),
        np.log1p(total - inside),
        inside / max(total, 1),
        np.log1p(len(rows)),
        linked[kept].sum() / max(inside, 1),
        linked[~kept].sum() / max(total - inside, 1),
        np.log1p(inside / max(len(rows), 1)),
        inside / max(span, 1),
        prose[kept].sum() / max(prose.sum(), 1),
        min(prose[kept].sum() / max(inside, 1), 1.0),
        score[kept] @ length[kept] / max(inside, 1),
        score[~kept] @ length[~kept] / max(total - inside, 1),
    )
    return np.array(values, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class MethodConfidence:
    """The regression of one method.

    Attributes:
        weights: float64[2 len(SIGNALS) + 1], of the signals, their squares, and 1.
        curve: float64[2, k], what the regression gives, ascending, and the F1 measured there.
    """

    weights: NDArray[np.float64]
    curve: NDArray[np.float64]

    @classmethod
    def of(cls, saved: Any) -> MethodConfidence:
        """Return the regression of saved values.

        Raises:
            WeightsError: they are something else.
        """
        try:
            made = cls(np.array(saved["weights"], float), np.array(saved["curve"], float))
        except (LookupError, TypeError, ValueError) as error:
            raise WeightsError(f"not the weights of a confidence: {error}") from error
        if made.weights.shape != (2 * len(SIGNALS) + 1,) or made.curve.ndim != 2:  # noqa: PLR2004
            raise WeightsError("not the weights of a confidence: of another shape")
        return made

    def raw(self, signals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the regression gives for float64[…, len(SIGNALS)], before calibration."""
        return np.asarray(columns(signals) @ self.weights)

    def __call__(self, signals: NDArray[np.float64]) -> float:
        """Return the expected word F1, 0..1."""
        return float(np.interp(self.raw(signals), *self.curve))


def columns(signals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[…, 2 len(SIGNALS) + 1]: signals, their squares, and 1."""
    ones = np.ones((*signals.shape[:-1], 1))
    return np.concatenate([signals, signals**2, ones], axis=-1)


@cache
def shipped_confidences() -> dict[str, MethodConfidence]:
    """Return method → its regression, as the package has them; read once a process."""
    return {name: MethodConfidence.of(one) for name, one in _saved()["methods"].items()}


@cache
def _site_curve() -> NDArray[np.float64]:
    """Return float64[2, k]: expected F1 of site models in full, ascending, and that measured."""
    return np.array(_saved()["site full"], dtype=np.float64)


def _saved() -> Any:
    file = resources.files(__package__).joinpath("method_confidence.json")
    return read_json(file.read_text(encoding="utf-8"))


def expected_f1(content: Content, method: str) -> float | None:
    """Return the word F1 to expect of a method's verdict, to two decimals.

    None where the method isn't known, or nothing is kept.
    """
    known = shipped_confidences().get(method)
    if known is None or not content:
        return None
    return round(known(verdict_signals(content)), 2)


def site_confidence(expected: float) -> float:
    """Return the word F1 to expect of a page that a site model reads in full, to two decimals.

    Args:
        expected: expected F1 of what it keeps, by page and template together, 0..1.
    """
    return round(float(np.interp(expected, *_site_curve())), 2)
