"""Records of WARC files, read and written by FastWARC."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Final

from fastwarc.warc import WarcRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastwarc.warc import WarcRecordType

UNREADABLE: Final = (OSError, ValueError, EOFError)
"""What FastWARC raises of a record that it can't read."""

_FIRST: Final = 1 << 16
_AT_ONCE: Final = 1 << 20
"""Bytes of a payload that are read first, and then, at a time."""

FIELDS_TYPE: Final = "application/warc-fields"
"""Media type of blocks of named fields, one a line."""


def read_record(data: bytes) -> WarcRecord:
    """Return the record in the bytes of a frame.

    Raises:
        OSError, ValueError, EOFError: it can't be read; see `UNREADABLE`.
    """
    return WarcRecord.from_bytes(data)


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
