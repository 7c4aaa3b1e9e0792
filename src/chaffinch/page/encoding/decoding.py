"""Bytes become text here, before the parser sees them.

Order: byte-order mark; valid UTF-8; the transport's label; the page's own declaration; detection
(chardet); windows-1252. Labels, the prescan and the single-byte tables follow the Encoding
Standard (https://encoding.spec.whatwg.org/) and the HTML Standard, section 13.2.3.2.

Departures: UTF-8 is believed before any label, since pages saved by crawlers are often re-encoded
and keep their old declaration; a label is asked whether its text looks like a text, so a lie is
caught; a page of two encodings is decoded piece by piece; HZ and ISO-2022-KR are decoded (browsers
refuse them for the sake of scripts, which nothing here runs).
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from chaffinch import kernels
from chaffinch.lazy import lazy_module
from chaffinch.page.encoding.binary import SAMPLE, refuse_binary, unpacked
from chaffinch.page.encoding.labels import DECLARED, declared_encoding, encoding_of, text_in
from chaffinch.page.encoding.plausibility import foreign_count, looks_written

if TYPE_CHECKING:
    import chardet
else:
    chardet = lazy_module("chardet")

Source = Literal["bom", "utf-8", "transport", "meta", "detected", "default"]


class Decoded(NamedTuple):
    """A page's text and how it came to be."""

    text: str
    """The decoded page, without its byte-order mark."""
    encoding: str
    """The Encoding Standard's name in lower case; ``gb18030`` for all of its subsets."""
    source: Source
    """What decided."""
    replaced: int
    """How many U+FFFD were put where bytes made no character."""


MARKS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF32_LE, "utf-32le"),  # before UTF-16: its mark begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
WIDE_FIRST: Final = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
# What detection may answer: the Encoding Standard's encodings but those of MS-DOS and the Mac,
# which chardet 7.7 names for stray bytes in Western pages and which no page of the corpora has.
DETECTABLE: Final = (
    "gb18030 big5hkscs cp932 euc-jis-2004 cp949 windows-1250 windows-1251 windows-1252 "
    "windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 cp874 "
    "koi8-r koi8-u iso-8859-2 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8"
).split()
MULTIBYTE: Final = frozenset({"gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"})
DETECT_BYTES: Final = 1_000_000  # looked at from the first byte that isn't ASCII
# UTF-8 wins over its errors when valid characters outnumber them so many times. Of the legacy pages
# of the corpora none came above 0.6.
UTF8_ODDS: Final = 2
# An English page with an «é» or a «©» is no sample of a language: of the pages of cleaneval that
# detection named wrongly, all but one had fewer letters than this beyond ASCII.
LEAST_LETTERS: Final = 4
MOST_LOST: Final = 0.1  # characters lost of those beyond ASCII: more, and the encoding is wrong
MAX_PIECES: Final = 1_000_000  # a page of more tags and lines is decoded as a whole
MAX_BYTES: Final = 64 << 20

_LONG_ASCII = re.compile(rb"[\x00-\x7f]{48,}")
_PIECE = re.compile(rb"[\x80-\xff][^<\n]*")
_WIDE_CHARACTER = re.compile("[\u0800-\U0010ffff]")  # three bytes or more in UTF-8
# One character of which the last bytes are missing, two bytes of it at least.
_CUT_SHORT = re.compile(rb"(?:[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})[\x00-\x7f]*")
_WITHOUT_LETTERS = bytes(range(0xC0))  # ASCII, and the quotes, dashes and signs of windows-125x


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
    found = decode(data, transport=transport, max_bytes=max_bytes)
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
    data = unpacked(data, max_bytes=max_bytes)
    if data.startswith(codecs.BOM_UTF8):
        found = decode(data[3:], transport=transport, max_bytes=max_bytes)
        by_mark: Source = "bom" if found.encoding == "utf-8" else found.source
        return found._replace(source=by_mark)
    if data.startswith(WIDE_FIRST) and (marked := _by_mark(data)):
        return marked
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _not_utf8(data, transport, error.start)
    if b"\0" in data:
        if wide := _wide(data):
            return wide
        refuse_binary(data)
    if data.isascii() and not kernels.is_plain(data.replace(b"\0", b" ")):
        return _seven_bit(data, text, transport)
    return Decoded(text, "utf-8", "utf-8", 0)


def _by_mark(data: bytes) -> Decoded | None:
    for mark, name in MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(name, "replace")
            replaced = text.count("\ufffd")
            if (text and b"\0" not in data) or replaced > MOST_LOST * len(text):
                return None  # the mark lies, or these are no mark but bytes
            return Decoded(text, name, "bom", replaced)
    return None


def _wide(data: bytes) -> Decoded | None:
    """Return the page where it is UTF-16 without a mark: every second byte of markup is NUL."""
    sample = data[: 1 << 16]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    high, low = max(even, odd), min(even, odd)
    if high * 10 < len(sample) // 2 or low * 10 > high:
        return None
    name = "utf-16le" if odd > even else "utf-16be"
    text = data.decode(name, "replace")
    refuse_binary(text[:SAMPLE].encode("utf-8", "replace"))
    return Decoded(text, name, "detected", text.count("\ufffd"))


def _seven_bit(data: bytes, text: str, transport: str | None) -> Decoded:
    """Return a page of ASCII bytes that may be ISO-2022 or HZ, which shift by escape sequences."""
    labels: tuple[tuple[str | None, Source], ...] = (
        (encoding_of(transport) if transport else None, "transport"),
        (declared_encoding(data), "meta"),
        ("iso-2022-kr" if b"\x1b$)C" in data else None, "detected"),
        ("iso-2022-jp" if re.search(rb"\x1b\$[@B]", data) else None, "detected"),
    )
    for name, source in labels:
        if name == "hz" or (name and name.startswith("iso-2022")):
            shifted = text_in(data, name)
            return Decoded(shifted, name, source, shifted.count("\ufffd"))
    return Decoded(text, "utf-8", "utf-8", 0)


def _not_utf8(data: bytes, transport: str | None, start: int) -> Decoded:
    """Return the text of bytes that aren't valid UTF-8 from ``start`` on."""
    if b"\0" in data[:4096] and (wide := _wide(data)):
        return wide
    refuse_binary(data)
    labels: list[tuple[str, Source]] = []
    if transport and (name := encoding_of(transport)):
        labels.append((name, "transport"))
    if name := declared_encoding(data):
        labels.append((name, "meta"))
    legacy = [(name, source) for name, source in labels if not name.startswith("utf-")]
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = foreign_count(text) - broken
    if valid > UTF8_ODDS * broken:
        mended = _by_pieces(data, "utf-8", legacy[0][0] if legacy else None)
        return Decoded(mended, "utf-8", "utf-8", mended.count("\ufffd"))
    return _best(data, legacy, start)


def _best(data: bytes, legacy: list[tuple[str, Source]], start: int) -> Decoded:
    """Return the text in the first encoding whose text looks written, else in the likeliest."""
    tried: list[Decoded] = []
    labels: list[tuple[str | None, Source]] = [*legacy, (None, "detected")]
    for label, source in labels:
        encoding = label or _detected(data, start)
        if encoding:
            text = text_in(data, encoding)
            tried.append(Decoded(text, encoding, source, text.count("\ufffd")))
            if looks_written(text, encoding):
                return _mended(data, tried[-1])
    likeliest = min(tried, key=lambda found: found.replaced, default=None)
    if likeliest and likeliest.replaced <= MOST_LOST * foreign_count(likeliest.text):
        return _mended(data, likeliest)
    text = text_in(data, "windows-1252")
    return Decoded(text, "windows-1252", "default", text.count("\ufffd"))


def _mended(data: bytes, found: Decoded) -> Decoded:
    if not found.replaced:
        return found
    text = _by_pieces(data, found.encoding, "utf-8")
    replaced = text.count("\ufffd")
    return found._replace(text=text, replaced=replaced) if replaced < found.replaced else found


def condensed(data: bytes) -> bytes:
    """Return what detection is asked about: no declarations, no long runs of ASCII."""
    near = DECLARED.sub(b"", data)  # chardet believes them
    return _LONG_ASCII.sub(lambda run: run[0][:16] + b"\n" + run[0][-16:], near)


def _detected(data: bytes, start: int) -> str | None:
    """Return what chardet says of the bytes that aren't ASCII and what stands near them."""
    near = condensed(data[max(0, start - 64) :][:DETECT_BYTES])
    if near.isascii():
        return None
    answer = chardet.detect(near, include_encodings=DETECTABLE)["encoding"]
    name = encoding_of(answer) or encoding_of(codecs.lookup(answer).name) if answer else None
    letters = set(near.translate(None, _WITHOUT_LETTERS))
    if name not in MULTIBYTE and len(letters) < LEAST_LETTERS:
        return "windows-1252"
    return name


def _by_pieces(data: bytes, main: str, other: str | None) -> str:
    """Return the text of a page of two encodings, each line or text between tags in its own.

    «<» and the line feed are no trail byte in any encoding, so pieces may be cut there.
    """
    if data.count(b"<") + data.count(b"\n") > MAX_PIECES:
        return text_in(data, main)
    if other is None:
        strange = [piece for piece in _PIECE.findall(data) if not _is_utf8(piece)]
        other = _detected(b"\n".join(strange), 0) or "windows-1252"
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
