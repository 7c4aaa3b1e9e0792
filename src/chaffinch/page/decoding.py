"""Bytes to text, and what isn't a page."""

import codecs
import zlib
from typing import Final, Literal, NamedTuple

from chaffinch import kernels
from chaffinch.errors import PageError
from chaffinch.lazy import lazy_module

charsets = lazy_module("chaffinch.page.charsets")

Source = Literal["bom", "utf-8", "transport", "meta", "detected", "default"]


class Decoded(NamedTuple):
    """A page's text and how it came to be."""

    text: str
    """The decoded page, without its byte-order mark."""
    encoding: str
    """The Encoding Standard's name in lower case; ``gb18030`` for all of its subsets."""
    source: Source
    """What decided."""

    @property
    def replaced(self) -> int:
        """How many U+FFFD were put where bytes made no character."""
        return self.text.count("\ufffd")


# Legacy encodings use none of these bytes; compressed or encrypted bytes hold about 10 % of them.
# NUL stands apart: files padded to the size of a disk block end in many.
CONTROLS: Final = bytes({*range(1, 32)} - {*b"\t\n\x0b\x0c\r\x1b"}) + b"\x7f"
CONTROL_SHARE: Final = 0.03
NUL_SHARE: Final = 0.25
SAMPLE: Final = 65_536  # bytes that are counted


def refuse_binary(data: bytes) -> None:
    """Raise a `PageError` where the bytes can't be text in any encoding that extends ASCII.

    That is where more than 3 % of them are control characters that no page has, or a quarter is
    NUL.
    """
    sample = data[:SAMPLE].rstrip(b"\0")
    controls = len(sample) - len(sample.translate(None, CONTROLS))
    if controls > CONTROL_SHARE * len(sample) or sample.count(0) > NUL_SHARE * len(sample):
        raise PageError("not HTML: binary bytes, not text")


SIGNATURES: Final[tuple[tuple[bytes, str], ...]] = (
    (b"%PDF-", "PDF"),
    (b"%!PS", "PostScript"),
    (b"\x89PNG\r\n", "PNG image"),
    (b"GIF8", "GIF image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"RIFF", "RIFF (WebP, WAV or AVI)"),
    (b"II*\x00", "TIFF image"),
    (b"MM\x00*", "TIFF image"),
    (b"PK\x03\x04", "ZIP (or DOCX, XLSX, EPUB, JAR)"),
    (b"Rar!\x1a\x07", "RAR archive"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip archive"),
    (b"BZh91AY", "bzip2-compressed bytes"),
    (b"\xfd7zXZ\x00", "xz-compressed bytes"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed bytes"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "OLE (DOC, XLS, PPT)"),
    (b"{\\rtf", "RTF"),
    (b"\x7fELF", "ELF program"),
    (b"MZ\x90\x00", "Windows program"),
    (b"wOFF", "font"),
    (b"wOF2", "font"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"\x1aE\xdf\xa3", "Matroska or WebM video"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"WARC/1.", "WARC archive, whose file's name ends in .warc or .warc.gz"),
    (b"PAR1", "Parquet table, whose file's name ends in .parquet"),
)
_STARTS: Final = tuple(signature for signature, _ in SIGNATURES)
_MEDIA: Final = b"ftyp"
GZIP: Final = b"\x1f\x8b\x08"
LAYERS: Final = 2  # gzip in gzip is seen in the wild (a compressed file served compressed)


def unpacked(data: bytes, *, max_bytes: int) -> bytes:
    """Return ``data``, unpacked where it is gzip; what was cut off short is used as far as it goes.

    A `PageError` is raised for the signature of another format, a stream that is broken from its
    start, or more than ``max_bytes``.
    """
    if data.startswith(b"<") and data[4:8] != _MEDIA:  # nearly all pages
        return data
    for _ in range(LAYERS):
        if not data.startswith(GZIP):
            break
        data = _gunzip(data, max_bytes)
    head = data[:16].lstrip()
    if head.startswith(_STARTS):
        name = next(name for signature, name in SIGNATURES if head.startswith(signature))
        raise PageError(f"not HTML: {name}")
    if data[4:8] == _MEDIA:
        raise PageError("not HTML: MP4 or other ISO media")
    if data.startswith(GZIP):
        raise PageError(f"not HTML: gzip-compressed more than {LAYERS} times")
    return data


def _gunzip(data: bytes, max_bytes: int) -> bytes:
    stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        page = stream.decompress(data, max_bytes)
    except zlib.error as error:
        raise PageError(f"not HTML: broken gzip bytes ({error})") from error
    if not stream.eof and stream.unconsumed_tail:
        raise PageError(f"page too big: gzip bytes that hold more than {max_bytes:,} bytes")
    return page


MARKS: Final[tuple[tuple[bytes, str], ...]] = (
    (codecs.BOM_UTF32_LE, "utf-32le"),  # before UTF-16: its mark begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf-32be"),
    (codecs.BOM_UTF16_LE, "utf-16le"),
    (codecs.BOM_UTF16_BE, "utf-16be"),
)
MOST_LOST: Final = 0.1  # share of characters lost: more, and the mark is wrong
WIDE_SAMPLE: Final = 1 << 16  # bytes in which NULs are counted
NUL_HEAD: Final = 4_096  # bytes of a page that isn't UTF-8 in which a NUL suggests UTF-16


def in_unicode(data: bytes, *, is_marked: bool = False) -> Decoded | int:
    """Return the page where it is in a form of Unicode, else where it stops being valid UTF-8.

    That is the offset of a byte. ``data`` is unpacked, without a mark of UTF-8; where it had one,
    it ``is_marked``, NULs don't make it UTF-16. A `PageError` is raised for text in no encoding.
    """
    if marked := _by_mark(data):
        return marked
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in data[:NUL_HEAD] and (wide := _utf16_without_mark(data)):
            return wide
        refuse_binary(data)
        return error.start
    if b"\0" in data:
        if not is_marked and (wide := _utf16_without_mark(data)):
            return wide
        refuse_binary(data)
    return Decoded(text, "utf-8", "utf-8")


def _by_mark(data: bytes) -> Decoded | None:
    """Return the page by its byte-order mark; None without one, or where the bytes refute it."""
    for mark, name in MARKS:
        if data.startswith(mark):
            found = Decoded(data[len(mark) :].decode(name, "replace"), name, "bom")
            refuted = bool(found.text) and b"\0" not in data
            return None if refuted or found.replaced > MOST_LOST * len(found.text) else found
    return None


def _utf16_without_mark(data: bytes) -> Decoded | None:
    """Return the page where it is UTF-16 without a mark: every second byte of markup is NUL."""
    sample = data[:WIDE_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    high, low = max(even, odd), min(even, odd)
    if high * 10 < len(sample) // 2 or low * 10 > high:
        return None
    name = "utf-16le" if odd > even else "utf-16be"
    text = data.decode(name, "replace")
    if "<" not in text[:WIDE_SAMPLE] and high * 2 < len(sample) // 2:
        return None  # a small page with some NULs that all happen to stand at even places
    refuse_binary(text[:SAMPLE].encode("utf-8", "replace"))
    return Decoded(text, name, "detected")


MAX_BYTES: Final = 64 << 20


def readable(data: bytes, *, transport: str | None = None) -> tuple[bytes | str, str]:
    """Return a page in UTF-8 or as text, whichever costs less, and the name of its encoding.

    Most pages are UTF-8 as they stand, and no text is made of these. Else, and for the arguments
    and errors, see `decode`.
    """
    data = unpacked(data, max_bytes=MAX_BYTES)
    if kernels.is_plain(data):
        return data, "utf-8"
    found = _decoded(data, transport, MAX_BYTES)
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
        found = charsets.in_legacy(data, transport, found)
    elif (
        found.source == "utf-8"
        and data.isascii()
        and not kernels.is_plain(data.replace(b"\0", b" "))
    ):
        # valid UTF-8, but perhaps of an encoding that shifts by ASCII sequences
        found = charsets.in_seven_bits(data, transport) or found
    return found._replace(source="bom") if marked and found.encoding == "utf-8" else found
