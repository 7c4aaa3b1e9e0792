"""What the command line is given: addresses, files, folders, standard input."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from chaffinch.errors import FetchError, PageError
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.fetch import addresses, request
    from chaffinch.fetch.addresses import AddressGuard
    from chaffinch.fetch.limits import FetchLimits
    from chaffinch.page import Page
else:
    addresses = lazy_module("chaffinch.fetch.addresses")
    request = lazy_module("chaffinch.fetch.request")

SUFFIXES: Final = frozenset({".html", ".htm", ".xhtml"})
"""Endings of the files that are taken from a folder, in lower case."""

Kind = Literal["file", "address", "stdin", "problem"]

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Source:
    """One page to work on, read or not yet.

    Attributes:
        kind: ``file``, ``address``, ``stdin``, or ``problem``.
        name: what was given, or found in a given folder; for people.
        path: the file.
        place: path within the given folder, or the file's name.
        url: address of the page.
        data: the page, where it isn't a file.
        encoding: the label the transport or the caller gave.
        problem: why it can't be read.
        page: the page as a table, where a browser or its loader made it.
    """

    kind: Kind
    name: str
    path: Path | None = None
    place: Path | None = None
    url: str | None = None
    data: bytes = b""
    encoding: str | None = None
    problem: str = ""
    page: Page | None = None

    def read(self, *, max_bytes: int) -> bytes:
        """Return the page's bytes.

        Raises:
            PageError: it can't be read or is too big.
        """
        if self.problem:
            raise PageError(self.problem)
        data = self.data
        if self.path is not None:
            try:
                with self.path.open("rb") as file:
                    data = file.read(max_bytes + 1)
            except OSError as error:
                raise PageError(error.strerror or "can't be read") from error
        if len(data) > max_bytes:
            raise PageError(f"page too big: more than {max_bytes:,} bytes")
        return data


@dataclass(frozen=True, kw_only=True)
class Fetching:
    """How pages are fetched: arguments of `chaffinch.fetch.fetch`."""

    limits: FetchLimits
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()
    contact: str = ""

    @property
    def guard(self) -> AddressGuard:
        """The guard of addresses that these say."""
        return addresses.AddressGuard(self.allow, self.resolve)


def find(inputs: Sequence[str], *, url: str | None, encoding: str | None) -> list[Source]:
    """Return the pages that ``inputs`` name, those of a folder in order of their paths.

    Args:
        inputs: addresses, files, folders, ``-``.
        url: address of the one file or of standard input.
        encoding: label of the pages' encoding.

    Raises:
        click.UsageError: an address is given for several pages or for a fetched one.
    """
    found = [one for given in inputs for one in _named(given)]
    if url is not None:
        if len(found) != 1 or found[0].kind == "address":
            raise click.UsageError("--url goes with one file or standard input")
        found = [replace(found[0], url=url)]
    return [replace(one, encoding=encoding) for one in found]


def find_one(given: str, *, url: str | None, encoding: str | None) -> Source:
    """Return the one page that ``given`` names.

    Raises:
        click.UsageError: a folder is given, or an address for a fetched page.
    """
    if is_folder(given):
        raise click.UsageError(f"one page is wanted, not a folder: {given}")
    return find([given], url=url, encoding=encoding)[0]


def is_address(given: str) -> bool:
    """Tell whether an input is an address."""
    return given != "-" and _ADDRESS.match(given) is not None


def is_folder(given: str) -> bool:
    """Tell whether an input is a folder; one that is too long for a file's name is none."""
    return os.path.isdir(given)  # noqa: PTH112 - a Path raises where the name is too long


def is_there(given: str) -> bool:
    """Tell whether an input is a file or folder that exists, as `is_folder` does."""
    return os.path.exists(given)  # noqa: PTH110 - a Path raises where the name is too long


def _named(given: str) -> Iterator[Source]:
    path = Path(given)
    if given == "-":
        yield Source(kind="stdin", name="standard input")
    elif _ADDRESS.match(given):
        yield Source(kind="address", name=given, url=given)
    elif is_folder(given):
        files = sorted(_pages_below(path))
        if not files:
            yield Source(
                kind="problem", name=given, problem=f"no file ends in {', '.join(sorted(SUFFIXES))}"
            )
        for file in files:
            yield Source(kind="file", name=str(file), path=file, place=file.relative_to(path))
    elif is_there(given):
        yield Source(kind="file", name=given, path=path, place=Path(path.name))
    else:
        problem = "no such file or folder; an address begins with http:// or https://"
        yield Source(kind="problem", name=given, problem=problem)


def _pages_below(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        for name in names:
            if os.path.splitext(name)[1].lower() in SUFFIXES:  # noqa: PTH122 - of a bare name
                yield Path(place, name)


def at_hand(sources: Iterable[Source], how: Fetching) -> Iterator[Source]:
    """Yield the sources, addresses fetched one after the other, standard input read."""
    for source in sources:
        if source.kind == "stdin":
            # A worker has another standard input.
            size = how.limits.max_bytes + 1
            yield replace(source, data=sys.stdin.buffer.read(size))
            continue
        if source.kind != "address":
            yield source
            continue
        try:
            page = request.fetch(
                source.name,
                limits=how.limits,
                allow=how.allow,
                resolve=how.resolve,
                contact=how.contact,
            )
        except FetchError as error:
            yield replace(source, problem=str(error))
        else:
            yield replace(
                source,
                url=page.url,
                data=page.body,
                encoding=source.encoding or page.encoding,
            )
