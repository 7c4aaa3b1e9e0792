"""Where a frame of zstd or lz4 ends, without decompressing it.

Sources: RFC 8878, section 3.1.1 (zstd); the LZ4 frame format description 1.6.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.warc.window import Window

_MAGIC: Final = 4
_CHECKSUM: Final = 4
_RLE: Final = 1  # block type of zstd that repeats one byte
_UNCOMPRESSED: Final = 1 << 31  # flag of lz4 for a block that isn't compressed


def zstd_end(window: Window) -> int:
    """Return where the zstd frame at the window's start ends.

    Raises:
        EOFError: the file ends within it.
        OSError: it is longer than a record may be.
    """
    at = window.start + _MAGIC
    flags = _number(window, at, 1)
    is_single = bool(flags & 0x20)
    content_size = (int(is_single), 2, 4, 8)[flags >> 6]
    at += 1 + (not is_single) + (0, 1, 2, 4)[flags & 3] + content_size
    is_last = False
    while not is_last:
        block = _number(window, at, 3)
        is_last = bool(block & 1)
        at += 3 + (1 if block >> 1 & 3 == _RLE else block >> 3)
    return _within(window, at + _CHECKSUM * bool(flags & 0x04))


def lz4_end(window: Window) -> int:
    """Return where the lz4 frame at the window's start ends.

    Raises:
        EOFError: the file ends within it.
        OSError: it is longer than a record may be.
    """
    at = window.start + _MAGIC
    flags = _number(window, at, 1)
    at += 3 + 8 * bool(flags & 0x08) + 4 * bool(flags & 0x01)
    each = _CHECKSUM * bool(flags & 0x10)
    while block := _number(window, at, 4):
        at += 4 + (block & ~_UNCOMPRESSED) + each
    return _within(window, at + 4 + _CHECKSUM * bool(flags & 0x04))


def _number(window: Window, at: int, size: int) -> int:
    return int.from_bytes(window.view(at, _within(window, at + size)), "little")


def _within(window: Window, end: int) -> int:
    if end - window.start > window.longest:
        raise OSError(f"longer than {window.longest:,} bytes")
    if not window.reach(end):
        raise EOFError
    return end
