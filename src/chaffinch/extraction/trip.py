"""The trip of one page: parse, method, verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch import methods
from chaffinch.errors import OptionError, PageError
from chaffinch.extraction.extract import Extract
from chaffinch.page import Page, parse
from chaffinch.result import (
    DROPPED_BY_SELECTOR,
    GIVES_WAY,
    KEPT_BY_SELECTOR,
    Content,
    Verdict,
)
from chaffinch.segment.prose_length import prose_length
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings.other_pages import other_pages
from chaffinch.workers.pool import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from chaffinch.page.guard.limits import Limits


def extract(  # noqa: PLR0913  options are keyword-only
    html: bytes | str | Page,
    *,
    url: str | None = None,
    encoding: str | None = None,
    method: str | Callable[[Page], Verdict] = "auto",
    settings: Mapping[str, Any] | None = None,
    siblings: Sequence[bytes | str | Page] = (),
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    limits: Limits | None = None,
) -> Extract:
    """Find the main content of a page.

    Args:
        html: the page as bytes (best: their encoding is found), as text, or already parsed.
        url: the page's address; links and images are made absolute against it.
        encoding: the label the transport gave (charset of the Content-Type header).
        method: a name of `chaffinch.methods.METHODS`, "auto" for the default, or any callable from
            a page to a verdict.
        settings: fields of the named method, such as ``{"threshold": 0.8}``.
        siblings: other pages of the same site, for methods that compare with them; the page itself
            may be among them and is left out. Bytes and text are parsed without an address, so
            give pages (`parse` with ``url``) where a method chooses by address.
        keep: CSS selectors of what is content in any case, with all that stands in it.
        drop: CSS selectors of what is noise in any case; stronger than ``keep``.
        limits: bounds on size and structure.

    Returns:
        The extract. A page without content gives an empty one, which is false. Where the default
        finds the content in JSON-LD or embedded state only, it is that of a page made of it (see
        `Extract.given`), unless selectors were given.

    Raises:
        PageError: the page can't be processed, or is itself all that the siblings are.
        OptionError: a method, setting or selector is unknown.
    """
    finder = prepared(method, settings=settings, siblings=siblings, limits=limits)
    selectors = [one for group in (keep, drop) for one in _listed(group)]
    page = _page(html, url=url, encoding=encoding, limits=limits)
    for selector in selectors:
        page.select(selector)
    name = getattr(finder, "name", type(finder).__name__)
    if selectors:
        content = _in_rows(page, finder)
        return Extract(_overruled(content, _listed(keep), _listed(drop)), name)
    return extract_by(finder, page, name)


def extract_by(finder: Callable[[Page], Verdict], page: Page, name: str) -> Extract:
    """Return what a method that is ready finds on a parsed page, in its rows or in its data.

    Args:
        finder: the method.
        page: the page.
        name: what the extract calls the method.
    """
    content = _in_rows(page, finder)
    elsewhere = getattr(finder, "elsewhere", None)
    other = elsewhere(page, content.verdict) if elsewhere else None
    return Extract(content, name) if other is None else Extract(other, name, _left(content, other))


def extract_many(
    pages: Iterable[bytes | str | Page], *, workers: int = 1, **options: Any
) -> Iterator[Extract | PageError]:
    """Extract many pages, lazily and in order; a page that fails gives its error in its place.

    Args:
        pages: pages as `extract` takes them.
        workers: processes to use; 1 works in this one. Each holds about one page at a time.
        **options: as of `extract`; a callable method must be picklable when ``workers`` > 1.

    Yields:
        An Extract for each page, or the PageError that it raised.

    Raises:
        OptionError: an option is unknown or ``workers`` is below 1.
    """
    if workers < 1:
        raise OptionError(f"workers must be at least 1, not {workers}")
    options["method"] = prepared(
        options.get("method", "auto"),
        settings=options.pop("settings", None),
        siblings=options.pop("siblings", ()),
        limits=options.get("limits"),
    )
    return in_order(partial(_extract_or_error, options=options), pages, workers=workers)


def is_readable(
    html: bytes | str | Page, *, min_length: int = 300, limits: Limits | None = None
) -> bool:
    """Tell cheaply, without any method, whether a page holds prose worth extracting.

    Args:
        html: the page as `extract` takes it.
        min_length: characters outside links, in blocks of at least 60, that make a page readable;
            East Asian characters count as three. ``bench/quality/readable.py`` shows what 300 does.
        limits: bounds on size and structure.

    Raises:
        PageError: the page can't be processed.
    """
    page = html if isinstance(html, Page) else parse(html, limits=limits)
    return prose_length(page) >= min_length


def _extract_or_error(page: bytes | str | Page, options: Mapping[str, Any]) -> Extract | PageError:
    try:
        return extract(page, **options)
    except PageError as error:
        return error


@dataclass(frozen=True, eq=False)
class Prepared:
    """A method by its name, with settings and siblings, ready for many pages.

    What it learns from its siblings it learns once, for all pages that aren't among them.

    Raises:
        OptionError: the method or a setting is unknown or impossible.
    """

    name: str
    settings: Mapping[str, Any]
    siblings: tuple[Page, ...] = ()

    def __post_init__(self) -> None:
        self.reasons: tuple[str, ...]
        object.__setattr__(self, "reasons", tuple(getattr(self._method, "reasons", ())))

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``, which is left out of its siblings.

        Raises:
            PageError: the siblings are nothing but the page itself.
        """
        others = other_pages(page, self.siblings)
        if len(others) == len(self.siblings):
            return self._method(page)
        if not others:
            raise PageError("there is no other page among the siblings")
        return self._with(others)(page)

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return content that the method finds outside the page's rows; None for none."""
        found = getattr(self._method, "elsewhere", None)
        content: Content | None = found(page, verdict) if found else None
        return content

    @cached_property
    def _method(self) -> Callable[[Page], Verdict]:
        return self._with(self.siblings)

    def _with(self, siblings: tuple[Page, ...]) -> Callable[[Page], Verdict]:
        given = {"siblings": siblings} if siblings else {}
        return methods.build(self.name, **self.settings, **given)


def prepared(
    method: str | Callable[[Page], Verdict],
    *,
    settings: Mapping[str, Any] | None = None,
    siblings: Sequence[bytes | str | Page] = (),
    limits: Limits | None = None,
) -> Callable[[Page], Verdict]:
    """Return a method ready for many pages; arguments and errors are those of `extract`."""
    if isinstance(method, str):
        name = methods.DEFAULT if method == "auto" else method
        if not (settings or siblings):
            return _plain(name)
        pages = tuple(_page(sibling, limits=limits) for sibling in siblings)
        return Prepared(name, settings or {}, pages)
    if settings or siblings:
        raise OptionError("settings and siblings go with a method's name; a callable has its own")
    if not callable(method):
        raise OptionError(f"a method is a name or a callable, not {method!r}")
    return method


@cache
def _plain(name: str) -> Prepared:
    """Return a method without settings, made once: it holds nothing of any page."""
    return Prepared(name, {})


def _listed(selectors: Sequence[str]) -> list[str]:
    return [selectors] if isinstance(selectors, str) else list(selectors)


def _page(html: bytes | str | Page, **options: Any) -> Page:
    if not isinstance(html, Page):
        return parse(html, **options)
    url = options.get("url")
    return html if url is None or url == html.url else replace(html, url=url)


def _in_rows(page: Page, finder: Callable[[Page], Verdict]) -> Content:
    return Content(page, finder(page), tuple(getattr(finder, "reasons", ())))


def _left(content: Content, other: Content) -> Content:
    """Return ``content`` without the rows whose text ``other``, which takes its place, hasn't."""
    page, verdict = content.page, content.verdict
    whole = " ".join(other.page.text.split())
    blocks = text_blocks(page)
    in_other = [blocks.text(number) in whole for number in range(len(blocks))]
    keep = verdict.keep & blocks.spread(np.array(in_other, dtype=bool))
    why = verdict.why.copy()
    why[verdict.keep & ~keep] = len(content.reasons)
    left = Verdict(keep, verdict.score, why, verdict.notes)
    return Content(page, left, (*content.reasons, GIVES_WAY))


def _overruled(content: Content, keep: list[str], drop: list[str]) -> Content:
    """Return ``content`` with the caller's selectors applied, drop after keep."""
    page, verdict = content.page, content.verdict
    reasons = (*content.reasons, KEPT_BY_SELECTOR, DROPPED_BY_SELECTOR)
    mask, score, why = verdict.keep.copy(), verdict.score.copy(), verdict.why.copy()
    for selectors, value, code in ((keep, True, len(reasons) - 2), (drop, False, len(reasons) - 1)):
        rows = np.zeros(len(page), dtype=bool)
        for selector in selectors:
            rows[page.select(selector)] = True
        rows = page.inside(rows)
        mask[rows], score[rows], why[rows] = value, float(value), code
    return Content(page, Verdict(mask, score, why, verdict.notes), reasons)
