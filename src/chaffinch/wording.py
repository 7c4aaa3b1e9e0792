"""Words: numbers with what they count and causes of errors in messages; patterns of words."""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import contextmanager
from os.path import commonprefix
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_APOSTROPHES: Final = "’‘ʼʻ"
"""What stands for an apostrophe, such as in l’article, об’єм and oʻqing."""
_ALIKE: Final = {
    **dict.fromkeys(_APOSTROPHES, "'"), "ı": "i", "ς": "σ", "\u200c": " ", "ي": "ی", "ى": "ی",
    "ك": "ک", "ة": "ه", "\u0307": "", "\u0640": "", "\u064b": "",
}  # fmt: skip
"""Letters for which others stand: of Turkish and Greek in capitals, of Arabic in Persian; what is
left out, which `_MARKS` are where letters are composed with them."""
_UNLIKE: Final = re.compile(f"[{''.join(_ALIKE)}]")
_MARKS: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]+")
"""Accents of Latin, Greek and Cyrillic letters, vowels of Hebrew and Arabic."""
_LEAST_UNACCENTED: Final = 4
"""Letters of a word that patterns find without accents, too; shorter ones are other words then."""


def fold_words(text: str) -> str:
    """Return a text as it is compared with lists of words: what writers leave out left out.

    That is capitals, accents, which capitals often lack, and what is between kinds of apostrophes.
    """
    text = text.casefold()
    if text.isascii():
        return text
    for sign in {*_UNLIKE.findall(text)}:
        text = text.replace(sign, _ALIKE[sign])
    return _without_marks(text)


def _without_marks(text: str) -> str:
    apart = normalize("NFD", text)
    return text if apart == text else normalize("NFC", _MARKS.sub("", apart))


def counted(number: int, thing: str) -> str:
    """Return a number and what it counts, in the singular: ``1 page``, ``12,000 pages``."""
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

    A straight apostrophe in a word stands for all kinds of them; accents of longer words may lack.
    It is written as a tree of letters: a list of a thousand words takes eight times as long.
    """
    some = {*words}
    return _tree(some | {_without_marks(word) for word in some if len(word) >= _LEAST_UNACCENTED})


def _tree(words: Iterable[str]) -> str:
    groups = defaultdict[str, list[str]](list)
    for word in sorted({*words}):
        groups[word[:1]].append(word)
    is_end = groups.pop("", None) is not None
    branches = []
    for group in groups.values():
        start = commonprefix([group[0], group[-1]])  # noqa: RUF071  of letters
        tails = [word[len(start) :] for word in group]
        escaped = re.escape(start).replace("'", f"['{_APOSTROPHES}]")
        branches.append(escaped + (_tree(tails) if len(tails) > 1 else ""))
    return f"(?:{'|'.join(branches)})" + "?" * is_end
