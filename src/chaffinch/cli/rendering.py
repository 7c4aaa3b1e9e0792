"""Pages rendered by a browser, or loaded as it decides that they needn't be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from chaffinch.cli.inputs import find, find_one, is_folder, unpacked
from chaffinch.cli.messages import bug_line
from chaffinch.cli.render_options import loader_of
from chaffinch.errors import PageError, SetupError
from chaffinch.page.guard.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page


def loaded(sources: Iterable[Source], loader: Loader, *, max_bytes: int) -> Iterator[Source]:
    """Yield the sources with their pages, or with what went wrong; the loader is closed after.

    Raises:
        SetupError: there is no browser, or the extra is missing.
    """
    with loader:
        for source in unpacked(sources, max_bytes=max_bytes):
            try:
                page = _page(source, loader, max_bytes)
            except SetupError:
                raise
            except PageError as error:
                yield replace(source, problem=str(error))
            except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
                yield replace(source, problem=bug_line(error))
            else:
                yield replace(source, url=page.url, page=page)


def find_page(  # noqa: PLR0913  options are keyword-only
    given: str,
    how: Fetching,
    *,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
) -> Source:
    """Return the one page that ``given`` names, fetched, read or rendered.

    Raises:
        click.UsageError: more than one page is given, a browser is named though nothing is
            rendered, or as of `find_one`.
        SetupError: there is no browser where one is needed, or the extra is missing.
    """
    limits = Limits(max_bytes=how.limits.max_bytes)
    loader = loader_of(render, browser, how, limits)
    if loader is None:
        return find_one(given, how, url=url, encoding=encoding, is_corpus=is_corpus)
    if is_folder(given):
        raise click.UsageError(f"one page is wanted, not a folder: {given}")
    sources = find([given], url=url, encoding=encoding, is_corpus=is_corpus)
    pages = loaded(sources, loader, max_bytes=limits.max_bytes)
    first = next(pages)
    if next(pages, None) is not None:
        raise click.UsageError(f"one page is wanted, and {given} holds several")
    return first


def _page(source: Source, loader: Loader, max_bytes: int) -> Page:
    if source.kind == "address":
        return loader.address(source.name, encoding=source.encoding)
    html = source.read(max_bytes=max_bytes)
    return loader.source(html, url=source.url, encoding=source.encoding)
