"""A buffered view on a file that is read forward only.

A reader that parses from record to record stops, or goes on with nonsense, at a damaged one. Here
what a gzip member holds is unpacked by itself, and records are cut by the length that their heads
state. Where that fails, the next position is searched at which a record begins; of a damaged zstd
or lz4 file the rest is lost. The content of records is left to `chaffinch.web.warc`.

Heads are read as browsers read them, whatever ends their lines. Many archives hold a body decoded
while its head still says chunked, gzip or what is no coding at all: what isn't coded as the head
says is taken as it is, and what breaks off is used as far as it goes.
"""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from fastwarc.stream_io import BrotliReader, Lz4Reader, ZstdReader
from fastwarc.warc import WarcRecord, WarcRecordType

BLOCK: Final = 1 << 20
"""Bytes read at a time."""

LONGEST: Final = 256 << 20
"""Default bound of a record's size, in bytes unpacked; a longer one counts as damage."""


class Window:
    """The bytes of a file from `start` to `end`; the file needn't be seekable."""

    def __init__(self, file: Any, *, longest: int = LONGEST) -> None:
        self._file = file
        self.longest = longest  # bytes that a record may have, unpacked
        self._data = bytearray()
        self._at = 0  # position of the first byte in the buffer
        self.start = 0  # first position that is still needed; what is before it may be dropped
        self.end = 0  # position up to which the file was read

    def more(self) -> bool:
        """Read the next block; False at the file's end."""
        passed = self.start - self._at
        if passed >= BLOCK:
            del self._data[:passed]
            self._at = self.start
        block = self._file.read(BLOCK)
        self._data += block
        self.end += len(block)
        return bool(block)

    def reach(self, position: int) -> bool:
        """Read until `end` is at ``position`` or after it; False where the file ends before."""
        while self.end < position:
            if not self.more():
                return False
        return True

    def view(self, start: int, end: int) -> bytes:
        """Return the bytes between two positions, up to `end`."""
        return bytes(memoryview(self._data)[start - self._at : max(0, end - self._at)])

    def find(self, wanted: bytes, start: int, *, most: int) -> int:
        """Return the next position of ``wanted``, up to ``start + most``; -1 if there is none."""
        stop = start + most
        while start < stop:
            found = self._data.find(wanted, start - self._at)
            if found >= 0:
                return self._at + found
            start = max(start, self.end - len(wanted) + 1)
            if not self.more():
                break
        return -1

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes from `start` on, and pass them."""
        if not self.reach(self.start + 1):
            return b""
        piece = self.view(self.start, min(self.start + size, self.end))
        self.start += len(piece)
        return piece

    def tell(self) -> int:
        """Return the position from which `read` goes on."""
        return self.start


_WARC: Final = b"WARC/"
_GZIP: Final = b"\x1f\x8b\x08"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_LZ4: Final = b"\x04\x22\x4d\x18"
_DICTIONARY: Final = b"\x5d\x2a\x4d\x18"  # of zstd, in a frame of its own before the first record
_ARC: Final = b"filedesc:"
_MAGIC_BY_EXTENSION: Final = {
    ".gz": _GZIP, ".zst": _ZSTD, ".lz4": _LZ4, ".warc": _WARC, ".arc": _ARC
}  # fmt: skip
_STARTS: Final = (_WARC, _ARC, b"http:", b"https:", b"dns:")
"""What records begin with; in an ARC file, with an address."""
_VERSION: Final = rb"(?<![\w/.-])WARC/\d[.\d]{0,8}[ \t]{0,8}\r?\n[\w-]{1,64}[ \t]{0,8}:"
_HEAD: Final = re.compile(_VERSION)
_HEAD_END: Final = re.compile(rb"\n\r?\n|(?P<next>%s)" % _VERSION)
_ARC_LINE: Final = re.compile(
    rb"\A([a-z]{3,8}:[^\r\n]{1,2048}?) (?:[\d.:A-Fa-f]{2,45}|-) (\d{14}) (\S{1,128})"
    rb"(?: [^\r\n]{0,2048})? (\d{1,18})\r?\n"
)
"""The head of a record of an ARC file: address, IP, time, type, in version 2 more, length."""
_ARC_HEAD: Final = (
    b"WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s-%s-%sT%s:%s:%sZ\r\n"
    b"Content-Type: %s\r\nContent-Length: %s\r\n\r\n"
)
_LENGTH: Final = re.compile(rb"(?im)^Content-Length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?\n")
_URL: Final = re.compile(rb"(?im)^WARC-Target-URI[ \t]*:[ \t]*<?([^\s>]{1,8192})")
_TYPE: Final = re.compile(rb"(?im)^WARC-Type[ \t]*:")
_LAST_LINES: Final = re.compile(rb"(?:\r?\n){1,2}\Z")
_TWO_LINES: Final = re.compile(rb"(?:\r?\n){2}")
_LONGEST_HEAD: Final = 1 << 20
_MOST_BLANK: Final = 256
"""Bytes of blank lines around a record: two by the standard, one or none in the wild."""
_FIRST: Final = 4 << 10
"""Bytes of a member that are unpacked first: most of them are smaller than a block, and what is
given beyond a member's end is copied twice for nothing."""
_SMALL: Final = 64  # bytes at a time in which a piece that can't be unpacked is tried again
_LOOK: Final = 256 << 10  # bytes in which a member shows what it holds
_BEHIND: Final = 8 * BLOCK
"""Packed bytes of a member that are kept, in which another member is sought if it is damaged."""


class Frame(NamedTuple):
    """The bytes of a record, or a damaged stretch of the file."""

    # position in the file; of what was packed together, that of the gzip member; in a file of zstd
    # or lz4, the position in what it unpacks to
    start: int
    end: int  # position after it; `start` where more was packed with it
    data: bytes  # the record; b"" for a damaged stretch
    problem: str = ""  # what is wrong; "" for a record
    url: str = ""  # of a damaged record whose head can be read
    # whether its head states another length than that up to the next record
    wrong_length: bool = False


def frames(window: Window, name: str = "") -> Iterator[Frame]:
    """Yield the records and damaged stretches of a WARC file, in order; of an ARC file, as WARC's.

    The extension of its name decides where the first bytes are those of no known format.
    """
    window.reach(4)
    head = window.view(0, 8)
    known = (magic for magic in _MAGIC_BY_EXTENSION.values() if head.startswith(magic))
    magic = next(known, _MAGIC_BY_EXTENSION.get(PurePosixPath(name).suffix.lower(), _GZIP))
    if magic == _ZSTD or head.startswith(_DICTIONARY):
        return _stream(window, ZstdReader)
    if magic == _LZ4:
        return _stream(window, Lz4Reader)
    return _plain(window) if magic in {_WARC, _ARC} else _members(window)


class _Member:
    """What one gzip member of a file unpacks to, read forward; what stands before damage, too."""

    def __init__(self, window: Window) -> None:
        self._window, self._stream = window, zlib.decompressobj(wbits=31)
        self._step = _FIRST
        self.at = window.start  # position in the file up to which it was unpacked
        self.problem = ""  # why the rest of it can't be; "" for a whole one

    def read(self, size: int) -> bytes:
        """Return the next bytes; fewer than ``size`` only at the end."""
        parts = []
        while size > 0 and not self.problem and not self._stream.eof:
            parts.append(self._some(size))
            size -= len(parts[-1])
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _some(self, size: int) -> bytes:
        piece = self._stream.unconsumed_tail or self._next_piece()
        before = self._stream.copy()
        try:
            found = self._stream.decompress(piece, size)
        except zlib.error as error:
            self.problem = f"can't be unpacked ({error})"
            left = bytearray()
            with suppress(zlib.error):
                for at in range(0, len(piece), _SMALL):
                    left += before.decompress(piece[at : at + _SMALL])
            return bytes(left[:size])
        if self._stream.eof:
            self.at -= len(self._stream.unused_data)
        elif not found and not piece:
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


def _is_member(data: bytes, at: int) -> bool:
    try:
        return zlib.decompressobj(wbits=31).decompress(data[at:], len(_ARC)).startswith(_STARTS)
    except zlib.error:
        return False


def _members(window: Window) -> Iterator[Frame]:
    """Yield what the gzip members of a file hold."""
    while window.reach(window.start + 1):
        start = window.start
        member = _Member(window)
        held: Frame | None = None
        for frame in _plain(Window(member, longest=window.longest), member):
            if held:
                yield held._replace(start=start, end=start)
            held = frame
        end = member.at
        if member.problem:  # its last record can't be trusted, either
            url = (held.url or _url(held.data.partition(b"\r\n\r\n")[0])) if held else ""
            held = Frame(start, start, b"", member.problem, url)
            end = _next_start(window, max(start + 1, window.start), _GZIP, _is_member)
        window.start = end
        if held:
            yield held._replace(start=start, end=end)


def _stream(window: Window, reader: Callable[[Any], Any]) -> Iterator[Frame]:
    """Yield the records of a file that is unpacked as a whole, up to where it is damaged."""
    stream = _Unpacked(reader(window))
    unpacked = Window(stream, longest=window.longest)
    last = ""
    for frame in _plain(unpacked, stream):
        yield frame
        last = frame.problem
    if stream.problem and not last:
        yield Frame(unpacked.end, unpacked.end, b"", stream.problem)


class _Unpacked:
    """What a file of zstd or lz4 unpacks to."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.problem = ""

    def read(self, _: int) -> bytes:
        """Return the next bytes; few, since with damage those before it are lost, too."""
        if self.problem:
            return b""
        try:
            return bytes(self._reader.read(8 * _SMALL))
        except OSError as error:
            self.problem = f"the rest can't be unpacked ({error})"
            return b""


def _plain(window: Window, member: _Member | _Unpacked | None = None) -> Iterator[Frame]:
    while window.reach(_blank_end(window, window.start) + 1):
        frame = _record(window, member)
        window.start = frame.end
        yield frame


def _record(window: Window, member: _Member | _Unpacked | None) -> Frame:
    start = window.start
    at = _blank_end(window, start)
    head, body = _head(window, at)
    url, length = _url(head), _LENGTH.search(head)
    end = body + int(length[1]) if length else 0
    is_whole = bool(length) and end - start <= window.longest and window.reach(end)
    if is_whole and _ends_well(window, end):
        data = head + window.view(body, end)
        missing = None if b"Content-Length:" in head else end - body
        return Frame(start, _blank_end(window, end), _in_order(data, head, missing))
    if length and end - start > window.longest:
        problem = f"longer than {window.longest:,} bytes"
    elif not head:
        problem = "no record begins here"
    else:
        following = _WARC if window.view(at, at + len(_WARC)) == _WARC else b"http"
        end = _next_record(window, body, start + window.longest, following)
        if end or is_whole or (member and not member.problem):
            data = _LAST_LINES.sub(b"", head + window.view(body, end or window.end))
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


def _head(window: Window, at: int) -> tuple[bytes, int]:
    """Return the head of the record at a place and where its body begins; b"" for none.

    With the blank line behind it; in place of the line of an ARC file, what WARC says so.
    """
    size = _FIRST
    while size <= _LONGEST_HEAD:
        is_all = not window.reach(at + size)
        found = window.view(at, at + size)
        if line := _ARC_LINE.match(found):
            url, time, kind, length = line.groups()
            of = b"response" if url.startswith(b"http") else b"metadata"
            parts = time[:4], *(time[n : n + 2] for n in range(4, 14, 2))
            said = (of, url.replace(b" ", b"%20"), *parts, kind, length)
            return _ARC_HEAD % said, at + line.end()
        if not _is_record(found, 0):
            break
        if end := _HEAD_END.search(found, len(_WARC)):
            return (b"", at) if end["next"] else (found[: end.end()], at + end.end())
        if is_all:
            break
        size *= 16
    return b"", at


def _blank_end(window: Window, at: int) -> int:
    """Return where what isn't blank goes on, behind a few lines."""
    window.reach(at + _MOST_BLANK)
    blank = window.view(at, at + _MOST_BLANK)
    return at + len(blank) - len(blank.lstrip(b"\r\n"))


def _ends_well(window: Window, at: int) -> bool:
    """Return whether a record may end here: blank lines, the next record or the end follow."""
    after = _blank_end(window, at)
    window.reach(after + len(_ARC))
    following = window.view(after, after + len(_ARC))
    return (
        not following
        or following.startswith(_STARTS)
        or _TWO_LINES.match(window.view(at, after)) is not None
    )


def _next_record(window: Window, at: int, stop: int, magic: bytes) -> int:
    """Return where the next record, which begins with ``magic``, does; 0: not before ``stop``."""
    at -= 1
    while (found := window.find(b"\n" + magic, at, most=max(0, stop - at))) >= 0:
        at = found + 1
        window.reach(at + _FIRST)
        following = window.view(at, at + _FIRST)
        if _ARC_LINE.match(following) or _is_record(following, 0):
            return at
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
    """Return a record whose head has the usual ends of lines and, if one is given, the length.

    FastWARC knows the names of the type and of the length in one case only.
    """
    usual = _TYPE.sub(b"WARC-Type:", head)
    if length is None and usual == head and head.count(b"\n") == head.count(b"\r\n"):
        return record
    lines = [line for line in usual.splitlines() if line]
    if length is not None:
        lines = [line for line in lines if not _LENGTH.match(line + b"\n")]
        lines.append(b"Content-Length: %d" % length)
    return b"\r\n".join([*lines, b"", record[len(head) :]])


RESPONSE, CONVERSION = WarcRecordType.response, WarcRecordType.conversion
PAGES: Final = RESPONSE | WarcRecordType.resource
UNREADABLE: Final = (OSError, ValueError, EOFError)
"""What FastWARC raises of a record that it can't read."""

FIELDS_TYPE: Final = "application/warc-fields"
"""Media type of blocks of named fields, one a line."""

read_record: Final = WarcRecord.from_bytes


def new_record(kind: WarcRecordType, headers: Mapping[str, str], block: bytes) -> WarcRecord:
    """Return a record of WARC 1.1 with a new id; the date is now unless ``headers`` has one."""
    record = WarcRecord()
    record.init_headers(kind)
    for name, value in headers.items():
        record.headers[name] = value
    record.set_bytes_content(block)
    return record


def gzip_member(record: WarcRecord) -> bytes:
    """Return a record, its block digest included, as a gzip member."""
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), mtime=0)


def warc_fields(block: bytes) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of a block of type `FIELDS_TYPE`; other lines are skipped."""
    for line in block.decode("utf-8", "replace").split("\r\n"):
        name, colon, value = line.partition(":")
        if colon:
            yield name, value.strip()


_STATUS: Final = re.compile(rb"(?i:HTTP/\S{0,16}|ICY)[ \t]+(\d{3})\b[^\r\n]{0,512}\r?\n")
_INTERIM: Final = re.compile(
    rb"(?:\r?\n){0,9}(?>(?:HTTP/\S{0,16}[ \t]+1\d\d\b[^\r\n]{0,512}\r?\n"
    rb"(?>(?:[^\r\n]{1,512}\r?\n){0,64})\r?\n(?=HTTP/))*)"
)
"""Empty lines and answers such as "100 Continue" before the answer."""
_LINE: Final = re.compile(rb"([^\n]*)\n")
_CHUNK: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]{0,4096})?\r?\n")
_NEXT: Final = re.compile(rb"\r?\n")
_TRAILER: Final = re.compile(rb"\r?\n0[ \t]*\r?\n(?:\r?\n)?\Z")
_STEP: Final = 1 << 12
"""Bytes unpacked at a time: what stands in a step that can't be unpacked is lost."""


class Head(NamedTuple):
    """The head of an answer; ``size`` counts the bytes before the body."""

    status: int
    headers: tuple[tuple[str, str], ...]
    size: int

    def header(self, name: str) -> str:
        """Return the value of the last header of a name, as browsers do; "" where there is none."""
        found = (value for key, value in reversed(self.headers) if key.lower() == name)
        return next(found, "")


def http_head(block: bytes) -> Head:
    """Return the head of an answer; an empty one where the block has none."""
    interim = _INTERIM.match(block)
    first = _STATUS.match(block, interim.end() if interim else 0)
    if not first:
        return Head(0, (), 0)
    headers: list[tuple[str, str]] = []
    at = first.end()
    while at < _LONGEST_HEAD and (line := _LINE.match(block, at)):
        text = line[1].decode("latin-1").rstrip("\r")
        if text.startswith("<"):  # nothing parts it from the body
            break
        at = line.end()
        if not text:
            break
        name, colon, value = text.partition(":")
        if text[0] in " \t" and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {text.strip()}".strip())
        elif colon:
            headers.append((name.strip(), value.strip()))
    return Head(int(first[1]), tuple(headers), at)


def http_body(raw: bytes, headers: Iterable[tuple[str, str]], most: int) -> tuple[bytes, bool]:
    """Return the body that follows a head, without its codings; one byte more than ``most``.

    And whether it is cut: where its length, its chunks or a coding break off.
    """
    said: dict[str, list[str]] = {}
    for name, value in headers:
        parts = [part.strip().lower() for part in value.split(",")]
        said.setdefault(name.lower(), []).extend(parts)
    codings = said.get("content-encoding", []) + said.get("transfer-encoding", [])
    length = next(iter(said.get("content-length", ())), "")
    is_cut = length.isdecimal() and len(raw) < int(length[:18])
    data = raw
    if "chunked" in codings:
        data, is_cut = _joined_chunks(raw)
    for coding in reversed(codings):
        unpack = _CODINGS.get(coding)
        if unpack and not data[:256].lstrip().startswith(b"<"):
            data, is_broken = _unpacked(unpack(data), data, most)
            is_cut = is_cut or is_broken
    return data[: most + 1], is_cut


def _joined_chunks(raw: bytes) -> tuple[bytes, bool]:
    """Return the chunks of a body joined, and whether they break off; others as they are."""
    parts: list[bytes] = []
    at = 0
    while size := _CHUNK.match(raw, at):
        length = int(size[1], 16)
        if not length:
            return b"".join(parts), False
        end = size.end() + length
        parts.append(raw[size.end() : end])
        line = _NEXT.match(raw, end)
        if end >= len(raw) or not line:
            parts.append(_TRAILER.sub(b"", raw[end:]))
            return b"".join(parts), True
        at = line.end()
    if not parts:
        return raw, False
    return b"".join([*parts, _TRAILER.sub(b"", raw[at:])]), True


def _unpacked(pieces: Iterator[bytes], packed: bytes, most: int) -> tuple[bytes, bool]:
    parts, size = [], 0
    try:
        for piece in pieces:
            parts.append(piece)
            size += len(piece)
            if size > most:
                break
    except (OSError, zlib.error):
        return (b"".join(parts), True) if size else (packed, False)
    return b"".join(parts), False


def _inflated(packed: bytes) -> Iterator[bytes]:
    """Yield what gzip, zlib or raw deflate unpacks to, several members of gzip, too."""
    is_zlib = (
        len(packed) > 1 and packed[0] & 15 == zlib.DEFLATED and not int.from_bytes(packed[:2]) % 31
    )
    bits = 32 + zlib.MAX_WBITS if is_zlib or packed.startswith(_GZIP[:2]) else -zlib.MAX_WBITS
    while packed:
        stream = zlib.decompressobj(bits)
        at = 0
        while not stream.eof:
            fed = stream.unconsumed_tail or packed[at : at + _STEP]
            at += _STEP * (not stream.unconsumed_tail)
            piece = stream.decompress(fed, 16 * _STEP)
            if not fed and not piece and not stream.eof:
                raise zlib.error("it breaks off")
            yield piece
        rest = stream.unused_data + packed[at:]
        packed = rest if rest.startswith(_GZIP[:2]) else b""


def _read(reader: Callable[[Any], Any], packed: bytes) -> Iterator[bytes]:
    if packed:
        stream = reader(io.BytesIO(packed))
        while piece := stream.read(_STEP):
            yield piece


_CODINGS: Final[Mapping[str, Callable[[bytes], Iterator[bytes]]]] = {
    "gzip": _inflated,
    "x-gzip": _inflated,
    "deflate": _inflated,
    "x-deflate": _inflated,
    "br": partial(_read, BrotliReader),
    "zstd": partial(_read, ZstdReader),
}
