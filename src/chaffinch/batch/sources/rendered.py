"""Pages of a source as a browser makes them; the process that reads the source has the browser."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chaffinch.batch.record import Record, is_failure
from chaffinch.errors import PageError
from chaffinch.fetch import FetchLimits
from chaffinch.loading.loader import Loader
from chaffinch.page import parse
from chaffinch.page.guard.limits import Limits
from chaffinch.page.page_source import page_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.record import Skipped
    from chaffinch.page import Page


def rendered(
    records: Iterable[Record | Skipped], plan: Plan, *, by_address: bool
) -> Iterator[Record | Skipped]:
    """Yield records, those whose page was rendered with what the browser made of it, as HTML.

    One that can't be rendered is a record with the error ``render``; those of failures stay.

    Args:
        records: as they were read.
        plan: what is rendered, and by what.
        by_address: the pages were fetched, and the browser fetches them again; else it renders what
            was read, with the network off.

    Raises:
        SetupError: there is no browser, or the extra is missing.
    """
    limits = Limits(max_bytes=plan.recipe.max_bytes)
    with Loader(
        render=plan.render,
        browser=plan.browser or None,
        allow=plan.allow_hosts,
        contact=plan.contact,
        fetch_limits=FetchLimits(max_bytes=plan.recipe.max_bytes),
        limits=limits,
    ) as loader:
        for record in records:
            if not isinstance(record, Record) or record.error or is_failure(record.status):
                yield record
                continue
            try:
                page = _page(record, loader, limits, by_address=by_address)
            except PageError as error:
                yield replace(record, html=b"", error="render", detail=str(error))
                continue
            if page.layout is None:
                yield record
            else:
                yield replace(record, html=page_source(page), encoding="utf-8")


def _page(record: Record, loader: Loader, limits: Limits, *, by_address: bool) -> Page:
    """Return the page of a record, rendered where that is wanted.

    Raises:
        PageError: it can't be read or rendered.
    """
    if by_address:
        page = parse(record.html, url=record.url, encoding=record.encoding, limits=limits)
        return loader.rendered(page)
    return loader.source(record.html, url=record.url or None, encoding=record.encoding)
