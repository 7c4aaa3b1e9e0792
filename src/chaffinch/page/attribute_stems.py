"""Whether attributes hold one of a few stems: a cheap look before an exact one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page


def says_any(page: Page, stems: tuple[str, ...], names: tuple[str, str], *, tag: str = "") -> bool:
    """Tell whether one of ``stems`` stands in the value of an attribute.

    Args:
        page: the page.
        stems: up to 32 of two or more characters, in the case in which they stand there.
        names: names of the attributes.
        tag: of the elements that are looked at; "" for all.
    """
    columns = page.attribute_columns
    numbers = np.array([columns.number_of.get(name, -1) for name in names], dtype=np.int32)
    given = columns.starts, columns.numbers, columns.ends, columns.values
    code = tags.CODES.get(tag, -1)
    return kernels.says_any(*given, page.tag, numbers, code, _encoded(stems))


@lru_cache(maxsize=64)
def _encoded(stems: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(stem.encode() for stem in stems)
