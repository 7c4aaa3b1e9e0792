"""The trip of one page: parse, method, verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import (
    OptionError,
    PageError,
    require_between,
    require_kind,
    require_one_of,
    require_whole,
)
from chaffinch.extraction.extract import Extract
from chaffinch.extraction.page_filter import PageFilter, names_in
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.loading.replaced_source import read_page
from chaffinch.method import require_verdict
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.page import STATUSES
from chaffinch.page.source import page_list, sendable
from chaffinch.page_work import PageWork, begin_stage
from chaffinch.result import DROPPED_BY_SELECTOR, KEPT_BY_SELECTOR, REPLACED_BY_EMBEDDED, Content
from chaffinch.segment.text_blocks import prose_length, text_blocks
from chaffinch.workers.pool import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.decision.policy import Policy
    from chaffinch.method import Method
    from chaffinch.page import Page, PageInput
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Verdict


_OF_METHOD: Final = ("favor", "policy", "settings", "siblings")
"""Options of `extract` that are passed to `prepare_method`."""


def extract(  # noqa: PLR0913  options are keyword-only
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    status: int | None = None,
    method: str | Callable[[Page], Verdict] = "auto",
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    settings: Mapping[str, Any] | None = None,
    siblings: Iterable[PageInput] = (),
    keep: str | Iterable[str] = (),
    drop: str | Iterable[str] = (),
    wanted: PageFilter | Mapping[str, Any] | None = None,
    author_blacklist: str | Iterable[str] = (),
    limits: Limits | None = None,
) -> Extract:
    """Find the main content of a page.

    Args:
        html: the page as bytes (best: their encoding is found), text, a path, an open file, an lxml
            tree, or already parsed; see `PageInput`. `load` takes addresses.
        url: the page's address; links and images are made absolute against it. Without one it is
            the canonical address that the page names; "" for none at all.
        encoding: the label the transport gave (charset of the Content-Type header).
        status: HTTP status of the response, which `Extract.assessment` looks at; None if unknown.
        method: a name of `chaffinch.methods.METHODS`, "auto" for the default, or any callable from
            a page to a verdict.
        favor: "balanced", "precision" (less noise) or "recall" (less missed), of a named method
            that has it, such as the default.
        policy: what belongs to the content where people disagree, as a `Policy` or such as
            ``{"comments": False}``; it has the last word over any method, selectors apart.
        settings: further fields of the named method, such as ``{"threshold": 0.8}``.
        siblings: other pages of the same site, for methods that compare with them; the page itself
            may be among them and is left out. Bytes and text are parsed without an address, so
            give pages (`parse` with ``url``) where a method chooses by address.
        keep: selectors (CSS or XPath) of what is content in any case, with all descendants.
        drop: selectors of what is noise in any case; stronger than ``keep``.
        wanted: which pages are wanted, as a `PageFilter` or such as ``{"languages": "en"}``.
        author_blacklist: names that are no author's, such as an agency's: they are passed over
            where authors are looked for; case, width and punctuation don't count.
        limits: bounds on size, structure and time; each output of the extract has the same time.

    Returns:
        The extract. A page without content gives an empty one, which is false. Where the default
        finds the content in JSON-LD or embedded state only, it is that of a page made of it (see
        `Extract.given`), unless selectors were given.

    Raises:
        PageError: the page can't be processed, or is itself the only sibling.
        UnwantedPageError: the page isn't ``wanted``.
        OptionError: a method, setting or selector is unknown, an argument is of a wrong type, or
            ``html`` is an address or the name of a file.
    """
    require_kind("limits", limits, Limits)
    if status is not None:
        require_whole("status", status, *STATUSES)
    chosen = None if wanted is None else PageFilter.of(wanted)
    nobodies = names_in("author_blacklist", author_blacklist)
    with PageWork("preparing the method", None if limits is None else limits.seconds):
        ready_method = prepare_method(
            method, favor=favor, policy=policy, settings=settings, siblings=siblings, limits=limits
        )
        kept, dropped = _selector_list("keep", keep), _selector_list("drop", drop)
        options: dict[str, Any] = {"url": url, "encoding": encoding, "limits": limits}
        page = read_page(html, ready_method.replacements, **options)
        if chosen is not None:
            chosen.require_url(page.url)
        page = page if status is None else page.with_status(status)
        begin_stage("selectors")
        for selector in (*kept, *dropped):
            page.select(selector)
        name = ready_method.name
        if kept or dropped:
            masks = _selected(page, kept), _selected(page, dropped)
            found = extract_selected(ready_method, page, name, *masks, limits=limits)
        else:
            found = extract_by(ready_method, page, name, limits=limits)
        if nobodies:
            found = replace(found, author_blacklist=nobodies)
        if chosen is not None:
            chosen.require(found)
        return found


def extract_by(method: Method, page: Page, name: str, *, limits: Limits | None = None) -> Extract:
    """Return the extract of a parsed page by a method, from its rows or its data.

    Args:
        method: the method.
        page: the page.
        name: of the method, as the extract has it.
        limits: of the extract's outputs.
    """
    content = _in_rows(page, method)
    begin_stage("embedded data")
    embedded = method.elsewhere(page, content.verdict)
    options: dict[str, Any] = {"headline": method.headline, "limits": limits}
    if embedded is None:
        return Extract(content, name, found_by=method, **options)
    replaced = _without_replaced(content, embedded)
    return Extract(embedded, name, replaced, found_by=method, **options)


def extract_selected(  # noqa: PLR0913  options are keyword-only
    method: Method,
    page: Page,
    name: str,
    kept: Mask,
    dropped: Mask,
    *,
    limits: Limits | None = None,
) -> Extract:
    """Return the extract of a parsed page by a method, with rows that a caller selected.

    Args:
        method: the method.
        page: the page.
        name: of the method, as the extract has it.
        kept: bool[n], rows that are content in any case.
        dropped: bool[n], rows that are noise in any case; stronger than ``kept``.
        limits: of the extract's outputs.
    """
    content = _with_selected(_in_rows(page, method), kept, dropped)
    options: dict[str, Any] = {"headline": method.headline, "limits": limits}
    return Extract(content, name, found_by=method, **options)


def extract_many(
    pages: Iterable[PageInput], *, workers: int = 1, **options: Any
) -> Iterator[Extract | PageError]:
    """Extract many pages, lazily and in order; a page that fails gives its error in its place.

    Args:
        pages: pages as `extract` takes them.
        workers: processes to use; 1 works in this one. Each holds about one page at a time.
        **options: as of `extract`; a callable method must be picklable when ``workers`` > 1.

    Yields:
        An Extract for each page, or the PageError that it raised.

    Raises:
        OptionError: an option is unknown or impossible, ``workers`` is below 1, or ``pages`` is one
            page.
    """
    sources = page_list("pages", pages)
    require_whole("workers", workers, 1)
    limits = options.get("limits")
    options = prepared_options(options)
    if workers > 1:
        sources = sendable(sources, limits=limits or Limits())
    return in_order(partial(_extract_or_error, options=options), sources, workers=workers)


def prepared_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options of `extract` for many pages: the method is prepared once for all.

    Raises:
        OptionError: as of `extract`.
    """
    for name in options:
        require_one_of("option", name, OPTIONS)
    rest = {name: value for name, value in options.items() if name not in _OF_METHOD}
    of_method = {name: options[name] for name in _OF_METHOD if name in options}
    limits = options.get("limits")
    method = prepare_method(options.get("method", "auto"), limits=limits, **of_method)
    return {**rest, "method": method}


def is_readable(html: PageInput, *, min_length: float = 300, limits: Limits | None = None) -> bool:
    """Return, without running a method, whether a page holds prose worth extracting.

    Args:
        html: the page as `extract` takes it.
        min_length: characters outside links, in blocks of at least 60, that make a page readable;
            East Asian characters count as three.
        limits: bounds on size, structure and time.

    Raises:
        PageError: the page can't be processed.
        OptionError: an argument is of a wrong type.
    """
    require_between("min_length", min_length, 0)
    require_kind("limits", limits, Limits)
    with PageWork("measuring the prose", None if limits is None else limits.seconds):
        return prose_length(parse(html, limits=limits)) >= min_length


OPTIONS: Final = tuple(signature(extract).parameters)[1:]
"""Names of the options of `extract`."""


def _extract_or_error(
    page: PageInput | PageError, options: Mapping[str, Any]
) -> Extract | PageError:
    if isinstance(page, PageError):
        return page
    try:
        return extract(page, **options)
    except PageError as error:
        return error


def _selector_list(name: str, selectors: str | Iterable[str]) -> list[str]:
    """Return selectors as a list.

    Raises:
        OptionError: they are no text, and no list or the like.
    """
    if isinstance(selectors, tuple | list):
        return list(selectors)
    if isinstance(selectors, str):
        return [selectors]
    if isinstance(selectors, bytes | Mapping) or not isinstance(selectors, Iterable):
        raise OptionError(f"{name} is a CSS selector or a list of some, not {selectors!r}")
    return list(selectors)


def _in_rows(page: Page, method: Method) -> Content:
    begin_stage("the method")
    return Content(page, require_verdict(method(page)), method.reasons)


def _without_replaced(content: Content, embedded: Content) -> Content:
    """Return ``content``, keeping only rows whose text is in ``embedded``, which replaces it."""
    page, verdict = content.page, content.verdict
    whole = " ".join(embedded.page.text.split())
    blocks = text_blocks(page)
    in_embedded = [blocks.text(number) in whole for number in range(len(blocks))]
    keep = verdict.keep & blocks.spread(np.array(in_embedded, dtype=bool))
    why = verdict.why.copy()
    why[verdict.keep & ~keep] = len(content.reasons)
    remaining = replace(verdict, keep=keep, why=why)
    return Content(page, remaining, (*content.reasons, REPLACED_BY_EMBEDDED))


def _selected(page: Page, selectors: list[str]) -> Mask:
    """Return bool[n]: rows that selectors match, with all descendants."""
    rows = np.zeros(len(page), dtype=bool)
    for selector in selectors:
        rows[page.select(selector)] = True
    return page.inside(rows)


def _with_selected(content: Content, kept: Mask, dropped: Mask) -> Content:
    """Return ``content`` with the caller's rows, drop after keep."""
    verdict = content.verdict
    reasons = (*content.reasons, KEPT_BY_SELECTOR, DROPPED_BY_SELECTOR)
    mask, score, why = verdict.keep.copy(), verdict.score.copy(), verdict.why.copy()
    for rows, value, code in ((kept, True, len(reasons) - 2), (dropped, False, len(reasons) - 1)):
        mask[rows], score[rows], why[rows] = value, float(value), code
    return Content(content.page, replace(verdict, keep=mask, score=score, why=why), reasons)
