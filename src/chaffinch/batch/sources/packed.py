"""Pages that are files of a folder, a zip or a tar; in a zip (WACZ is one) web archives, too."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, cast

from chaffinch.batch.record import Record, Skipped
from chaffinch.batch.sources.kinds import KINDS, kind_of
from chaffinch.batch.sources.shards import opened
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources import warc
    from chaffinch.batch.sources.shards import Shard
else:
    warc = lazy_module("chaffinch.batch.sources.warc")  # needs an extra, and zip files don't

_BROKEN = (OSError, EOFError, RuntimeError, zlib.error, zipfile.BadZipFile, tarfile.TarError)


def read_files(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a folder."""
    for name in shard.items:
        try:
            with opened(name) as file:
                html = file.read(plan.recipe.max_bytes + 1)
        except OSError as error:
            yield Record(file=name, error="record", detail=f"can't be read ({error})")
        else:
            url = name if name.startswith(("http://", "https://")) else ""
            yield Record(file=name, url=url, html=html)


def read_zip(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a zip file, each verified by its own checksum."""
    with opened(shard.source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _BROKEN as error:
            yield _lost(shard, 0, "", error)
            return
        with archive:
            for info in archive.infolist():
                if info.is_dir():
                    continue
                is_warc = kind_of(info.filename) == "warc"
                if not is_warc and not _is_page(info.filename):
                    yield Skipped("not HTML")
                    continue
                try:
                    with archive.open(info) as member:
                        if is_warc:  # whose records have checksums: the whole one's would cost all
                            member._expected_crc = None  # type: ignore[attr-defined] # noqa: SLF001
                            yield from _of_warc(
                                shard, info.filename, cast("BinaryIO", member), plan
                            )
                            continue
                        html = member.read(plan.recipe.max_bytes + 1)
                except (*_BROKEN, NotImplementedError) as error:
                    yield _lost(shard, info.header_offset, info.filename, error)
                else:
                    yield _page(shard, info.header_offset, info.filename, html)


def _of_warc(shard: Shard, name: str, file: BinaryIO, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a web archive in a zip; its own offsets count."""
    recipe = plan.recipe
    for one in warc.read_file(file, name, recipe.max_bytes, failures=recipe.assessment):
        yield replace(one, file=shard.source, member=name) if isinstance(one, Record) else one


def read_tar(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a tar file, read as a stream; what follows damage is lost."""
    at = 0
    with opened(shard.source) as file:
        try:
            with tarfile.open(fileobj=file, mode="r|*") as archive:
                for member in archive:
                    at = member.offset
                    content = archive.extractfile(member)
                    if content is None:
                        continue
                    if not _is_page(member.name):
                        yield Skipped("not HTML")
                        continue
                    html = content.read(plan.recipe.max_bytes + 1)
                    yield _page(shard, at, member.name, html)
        except _BROKEN as error:
            yield _lost(shard, at, "", error)


def _is_page(name: str) -> bool:
    return name.lower().endswith(KINDS["files"])


def _page(shard: Shard, offset: int, member: str, html: bytes) -> Record:
    return Record(file=shard.source, offset=offset, member=member, html=html)


def _lost(shard: Shard, offset: int, member: str, error: Exception) -> Record:
    detail = f"can't be read ({error})"
    return Record(file=shard.source, offset=offset, member=member, error="record", detail=detail)
