"""Candidates for the value of a field, and the choice among them by agreement of their sources.

Each candidate has a weight, the probability that its source is right if no other source gives a
value. Sources of one family (all metas, all JSON-LD) copy one another, so that a family counts
once, by its heaviest candidate; families are taken as independent and combined by noisy-or.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chaffinch.metadata.field_value import FieldValue

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

_WEIGHT: Final = attrgetter("weight")
MOST_GROUPS: Final = 40  # different values of one field that are compared; pages have fewer than 10


class FieldCandidate(NamedTuple):
    """A value from one source: values with an equal ``key`` are the same; ``weight`` is in 0..1."""

    value: Any
    key: Hashable
    source: str
    row: int
    weight: float


def choose_value(
    candidates: Iterable[FieldCandidate],
    alike: Callable[[Any, Any], float] | None = None,
    *,
    copies: Sequence[str] = (),
) -> FieldValue[Any] | None:
    """Return the value on which the sources agree best; None where there is no candidate.

    Args:
        candidates: of all sources; of equal scores the first one is chosen.
        alike: how far the second of two different keys supports the first, 0..1.
        copies: families that copy one another for this field and count as one.
    """
    groups: dict[Hashable, list[FieldCandidate]] = {}
    for one in candidates:
        if one.key in groups:
            groups[one.key].append(one)
        elif len(groups) < MOST_GROUPS:
            groups[one.key] = [one]
    if not groups:
        return None
    if len(groups) == 1 and len(group := next(iter(groups.values()))) == 1:
        (best,) = group  # its score is what follows from the families of one candidate
        score = 1.0 - (1.0 - max(best.weight, 0.0))
        return FieldValue(best.value, best.source, best.row, round(score, 3), ())
    weights = {key: _families(group, copies) for key, group in groups.items()}
    if alike is not None and len(groups) > 1:
        weights = _with_support(weights, alike)
    scores = [_any_of(families.values()) for families in weights.values()]
    score = max(scores)
    group = list(groups.values())[scores.index(score)]
    best = max(group, key=_WEIGHT) if len(group) > 1 else group[0]
    agreeing = dict.fromkeys([one.source for one in group if one.source != best.source])
    return FieldValue(best.value, best.source, best.row, round(score, 3), tuple(agreeing))


def _families(group: list[FieldCandidate], copies: Sequence[str]) -> dict[str, float]:
    """Return the heaviest weight of each family of sources: the part before the colon."""
    out: dict[str, float] = {}
    for _, _, source, _, weight in group:
        family = source.partition(":")[0]
        if family in copies:
            family = copies[0]
        if weight > out.get(family, 0.0):
            out[family] = weight
    return out


def _with_support(
    weights: dict[Hashable, dict[str, float]], alike: Callable[[Any, Any], float]
) -> dict[Hashable, dict[str, float]]:
    """Return the weights of each key's families, raised by those of keys that support it."""
    out: dict[Hashable, dict[str, float]] = {}
    for key, own in weights.items():
        combined = out[key] = own.copy()
        for other, theirs in weights.items():
            if other == key or not (share := alike(key, other)):
                continue
            for family, weight in theirs.items():
                if weight * share > combined.get(family, 0.0):
                    combined[family] = weight * share
    return out


def _any_of(weights: Iterable[float]) -> float:
    """Return the probability that one of some independent sources is right (noisy-or)."""
    remaining = 1.0
    for weight in weights:
        remaining *= 1.0 - weight
    return 1.0 - remaining
