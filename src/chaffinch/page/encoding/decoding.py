"""Bytes become text here, before the parser sees them.

Order: byte-order mark; valid UTF-8; the transport's label; the page's own declaration; detection
(chardet); windows-1252. Labels, the prescan and the single-byte tables follow the Encoding
Standard (https://encoding.spec.whatwg.org/) and the HTML Standard, section 13.2.3.2.

Each step is a file that is entered once for a page: `signatures`, `unicode_forms`, `legacy`.
Nearly all pages leave after the first.

Departures: valid UTF-8 goes before any label, since pages saved by crawlers are often re-encoded
and keep their old declaration; a label counts only where its text is plausible in the script the
encoding was made for; a page of two encodings is decoded piece by piece; HZ and ISO-2022-KR are
decoded (browsers refuse them for the sake of scripts, which nothing here runs).
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.lazy import lazy_module
from chaffinch.page.encoding.signatures import unpacked
from chaffinch.page.encoding.unicode_forms import in_unicode

if TYPE_CHECKING:
    from chaffinch.page.encoding import legacy
    from chaffinch.page.encoding.decoded import Decoded
else:
    legacy = lazy_module("chaffinch.page.encoding.legacy")

MAX_BYTES: Final = 64 << 20


def readable(
    data: bytes, *, transport: str | None = None, max_bytes: int = MAX_BYTES
) -> tuple[bytes | str, str]:
    """Return a page in UTF-8 or as text, whichever costs less, and the name of its encoding.

    Most pages are UTF-8 as they stand, and no text is made of these. Else, and for the arguments
    and errors, see `decode`.
    """
    data = unpacked(data, max_bytes=max_bytes)
    if kernels.is_plain(data):
        return data, "utf-8"
    found = _decoded(data, transport, max_bytes)
    return found.text, found.encoding


def decode(data: bytes, *, transport: str | None = None, max_bytes: int = MAX_BYTES) -> Decoded:
    """Return the text of a page.

    Args:
        data: The page as served or saved; gzip is unpacked.
        transport: The charset of the Content-Type header, or any label known from outside.
        max_bytes: Bound of what gzip may unpack to, in bytes.

    Raises:
        PageError: The bytes are no text (PDF, image, archive, …) or hold more than ``max_bytes``.
    """
    return _decoded(unpacked(data, max_bytes=max_bytes), transport, max_bytes)


def _decoded(data: bytes, transport: str | None, max_bytes: int) -> Decoded:
    """Return the text of a page that is unpacked."""
    marked = False
    while data.startswith(codecs.BOM_UTF8):
        data, marked = unpacked(data[3:], max_bytes=max_bytes), True
    found = in_unicode(data, is_marked=marked)
    if isinstance(found, int):
        found = legacy.in_legacy(data, transport, found)
    elif _may_shift(data, found):
        found = legacy.in_seven_bits(data, transport) or found
    return found._replace(source="bom") if marked and found.encoding == "utf-8" else found


def _may_shift(data: bytes, found: Decoded) -> bool:
    """Return whether a page of valid UTF-8 may be of an encoding that shifts by ASCII sequences."""
    if found.source != "utf-8" or not data.isascii():
        return False
    return not kernels.is_plain(data.replace(b"\0", b" "))
