"""Words: numbers with what they count and causes of errors in messages; patterns of words."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import contextmanager
from os.path import commonprefix
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_APOSTROPHES: Final = "’‘ʼʻ"
"""What stands for an apostrophe, such as in l’article, об’єм and oʻqing."""


def straight(text: str) -> str:
    """Return a text with apostrophes as lists of words have them: straight ones."""
    if not text.isascii():
        for sign in _APOSTROPHES:
            text = text.replace(sign, "'")
    return text


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


def any_of(words: Iterable[str]) -> str:
    """Return a pattern, one group, of any of some words; of two that begin alike the longer first.

    A straight apostrophe in a word stands for all kinds of them.
    It is written as a tree of letters: a list of a thousand words takes eight times as long.
    """
    groups = defaultdict[str, list[str]](list)
    for word in sorted({*words}):
        groups[word[:1]].append(word)
    is_end = groups.pop("", None) is not None
    branches = []
    for group in groups.values():
        start = commonprefix([group[0], group[-1]])  # noqa: RUF071  of letters
        tails = [word[len(start) :] for word in group]
        escaped = re.escape(start).replace("'", f"['{_APOSTROPHES}]")
        branches.append(escaped + (any_of(tails) if len(tails) > 1 else ""))
    return f"(?:{'|'.join(branches)})" + "?" * is_end
