"""Names of encodings: labels, what a page declares, and the codecs that decode them.

Labels, the prescan and the single-byte tables follow the Encoding Standard
(https://encoding.spec.whatwg.org/) and the HTML Standard, section 13.2.3.2.
"""

from __future__ import annotations

import codecs
import functools
import re
from typing import Final

import webencodings

# The Encoding Standard's names where Python's codec of that name knows less.
CODECS: Final = {
    "gbk": "gb18030",
    "euc-jp": "euc_jis_2004",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-2022-kr": "iso2022_kr",
}
# Labels that the Encoding Standard doesn't decode, or that it doesn't know.
OLD_LABELS: Final = {
    "hz-gb-2312": "hz",
    "iso-2022-kr": "iso-2022-kr",
    "big5hkscs": "big5",
    "big5-hkscs": "big5",
    "cp874": "windows-874",
    "cp949": "euc-kr",
    "euc-jis-2004": "euc-jp",
    "euc_jis_2004": "euc-jp",
    "cp932": "shift_jis",
    "cp936": "gb18030",
}
PRESCAN: Final = 4096  # bytes; the standard says 1024, and pages exist that need more

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
DECLARED = re.compile(
    rb"""<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)"""
    rb"""|<\?xml\b[^>]*?\bencoding\s*=\s*["']\s*([\w:.-]+)""",
    re.IGNORECASE,
)


def encoding_of(label: str) -> str | None:
    """Return the Encoding Standard's name for a label, or None where there is none.

    ``gbk`` becomes ``gb18030``, which extends it.
    """
    label = label.strip().strip("\"'").lower()
    if label in OLD_LABELS:
        return OLD_LABELS[label]
    found = webencodings.lookup(label) if label.isascii() else None
    if found is None or found.name in {"replacement", "x-user-defined"}:
        return None
    return "gb18030" if found.name == "gbk" else found.name


def declared_encoding(data: bytes) -> str | None:
    """Return what the page says of itself in its first 4,096 bytes, by ``meta`` or XML declaration.

    UTF-16 means UTF-8 here, as in the standard: the declaration could not be read otherwise.
    """
    for match in DECLARED.finditer(_COMMENT.sub(b"", data[:PRESCAN])):
        name = encoding_of((match[1] or match[2]).decode("ascii", "replace"))
        if name:
            return "utf-8" if name.startswith("utf-16") else name
    return None


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
