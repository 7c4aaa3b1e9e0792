"""The dates of publication and of the last modification.

Candidates: JSON-LD, metas, microdata, time elements, elements whose class or id names a date, lines
of text near the headline, and the page's address. Dates in comments, teasers and footers have low
weights; dates in the future are ignored.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from chaffinch.elements.dates import day_of, parse_date
from chaffinch.metadata.candidates import FieldCandidate, choose_value
from chaffinch.metadata.declared_dates import (
    MODIFIED,
    PUBLISHED,
    by_name,
    declared,
    in_address,
    in_embedded_state,
    in_image,
    in_title,
)
from chaffinch.metadata.visible_dates import (
    changed_by_label,
    dates_in_text,
    published_by_label,
    time_elements,
    visible_dates,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.metadata.field_value import FieldValue

_CERTAIN: Final = 0.7
_MOST_TIMES: Final = 20
_EAST: Final = 10  # the first hour of UTC in which it is tomorrow somewhere
_WEST: Final = 12  # until this hour of UTC it is yesterday somewhere
_TOLERANCE: Final = timedelta(minutes=1)  # two values that differ by less are the same time


def published(evidence: Evidence) -> FieldValue[Any] | None:
    """Return the date of publication, as date or datetime; None where the page gives none."""
    candidates = list(declared(evidence, PUBLISHED, ("datePublished", "dateCreated", "uploadDate")))
    candidates = _on_day(_local(evidence, candidates), in_address(evidence))
    found = choose_value(candidates, _near_days)
    if found is not None and found.confidence >= _CERTAIN:
        return found
    candidates += by_name(evidence, changed=False)
    candidates += in_title(evidence)
    candidates += [one for one, changed in visible_dates(evidence) if not changed]
    if not candidates:
        candidates = (
            published_by_label(evidence)
            or [one._replace(weight=one.weight / 2) for one in evidence.derived(_changes)]
            or evidence.derived(changed_by_label)
            or [*in_embedded_state(evidence), *dates_in_text(evidence)]
            or in_image(evidence)
        )
    return choose_value(_with_times(candidates), _near_days)


def modified(evidence: Evidence) -> FieldValue[Any] | None:
    """Return the date of the last modification; None where the page gives none."""
    candidates = evidence.derived(_changes) or evidence.derived(changed_by_label)
    return choose_value(_with_times(_local(evidence, candidates)), _near_days)


def _changes(evidence: Evidence) -> list[FieldCandidate]:
    """Return the dates of modification but for those behind labels far from the headline."""
    return [
        *declared(evidence, MODIFIED, ("dateModified",)),
        *by_name(evidence, changed=True),
        *(one for one, changed in visible_dates(evidence) if changed),
    ]


def _local(evidence: Evidence, candidates: list[FieldCandidate]) -> list[FieldCandidate]:
    """Return the candidates, times in UTC converted to the zone of the page's time elements.

    Near midnight this is another day, the one that readers see.
    """
    moments = [one.value for one in candidates if _in_utc(one.value)]
    if not moments:
        return candidates
    for own in evidence.derived(_local_times):
        if any(abs(own - moment) < _TOLERANCE for moment in moments):
            return [_in_zone_of(one, own) for one in candidates]
    return candidates


def _local_times(evidence: Evidence) -> list[datetime]:
    """Return the times of time elements that are given in a zone other than UTC, the first ones."""
    page = evidence.page
    values = (page.attribute(row, "datetime") for row in time_elements(page)[:_MOST_TIMES])
    times = (parse_date(value) for value in values if value)
    return [own for own in times if isinstance(own, datetime) and own.utcoffset()]


def _on_day(
    candidates: list[FieldCandidate], addresses: list[FieldCandidate]
) -> list[FieldCandidate]:
    """Return the candidates and the day in the address.

    A time in UTC on the day before or after becomes the day of the address, where a time zone can
    explain the difference.
    """
    days = {day_of(one.value) for one in addresses}
    moved = [
        next((c._replace(value=d, key=d) for d in days if _is_adjacent_day(c, d)), c)
        for c in candidates
    ]
    return [*moved, *addresses]


def _is_adjacent_day(one: FieldCandidate, day: date) -> bool:
    """Return whether a time in UTC is on the adjacent day ``day`` in some time zone."""
    if not _in_utc(one.value):
        return False
    ahead = (day - day_of(one.value)).days
    hour = int(one.value.hour)
    return (ahead == 1 and hour >= _EAST) or (ahead == -1 and hour < _WEST)


def _in_utc(value: date | datetime) -> bool:
    return isinstance(value, datetime) and value.utcoffset() == timedelta(0)


def _in_zone_of(one: FieldCandidate, own: datetime) -> FieldCandidate:
    """Return the candidate; converted to the zone of ``own`` if its time equals ``own``."""
    if not _in_utc(one.value) or abs(own - one.value) >= _TOLERANCE:
        return one
    value = one.value.astimezone(own.tzinfo)
    return one._replace(value=value, key=day_of(value))


def _with_times(candidates: Iterable[FieldCandidate]) -> list[FieldCandidate]:
    """Return the candidates, each with the most exact value that a source gives for its day."""
    known = list(candidates)
    exact: dict[Any, date | datetime] = {}
    for one in sorted(known, key=lambda c: -c.weight):
        held = exact.get(one.key)
        if held is None or (not hasattr(held, "hour") and hasattr(one.value, "hour")):
            exact[one.key] = one.value
    return [
        one if (value := exact[one.key]) is one.value else one._replace(value=value)
        for one in known
    ]


def _near_days(key: date, other: date) -> float:
    """Return how far a day supports another: adjacent days may be one time in two zones."""
    return 0.4 if abs((key - other).days) == 1 else 0.0
