"""Pages in Unicode: by their byte-order mark, as valid UTF-8, as UTF-16 without a mark."""

from __future__ import annotations

import codecs
from typing import Final

from chaffinch.page.encoding.binary import SAMPLE, refuse_binary
from chaffinch.page.encoding.decoded import Decoded

MARKS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF32_LE, "utf-32le"),  # before UTF-16: its mark begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
MOST_LOST: Final = 0.1  # share of characters lost: more, and the mark is wrong
WIDE_SAMPLE: Final = 1 << 16  # bytes in which NULs are counted
NUL_HEAD: Final = 4_096  # bytes of a page that isn't UTF-8 in which a NUL suggests UTF-16


def in_unicode(data: bytes, *, is_marked: bool = False) -> Decoded | int:
    """Return the page where it is in a form of Unicode, else where it stops being valid UTF-8.

    Args:
        data: the page, unpacked, without a mark of UTF-8.
        is_marked: whether it had one: then NULs don't make it UTF-16.

    Returns:
        The text, or the offset of the first byte that is no UTF-8, from 0.

    Raises:
        PageError: the bytes are text in no encoding.
    """
    if marked := _by_mark(data):
        return marked
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in data[:NUL_HEAD] and (wide := _utf16_without_mark(data)):
            return wide
        refuse_binary(data)
        return error.start
    if b"\0" in data:
        if not is_marked and (wide := _utf16_without_mark(data)):
            return wide
        refuse_binary(data)
    return Decoded(text, "utf-8", "utf-8", 0)


def _by_mark(data: bytes) -> Decoded | None:
    """Return the page by its byte-order mark; None without one, or where the bytes refute it."""
    for mark, name in MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(name, "replace")
            replaced = text.count("\ufffd")
            if (text and b"\0" not in data) or replaced > MOST_LOST * len(text):
                return None
            return Decoded(text, name, "bom", replaced)
    return None


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Return the page where it is UTF-16 without a mark: every second byte of markup is NUL."""
    sample = data[:WIDE_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    high, low = max(even, odd), min(even, odd)
    if high * 10 < len(sample) // 2 or low * 10 > high:
        return None
    name = "utf-16le" if odd > even else "utf-16be"
    text = data.decode(name, "replace")
    if "<" not in text[:WIDE_SAMPLE] and high * 2 < len(sample) // 2:
        return None  # a small page with some NULs that all happen to stand at even places
    refuse_binary(text[:SAMPLE].encode("utf-8", "replace"))
    return Decoded(text, name, "detected", text.count("\ufffd"))
