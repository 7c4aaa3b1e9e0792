"""Other pages of the site, for methods that compare: read and parsed once, with their addresses.

Methods choose among siblings by address, so the addresses of a page and its siblings must be of one
kind. A web address is that of the record (of archives and tables), else the one that the page gives
itself: its canonical link, else its ``<base href>`` and the file's name. An address that several
siblings name as theirs is ignored. Where no sibling has a web address, those of the files serve.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chaffinch.cli.inputs import find, unpacked
from chaffinch.cli.messages import print_error
from chaffinch.errors import PageError
from chaffinch.loading.own_address import canonical_address, web_address
from chaffinch.method import MethodWrapper
from chaffinch.methods import METHODS, settings_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.explanation import BlockExplanation
    from chaffinch.page import Page
    from chaffinch.page.bounds import Limits
    from chaffinch.result import Verdict


def takes_siblings(method: str) -> bool:
    """Return whether the method of that name compares pages.

    Raises:
        OptionError: the method is unknown.
    """
    return "siblings" in settings_of(method)


def needs_siblings(method: str) -> bool:
    """Return whether the method of that name can't do without other pages."""
    return METHODS[method].needs_siblings


def require_siblings_fit(method: str, given: Sequence[str]) -> None:
    """Check that ``--siblings`` is given where the method needs it, and only where it is taken.

    Raises:
        click.UsageError: it isn't; the message names the option.
    """
    require_siblings(method, given)
    if given and not takes_siblings(method):
        known = ", ".join(filter(takes_siblings, METHODS)) or "none yet"
        raise click.UsageError(
            f"{method} looks at one page alone; --siblings goes with methods that compare: {known}"
        )


def require_siblings(method: str, given: Sequence[str]) -> None:
    """Check that ``--siblings`` is given where the method needs it.

    Raises:
        click.UsageError: it isn't; the message names the option.
    """
    if takes_siblings(method) and needs_siblings(method) and not given:
        raise click.UsageError(
            f"{method} compares the page with others of its site: "
            "give some as --siblings DIR or --siblings FILE"
        )


@dataclass(frozen=True)
class Siblings:
    """Parsed pages of one site.

    Attributes:
        pages: the pages, each with its address where it has one of the common kind.
        claimed: addresses that several of them claim.
    """

    pages: tuple[Page, ...] = ()
    claimed: frozenset[str] = frozenset()

    @property
    def are_files(self) -> bool:
        """Whether they are known by the addresses of their files."""
        return any((one.url or "").startswith("file:") for one in self.pages)

    def beside(self, page: Page, path: Path | None) -> Page:
        """Return ``page``, of the file ``path`` if any, with an address that fits the siblings'."""
        if self.are_files:
            return replace(page, url=_file_address(path) if path is not None else None)
        url = page.url or own_address(page, path)
        return replace(page, url=None if url in self.claimed else url)


@dataclass(frozen=True, eq=False)
class Beside(MethodWrapper):
    """A method that sees a page under an address like its siblings'; the page stays what it is.

    Attributes:
        siblings: the pages that it compares with.
        path: the page's file, if any.
    """

    siblings: Siblings
    path: Path | None

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        Raises:
            PageError: the siblings are nothing but the page itself.
        """
        return self.method(self.siblings.beside(page, self.path))

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains of the page under that address."""
        return self.method.explain(self.siblings.beside(page, self.path))


def read_siblings(given: Sequence[str], *, limits: Limits, is_corpus: bool = False) -> Siblings:
    """Return the pages of files, folders, archives and tables.

    A page that can't be read has a line on standard error and is left out.

    Raises:
        click.UsageError: there is no such file, or no page that can be read.
    """
    found: list[tuple[Page, Path | None]] = []
    for name in dict.fromkeys(given):
        if not Path(name).exists():
            raise click.UsageError(f"--siblings: no such file or folder: {name}")
        found += _read(name, limits, is_corpus=is_corpus)
    if given and not found:
        raise click.UsageError(f"--siblings: no page in {', '.join(given)}")
    return addressed_siblings(found)


def own_address(page: Page, path: Path | None) -> str | None:
    """Return the web address that a page gives itself; None if it gives none."""
    url = canonical_address(page)
    return url or (web_address(page.base, path.name) if path is not None else None)


def addressed_siblings(found: Sequence[tuple[Page, Path | None]]) -> Siblings:
    """Return pages, each with its file if any, under addresses of one kind."""
    own = [None if page.url else own_address(page, path) for page, path in found]
    claimed = frozenset(url for url, count in Counter(own).items() if url and count > 1)
    urls = [
        page.url or (None if url in claimed else url)
        for (page, _), url in zip(found, own, strict=True)
    ]
    if not any(urls):
        urls = [_file_address(path) if path is not None else None for _, path in found]
    pages = (replace(page, url=url) for (page, _), url in zip(found, urls, strict=True))
    return Siblings(tuple(pages), claimed)


def _read(name: str, limits: Limits, *, is_corpus: bool) -> Iterator[tuple[Page, Path | None]]:
    sources = find([name], url=None, encoding=None, is_corpus=is_corpus)
    for source in unpacked(sources, max_bytes=limits.max_bytes):
        try:
            page = source.as_page(limits)
        except PageError as error:
            print_error(f"left out of the siblings: {source.name}: {error}")
        else:
            yield page, source.path


def _file_address(path: Path) -> str:
    return path.resolve().as_uri()
