"""WARC files cut into records, one by one, so that damage costs only itself.

A reader that parses from record to record stops, or goes on with nonsense, at a damaged one. Here
what a gzip member or a zstd frame holds is unpacked by itself, and records are cut by the length
that their heads state. Where that fails, the next position is searched at which a record begins;
of a damaged lz4 file the rest is lost. The content of records is left to `chaffinch.warc.records`.
"""

from __future__ import annotations

import re
import sys
import zlib
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, Protocol, cast

from fastwarc.stream_io import Lz4Reader

from chaffinch.errors import MissingExtraError
from chaffinch.warc.window import BLOCK, Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WARC: Final = b"WARC/"
_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_LZ4: Final = b"\x04\x22\x4d\x18"
_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"  # of zstd, in a frame of its own before the first record
_TRAINED: Final = b"\x37\xa4\x30\xec"  # a dictionary of zstd that is more than sample bytes
_MAGIC_BY_EXTENSION: Final = {".gz": _GZIP, ".zst": _ZSTD, ".lz4": _LZ4, ".warc": _WARC}
_VERSION: Final = rb"(?<![\w/.-])WARC/\d[.\d]{0,8}[ \t]{0,8}\r?\n[\w-]{1,64}[ \t]{0,8}:"
_HEAD: Final = re.compile(_VERSION)
_HEAD_END: Final = re.compile(rb"\n\r?\n|(?P<next>%s)" % _VERSION)
_LENGTH: Final = re.compile(rb"(?im)^Content-Length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n")
_URL: Final = re.compile(rb"(?im)^WARC-Target-URI[ \t]*:[ \t]*<?([^\s>]{1,8192})")
_LAST_LINES: Final = re.compile(rb"(?:\r?\n){1,2}\Z")
_TWO_LINES: Final = re.compile(rb"(?:\r?\n){2}")
_LONGEST_HEAD: Final = 1 << 20
_MOST_BLANK: Final = 256
"""Bytes of blank lines around a record: two by the standard, one or none in the wild."""
_FIRST: Final = 4 << 10
"""Bytes of a member that are unpacked first: most of them are smaller than a block, and what is
given beyond a member's end is copied twice for nothing."""
_SMALL: Final = 64
"""Bytes at a time in which a piece that can't be unpacked is tried again."""
_LOOK: Final = 256 << 10
"""Bytes in which a member shows what it holds: a block of zstd has up to 128 KiB."""
_BEHIND: Final = 8 * BLOCK
"""Packed bytes of a member that are kept, in which another member is sought if it is damaged."""


class Frame(NamedTuple):
    """The bytes of a record, or a damaged stretch of the file.

    Attributes:
        start: position in the file; of what was packed together, that of the member or frame; in
            a file of lz4, the position in what it unpacks to.
        end: position after it; `start` where more was packed with it.
        data: the record; b"" for a damaged stretch.
        problem: what is wrong; "" for a record.
        url: of a damaged record whose head can be read.
        wrong_length: whether its head states another length than that up to the next record.
    """

    start: int
    end: int
    data: bytes
    problem: str = ""
    url: str = ""
    wrong_length: bool = False


def frames(window: Window, name: str = "") -> Iterator[Frame]:
    """Yield the records and damaged stretches of a WARC file, in order.

    Args:
        window: the file, at its start.
        name: its name; the extension decides where the first bytes are those of no known format.

    Raises:
        MissingExtraError: it is packed by zstd, and what unpacks that isn't installed.
    """
    window.reach(4)
    head = window.view(0, 8)
    known = (magic for magic in _MAGIC_BY_EXTENSION.values() if head.startswith(magic))
    magic = next(known, _MAGIC_BY_EXTENSION.get(PurePosixPath(name).suffix.lower(), _GZIP))
    if magic == _ZSTD or head.startswith(_DICTIONARY):
        return _zstd(window)
    if magic == _LZ4:
        return _lz4(window)
    return _plain(window) if magic == _WARC else _members(window, _GZIP, _Gzip)


class _Unpacker(Protocol):
    """Unpacks one member or frame; the interface of decompressors of the standard library."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Unpacked(Protocol):
    """What a packed file or a part of it unpacks to, and why the rest of it can't be read."""

    problem: str


class _Gzip:
    """A decompressor of gzip that gives what stands before damage."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)
        self.error: zlib.error | None = None

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        if self.error:
            raise self.error
        data = self._stream.unconsumed_tail + data
        before = self._stream.copy()
        try:
            return self._stream.decompress(data, max_length)
        except zlib.error as error:
            self.error = error
        found = bytearray()
        with suppress(zlib.error):
            for at in range(0, len(data), _SMALL):
                found += before.decompress(data[at : at + _SMALL])
        return bytes(found[:max_length])


class _Member:
    """What one member or frame of a packed file unpacks to, read forward.

    Attributes:
        at: position in the file up to which it was unpacked.
        problem: why the rest of it can't be; "" for a whole one.
    """

    def __init__(self, window: Window, unpacker: _Unpacker) -> None:
        self._window, self._unpacker = window, unpacker
        self._step = _FIRST
        self.at = window.start
        self.problem = ""

    def read(self, size: int) -> bytes:
        """Return the next bytes; fewer than ``size`` only at the end."""
        parts = []
        while size > 0 and not self.problem and not self._unpacker.eof:
            parts.append(self._some(size))
            size -= len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _some(self, size: int) -> bytes:
        piece = self._next_piece() if self._unpacker.needs_input else b""
        try:
            found = self._unpacker.decompress(piece, size)
        except Exception as error:  # noqa: BLE001  each library has its own
            self.problem = f"can't be unpacked ({error})"
            return b""
        if self._unpacker.eof:
            self.at -= len(self._unpacker.unused_data)
        elif not found and not piece and self._unpacker.needs_input:
            self.problem = "the file ends within it"
        return found

    def _next_piece(self) -> bytes:
        window = self._window
        window.start = max(window.start, self.at - _BEHIND)
        if self.at == window.end:
            window.more()
        piece = window.view(self.at, self.at + self._step)
        self.at += len(piece)
        self._step = min(4 * self._step, BLOCK)
        return piece


def _zstd(window: Window) -> Iterator[Frame]:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd  # noqa: PLC0415  few archives are packed by it
        else:
            from backports import zstd  # noqa: PLC0415  the same
    except ImportError as error:
        raise MissingExtraError.of("backports.zstd", "batch") from error
    unpacker: Callable[[], _Unpacker] = zstd.ZstdDecompressor
    if dictionary := _dictionary(window):
        try:
            if dictionary.startswith(_ZSTD):
                dictionary = zstd.ZstdDecompressor().decompress(dictionary, window.longest)
            is_raw = not dictionary.startswith(_TRAINED)
            unpacker = partial(zstd.ZstdDecompressor, zstd.ZstdDict(dictionary, is_raw=is_raw))
        except (ValueError, zstd.ZstdError):  # frames that need none can be read
            yield Frame(0, window.start, b"", "its dictionary can't be used")
    yield from _members(window, _ZSTD, unpacker)


def _dictionary(window: Window) -> bytes:
    """Return the zstd dictionary at the file's start, and pass it; b"" for none or half of one."""
    window.reach(8)
    head = window.view(0, 8)
    length = int.from_bytes(head[4:], "little")
    if head[:4] != _DICTIONARY or length > window.longest or not window.reach(8 + length):
        return b""
    window.start = 8 + length
    return window.view(8, window.start)


def _members(
    window: Window, magic: bytes, new_unpacker: Callable[[], _Unpacker]
) -> Iterator[Frame]:
    """Yield what the members of a file hold, each of which begins with ``magic``."""

    def is_start(data: bytes, at: int) -> bool:
        try:
            begins = new_unpacker().decompress(data[at:], len(_WARC))
        except Exception:  # noqa: BLE001  each library has its own
            return False
        return begins == _WARC

    while window.reach(window.start + 1):
        start = window.start
        member = _Member(window, new_unpacker())
        held: Frame | None = None
        for frame in _plain(Window(member, longest=window.longest), member):
            if held:
                yield held._replace(start=start, end=start)
            held = frame
        end = member.at
        if member.problem:  # its last record can't be trusted, either
            url = (held.url or _url(held.data.partition(b"\r\n\r\n")[0])) if held else ""
            held = Frame(start, start, b"", member.problem, url)
            end = _next_start(window, max(start + 1, window.start), magic, is_start)
        window.start = end
        if held:
            yield held._replace(start=start, end=end)


def _lz4(window: Window) -> Iterator[Frame]:
    stream = _Lz4(window)
    unpacked = Window(stream, longest=window.longest)
    last = ""
    for frame in _plain(unpacked, stream):
        yield frame
        last = frame.problem
    if stream.problem and not last:
        yield Frame(unpacked.end, unpacked.end, b"", stream.problem)


class _Lz4:
    """What a file of lz4 unpacks to, up to where it is damaged."""

    def __init__(self, window: Window) -> None:
        self._reader = Lz4Reader(cast("BinaryIO", window))
        self.problem = ""

    def read(self, _: int) -> bytes:
        """Return the next bytes; few, since with damage those before it are lost, too."""
        if self.problem:
            return b""
        try:
            return bytes(self._reader.read(_SMALL))
        except OSError as error:
            self.problem = f"the rest can't be unpacked ({error})"
            return b""


def _plain(window: Window, member: _Unpacked | None = None) -> Iterator[Frame]:
    """Yield the records of a file that isn't packed, or of what a member of one unpacks to."""
    while window.reach(_blank_end(window, window.start) + 1):
        frame = _record(window, member)
        window.start = frame.end
        yield frame


def _record(window: Window, member: _Unpacked | None) -> Frame:
    """Return the record that begins at the window's start."""
    start = window.start
    at = _blank_end(window, start)
    head = _head(window, at)
    url, length = _url(head), _LENGTH.search(head)
    body = at + len(head)
    end = body + int(length[1]) if length else 0
    is_whole = bool(length) and end - start <= window.longest and window.reach(end)
    if is_whole and _ends_well(window, end):
        data = window.view(at, end)
        return Frame(start, _blank_end(window, end), _in_order(data, head, None))
    if length and end - start > window.longest:
        problem = f"longer than {window.longest:,} bytes"
    elif not head:
        problem = "no record begins here"
    else:
        end = _next_record(window, body, start + window.longest)
        if end or is_whole or (member and not member.problem):
            data = _LAST_LINES.sub(b"", window.view(at, end or window.end))
            data = _in_order(data, head, len(data) - len(head))
            return Frame(start, end or window.end, data, wrong_length=True)
        problem = (member and member.problem) or "the file ends within it"
        return Frame(start, window.end, b"", problem, url)
    limit = None if member is None else start + window.longest
    end = _next_start(window, at + 1, _WARC, _is_record, limit)
    if member and limit and end > limit:
        member.problem = f"longer than {window.longest:,} bytes"
        end = window.end
    return Frame(start, end, b"", problem, url)


def _head(window: Window, at: int) -> bytes:
    """Return the head of the record at a place, with the blank line behind it; b"" for none."""
    size = _FIRST
    while size <= _LONGEST_HEAD:
        is_all = not window.reach(at + size)
        found = window.view(at, at + size)
        if not _is_record(found, 0):
            return b""
        if end := _HEAD_END.search(found, len(_WARC)):
            return b"" if end["next"] else found[: end.end()]
        if is_all:
            return b""
        size *= 16
    return b""


def _blank_end(window: Window, at: int) -> int:
    """Return where what isn't blank goes on, behind a few lines."""
    window.reach(at + _MOST_BLANK)
    blank = window.view(at, at + _MOST_BLANK)
    return at + len(blank) - len(blank.lstrip(b"\r\n"))


def _ends_well(window: Window, at: int) -> bool:
    """Return whether a record may end here: blank lines, the next record or the end follow."""
    after = _blank_end(window, at)
    window.reach(after + len(_WARC))
    return window.view(after, after + len(_WARC)) in {b"", _WARC} or bool(
        _TWO_LINES.match(window.view(at, after))
    )


def _next_record(window: Window, at: int, stop: int) -> int:
    """Return where the next record begins; 0 for nowhere before ``stop``."""
    while (found := window.find(_WARC, at, most=max(0, stop - at))) >= 0:
        window.reach(found + _MOST_BLANK)
        around = window.view(found - 1, found + _MOST_BLANK)
        if around.startswith(b"\n") and _is_record(around, 1):
            return found
        at = found + 1
    return 0


def _next_start(
    window: Window,
    at: int,
    magic: bytes,
    is_start: Callable[[bytes, int], bool],
    limit: int | None = None,
) -> int:
    """Return the next position that begins with ``magic`` and is a start; else the file's end.

    What is passed is dropped. Beyond ``limit`` nothing is sought.
    """
    while limit is None or at <= limit:
        found = window.find(magic, at, most=BLOCK)
        if found < 0 and window.end < at + BLOCK:
            return window.end
        if found < 0:
            at = window.start = window.end - len(magic) + 1
            continue
        window.reach(found + _LOOK)
        before = max(found - 1, window.start)
        if is_start(window.view(before, found + _LOOK), found - before):
            return found
        at = found + 1
    return at


def _is_record(data: bytes, at: int) -> bool:
    return _HEAD.match(data, at) is not None


def _url(head: bytes) -> str:
    found = _URL.search(head)
    return found[1].decode("utf-8", "replace") if found else ""


def _in_order(record: bytes, head: bytes, length: int | None) -> bytes:
    """Return a record whose head has the usual ends of lines and, if one is given, the length."""
    if length is None and head.count(b"\n") == head.count(b"\r\n"):
        return record
    lines = [line for line in head.splitlines() if line]
    if length is not None:
        lines = [line for line in lines if not _LENGTH.match(line + b"\n")]
        lines.append(b"Content-Length: %d" % length)
    return b"\r\n".join([*lines, b"", record[len(head) :]])
