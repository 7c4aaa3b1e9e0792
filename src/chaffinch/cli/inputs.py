"""What the command line is given: addresses, files, folders, archives, standard input."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from chaffinch.cli.archives import is_archive, records
from chaffinch.cli.source import Source
from chaffinch.corpus.sources import KINDS
from chaffinch.errors import FetchError
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.cli.source import Kind
    from chaffinch.cli.source_options import Fetching
    from chaffinch.web import client as request
else:
    request = lazy_module("chaffinch.web.client")

_ADDRESS: Final = re.compile(r"\A[a-z][a-z0-9+.-]*+:/{2,3}[^/\s]", re.IGNORECASE)


def find(
    inputs: Sequence[str], *, url: str | None, encoding: str | None, is_corpus: bool = False
) -> list[Source]:
    """Return the pages and archives that ``inputs`` name, those of a folder in order of paths.

    Inputs are addresses, files, folders, archives and ``-``; the options are fields of `Source`.

    Raises:
        click.UsageError: an address is given for several pages or for a fetched one.
    """
    found = [one for given in inputs for one in _named(given)]
    if url is not None:
        if len(found) != 1 or found[0].kind in {"address", "archive"}:
            raise click.UsageError("--url goes with one file or standard input")
        found = [replace(found[0], url=url)]
    return [replace(one, encoding=encoding, is_corpus=is_corpus) for one in found]


def find_one(
    given: str, how: Fetching, *, url: str | None, encoding: str | None, is_corpus: bool = False
) -> Source:
    """Return the one page that ``given`` names, fetched or read.

    Raises:
        click.UsageError: a folder is given, an archive of several pages, or an address for a
            fetched page.
    """
    if is_folder(given):
        raise click.UsageError(f"one page is wanted, not a folder: {given}")
    found = at_hand(find([given], url=url, encoding=encoding, is_corpus=is_corpus), how)
    first = next(found)
    if next(found, None) is not None:
        raise click.UsageError(f"one page is wanted, and {given} holds several")
    return first


def is_several(inputs: Sequence[str]) -> bool:
    """Return whether what is given may be more than one page."""
    return len(inputs) != 1 or is_folder(inputs[0]) or is_archive(inputs[0])


def is_address(given: str) -> bool:
    """Return whether an input is an absolute address."""
    return _ADDRESS.match(given) is not None


def is_folder(given: str) -> bool:
    """Return whether an input is a folder; one that is too long for a file's name is none."""
    return os.path.isdir(given)  # noqa: PTH112 - a Path raises where the name is too long


def is_there(given: str) -> bool:
    """Return whether an input is a file or folder that exists, as `is_folder` does."""
    return os.path.exists(given)  # noqa: PTH110 - a Path raises where the name is too long


def _named(given: str) -> Iterator[Source]:
    path = Path(given)
    if given == "-":
        yield Source(kind="stdin", name="standard input")
    elif is_address(given):
        yield Source(kind="address", name=given, url=given)
    elif is_folder(given):
        files = sorted(_pages_below(path))
        if not files:
            problem = f"no file ends in {', '.join(KINDS['files'])}"
            yield Source(kind="problem", name=given, problem=problem)
        for file in files:
            yield Source(kind="file", name=str(file), path=file, place=file.relative_to(path))
    elif is_there(given):
        kind: Kind = "archive" if is_archive(given) else "file"
        yield Source(kind=kind, name=given, path=path, place=Path(path.name))
    else:
        problem = "no such file or folder; an address begins with http:// or https://"
        yield Source(kind="problem", name=given, problem=problem)


def _pages_below(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith(KINDS["files"]):
                yield Path(place, name)


def at_hand(sources: Iterable[Source], how: Fetching) -> Iterator[Source]:
    """Yield the sources: addresses fetched one after the other, records of archives one by one."""
    for source in unpacked(sources, max_bytes=how.limits.max_bytes):
        yield _fetched(source, how) if source.kind == "address" else source


def unpacked(sources: Iterable[Source], *, max_bytes: int) -> Iterator[Source]:
    """Yield the sources, the records of archives one by one, standard input read."""
    for source in sources:
        if source.kind == "archive":
            yield from records(source, max_bytes=max_bytes)
        elif source.kind == "stdin":
            # A worker has another standard input.
            yield replace(source, data=sys.stdin.buffer.read(max_bytes + 1))
        else:
            yield source


def _fetched(source: Source, how: Fetching) -> Source:
    try:
        page = request.fetch(
            source.name,
            limits=how.limits,
            allow=how.allow,
            resolve=how.resolve,
            contact=how.contact,
            accept_errors=how.accept_errors,
        )
    except FetchError as error:
        return replace(source, problem=str(error))
    return replace(
        source,
        url=page.url,
        data=page.body,
        encoding=source.encoding or page.encoding,
        headers=tuple(page.headers.items()),
        status=page.status,
    )
