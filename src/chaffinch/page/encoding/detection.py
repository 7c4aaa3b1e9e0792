"""The encoding of bytes that carry no usable label, detected by chardet.

Chosen among four libraries, and the settings measured: docs/encoding.md.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

from chaffinch.lazy import lazy_module
from chaffinch.page.encoding.labels import DECLARED, encoding_of

if TYPE_CHECKING:
    import chardet
else:
    chardet = lazy_module("chardet")

# The possible results: the Encoding Standard's encodings but those of MS-DOS and the Mac,
# which chardet 7.7 names for stray bytes in Western pages and which no page of the corpora has.
DETECTABLE: Final = (
    "gb18030 big5hkscs cp932 euc-jis-2004 cp949 windows-1250 windows-1251 windows-1252 "
    "windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 cp874 "
    "koi8-r koi8-u iso-8859-2 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8"
).split()
MULTIBYTE: Final = frozenset({"gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"})
DETECT_BYTES: Final = 1_000_000  # looked at from the first byte that isn't ASCII
# An English page with an «é» or a «©» is no sample of a language: of the pages of cleaneval that
# detection named wrongly, all but one had fewer letters than this beyond ASCII.
LEAST_LETTERS: Final = 4

_LONG_ASCII = re.compile(rb"[\x00-\x7f]{48,}")
_WITHOUT_LETTERS = bytes(range(0xC0))  # ASCII, and the quotes, dashes and signs of windows-125x


def condensed(data: bytes) -> bytes:
    """Return the bytes that detection reads: no declarations, no long runs of ASCII."""
    near = DECLARED.sub(b"", data)  # chardet would follow them
    return _LONG_ASCII.sub(lambda run: run[0][:16] + b"\n" + run[0][-16:], near)


def detected(data: bytes, start: int) -> str | None:
    """Return the encoding that chardet finds from shortly before ``start`` on; None for none."""
    near = condensed(data[max(0, start - 64) :][:DETECT_BYTES])
    if near.isascii():
        return None
    answer = chardet.detect(near, include_encodings=DETECTABLE)["encoding"]
    name = encoding_of(answer) or encoding_of(codecs.lookup(answer).name) if answer else None
    letters = set(near.translate(None, _WITHOUT_LETTERS))
    if name not in MULTIBYTE and len(letters) < LEAST_LETTERS:
        return "windows-1252"
    return name
