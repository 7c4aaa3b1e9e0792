"""A value that was found, and how one value is chosen among several sources by agreement.

Every source gives candidates with a weight, the chance that this source is right where it speaks
alone. Sources of one family (all metas, all JSON-LD) copy one another, so that a family counts
once, by its heaviest; families are taken as independent and combined by noisy-or.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

T_co = TypeVar("T_co", covariant=True)

MOST_GROUPS: Final = 40  # different values of one field that are compared; pages have fewer than 10


@dataclass(frozen=True)
class Found(Generic[T_co]):
    """A value and where it came from.

    Attributes:
        value: the value.
        source: what gave it, such as ``json-ld:NewsArticle.headline`` or ``meta:og:title``.
        row: the row of the page that gave it; -1 for the page's address.
        confidence: 0..1, how far the page's own sources carry it; no probability.
        agreeing: other sources that give the same value.
    """

    value: T_co
    source: str
    row: int
    confidence: float
    agreeing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one source says: ``key`` is what makes two values the same, ``weight`` is in 0..1."""

    value: Any
    key: Hashable
    source: str
    row: int
    weight: float

    @property
    def family(self) -> str:
        """The part of the source before the colon."""
        return self.source.partition(":")[0]


def choose(
    candidates: Iterable[Candidate],
    alike: Callable[[Any, Any], float] | None = None,
    *,
    copies: Sequence[str] = (),
) -> Found[Any] | None:
    """Return the value on which the sources agree best; None where there is no candidate.

    Args:
        candidates: what the sources say, the better one first where all else is equal.
        alike: of the keys of two different values, how far the second supports the first, 0..1.
        copies: families that for this field are copies of one another and count as one.
    """
    groups: dict[Hashable, list[Candidate]] = {}
    for one in candidates:
        if one.key in groups:
            groups[one.key].append(one)
        elif len(groups) < MOST_GROUPS:
            groups[one.key] = [one]
    if not groups:
        return None
    weights = {key: _families(group, copies) for key, group in groups.items()}
    scores = {key: _score(key, weights, alike) for key in groups}
    key = max(scores, key=scores.__getitem__)
    group = groups[key]
    best = max(group, key=lambda one: one.weight)
    agreeing = dict.fromkeys(one.source for one in group if one.source != best.source)
    return Found(best.value, best.source, best.row, round(scores[key], 3), tuple(agreeing))


def _families(group: list[Candidate], copies: Sequence[str]) -> dict[str, float]:
    """Return each family's heaviest weight."""
    out: dict[str, float] = {}
    for one in group:
        family = copies[0] if one.family in copies else one.family
        if one.weight > out.get(family, 0.0):
            out[family] = one.weight
    return out


def _score(
    key: Hashable,
    weights: dict[Hashable, dict[str, float]],
    alike: Callable[[Any, Any], float] | None,
) -> float:
    combined = weights[key]
    if alike is not None and len(weights) > 1:
        combined = dict(combined)
        for other, theirs in weights.items():
            if other == key or not (share := alike(key, other)):
                continue
            for family, weight in theirs.items():
                combined[family] = max(combined.get(family, 0.0), weight * share)
    doubt = 1.0
    for weight in combined.values():
        doubt *= 1.0 - weight
    return 1.0 - doubt
