"""``--all-parts``: the parts of articles, as one source for each article."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chaffinch.cli.inputs import unpacked
from chaffinch.cli.messages import print_note
from chaffinch.cli.politeness_options import politeness_of
from chaffinch.cli.rendering import loaded
from chaffinch.cli.sibling_pages import own_address
from chaffinch.errors import PageError
from chaffinch.siblings.article_links import shown_next

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page
    from chaffinch.site.site import Site, SiteFolder


def article_sources(
    sources: Sequence[Source],
    given: Mapping[str, Any],
    fetching: Fetching,
    loader: Loader,
    site: Site | SiteFolder | None = None,
) -> Iterator[Source]:
    """Yield a source for each article, with the pages of all its parts.

    Of an address, and of one file, the parts are looked for and loaded, politely; of several files,
    folders and archives, the parts are among the pages that are given, all of which are held in
    memory.

    Args:
        sources: what is given.
        given: values of the options.
        fetching: how pages are fetched.
        loader: reads saved pages, rendered where that is wanted; closed after.
        site: the site model, whose rule for the next page is followed.

    Raises:
        MissingExtraError: ``chaffinch[crawl]``, or what reads an archive, isn't installed.
    """
    with loader:
        is_lone = len(sources) == 1 and sources[0].kind == "file" and sources[0].url is None
        saved = []
        for source in sources:
            if source.kind == "address" or is_lone:
                yield _with_parts(source, given, fetching, site)
            else:
                saved.append(source)
        yield from _grouped(saved, loader, fetching.limits.max_bytes, site)


def _with_parts(
    source: Source, given: Mapping[str, Any], fetching: Fetching, site: Site | SiteFolder | None
) -> Source:
    """Return a page with the other parts of its article, or with what went wrong."""
    from chaffinch.web.siblings import load_parts  # noqa: PLC0415  an extra

    try:
        first, *others = load_parts(
            source.path or source.name,
            max_parts=given["max_parts"],
            render=given["render"],
            browser=given["browser"],
            politeness=politeness_of(given),
            allow=fetching.allow,
            resolve=fetching.resolve,
            fetch_limits=fetching.limits,
            site=site,
        )
    except PageError as error:
        return replace(source, kind="problem", problem=str(error))
    known = frozenset(one.url for one in (first, *others) if one.url)
    if following := shown_next((others or [first])[-1], known):
        print_note(f"{source.name}: shows a next part that isn't joined: {following}")
    return replace(source, kind="file", url=first.url, page=first, parts=tuple(others))


def _grouped(
    sources: Sequence[Source], loader: Loader, max_bytes: int, site: Site | SiteFolder | None
) -> Iterator[Source]:
    """Yield saved pages as articles, in the order of their first pages."""
    from chaffinch.site.fields import articles  # noqa: PLC0415  few calls need it

    read: list[tuple[Source, Page]] = []
    for source in loaded(unpacked(sources, max_bytes=max_bytes), loader, max_bytes=max_bytes):
        if source.page is None:
            yield source
        else:
            read.append((source, source.page))
    pages = [_addressed(page, source.path) for source, page in read]
    for group in articles(pages, next_of=None if site is None else site.next_by_rule):
        (source, first), *others = (read[index] for index in group)
        yield replace(source, page=first, parts=tuple(page for _, page in others))


def _addressed(page: Page, path: Path | None) -> Page:
    """Return a page with an address by which its links are understood: its own or its file's."""
    file = path.resolve().as_uri() if path is not None else None
    return replace(page, url=page.url or own_address(page, path) or file)
