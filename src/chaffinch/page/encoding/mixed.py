"""Pages of two encodings, decoded piece by piece."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.page.encoding.codec import text_in
from chaffinch.page.encoding.detection import detected
from chaffinch.page.encoding.plausibility import foreign_count

# UTF-8 wins over its errors when valid characters outnumber them so many times. Of the legacy pages
# of the corpora none came above 0.6.
UTF8_ODDS: Final = 2
MAX_PIECES: Final = 1_000_000  # a page of more tags and lines is decoded as a whole

_PIECE = re.compile(rb"[\x80-\xff][^<\n]*")
_WIDE_CHARACTER = re.compile("[^\x00-\u07ff]")  # three bytes or more in UTF-8
# One character of which the last bytes are missing, two bytes of it at least.
_CUT_SHORT = re.compile(rb"(?:[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})[\x00-\x7f]*")


def by_pieces(data: bytes, main: str, other: str | None) -> str:
    """Return the text of a page of two encodings, each line or text between tags in its own.

    «<» and the line feed are no trail byte in any encoding, so pieces may be cut there.
    """
    if data.count(b"<") + data.count(b"\n") > MAX_PIECES:
        return text_in(data, main)
    if other is None:
        strange = [piece for piece in _PIECE.findall(data) if not _is_utf8(piece)]
        other = detected(b"\n".join(strange), 0) or "windows-1252"
    legacy = other if main == "utf-8" else main

    def in_utf8(match: re.Match[bytes]) -> bytes:
        piece = match[0]
        kept = _is_utf8(piece) if main == "utf-8" else _surely_utf8(piece)
        return piece if kept else text_in(piece, legacy).encode("utf-8")

    return _PIECE.sub(in_utf8, data).decode("utf-8", "replace")


def _is_utf8(piece: bytes) -> bool:
    """Return whether a piece of a UTF-8 page is UTF-8, be it with a character cut or broken."""
    text = piece.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = foreign_count(text) - broken
    return valid >= UTF8_ODDS * broken or _CUT_SHORT.fullmatch(piece) is not None


def _surely_utf8(piece: bytes) -> bool:
    """Return whether a piece of a page in another encoding is UTF-8 by more than chance."""
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(_WIDE_CHARACTER.findall(text)) >= 2  # noqa: PLR2004 - chance is 0.02 % for two
