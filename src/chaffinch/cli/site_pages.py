"""The pages that a site is learned from: folders, files, addresses, archives, tables, lists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chaffinch.cli.archives import is_archive, of_record
from chaffinch.cli.inputs import SUFFIXES, at_hand, find, is_address, is_folder, is_there
from chaffinch.cli.messages import say_error
from chaffinch.cli.sibling_pages import own_address
from chaffinch.errors import PageError
from chaffinch.page import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.page import Page
    from chaffinch.page.guard.limits import Limits


def site_pages(
    inputs: Sequence[str], fetching: Fetching, limits: Limits, *, is_corpus: bool = False
) -> Iterator[Page]:
    """Yield the pages that ``inputs`` name, one at a time; one that fails has a line on stderr.

    Folders, pages, addresses, archives and tables are read as by other verbs; anything else is a
    pattern, or a list of addresses, as the verb ``run`` takes them.

    Raises:
        MissingExtraError: archives are given and what reads them isn't installed.
        OptionError: there is no such file, or its ending is unknown.
    """
    for given in inputs:
        for source in _sources(given, fetching, is_corpus=is_corpus):
            try:
                html = source.read(max_bytes=limits.max_bytes)
                page = parse(html, url=source.url, encoding=source.encoding, limits=limits)
            except PageError as error:
                say_error(f"{source.name}: {error}")
                continue
            yield page if page.url else replace(page, url=own_address(page, source.path))


def _sources(given: str, fetching: Fetching, *, is_corpus: bool) -> Iterator[Source]:
    is_page = Path(given).suffix.lower() in SUFFIXES or is_folder(given) or given == "-"
    if is_page or is_archive(given) or (is_address(given) and not is_there(given)):
        found = (
            replace(one, is_corpus=is_corpus) for one in find([given], url=None, encoding=None)
        )
        yield from at_hand(found, fetching)
    else:
        yield from _listed(given, fetching, is_corpus=is_corpus)


def _listed(given: str, fetching: Fetching, *, is_corpus: bool) -> Iterator[Source]:
    """Yield the pages of a pattern or of a list of addresses."""
    from chaffinch.batch.plan import Plan, Recipe  # noqa: PLC0415  an extra, and few need it
    from chaffinch.batch.record import Record  # noqa: PLC0415
    from chaffinch.batch.sources import find_shards, read  # noqa: PLC0415

    plan = Plan(
        out="",
        recipe=Recipe(max_bytes=fetching.limits.max_bytes),
        corpus=is_corpus,
        allow_hosts=fetching.allow,
        contact=fetching.contact,
    )
    for shard in find_shards([given]):
        for record in read(shard, plan):
            if isinstance(record, Record):
                yield of_record(record, shard.kind)
