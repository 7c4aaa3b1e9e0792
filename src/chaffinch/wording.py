"""Words of messages that depend on a number."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return a number and what it counts, such as ``1 page`` or ``12,000 pages``.

    Args:
        number: 0 or more.
        thing: in the singular; its plural ends in -s.
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"
