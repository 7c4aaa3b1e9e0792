"""Tests and counts of a page's bytes before they are parsed.

One of the two places below the parser that know what HTML is; the other is the walk over its tree.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.tag_patterns import ONE_ATTRIBUTE, TAG, TAG_NAME

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Mask

CHECKED_AT_ONCE: Final = 8_192
"""Bytes decoded at a time, so that their text stays in the processor's cache."""
_SEPARATORS: Final = b"\t\n\f\r /\"'"


def is_plain(data: bytes, /) -> bool:
    """Return whether bytes are UTF-8 without a BOM, and can't be in another encoding.

    So they hold no NUL, and no escape sequence of ISO-2022 or HZ, which are made of ASCII.
    """
    if data.startswith(codecs.BOM_UTF8) or b"\0" in data or _may_shift(data):
        return False
    view, at, size = memoryview(data), 0, len(data)
    try:
        while at < size:
            stop = at + CHECKED_AT_ONCE
            at += codecs.utf_8_decode(view[at:stop], "strict", stop >= size)[1]
    except UnicodeDecodeError:
        return False
    return True


def _may_shift(data: bytes) -> bool:
    # The order is that of cost: one byte is found many times faster than two.
    escaped = b"\x1b" in data
    return (escaped or b"~" in data) and data.isascii() and (escaped or b"~{" in data)


def count_tags(data: bytes, /) -> int:
    """Return how many «<» the page has."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("<")))


def count_pairs(data: bytes, pairs: Mask, /) -> tuple[int, int]:
    """Return how many «<» two bytes follow, and after how many these are of ``pairs``.

    Args:
        data: the page.
        pairs: bool[65536], by the first byte times 256 and the second.
    """
    letters = np.frombuffer(data, dtype=np.uint8)
    at = np.flatnonzero(letters[:-2] == ord("<"))
    found = letters[at + 1].astype(np.uint16) << 8 | letters[at + 2]
    return len(at), int(np.count_nonzero(pairs[found]))


def count_separators(data: bytes, most: int, count: bool, /) -> int:  # noqa: FBT001  as in C
    """Return how many bytes in tags separate attributes; -1 where a tag has too many attributes.

    Args:
        data: the page.
        most: attributes of a tag, which is counted where it is longer than twice as many bytes.
        count: whether separators are counted, 0 else.
    """
    tags = TAG.findall(data)
    if any(_attribute_count(tag) > most for tag in tags if len(tag) > 2 * most):
        return -1
    return sum(len(tag) - len(tag.translate(None, _SEPARATORS)) for tag in tags) if count else 0


def _attribute_count(tag: bytes) -> int:
    named = TAG_NAME.match(tag)
    return sum(1 for _ in ONE_ATTRIBUTE.finditer(tag, named.end())) if named else 0
