"""Class names that posts or entries of one list share: without digits, and none that varies."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page

    Numbers = NDArray[np.int64]
    Places = NDArray[np.intp]

_STARTS: Final = ("first", "last", "alt", "new", "hover", "active", "selected")
_ENDS: Final = ("odd", "even")
_VARYING: Final = re.compile(
    rf"\A(?:\w*[-_]?(?:{'|'.join(_ENDS)})|(?:{'|'.join(_STARTS)})[-_]?\w*)$", re.IGNORECASE
)
"""Class names that differ between posts of one kind."""
_HINTS: Final = (*(f"\n{word}" for word in _STARTS), *(f"{word}\n" for word in _ENDS))
"""Each match of `_VARYING` in ASCII, a line of its own in lower case, has one of these."""
_DIGITS: Final = re.compile(r"\d+")


def numbered_names(page: Page) -> tuple[Numbers, Places]:
    """Return int64[m] and intp[m]: the lasting names in each different value of ``class``.

    Names are numbered from 1 as they come on the page; beside each stands the place of its value
    among those of the page, ascending. Made once: lists ask for them by several rules.
    """
    numbers, owners = page.derived("lasting class names", lambda: _numbered_names(page))
    return numbers, owners


def _numbered_names(page: Page) -> tuple[Numbers, Places]:
    values = [value.split() for value in page.values("class").rows]
    words = list(chain.from_iterable(values))
    different = list(dict.fromkeys(words))
    names = _lasting(different)
    number_of = {name: number for number, name in enumerate(dict.fromkeys(["", *names]))}
    of_word = dict(zip(different, map(number_of.__getitem__, names), strict=True))
    numbers = np.fromiter(map(of_word.__getitem__, words), np.int64, len(words))
    owners = np.arange(len(values)).repeat(np.array(list(map(len, values)), dtype=np.intp))
    lasts = numbers > 0
    return numbers[lasts], owners[lasts]


def lasting_class_names(classes: str) -> list[str]:
    """Return the names of a ``class`` attribute that don't differ within a list, without digits."""
    return [name for name in _lasting(classes.split()) if name]


def _lasting(words: list[str]) -> list[str]:
    """Return class names without digits, "" for each that differs within a list.

    A pass over all of them finds which may differ, since few do.
    """
    names = without_digits(words)
    low = "\n".join(["", *names, ""]).lower()
    if not low.isascii():
        return ["" if _VARYING.match(name) else name for name in names]
    for hint in _HINTS:
        number, before, at = -1, 0, low.find(hint)
        while at >= 0:
            number += low.count("\n", before, at + 1)
            if _VARYING.match(names[number]):
                names[number] = ""
            before, at = at + 1, low.find(hint, at + 1)
    return names


def without_digits(texts: list[str]) -> list[str]:
    """Return texts without their digits; those of ASCII all at once."""
    text = "\n".join(texts)
    if not text.isascii() or text.count("\n") >= max(len(texts), 1):
        return [_DIGITS.sub("", text) for text in texts]
    stripped = text.encode("ascii").translate(None, b"0123456789").decode("ascii")
    return stripped.split("\n") if texts else []
