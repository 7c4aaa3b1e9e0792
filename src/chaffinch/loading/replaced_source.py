"""A page read for a method that replaces texts in its source, as the models of sites do."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from chaffinch.loading.own_address import addressed
from chaffinch.method import Method
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.source import contents, is_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page import Page, PageInput

    Replacements = Callable[[str | None], tuple[tuple[str, str], ...]]
    """From the address of a page to the texts that are replaced in its source."""


def nothing_replaced(url: str | None) -> tuple[tuple[str, str], ...]:  # noqa: ARG001  of any page
    """Return what is replaced in the sources of pages where nothing is."""
    return ()


def read_page(
    html: PageInput,
    replacements: Replacements,
    *,
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """Return a page with its address, texts of its source replaced.

    Where the page is given no address, and what is replaced goes by the address that it names, it
    is read once more.

    Args:
        html: the page.
        replacements: what is replaced, as of `chaffinch.method.Method`.
        url: its address; None for the canonical one that it names, "" for none at all.
        encoding: the label the transport gave.
        limits: bounds on size, structure and time.

    Raises:
        PageError: it can't be read.
        OptionError: it is parsed already, and something would have been to be replaced.
    """
    text = None
    if url is None and is_file(html):  # which may be read once only
        html = contents(html, (limits or Limits()).max_bytes)
        text = html if isinstance(html, str) else None

    def given() -> PageInput:
        # A text from a file is a page, even where it looks like an address.
        return html if text is None else StringIO(text)

    first = replacements(url)
    page = parse(given(), url=url, encoding=encoding, limits=limits, replacements=first)
    if page is not html and not _may_replace(replacements):
        return addressed(page, later=True)
    page = addressed(page)
    if page.url == url or (wanted := replacements(page.url)) == page.replaced:
        return page
    return parse(given(), url=page.url, encoding=encoding, limits=limits, replacements=wanted)


def _may_replace(replacements: Replacements) -> bool:
    """Return whether anything is replaced: not by a method that leaves this to the default."""
    own = getattr(replacements, "__func__", replacements)
    return own is not Method.replacements and own is not nothing_replaced
