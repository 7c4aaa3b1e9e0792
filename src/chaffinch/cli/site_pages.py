"""The pages that a site is learned from: folders, files, addresses, archives, tables, lists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chaffinch.cli.inputs import SUFFIXES, at_hand, find, is_folder, is_there
from chaffinch.cli.outputs import say_error
from chaffinch.cli.sibling_pages import own_address
from chaffinch.errors import MissingExtraError, PageError
from chaffinch.page import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.cli.inputs import Fetching
    from chaffinch.page import Page
    from chaffinch.page.guard.limits import Limits

_ADDRESS: Final = "://"


def site_pages(inputs: Sequence[str], fetching: Fetching, limits: Limits) -> Iterator[Page]:
    """Yield the pages that ``inputs`` name, one at a time; one that fails has a line on stderr.

    Folders, pages and addresses are read as by other verbs; anything else is an archive, a table or
    a list of addresses as the batch verb takes them.

    Raises:
        MissingExtraError: archives are given and what reads them isn't installed.
        OptionError: there is no such file, or its ending is unknown.
    """
    for given in inputs:
        path = Path(given)
        is_page = path.suffix.lower() in SUFFIXES or is_folder(given) or given == "-"
        if is_page or (_ADDRESS in given and not is_there(given)):
            yield from _pages(given, fetching, limits)
        else:
            yield from _records(given, limits)


def _pages(given: str, fetching: Fetching, limits: Limits) -> Iterator[Page]:
    for source in at_hand(find([given], url=None, encoding=None), fetching):
        try:
            html = source.read(max_bytes=limits.max_bytes)
            page = parse(html, url=source.url, encoding=source.encoding, limits=limits)
        except PageError as error:
            say_error(f"{source.name}: {error}")
            continue
        yield page if page.url else replace(page, url=own_address(page, source.path))


def _records(given: str, limits: Limits) -> Iterator[Page]:
    try:
        from chaffinch.batch.plan import Plan  # noqa: PLC0415  an extra, and few need it
        from chaffinch.batch.record import Record  # noqa: PLC0415
        from chaffinch.batch.sources import find_shards, read  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtraError.of(error.name or "fsspec", "batch") from error
    for shard in find_shards([given]):
        for record in read(shard, Plan(out="")):
            if not isinstance(record, Record) or not record.html:
                continue
            try:
                yield parse(
                    record.html, url=record.url or None, encoding=record.encoding, limits=limits
                )
            except PageError as error:
                say_error(f"{record.url or given}: {error}")
