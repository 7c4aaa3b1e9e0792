"""The whole records of a compressed WARC file, as far as a crash left them."""

from __future__ import annotations

import zlib
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE: Final = 1 << 20
_HEADER_END: Final = b"\r\n\r\n"


def members(file: IO[bytes]) -> Iterator[tuple[int, dict[str, str], bytes]]:
    """Yield where each whole record of a compressed WARC ends, its headers, and its block.

    Header names are in lower case. The block of anything but warcinfo and metadata is empty. Ends
    where a record isn't whole.
    """
    file.seek(0)
    left, stop = b"", 0
    while True:
        unpacker, data, used = zlib.decompressobj(31), bytearray(), 0
        while not unpacker.eof:
            piece = left or file.read(_PIECE)
            left = b""
            if not piece:
                return
            try:
                data += unpacker.decompress(piece)
            except zlib.error:
                return
            used += len(piece)
        left = unpacker.unused_data
        stop += used - len(left)
        head, _, block = bytes(data).partition(_HEADER_END)
        names = {name.lower(): value for name, value in named_lines(head)}
        if names.get("warc-type") not in ("warcinfo", "metadata"):
            block = b""
        yield stop, names, block


def named_lines(lines: bytes) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of lines such as those of headers."""
    for line in lines.decode("utf-8", "replace").split("\r\n"):
        name, colon, value = line.partition(":")
        if colon:
            yield name, value.strip()
