"""A buffered view on a file that is read forward only."""

from __future__ import annotations

from typing import Final, Protocol

BLOCK: Final = 1 << 20
"""Bytes read at a time."""

LONGEST: Final = 256 << 20
"""Default bound of a record's size, in bytes unpacked; a longer one counts as damage."""


class Readable(Protocol):
    """What a window looks on: a file, or what a packed one unpacks to."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes, b"" at the end."""
        ...


class Window:
    """The bytes of a file from `start` to `end`; the file needn't be seekable.

    Attributes:
        start: first position that is still needed; what is before it may be dropped.
        end: position up to which the file was read.
        longest: bytes that a record may have, unpacked.
    """

    def __init__(self, file: Readable, *, longest: int = LONGEST) -> None:
        self._file = file
        self.longest = longest
        self._data = bytearray()
        self._at = 0  # position of the first byte in the buffer
        self.start = 0
        self.end = 0

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
