"""Bytes that are text in no encoding, by their control characters."""

from __future__ import annotations

from typing import Final

from chaffinch.errors import PageError

# Legacy encodings use none of these bytes; compressed or encrypted bytes hold about 10 % of them.
# NUL stands apart: files padded to the size of a disk block end in many.
CONTROLS: Final = bytes({*range(1, 32)} - {*b"\t\n\x0b\x0c\r\x1b"}) + b"\x7f"
CONTROL_SHARE: Final = 0.03
NUL_SHARE: Final = 0.25
SAMPLE: Final = 65_536  # bytes that are counted


def refuse_binary(data: bytes) -> None:
    """Raise where the bytes can't be text in any encoding that extends ASCII.

    Raises:
        PageError: More than 3 % of the bytes are control characters that no page has, or more
            than a quarter is NUL.
    """
    sample = data[:SAMPLE].rstrip(b"\0")
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    if controls > CONTROL_SHARE * len(sample) or sample.count(0) > NUL_SHARE * len(sample):
        raise PageError("not HTML: binary bytes, not text")
