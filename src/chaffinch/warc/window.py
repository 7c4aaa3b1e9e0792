"""A file read forward, with a look at what was read since the place that is worked on."""

from __future__ import annotations

from typing import IO, Final

BLOCK: Final = 1 << 20
"""Bytes read at a time."""

LONGEST: Final = 256 << 20
"""Usual bound of a record, in bytes packed or unpacked; a longer one is taken for broken."""


class Window:
    """What of a file lies between `start` and how far it was read; it needn't be seekable.

    Attributes:
        start: position of what is worked on; what lies before it may be forgotten.
        end: position up to which the file was read.
        longest: bytes that a record may have, packed or unpacked.
    """

    def __init__(self, file: IO[bytes], *, longest: int = LONGEST) -> None:
        self._file = file
        self.longest = longest
        self._data = bytearray()
        self._at = 0  # position of the first byte held
        self.start = 0
        self.end = 0

    def more(self) -> bool:
        """Read on; False at the file's end."""
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
        """Return the bytes between two positions, as far as they were read."""
        return bytes(memoryview(self._data)[start - self._at : max(0, end - self._at)])

    def find(self, wanted: bytes, start: int, *, most: int) -> int:
        """Return where ``wanted`` next begins, reading on up to ``most`` bytes; -1 if nowhere."""
        stop = start + most
        while start < stop:
            found = self._data.find(wanted, start - self._at)
            if found >= 0:
                return self._at + found
            start = max(start, self.end - len(wanted) + 1)
            if not self.more():
                break
        return -1
