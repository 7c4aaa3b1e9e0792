"""WARC files cut into records, one by one, so that what is broken costs only itself.

A reader that runs on from record to record stops, or goes on with nonsense, where one is broken.
Here every record is cut out and checked alone: a member of gzip by its own checksum, a frame of
zstd or lz4 by unpacking to its end, a plain record by its length. Where that fails, the next place
is looked for that begins a record. Nothing here reads what is in a record.
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
_ENDINGS: Final = {".gz": _GZIP, ".zst": _ZSTD, ".lz4": _LZ4, ".warc": _WARC}
_HEADER_END: Final = b"\r\n\r\n"
_LONGEST_HEADER: Final = 1 << 20


class Frame(NamedTuple):
    """One record's bytes, unpacked, or a stretch of the file that can't be read.

    Attributes:
        start: position in the file.
        end: position after it.
        data: the record; b"" for a broken stretch.
        problem: what is wrong; "" for a record.
    """

    start: int
    end: int
    data: bytes
    problem: str = ""


def frames(window: Window, name: str = "") -> Iterator[Frame]:
    """Yield the records and broken stretches of a WARC file.

    Args:
        window: the file, at its start.
        name: its name; the ending counts where the first bytes aren't those of any form.
    """
    window.reach(8)
    head = window.view(0, 8)
    if head.startswith(_DICTIONARY):
        return _zstd(window, _dictionary(window))
    known = (sign for sign in _ENDINGS.values() if head.startswith(sign))
    sign = next(known, _ENDINGS.get(PurePosixPath(name).suffix.lower(), _GZIP))
    if sign == _ZSTD:
        return _zstd(window, None)
    if sign == _LZ4:
        return _lz4(window)
    return _plain(window) if sign == _WARC else _gzip(window)


def _lz4(window: Window) -> Iterator[Frame]:
    def unpack(data: bytes) -> bytes:
        return Lz4Reader(io.BytesIO(data)).read(window.longest + 1)

    return _framed(window, _LZ4, lz4_end, unpack)


def _zstd(window: Window, dictionary: bytes | None) -> Iterator[Frame]:
    def unpack(data: bytes) -> bytes:
        return ZstdReader(io.BytesIO(data), dictionary=dictionary).read(window.longest + 1)

    return _framed(window, _ZSTD, zstd_end, unpack)


def _dictionary(window: Window) -> bytes | None:
    """Return the dictionary that a file begins with, and pass it; None where it is broken."""
    length = int.from_bytes(window.view(4, 8), "little")
    if window.end < 8 or length > window.longest or not window.reach(8 + length):  # noqa: PLR2004  sign, length
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
    unpacker, pieces, size = zlib.decompressobj(wbits=31), [], 0
    try:
        while not unpacker.eof:
            if at == window.end and not window.more():
                return Frame(start, at, b"", "the file ends within it")
            piece = window.view(at, min(at + BLOCK, window.end))
            at += len(piece)
            pieces.append(unpacker.decompress(piece, window.longest + 1 - size))
            size += len(pieces[-1])
            used = at - start - len(unpacker.unused_data)
            if max(size, used) > window.longest:
                return Frame(start, at, b"", f"longer than {window.longest:,} bytes")
    except zlib.error as error:
        return Frame(start, at, b"", f"can't be unpacked ({error})")
    return Frame(start, at - len(unpacker.unused_data), b"".join(pieces))


def _next_member(window: Window) -> int:
    """Return where the next member begins that holds a record, or the file's end."""
    return _next_start(window, _GZIP, lambda data: zlib.decompressobj(wbits=31).decompress(data, 5))


def _next_start(window: Window, sign: bytes, unpack: Callable[[bytes], bytes]) -> int:
    """Return where next a ``sign`` stands that a record begins with, or the file's end."""
    at = window.start + 1
    while True:
        found = window.find(sign, at, most=BLOCK)
        if found < 0 and window.end < at + BLOCK:
            return window.end
        if found < 0:
            at = window.start = window.end - len(sign) + 1
            continue
        window.reach(found + 4096)
        try:
            if unpack(window.view(found, min(found + 4096, window.end))).startswith(_WARC):
                return found
        except (zlib.error, OSError):
            pass
        at = found + 1


def _framed(
    window: Window, sign: bytes, measure: Callable[[Window], int], unpack: Callable[[bytes], bytes]
) -> Iterator[Frame]:
    """Yield the frames of a file each of which begins with ``sign``."""
    while window.reach(window.start + 1):
        start = window.start
        frame = _one_frame(window, sign, measure, unpack)
        if frame.problem:
            found = window.find(sign, start + 1, most=window.longest)
            frame = frame._replace(end=window.end if found < 0 else found)
        window.start = frame.end
        yield frame


def _one_frame(
    window: Window, sign: bytes, measure: Callable[[Window], int], unpack: Callable[[bytes], bytes]
) -> Frame:
    """Return the frame that begins at the window's start."""
    start = window.start
    window.reach(start + len(sign))
    if window.view(start, start + len(sign)) != sign:
        return Frame(start, start, b"", "no record begins here")
    try:
        end = measure(window)
        data = unpack(window.view(start, end))
    except EOFError:
        return Frame(start, window.end, b"", "the file ends within it")
    except OSError as error:
        return Frame(start, start, b"", f"can't be unpacked ({error})")
    if len(data) > window.longest:
        return Frame(start, start, b"", f"longer than {window.longest:,} bytes")
    return Frame(start, end, data)


def _plain(window: Window) -> Iterator[Frame]:
    """Yield the records of a file that isn't packed."""
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
        return Frame(start, start, b"", "its header says no length that can be")
    body = head + len(_HEADER_END) + length
    if not window.reach(body):
        return Frame(start, window.end, b"", "the file ends within it")
    end = body + len(_HEADER_END)
    window.reach(end)
    if window.view(body, end) not in (_HEADER_END, b""):
        return Frame(start, start, b"", "it isn't as long as it says")
    return Frame(start, min(end, window.end), window.view(start, end))


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return -1
