"""Answers of HTTP as archives hold them: their head, and the body without its codings.

Heads are read as browsers read them, whatever ends their lines. Many archives hold a body decoded
while its head still says chunked, gzip or what is no coding at all: what isn't coded as the head
says is taken as it is, and what breaks off is used as far as it goes.
"""

from __future__ import annotations

import io
import re
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fastwarc.stream_io import BrotliReader, ZstdReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_STATUS: Final = re.compile(rb"HTTP/\S{0,16}[ \t]+(\d{3})\b[^\r\n]{0,512}\r?\n")
_LINE: Final = re.compile(rb"([^\n]*)\n")
_CHUNK: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]{0,4096})?\r?\n")
_NEXT: Final = re.compile(rb"\r?\n")
_TRAILER: Final = re.compile(rb"\r?\n0[ \t]*\r?\n(?:\r?\n)?\Z")
_GZIP: Final = b"\x1f\x8b"
_LONGEST_HEAD: Final = 1 << 20
_STEP: Final = 1 << 12
"""Bytes unpacked at a time: what stands in a step that can't be unpacked is lost."""


class Head(NamedTuple):
    """The head of an answer.

    Attributes:
        status: 0 for none.
        headers: names and values in order, as sent.
        size: bytes before the body.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    size: int

    def header(self, name: str) -> str:
        """Return the value of the first header of a name; "" where there is none."""
        return next((value for key, value in self.headers if key.lower() == name), "")


def http_head(block: bytes) -> Head:
    """Return the head of an answer; an empty one where the block has none."""
    first = _STATUS.match(block)
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


class Body(NamedTuple):
    """A body without its codings.

    Attributes:
        data: one byte more than was asked for at most.
        is_cut: whether it breaks off, by its length, its chunks or its coding.
    """

    data: bytes
    is_cut: bool


def http_body(raw: bytes, headers: Iterable[tuple[str, str]], most: int) -> Body:
    """Return a body without its codings.

    Args:
        raw: what follows the head.
        headers: the head's names and values.
        most: bytes that are wanted; a byte more is returned of a longer body.
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
    return Body(data[: most + 1], is_cut)


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
    """Return pieces joined, and whether an error ended them; ``packed`` where there are none."""
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
    """Yield what gzip, zlib or raw deflate unpacks to, several members of gzip, too.

    Raises:
        zlib.error: it is none of these, or breaks off.
    """
    is_zlib = (
        len(packed) > 1 and packed[0] & 15 == zlib.DEFLATED and not int.from_bytes(packed[:2]) % 31
    )
    bits = 32 + zlib.MAX_WBITS if is_zlib or packed.startswith(_GZIP) else -zlib.MAX_WBITS
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
        packed = rest if rest.startswith(_GZIP) else b""


def _read(reader: Callable[[Any], Any], packed: bytes) -> Iterator[bytes]:
    """Yield what a reader unpacks.

    Raises:
        OSError: it is nothing of its kind, or breaks off.
    """
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
