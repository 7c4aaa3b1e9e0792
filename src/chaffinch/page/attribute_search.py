"""Whether attributes hold one of a few words: a cheap search before an exact one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page


def attributes_contain(
    page: Page, words: tuple[str, ...], names: tuple[str, str], *, tag: str = ""
) -> bool:
    """Return whether one of ``words`` stands in the value of an attribute.

    Args:
        page: the page.
        words: up to 32 of two or more characters, compared in their own case.
        names: names of the attributes.
        tag: of the elements that are searched; "" for all.
    """
    columns = page.attribute_columns
    numbers = np.array([columns.number_of.get(name, -1) for name in names], dtype=np.int32)
    given = columns.starts, columns.numbers, columns.ends, columns.values
    code = tags.CODES.get(tag, -1)
    return kernels.says_any(*given, page.tag, numbers, code, _encoded(words))


@lru_cache(maxsize=64)
def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)
