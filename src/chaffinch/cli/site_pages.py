"""Other pages of a page's site: given, found, or all those that a site is learned from.

Methods choose among siblings by URL, so the URLs of a page and its siblings must be of one kind. A
web URL is that of the record (of archives and tables), else the one that the page gives itself: its
canonical link, else its ``<base href>`` and the file's name. A URL that several siblings name as
theirs is ignored. Where no sibling has a web URL, those of the files serve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import click

from chaffinch import web
from chaffinch.cli.options import of_field
from chaffinch.cli.pages import Reading, Source, is_address, parsed
from chaffinch.cli.streams import print_error, print_note
from chaffinch.errors import PageError
from chaffinch.loading.address import canonical_address, web_address
from chaffinch.methods import METHODS, settings_of
from chaffinch.page import Page
from chaffinch.siblings import pagination
from chaffinch.verdict import BlockExplanation, MethodWrapper, Verdict
from chaffinch.web import template_pages
from chaffinch.web.settings import Politeness

POLITENESS: Final = tuple(
    of_field(
        Politeness,
        one.name,
        {"blocks": "--block-pages"}.get(one.name, f"--{one.name.replace('_', '-')}"),
        heading="Politeness",
    )
    for one in fields(Politeness)
    if one.name not in {"contact", "binding"}
)
"""Options of a crawl."""
PACE: Final = tuple(
    one for one in POLITENESS if one.name in {"Politeness__delay", "Politeness__retries"}
)
"""Those of verbs that request some pages."""


def require_siblings(
    method: str, given: Sequence[str], settings: Collection[str] = (), *, if_taken: bool = True
) -> None:
    """Check that ``--siblings`` is given where the method needs it, and only where it is taken.

    With the setting ``rules`` it needs none.
    """
    takes = "siblings" in settings_of(method)
    if takes and METHODS[method].needs_siblings and not given and "rules" not in settings:
        raise click.UsageError(
            f"{method} compares the page with others of its site: "
            "give some as --siblings DIR or --siblings FILE"
        )
    if given and not takes and if_taken:
        known = ", ".join(one for one in METHODS if "siblings" in settings_of(one))
        raise click.UsageError(
            f"{method} looks at one page alone; --siblings goes with methods that compare: {known}"
        )


@dataclass(frozen=True)
class Siblings:
    """Parsed pages of one site, each with its URL where it has one of the common kind.

    ``claimed`` are URLs that several of them claim.
    """

    pages: tuple[Page, ...] = ()
    claimed: frozenset[str] = frozenset()

    def beside(self, page: Page, path: Path | None) -> Page:
        """Return ``page``, of the file ``path`` if any, with a URL that fits the siblings'."""
        if any((one.url or "").startswith("file:") for one in self.pages):
            return replace(page, url=path.resolve().as_uri() if path is not None else None)
        url = page.url or own_address(page, path)
        return replace(page, url=None if url in self.claimed else url)


@dataclass(frozen=True, eq=False)
class Beside(MethodWrapper):
    """A method that sees a page under a URL like its siblings'; the page stays what it is."""

    siblings: Siblings
    path: Path | None

    def __call__(self, page: Page) -> Verdict:
        return self.method(self.siblings.beside(page, self.path))

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        return self.method.explain(self.siblings.beside(page, self.path))


def read_siblings(given: Sequence[str], reading: Reading) -> Siblings:
    """Return the pages of files, folders, archives and tables.

    A page that can't be read has a line on standard error and is left out.
    """
    plain = replace(reading, url=None, encoding=None)
    sources = plain.unpacked(plain.sources(list(dict.fromkeys(given))))
    read = parsed(sources, reading, said="left out of the siblings: ")
    found = [(page, source.path) for source, page in read if page is not None]
    if given and not found:
        raise click.UsageError(f"--siblings: no page in {', '.join(given)}")
    return addressed_siblings(found)


def own_address(page: Page, path: Path | None) -> str | None:
    """Return the web URL that a page gives itself; None if it gives none."""
    url = canonical_address(page)
    return url or (web_address(page.base, path.name) if path is not None else None)


def addressed_siblings(found: Sequence[tuple[Page, Path | None]]) -> Siblings:
    """Return pages, each with its file if any, under URLs of one kind."""
    own = [None if page.url else own_address(page, path) for page, path in found]
    claimed = frozenset(url for url, count in Counter(own).items() if url and count > 1)
    urls = [
        page.url or (None if url in claimed else url)
        for (page, _), url in zip(found, own, strict=True)
    ]
    if not any(urls):
        urls = [path.resolve().as_uri() if path is not None else None for _, path in found]
    pages = (replace(page, url=url) for (page, _), url in zip(found, urls, strict=True))
    return Siblings(tuple(pages), claimed)


# --- Found ------------------------------------------------------------------------------------


class SitePages:
    """The pages that inputs name, one at a time; one that fails has a line on standard error.

    Folders, pages, URLs, archives and tables are read as by other verbs. For each URL
    ``same_template`` further pages of its template are found. ``name`` is that of the page that
    passed last.
    """

    def __init__(
        self, inputs: Sequence[str], given: Mapping[str, Any], *, same_template: int = 0
    ) -> None:
        self._reading = Reading.of(given)
        if self._reading.url is not None and len(inputs) != 1:
            raise click.UsageError("--url goes with one file or standard input")
        self._inputs, self._same_template = inputs, same_template
        self.count = self.failed = 0
        self.name = ""

    def __iter__(self) -> Iterator[Page]:
        for one in self._inputs:
            for page in self._read(one):
                self.count += 1
                yield page

    def _read(self, name: str) -> Iterator[Page]:
        reading = self._reading
        if self._same_template and is_address(name) and reading.url is None:
            yield from self._found(name)
            return
        sources = reading.at_hand(reading.sources([name]))
        for source, page in parsed(sources, reading):
            if page is None:
                self.failed += 1
                continue
            self.name = source.name
            yield page if page.url else replace(page, url=own_address(page, source.path))

    def _found(self, url: str) -> Iterator[Page]:
        try:
            with self._reading.loader() as loader:
                manners, count = self._reading.manners, self._same_template
                found = web.find_siblings(url, **manners, count=count, loader=loader)
        except PageError as error:
            self.failed += 1
            print_error(f"{url}: {error}")
            return
        if not found.siblings:
            print_note(f"{url}: no page of the same template was found")
        yield found.page
        yield from (sibling.page for sibling in found.siblings)


# --- Parts of articles ------------------------------------------------------------------------


def article_sources(
    sources: Sequence[Source], given: Mapping[str, Any], reading: Reading, site: Any = None
) -> Iterator[Source]:
    """Yield a source for each article, with the pages of all its parts.

    Of a URL, and of one file, the parts are looked for and loaded, politely. The site model has a
    rule for the next page.
    """
    if any(one.kind != "address" for one in sources) and [one.kind for one in sources] != ["file"]:
        raise click.UsageError("--all-parts goes with URLs, or with one file")
    for source in sources:
        yield _with_parts(source, given, reading, site)


def _with_parts(source: Source, given: Mapping[str, Any], reading: Reading, site: Any) -> Source:
    try:
        first, *others = template_pages.load_parts(
            source.path or source.name,
            max_parts=given["max_parts"],
            politeness=reading.politeness,
            fetch_limits=reading.fetch,
            site=site,
            **reading.loading,
        )
    except PageError as error:
        return source.failed(str(error))
    known = frozenset(one.url for one in (first, *others) if one.url)
    if following := pagination.shown_next((others or [first])[-1], known):
        print_note(f"{source.name}: shows a next part that isn't joined: {following}")
    found = source.having(url=first.url or "")
    return replace(found, kind="record", page=first, parts=tuple(others))
