"""Pages as JSON lines: one reader, and one contract, for all that read them.

A line is an object that holds a page as text in ``html`` or as bytes, in base64, in
``html_base64``. The labelled corpora hold bytes in ``html``, decoded as Latin-1: that is another
form, which the caller has to name, for as text it would be read as garbage. Where text looks like
that form, the line is refused.
"""

from __future__ import annotations

import base64
import binascii
import bz2
import codecs
import gzip
import json
import lzma
import re
import zlib
from io import BufferedReader
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from webencodings import lookup

from chaffinch.errors import MissingExtraError, PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.bz2", ".jsonl.zst")
"""Of files of JSON lines, packed or not, in lower case."""

UNREADABLE: Final = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error)
"""What reading a packed file raises where it is broken."""

_CONTROLS: Final = re.compile("[\x80-\x84\x86-\x9f]")
_LETTERS: Final = re.compile("[\xa1-\xff]{3}")
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_NEAR: Final = 1024  # characters in which HTML wants the charset to be declared
_WESTERN: Final = frozenset({"utf-8", "windows-1252", "iso-8859-15", "utf-16le", "utf-16be"})
"""Encodings whose pages may well hold no character beyond Latin-1."""

_HINT: Final = "give the bytes as html_base64, or name the form of the labelled corpora by --corpus"


class Html(NamedTuple):
    """A page as a row of a table holds it.

    Attributes:
        data: its bytes.
        encoding: label of their encoding, where that is known from elsewhere.
    """

    data: bytes
    encoding: str | None


def unpacked(file: BinaryIO, name: str) -> Iterable[bytes]:
    """Return the lines of an open file as it is named: packed by gzip, xz, bz2 or zstd, or not.

    Reading raises one of `UNREADABLE` where the file is broken.

    Raises:
        MissingExtraError: it is packed by zstd, and what unpacks that isn't installed.
    """
    ending = name.lower().rpartition(".")[2]
    if ending == "gz":
        return gzip.GzipFile(fileobj=file)
    if ending == "xz":
        return lzma.LZMAFile(file)
    if ending == "bz2":
        return bz2.BZ2File(file)
    if ending == "zst":
        try:
            import pyarrow as pa  # noqa: PLC0415  an extra
        except ModuleNotFoundError as error:
            raise MissingExtraError.of("pyarrow", "batch") from error
        return BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"))
    return file


def read_row(line: bytes) -> dict[str, Any]:
    """Return the object of a line.

    Raises:
        PageError: it isn't one.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise PageError(f"not JSON ({error})") from error
    if not isinstance(row, dict):
        raise PageError("not a JSON object")
    return row


def html_of(row: Mapping[str, Any], *, is_corpus: bool = False) -> Html:
    """Return the page of a row.

    Args:
        row: the fields of a line, or of a row of a table, in which ``html`` may be bytes.
        is_corpus: text in ``html`` is bytes decoded as Latin-1, as in the labelled corpora.

    Raises:
        PageError: it holds no page, or holds it in another form.
    """
    html, packed, label = row.get("html"), row.get("html_base64"), row.get("encoding")
    label = label if isinstance(label, str) and label else None
    if html is not None and packed is not None:
        raise PageError("both html and html_base64")
    if packed is not None:
        return Html(_from_base64(packed), label)
    if isinstance(html, bytes):
        return Html(html, label)
    if not isinstance(html, str):
        raise PageError("no field html or html_base64")
    if is_corpus:
        return Html(_from_latin1(html), label)
    if looks_like_bytes(html):
        raise PageError(f"html looks like bytes that were decoded as Latin-1: {_HINT}")
    return Html(html.encode("utf-8", "replace"), "utf-8")


def looks_like_bytes(text: str) -> bool:
    """Return whether a page as text is rather its bytes, each taken for a character of Latin-1.

    So it is where no character is beyond Latin-1, some are beyond ASCII, and control characters are
    among them that no text has (U+0080 to U+009F), or the bytes are UTF-8, or they are of another
    encoding that the page declares. A page all of whose letters with accents were garbled by its
    author looks the same.
    """
    if text.isascii():
        return False
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return _CONTROLS.search(text) is not None or _is_utf8(data) or _is_as_declared(text, data)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_as_declared(text: str, data: bytes) -> bool:
    declared = _CHARSET.search(text[:_NEAR])
    encoding = lookup(declared[1]) if declared else None
    if encoding is None or encoding.name in _WESTERN or not _LETTERS.search(text):
        return False
    try:
        codecs.decode(data, encoding.codec_info.name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _from_base64(packed: object) -> bytes:
    try:
        return base64.b64decode(packed, validate=True)  # type: ignore[arg-type]
    except (TypeError, ValueError, binascii.Error) as error:
        raise PageError(f"html_base64 isn't base64 ({error})") from error


def _from_latin1(html: str) -> bytes:
    try:
        return html.encode("latin-1")
    except UnicodeEncodeError as error:
        found = html[error.start]
        raise PageError(
            f"html holds U+{ord(found):04X}, so it is text; of a labelled corpus it holds bytes, "
            "decoded as Latin-1: leave out --corpus"
        ) from error
