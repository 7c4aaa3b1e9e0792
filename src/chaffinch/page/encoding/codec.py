"""The codec of each encoding, and the text that it makes of bytes.

The single-byte tables follow the Encoding Standard (https://encoding.spec.whatwg.org/).
"""

from __future__ import annotations

import codecs
import functools
from typing import Final

import webencodings

# The Encoding Standard's names where Python's codec of that name knows less.
CODECS: Final = {
    "gbk": "gb18030",
    "euc-jp": "euc_jis_2004",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-2022-kr": "iso2022_kr",
}


def codec_of(name: str) -> str:
    """Return the Python codec for an encoding's name; a name that isn't known is returned."""
    if name in CODECS:
        return CODECS[name]
    known = webencodings.lookup(name)
    return known.codec_info.name if known and known.name != "replacement" else name


@functools.cache
def _table(codec: str) -> str | None:
    """Return the 256 characters of a single-byte codec, its holes in 80–9F as C1 controls."""
    pairs = (b"\xa4\xa4", b"\x88\x9f")  # characters of two bytes in EUC and GBK, in Shift_JIS
    if codec.startswith(("utf", "iso2022", "hz")) or any(
        len(pair.decode(codec, "replace")) == 1 for pair in pairs
    ):
        return None
    letters = bytes(range(256)).decode(codec, "replace")
    return "".join(map(_or_control, range(256), letters))


def _or_control(byte: int, letter: str) -> str:
    return chr(byte) if letter == "\ufffd" and byte in range(0x80, 0xA0) else letter


def text_in(data: bytes, encoding: str) -> str:
    """Return the text of ``data`` in an encoding, U+FFFD where bytes make no character."""
    codec = codec_of(encoding)
    table = _table(codec)
    if table is None:
        return data.decode(codec, "replace")
    return codecs.charmap_decode(data, "replace", table)[0]
