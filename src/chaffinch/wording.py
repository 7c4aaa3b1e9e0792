"""Words of messages: numbers with what they count, causes of errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def counted(number: int, thing: str) -> str:
    """Return a number and what it counts, such as ``1 page`` or ``12,000 pages``.

    Args:
        number: 0 or more.
        thing: in the singular; its plural ends in -s.
    """
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def cause(error: BaseException) -> str:
    """Return what went wrong, in the system's words, without the error's number and file name."""
    return getattr(error, "strerror", None) or str(error)


@contextmanager
def failing_as(kind: type[Exception], what: str) -> Iterator[None]:
    """Turn an error of the system within into one of a kind, which says what fails, and why."""
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {cause(error)}") from error
