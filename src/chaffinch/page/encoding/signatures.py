"""Formats by their first bytes: gzip is unpacked, what is no page is refused.

Signatures from the MIME Sniffing Standard, section 6 (https://mimesniff.spec.whatwg.org/), and
from the formats that crawlers save under a page's name by mistake. Unlike the standard, which
guesses a type, this only recognises what is surely not a page.
"""

from __future__ import annotations

import zlib
from typing import Final

from chaffinch.errors import PageError

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

    Raises:
        PageError: The signature is that of another format, the gzip stream is broken from its
            start, or it holds more than ``max_bytes``.
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
