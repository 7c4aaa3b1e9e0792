"""WARC files cut into frames, one by one, so that damage costs only itself.

A reader that parses from record to record stops, or goes on with nonsense, at a damaged one. Here
every frame is cut out and checked alone: a gzip member by its own checksum, a zstd or lz4 frame by
decompressing it to its end, an uncompressed record by its length. Where that fails, the next
position is searched at which a record begins. The content of records is left to
`chaffinch.warc.records`.
"""

from __future__ import annotations

import io
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

from fastwarc.stream_io import Lz4Reader, ZstdReader

from chaffinch.warc.frame_ends import lz4_end, zstd_end
from chaffinch.warc.window import BLOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.warc.window import Window

_WARC: Final = b"WARC/"
_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_LZ4: Final = b"\x04\x22\x4d\x18"
_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"  # of zstd, in a frame of its own before the first record
_MAGIC_BY_EXTENSION: Final = {".gz": _GZIP, ".zst": _ZSTD, ".lz4": _LZ4, ".warc": _WARC}
_HEADER_END: Final = b"\r\n\r\n"
_LONGEST_HEADER: Final = 1 << 20
_FIRST: Final = 4 << 10
"""Bytes of a member that are unpacked first: most of them are smaller than a block, and what is
given beyond a member's end is copied twice for nothing."""


class Frame(NamedTuple):
    """The decompressed bytes of a record, or a damaged stretch of the file.

    Attributes:
        start: position in the file.
        end: position after it.
        data: the record; b"" for a damaged stretch. Records that were compressed together are in
            one frame.
        problem: what is wrong; "" for a record.
    """

    start: int
    end: int
    data: bytes
    problem: str = ""


def frames(window: Window, name: str = "") -> Iterator[Frame]:
    """Yield the records and damaged stretches of a WARC file, in order.

    Args:
        window: the file, at its start.
        name: its name; the extension decides where the first bytes are those of no known format.
    """
    window.reach(8)
    head = window.view(0, 8)
    if head.startswith(_DICTIONARY):
        return _zstd(window, _dictionary(window))
    known = (magic for magic in _MAGIC_BY_EXTENSION.values() if head.startswith(magic))
    magic = next(known, _MAGIC_BY_EXTENSION.get(PurePosixPath(name).suffix.lower(), _GZIP))
    if magic == _ZSTD:
        return _zstd(window, None)
    if magic == _LZ4:
        return _lz4(window)
    return _plain(window) if magic == _WARC else _gzip(window)


def _lz4(window: Window) -> Iterator[Frame]:
    def decompress(data: bytes) -> bytes:
        return Lz4Reader(io.BytesIO(data)).read(window.longest + 1)

    return _framed(window, _LZ4, lz4_end, decompress)


def _zstd(window: Window, dictionary: bytes | None) -> Iterator[Frame]:
    def decompress(data: bytes) -> bytes:
        return ZstdReader(io.BytesIO(data), dictionary=dictionary).read(window.longest + 1)

    return _framed(window, _ZSTD, zstd_end, decompress)


def _dictionary(window: Window) -> bytes | None:
    """Return the zstd dictionary at the file's start, and skip it; None where it is damaged."""
    length = int.from_bytes(window.view(4, 8), "little")
    if window.end < 8 or length > window.longest or not window.reach(8 + length):  # noqa: PLR2004  magic, length
        return None
    dictionary = window.view(8, 8 + length)
    if dictionary.startswith(_ZSTD):
        try:
            dictionary = ZstdReader(io.BytesIO(dictionary)).read(window.longest)
        except OSError:
            return None
    window.start = 8 + length
    return dictionary


def _gzip(window: Window) -> Iterator[Frame]:
    """Yield the members of a gzip file."""
    while window.reach(window.start + 1):
        frame = _member(window)
        if frame.problem:
            after = _next_member(window)
            frame = frame._replace(end=after)
        window.start = frame.end
        yield frame


def _member(window: Window) -> Frame:
    """Return the member that begins at the window's start."""
    start = at = window.start
    decompressor, pieces, size, step = zlib.decompressobj(wbits=31), [], 0, _FIRST
    try:
        while not decompressor.eof:
            if at == window.end and not window.more():
                return Frame(start, at, b"", "the file ends within it")
            piece = window.view(at, min(at + step, window.end))
            at, step = at + len(piece), min(4 * step, BLOCK)
            pieces.append(decompressor.decompress(piece, window.longest + 1 - size))
            size += len(pieces[-1])
            used = at - start - len(decompressor.unused_data)
            if max(size, used) > window.longest:
                return Frame(start, at, b"", f"longer than {window.longest:,} bytes")
    except zlib.error as error:
        return Frame(start, at, b"", f"can't be unpacked ({error})")
    return Frame(start, at - len(decompressor.unused_data), b"".join(pieces))


def _next_member(window: Window) -> int:
    """Return the start of the next member that holds a record, or the file's end."""
    return _next_start(window, _GZIP, lambda data: zlib.decompressobj(wbits=31).decompress(data, 5))


def _next_start(window: Window, magic: bytes, decompress: Callable[[bytes], bytes]) -> int:
    """Return the next position of ``magic`` at which a record begins, or the file's end."""
    at = window.start + 1
    while True:
        found = window.find(magic, at, most=BLOCK)
        if found < 0 and window.end < at + BLOCK:
            return window.end
        if found < 0:
            at = window.start = window.end - len(magic) + 1
            continue
        window.reach(found + 4096)
        try:
            if decompress(window.view(found, min(found + 4096, window.end))).startswith(_WARC):
                return found
        except (zlib.error, OSError):
            pass
        at = found + 1


def _framed(
    window: Window,
    magic: bytes,
    measure: Callable[[Window], int],
    decompress: Callable[[bytes], bytes],
) -> Iterator[Frame]:
    """Yield the frames of a file each of which begins with ``magic``."""
    while window.reach(window.start + 1):
        start = window.start
        frame = _one_frame(window, magic, measure, decompress)
        if frame.problem:
            found = window.find(magic, start + 1, most=window.longest)
            frame = frame._replace(end=window.end if found < 0 else found)
        window.start = frame.end
        yield frame


def _one_frame(
    window: Window,
    magic: bytes,
    measure: Callable[[Window], int],
    decompress: Callable[[bytes], bytes],
) -> Frame:
    """Return the frame that begins at the window's start."""
    start = window.start
    window.reach(start + len(magic))
    if window.view(start, start + len(magic)) != magic:
        return Frame(start, start, b"", "no record begins here")
    try:
        end = measure(window)
        data = decompress(window.view(start, end))
    except EOFError:
        return Frame(start, window.end, b"", "the file ends within it")
    except OSError as error:
        return Frame(start, start, b"", f"can't be unpacked ({error})")
    if len(data) > window.longest:
        return Frame(start, start, b"", f"longer than {window.longest:,} bytes")
    return Frame(start, end, data)


def _plain(window: Window) -> Iterator[Frame]:
    """Yield the records of a file that isn't compressed."""
    while window.reach(window.start + 1):
        frame = _one_plain(window)
        if frame.problem:
            frame = frame._replace(end=_next_start(window, _WARC, lambda data: data))
        window.start = frame.end
        yield frame


def _one_plain(window: Window) -> Frame:
    """Return the record that begins at the window's start."""
    start = window.start
    window.reach(start + len(_WARC))
    if window.view(start, start + len(_WARC)) != _WARC:
        return Frame(start, start, b"", "no record begins here")
    head = window.find(_HEADER_END, start, most=_LONGEST_HEADER)
    length = _content_length(window.view(start, head)) if head > 0 else -1
    if not 0 <= length <= window.longest:
        return Frame(start, start, b"", "its header gives no length that can be")
    body = head + len(_HEADER_END) + length
    if not window.reach(body):
        return Frame(start, window.end, b"", "the file ends within it")
    end = body + len(_HEADER_END)
    window.reach(end)
    if window.view(body, end) not in (_HEADER_END, b""):
        return Frame(start, start, b"", "it isn't as long as its header states")
    return Frame(start, min(end, window.end), window.view(start, end))


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return -1
