"""Pages of archives and tables, read one by one as `chaffinch run` reads them."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from chaffinch.cli.source import Origin, Source
from chaffinch.corpus.sources import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.corpus.sources import Record

_UNITS: Final = {"warc": "byte", "lines": "line", "parquet": "row"}
"""Kind of archive → what its offsets count; archives of files have members, which have names."""

_FROM_ONE: Final = frozenset({"lines", "parquet"})
"""Kinds whose records people count from 1."""

_DEVICES: Final = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{name}{digit}" for name in ("COM", "LPT") for digit in "0123456789¹²³"]
)
"""Names that Windows takes for devices, whatever stands behind a dot."""
_LONGEST: Final = 255  # bytes of a name, as most file systems have it
_KEPT: Final = 50  # characters of a longer one

ARCHIVES: Final = ("warc", "zip", "tar", "lines", "parquet")
"""Kinds of sources of a run that are files of any number of pages."""


def is_archive(name: str) -> bool:
    """Return whether a file is an archive or table of pages, by its name."""
    return os.path.isfile(name) and kind_of(name) in ARCHIVES  # noqa: PTH113 - of any length


def records(source: Source, *, max_bytes: int) -> Iterator[Source]:
    """Yield the pages of an archive; what can't be read has its problem.

    Raises:
        MissingExtraError: what reads it isn't installed.
    """
    from chaffinch.corpus.plan import Plan, Recipe  # noqa: PLC0415  an extra
    from chaffinch.corpus.sources import Shard, Skipped, read  # noqa: PLC0415  an extra

    plan = Plan(out="", recipe=Recipe(max_bytes=max_bytes), corpus=source.is_corpus)
    kind = kind_of(source.name) or ""
    is_empty = True
    skipped: dict[str, None] = {}
    try:
        for record in read(Shard(kind=kind, source=source.name), plan):
            if isinstance(record, Skipped):
                skipped[record.why] = None
            else:
                is_empty = False
                yield of_record(record, kind, label=source.encoding)
    except OSError as error:
        yield Source(kind="problem", name=source.name, problem=error.strerror or "can't be read")
        return
    if is_empty:
        why = f" ({', '.join(skipped)})" if skipped else ""
        yield Source(kind="problem", name=source.name, problem=f"no page is in it{why}")


def of_record(record: Record, kind: str, *, label: str | None = None) -> Source:
    """Return the page that a record of a source holds, or its problem.

    Args:
        record: the record.
        kind: of the source, a key of `chaffinch.corpus.sources.KINDS`.
        label: of the encoding, where the record has none.
    """
    number = record.offset + (kind in _FROM_ONE)
    place = record.member or (f"{_UNITS[kind]} {number}" if kind in _UNITS else "")
    if kind_of(record.member) == "warc":  # in a zip: many pages have that name
        place = f"{record.member}, byte {number}"
    parts = [record.file, place, "" if place == record.member else record.url]
    return Source(
        kind="problem" if record.error else "record",
        name=", ".join(dict.fromkeys(filter(None, parts))),
        place=_place(record, number),
        url=record.url or None,
        data=record.html,
        encoding=record.encoding or label,
        problem=record.detail,
        record=Origin(record.file, record.member, record.offset),
        headers=record.headers,
        status=record.status or None,
    )


def _place(record: Record, number: int) -> Path | None:
    """Return where in a folder of outputs a record goes; None for the name of its address.

    What a member calls itself can't lead out of the folder, on any system.
    """
    if record.member and kind_of(record.member) != "warc":
        parts = PurePosixPath(record.member.replace("\\", "/")).parts
        inside = [part for part in parts if part not in {"/", "..", "."} and "\0" not in part]
        return Path(*map(_file_name, inside)) if inside else None
    name = Path(record.member or record.file).name
    return None if record.url else Path(f"{name}-{number}.html")


def _file_name(part: str) -> str:
    """Return a part of a path as a name that every system takes for one: no drive, no device."""
    name = part.replace(":", "_")
    if len(name.encode("utf-8", "replace")) > _LONGEST:
        name = name[:_KEPT] + PurePosixPath(name[-_KEPT:]).suffix[:_KEPT]
    stem = name.partition(".")[0].rstrip(" ").upper()
    return f"_{name}" if stem in _DEVICES else name
