"""Records of WARC files, read and written by FastWARC."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Final

from fastwarc.warc import ArchiveIterator, WarcRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastwarc.warc import WarcRecordType

UNREADABLE: Final = (OSError, ValueError, EOFError)
"""What FastWARC raises of a record that it can't read."""

_BLANK: Final = b"\r\n\r\n"
"""What ends a record's head, and the record."""

_FIRST: Final = 1 << 16
_AT_ONCE: Final = 1 << 20
"""Bytes of a payload that are read first, and then, at a time."""

FIELDS_TYPE: Final = "application/warc-fields"
"""Media type of blocks of named fields, one a line."""


def records(data: bytes) -> Iterator[WarcRecord]:
    """Yield the records in the decompressed bytes of a frame.

    There is one, unless several were compressed together. A record's reader is valid until the
    next one is yielded.

    Raises:
        OSError, ValueError, EOFError: a record can't be read; see `UNREADABLE`.
    """
    for record in ArchiveIterator(io.BytesIO(data), parse_http=False):
        only = data.find(_BLANK) + record.content_length + 2 * len(_BLANK) == len(data)
        yield record
        if only:  # to look for another one takes longer than to read this one
            break


def payload(record: WarcRecord, most: int) -> bytes:
    """Return what is left to read of a record's payload, up to ``most`` bytes.

    Its reader makes room for as many bytes as it is told to read, so that requests are small.
    """
    parts, wanted = [], min(most, _FIRST)
    while part := record.reader.read(wanted):
        parts.append(part)
        most -= len(part)
        wanted = min(most, _AT_ONCE)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def new_record(kind: WarcRecordType, headers: Mapping[str, str], block: bytes) -> WarcRecord:
    """Return a record of WARC 1.1 with a new id; the date is now unless ``headers`` has one."""
    record = WarcRecord()
    record.init_headers(kind)
    for name, value in headers.items():
        record.headers[name] = value
    record.set_bytes_content(block)
    return record


def gzip_member(record: WarcRecord) -> bytes:
    """Return a record, its block digest included, as a gzip member."""
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), mtime=0)


def warc_fields(block: bytes) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of a block of type `FIELDS_TYPE`; other lines are skipped."""
    for line in block.decode("utf-8", "replace").split("\r\n"):
        name, colon, value = line.partition(":")
        if colon:
            yield name, value.strip()
