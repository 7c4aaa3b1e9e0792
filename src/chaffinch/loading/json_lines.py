"""Pages as JSON lines: one reader, and one contract, for all that read them.

A line is an object that holds a page as text in ``html`` or as bytes, in base64, in
``html_base64``. The labelled corpora hold bytes in ``html``, decoded as Latin-1: that is another
form, which the caller has to name, for as text it would be read as garbage. Where lines look like
that form, they are refused.
"""

from __future__ import annotations

import base64
import bz2
import codecs
import gzip
import json
import lzma
import re
import zlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BufferedReader
from typing import IO, Any, BinaryIO, Final, NamedTuple, TypeVar

from webencodings import lookup

from chaffinch.errors import PageError, from_extra

_UNREADABLE: Final = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error)
"""What reading a packed file raises where it is broken."""

LONGEST_LINE: Final = 256 << 20
"""Bytes of a line, unpacked; beyond, the rest of the file isn't read."""

HELD: Final = 32
"""Rows that wait for a proof that they hold text, at most."""

_HELD_BYTES: Final = 16 << 20

_CONTROLS: Final = re.compile("[\x80-\x84\x86-\x9f]")
_LETTERS: Final = re.compile("[\xa1-\xff]{3}")
_CHARSET: Final = re.compile(r"charset\s*+=\s*+(?:[\"']\s*+)?([\w.:-]+)", re.IGNORECASE)
_NEAR: Final = 1024  # characters in which HTML wants the charset to be declared
_WESTERN: Final = frozenset({"utf-8", "windows-1252", "iso-8859-15", "utf-16le", "utf-16be"})
"""Encodings whose pages may well hold no character beyond Latin-1."""

_HINT: Final = "give the bytes as html_base64, or name the form of the labelled corpora by --corpus"

Key = TypeVar("Key")


class Html(NamedTuple):
    """A page as a row of a table holds it; the encoding is known where its label is."""

    data: bytes
    encoding: str | None


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    unpacked = _unpacked(file, name)
    while line := unpacked.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise OSError(f"a line of more than {LONGEST_LINE:,} bytes")
        yield line


def _unpacked(file: BinaryIO, name: str) -> IO[bytes] | gzip.GzipFile:
    ending = name.lower().rpartition(".")[2]
    if ending == "gz":
        return gzip.GzipFile(fileobj=file)
    if ending == "xz":
        return lzma.LZMAFile(file)
    if ending == "bz2":
        return bz2.BZ2File(file)
    if ending == "zst":
        with from_extra("batch"):
            import pyarrow as pa  # noqa: PLC0415  an extra
        return BufferedReader(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd"))
    return file


def count_lines(file: BinaryIO, name: str) -> int:
    count = 0
    with suppress(*_UNREADABLE):
        for _ in _lines(file, name):
            count += 1
    return count


def read_rows(
    file: BinaryIO, name: str, *, only: Collection[int] | None = None
) -> Iterator[tuple[int, dict[str, Any] | PageError]]:
    """Yield the number, from 0, and the object of each line that isn't empty, or what is wrong.

    The name says how the file is packed.
    """
    number = -1
    try:
        for number, line in enumerate(_lines(file, name)):
            if (only is None or number in only) and line.strip():
                yield number, _row_of(line)
    except _UNREADABLE as error:
        yield number + 1, PageError(f"the rest can't be unpacked ({error})")


def _row_of(line: bytes) -> dict[str, Any] | PageError:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        return PageError(f"not JSON ({error})")
    return row if isinstance(row, dict) else PageError("not a JSON object")


def read_pages(
    rows: Iterable[tuple[Key, Mapping[str, Any] | PageError]], *, is_corpus: bool = False
) -> Iterator[tuple[Key, Html | PageError]]:
    """Yield the page of each row, known by what its caller likes, or why there is none, in order.

    A row whose text looks like bytes is refused unless the rows prove that they hold text, by a
    character beyond Latin-1 in any of them up to `HELD` rows later: then the page's author garbled
    it, as about one page in a hundred is. In a corpus, text is bytes decoded as Latin-1.
    """
    is_proven = is_corpus
    held: deque[tuple[Key, Html | PageError, bool]] = deque()
    for key, row in rows:
        try:
            page = row if isinstance(row, PageError) else _html_of(row, is_corpus=is_corpus)
        except PageError as error:
            page = error
        is_doubtful = False
        if not (is_proven or isinstance(row, PageError) or isinstance(page, PageError)):
            text = row["html"] if isinstance(row.get("html"), str) else ""
            is_doubtful = looks_like_bytes(text)
            is_proven = not is_doubtful and max(text, default="") > "\xff"
        held.append((key, page, is_doubtful))
        while held and (is_proven or not held[0][2] or _are_enough(held)):
            first, page, is_doubtful = held.popleft()
            yield first, _refused() if is_doubtful and not is_proven else page
    yield from ((one, _refused() if is_doubtful else page) for one, page, is_doubtful in held)


def _are_enough(held: Collection[tuple[Any, Html | PageError, bool]]) -> bool:
    size = sum(len(page.data) for _, page, _ in held if isinstance(page, Html))
    return len(held) > HELD or size > _HELD_BYTES


def _refused() -> PageError:
    return PageError(f"html looks like bytes that were decoded as Latin-1: {_HINT}")


def _html_of(row: Mapping[str, Any], *, is_corpus: bool) -> Html:
    html, packed, label = row.get("html"), row.get("html_base64"), row.get("encoding")
    label = label if isinstance(label, str) and label else None
    if html is not None and packed is not None:
        raise PageError("both html and html_base64")
    if packed is not None:
        try:
            return Html(base64.b64decode(packed, validate=True), label)
        except (TypeError, ValueError) as error:  # binascii's among them
            raise PageError(f"html_base64 isn't base64 ({error})") from error
    if isinstance(html, bytes):
        return Html(html, label)
    if not isinstance(html, str):
        raise PageError("no field html or html_base64")
    if not is_corpus:
        return Html(html.encode("utf-8", "replace"), "utf-8")
    try:
        return Html(html.encode("latin-1"), label)
    except UnicodeEncodeError as error:
        found = html[error.start]
        raise PageError(
            f"html holds U+{ord(found):04X}, so it is text; of a labelled corpus it holds bytes, "
            "decoded as Latin-1: leave out --corpus"
        ) from error


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
    if _CONTROLS.search(text) or _decodes(data, "utf-8"):
        return True
    declared = _CHARSET.search(text[:_NEAR])
    encoding = lookup(declared[1]) if declared else None
    if encoding is None or encoding.name in _WESTERN or not _LETTERS.search(text):
        return False
    return _decodes(data, encoding.codec_info.name)


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.decode(data, encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
