"""The pages that a verb is given: files, folders, addresses, archives, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, Self

import click

from chaffinch.cli.options import Option, made, of_field, read_label
from chaffinch.cli.streams import bug_line, print_error
from chaffinch.corpus.sources import KINDS, Plan, Recipe, Record, Shard, Skipped, kind_of, read
from chaffinch.errors import FetchError, OptionError, PageError, SetupError
from chaffinch.loading.loader import RENDER, Loader, LoadingOptions
from chaffinch.page import Page, parse
from chaffinch.page.bounds import Limits
from chaffinch.web import client, guard
from chaffinch.web.settings import FetchLimits, Politeness

Kind = Literal["file", "address", "stdin", "archive", "record"]

_ARCHIVES: Final = ("warc", "zip", "tar", "lines", "parquet")
"""Kinds of sources of a run that are files of any number of pages."""
_ADDRESS: Final = re.compile(r"\A[a-z][a-z0-9+.-]*+:/{2,3}[^/\s]", re.IGNORECASE)
_UNITS: Final = {"warc": "byte", "lines": "line", "parquet": "row"}
"""Kind of archive → what its offsets count; archives of files have members, which have names."""
_FROM_ONE: Final = frozenset({"lines", "parquet"})  # kinds whose records people count from 1
_DEVICES: Final = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{name}{digit}" for name in ("COM", "LPT") for digit in "0123456789¹²³"]
)
"""Names that Windows takes for devices, whatever stands behind a dot."""
_LONGEST: Final = 255  # bytes of a name, as most file systems have it
_KEPT: Final = 50  # characters of a longer one


def _named(_context: click.Context, _option: click.Parameter, given: Any) -> Any:
    """Return what is given, else standard input, unless a person sits there."""
    if given:
        return given
    if sys.stdin is None or sys.stdin.isatty():
        raise click.UsageError("no page is given: a URL, a file, a folder, or - for standard input")
    return ("-",) if isinstance(given, tuple) else "-"


def _absolute(given: str | None) -> str | None:
    if given is not None and not is_address(given):
        raise click.BadParameter(
            f"{given!r} is no absolute URL, such as https://grain.example/page"
        )
    return given


def _waited(given: str | None) -> str | float | None:
    try:
        return given and float(given)
    except ValueError:
        return given


@dataclass(frozen=True, kw_only=True)
class Source:
    """One page to work on, read or not yet, or an archive, which is any number of pages."""

    kind: Kind  # what it is
    name: str  # what was given, or found in a given folder or archive; for people
    # the page, as far as it is read: its bytes where it isn't a file, its URL, what brought it, why
    # it can't be read
    record: Record
    path: Path | None = None  # the file; of a record None
    place: Path | None = None  # path within the given folder, or the file's name
    page: Page | None = None  # the page as a table, where a browser or its loader made it
    parts: tuple[Page, ...] = ()  # further parts of its article, in order, with ``page``

    def having(self, **fields: Any) -> Source:
        """Return it with fields of its record."""
        return replace(self, record=replace(self.record, **fields))

    def failed(self, problem: str) -> Source:
        return replace(self.having(error="record", detail=problem), kind="record")

    @property
    def url(self) -> str | None:
        return self.record.url or None

    @property
    def origin(self) -> dict[str, Any]:
        """Where it came from: fields of its JSON, named as the columns of a run."""
        return {name: getattr(self.record, name) for name in ("file", "member", "offset")}

    def as_page(self, limits: Limits) -> Page:
        """Return the page, parsed if it isn't yet."""
        if self.page is not None:
            return self.page
        html = self.read(limits.max_bytes)
        page = parse(html, url=self.url, encoding=self.record.encoding, limits=limits)
        return page.with_status(self.record.status) if self.record.status else page

    def read(self, most: int) -> bytes:
        """Return the page's bytes, ``most`` at most."""
        if self.record.error:
            raise PageError(self.record.detail)
        data = self.record.html
        if self.path is not None:
            try:
                with self.path.open("rb") as file:
                    data = file.read(most + 1)
            except OSError as error:
                raise PageError(error.strerror or "can't be read") from error
        if len(data) > most:
            raise PageError(f"page too big: more than {most:,} bytes")
        return data


@dataclass(frozen=True, kw_only=True)
class Reading(LoadingOptions):
    """How pages are found, fetched and read.

    Attributes:
        limits: bounds of a page.
        fetch: bounds of a request.
        politeness: how several pages are requested.
        accept_errors: pages that servers sent for failures are read, too.
        contact: contact for the servers' owners, in the user agent.
        url: URL of the one file, for its relative links.
        encoding: encoding of the pages, where it is known from elsewhere.
        is_corpus: JSON lines have the form of the labelled corpora: html holds bytes, decoded as
            Latin-1.
        record: of an archive or JSON lines: the page to take, by its number.
    """

    limits: Limits
    fetch: FetchLimits
    politeness: Politeness = field(default_factory=Politeness)
    accept_errors: bool = False
    contact: str = ""
    url: str | None = None
    encoding: str | None = None
    is_corpus: bool = False
    record: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return the values of `READING` and `RENDERING`, of those that a verb has."""
        size, seconds = given["max_size"] << 20, given.get("timeout")
        total = FetchLimits.total if seconds is None else seconds
        fetch = FetchLimits(total=total, max_bytes=size)
        limits = Limits(max_bytes=size, seconds=seconds)
        politeness = made(Politeness, given, contact=given.get("Reading__contact", ""))
        return made(cls, given, limits=limits, fetch=fetch, politeness=politeness)

    @property
    def manners(self) -> dict[str, Any]:
        """The options of what requests several pages politely."""
        known = guard.AddressGuard(self.allow, self.resolve)
        return {"politeness": self.politeness, "limits": self.fetch, "guard": known}

    def loader(self) -> Loader:
        """Return what loads pages, by a browser where that is wanted."""
        return Loader(
            contact=self.contact, fetch_limits=self.fetch, limits=self.limits, **self.loading
        )

    def sources(self, inputs: Sequence[str]) -> list[Source]:
        """Return the pages and archives that inputs name, those of a folder in order of paths."""
        if inputs.count("-") > 1:
            raise click.UsageError("standard input can be read once: - stands several times")
        found = [one for given in inputs for one in _of_input(given)]
        if self.url is not None:
            if len(found) != 1 or found[0].kind in {"address", "archive"}:
                raise click.UsageError("--url goes with one file or standard input")
            found = [found[0].having(url=self.url)]
        return [one.having(encoding=self.encoding) for one in found]

    def at_hand(self, sources: Iterable[Source]) -> Iterator[Source]:
        """Yield the sources: URLs fetched one after the other, records of archives one by one.

        Where a browser is wanted, they have their pages, or what went wrong.
        """
        if self.render == "never":
            for source in self.unpacked(sources):
                yield self._fetched(source) if source.kind == "address" else source
            return
        with self.loader() as loader:
            for source in self.unpacked(sources):
                yield self.loaded(source, loader)

    def one(self, given: str) -> Source:
        if is_folder(given):
            raise click.UsageError(f"one page is wanted, not a folder: {given}")
        sources = self.sources([given])
        if self.record is not None and sources[0].kind != "archive":
            raise click.UsageError(f"--record goes with an archive or JSON lines, not with {given}")
        pages = islice(self.unpacked(sources), (self.record or 1) - 1, None)
        found = [*islice(pages, 2)] if self.record is None else [*islice(pages, 1)]
        if not found:
            raise click.UsageError(f"--record {self.record}: {given} holds fewer pages")
        if len(found) > 1:
            takes_one = "Reading__record" in click.get_current_context().params
            hint = ": name one by --record" if takes_one else ""
            raise click.UsageError(f"one page is wanted, and {given} holds several{hint}")
        (first,) = self.at_hand(found)
        if first.record.error:
            raise PageError(first.record.detail)
        return first

    def unpacked(self, sources: Iterable[Source]) -> Iterator[Source]:
        """Yield the sources, the records of archives one by one, standard input read."""
        for source in sources:
            if source.kind == "archive":
                yield from self._records(source)
            elif source.kind == "stdin" and not source.record.html:  # a worker has another one
                yield source.having(html=sys.stdin.buffer.read(self.limits.max_bytes + 1))
            else:
                yield source

    def loaded(self, source: Source, loader: Loader) -> Source:
        """Return a source with its page, or with what went wrong."""
        label, most = source.record.encoding, self.limits.max_bytes
        try:
            if source.kind == "address":
                page = loader.address(source.name, encoding=label)
            else:
                page = loader.source(source.read(most), url=source.url, encoding=label)
        except SetupError:
            raise
        except PageError as error:
            return source.failed(str(error))
        except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
            return source.failed(bug_line(error))
        return replace(source.having(url=page.url or ""), page=page)

    def _fetched(self, source: Source) -> Source:
        try:
            page = client.fetch(
                source.name,
                limits=self.fetch,
                allow=self.allow,
                resolve=self.resolve,
                contact=self.contact,
                accept_errors=self.accept_errors,
            )
        except FetchError as error:
            return source.failed(str(error))
        return source.having(
            url=page.url,
            html=page.body,
            encoding=source.record.encoding or page.encoding,
            headers=tuple(page.headers.items()),
            status=page.status,
        )

    def _records(self, source: Source) -> Iterator[Source]:
        kind = kind_of(source.name) or ""
        is_empty = True
        skipped: dict[str, None] = {}
        try:
            for record in read(Shard(kind=kind, source=source.name), self.plan()):
                if isinstance(record, Skipped):
                    skipped[record.why] = None
                else:
                    is_empty = False
                    yield of_record(record, kind, label=source.record.encoding)
        except OSError as error:
            yield source.failed(error.strerror or "can't be read")
            return
        if is_empty:
            why = f" ({', '.join(skipped)})" if skipped else ""
            yield source.failed(f"no page is in it{why}")

    def plan(self) -> Plan:
        """Return the plan by which `chaffinch.corpus.sources` reads archives."""
        return Plan(out="", recipe=Recipe(max_bytes=self.limits.max_bytes), corpus=self.is_corpus)


INPUTS: Final = click.Argument(
    ["inputs"], nargs=-1, metavar="[URL | FILE | FOLDER | -]...", callback=_named
)
PAGE: Final = click.Argument(["page"], required=False, metavar="[URL | FILE | -]", callback=_named)


def _option(name: str, *spellings: str, heading: str = "Reading", **given: Any) -> Option:
    return of_field(Reading, name, *spellings, heading=heading, **given)


def size_option(mebibytes: int) -> Option:
    return Option(
        "--max-size", type=click.IntRange(min=1), default=mebibytes, metavar="MIB",
        heading="Reading", help="Size of a page, unpacked; bigger ones fail.",
    )  # fmt: skip


TIMEOUT: Final = Option(
    "--timeout", type=click.FloatRange(min=0.001), metavar="SECONDS", heading="Reading",
    help="Time for one page: to fetch it (60 if not given), to find its content, and to make each "
    "output (any); what takes longer fails.",
)  # fmt: skip
CORPUS: Final = _option("is_corpus", "--corpus")
RECORD: Final = _option("record", type=click.IntRange(min=1))


def file_options(needs: str = "") -> tuple[Option, ...]:
    """Return the options of a saved page."""
    return (
        _option("url", metavar="URL", reads=_absolute, needs=needs),
        _option("encoding", metavar="LABEL", reads=read_label, needs=needs),
    )


NETWORK: Final = (
    _option("allow", "--allow-host", metavar="HOST[:PORT]", heading="Network"),
    _option("resolve", metavar="NAME=ADDRESS", heading="Network"),
    _option("contact", metavar="URL", heading="Network"),
)
_BROWSER: Final = "--render auto or always"
RENDERING: Final = (
    _option("render", type=click.Choice(RENDER), heading="Browser"),
    _option("browser", metavar="PATH", heading="Browser", needs=_BROWSER),
    _option("wait", metavar="SELECTOR|SECONDS", reads=_waited, heading="Browser", needs=_BROWSER),
    _option("expand", heading="Browser", needs=_BROWSER),
)
READING: Final = (*file_options(), CORPUS, TIMEOUT, size_option(64), *NETWORK)
"""Options that set how pages are read and fetched."""


def parsed(
    sources: Iterable[Source], reading: Reading, said: str = ""
) -> Iterator[tuple[Source, Page | None]]:
    """Yield sources with their pages; None for one that fails, which has a line on standard error.

    ``said`` stands before its name there.
    """
    for source in sources:
        page = None
        try:
            page = source.as_page(reading.limits)
        except PageError as error:
            print_error(f"{said}{source.name}: {error}")
        yield source, page


def is_several(inputs: Sequence[str]) -> bool:
    return len(inputs) != 1 or is_folder(inputs[0]) or _is_archive(inputs[0])


def is_address(given: str) -> bool:
    return _ADDRESS.match(given) is not None


def is_folder(given: str) -> bool:
    """Return whether an input is a folder; one that is too long for a file's name is none."""
    return os.path.isdir(given)  # noqa: PTH112 - a Path raises where the name is too long


def _is_archive(given: str) -> bool:
    return os.path.isfile(given) and kind_of(given) in _ARCHIVES  # noqa: PTH113 - of any length


def _of_input(given: str) -> Iterator[Source]:
    record = Record(file=given)
    if given == "-":
        yield Source(kind="stdin", name="standard input", record=record)
    elif is_address(given):
        yield Source(kind="address", name=given, record=replace(record, url=given))
    elif is_folder(given):
        files = sorted(
            Path(place, name)
            for place, _, names in os.walk(given)
            for name in names
            if name.lower().endswith(KINDS["files"])
        )
        if not files:
            problem = f"no file ends in {', '.join(KINDS['files'])}"
            yield Source(kind="record", name=given, record=record).failed(problem)
        for path in files:
            of = Record(file=str(path))
            place = path.relative_to(given)
            yield Source(kind="file", name=str(path), record=of, path=path, place=place)
    elif os.path.exists(given):  # noqa: PTH110 - a Path raises where the name is too long
        path = Path(given)
        kind: Kind = "archive" if _is_archive(given) else "file"
        yield Source(kind=kind, name=given, record=record, path=path, place=Path(path.name))
    else:
        raise OptionError(f"{given}: no such file or folder; a URL begins with http:// or https://")


def of_record(record: Record, kind: str, *, label: str | None = None) -> Source:
    """Return the page that a record of a source holds, or its problem.

    ``kind`` is a key of `chaffinch.corpus.sources.KINDS`; the label counts where the record has
    none.
    """
    number = record.offset + (kind in _FROM_ONE)
    place = record.member or (f"{_UNITS[kind]} {number}" if kind in _UNITS else "")
    if kind_of(record.member) == "warc":  # in a zip: many pages have that name
        place = f"{record.member}, byte {number}"
    parts = [record.file, place, "" if place == record.member else record.url]
    name = ", ".join(dict.fromkeys(filter(None, parts)))
    found = Source(kind="record", name=name, record=record, place=_place(record, number))
    return found if record.encoding else found.having(encoding=label)


def _place(record: Record, number: int) -> Path | None:
    """Return where in a folder of outputs a record goes; None for the name of its URL.

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
