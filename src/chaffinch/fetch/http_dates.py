"""Dates in headers of HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST: Final = 64  # characters


def http_date(value: str) -> datetime | None:
    """Return the date of a header, with its zone (UTC where it names none); None for no date."""
    try:
        when = parsedate_to_datetime(value[:_LONGEST])
    except (ValueError, TypeError, OverflowError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
