"""When it was published, and when it was changed.

Candidates: JSON-LD, metas, microdata, time elements, elements whose class or id speaks of a date,
lines of text near the title, and the page's address. What stands in comments, lists of related
pages and footers counts little, and no date lies in the future.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.metadata.declared_dates import (
    MODIFIED,
    PUBLISHED,
    by_name,
    declared,
    in_address,
    in_image,
    in_states,
    in_title,
)
from chaffinch.metadata.found import Candidate, Found, choose
from chaffinch.metadata.visible_dates import announced, anywhere, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from chaffinch.metadata.evidence import Evidence

_SURE: Final = 0.7
_MOST_TIMES: Final = 20
_EAST: Final = 10  # the first hour of UTC in which it is tomorrow somewhere
_WEST: Final = 12  # until this hour of UTC it is yesterday somewhere
_SAME: Final = timedelta(minutes=1)  # between two writings of one time


def published(evidence: Evidence) -> Found[Any] | None:
    """Return when it was published, as date or datetime; None where the page doesn't tell."""
    candidates = list(declared(evidence, PUBLISHED, ("datePublished", "dateCreated", "uploadDate")))
    candidates = _on_day(_local(evidence, candidates), in_address(evidence))
    found = choose(candidates, _near_days)
    if found is not None and found.confidence >= _SURE:
        return found
    candidates += by_name(evidence, changed=False)
    candidates += in_title(evidence)
    candidates += [one for one, changed in visible(evidence) if not changed]
    if not candidates:
        candidates = (
            announced(evidence)
            or [_weaker(one) for one in _changes(evidence)]
            or announced(evidence, changed=True)
            or [*in_states(evidence), *anywhere(evidence)]
            or in_image(evidence)
        )
    return choose(_with_times(candidates), _near_days)


def modified(evidence: Evidence) -> Found[Any] | None:
    """Return when it was last changed; None where the page doesn't tell."""
    candidates = list(_changes(evidence)) or announced(evidence, changed=True)
    return choose(_with_times(_local(evidence, candidates)), _near_days)


def _changes(evidence: Evidence) -> Iterator[Candidate]:
    yield from declared(evidence, MODIFIED, ("dateModified",))
    yield from by_name(evidence, changed=True)
    yield from (one for one, changed in visible(evidence) if changed)


def _weaker(one: Candidate) -> Candidate:
    return Candidate(one.value, one.key, one.source, one.row, one.weight * 0.5)


def _local(evidence: Evidence, candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates, times in UTC as the page writes them elsewhere in its own zone.

    Near midnight that is another day: the one that readers are shown.
    """
    moments = [one.value for one in candidates if _in_utc(one.value)]
    if not moments:
        return candidates
    page = evidence.page
    for row in np.flatnonzero(page.is_tag("time"))[:_MOST_TIMES].tolist():
        own = parse_date(page.attribute(row, "datetime") or "")
        if not isinstance(own, datetime) or not own.utcoffset():
            continue
        if any(abs(own - moment) < _SAME for moment in moments):
            return [_moved(one, own) for one in candidates]
    return candidates


def _on_day(candidates: list[Candidate], addresses: list[Candidate]) -> list[Candidate]:
    """Return the candidates and the address's day; times in UTC that it puts next day are of it."""
    days = {day_of(one.value) for one in addresses}
    moved = [
        next((Candidate(d, d, c.source, c.row, c.weight) for d in days if _beside(c, d)), c)
        for c in candidates
    ]
    return [*moved, *addresses]


def _beside(one: Candidate, day: date) -> bool:
    """Tell whether a moment in UTC may lie on a day that is next to its own, in some zone."""
    if not _in_utc(one.value):
        return False
    ahead = (day - day_of(one.value)).days
    hour = int(one.value.hour)
    return (ahead == 1 and hour >= _EAST) or (ahead == -1 and hour < _WEST)


def _in_utc(value: date | datetime) -> bool:
    return isinstance(value, datetime) and value.utcoffset() == timedelta(0)


def _moved(one: Candidate, own: datetime) -> Candidate:
    """Return a candidate whose time is that of ``own``, in the zone of ``own``."""
    if not _in_utc(one.value) or abs(own - one.value) >= _SAME:
        return one
    value = one.value.astimezone(own.tzinfo)
    return Candidate(value, day_of(value), one.source, one.row, one.weight)


def _with_times(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates, each day's value the most exact one that a source gives for it."""
    known = list(candidates)
    exact: dict[Any, date | datetime] = {}
    for one in sorted(known, key=lambda c: -c.weight):
        held = exact.get(one.key)
        if held is None or (not hasattr(held, "hour") and hasattr(one.value, "hour")):
            exact[one.key] = one.value
    return [Candidate(exact[c.key], c.key, c.source, c.row, c.weight) for c in known]


def _near_days(key: date, other: date) -> float:
    """Return how far a day supports another: neighbours may differ by the time zone."""
    return 0.4 if abs((key - other).days) == 1 else 0.0
