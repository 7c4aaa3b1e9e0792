"""The trip of one page, and of many: parse, decide, and what came of it; which pages are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, Self

from chaffinch.assessment import assessment
from chaffinch.errors import (
    OptionError,
    PageError,
    UnwantedPageError,
    require_between,
    require_flag,
    require_kind,
    require_one_of,
    require_whole,
)
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import forced_rows, prepare_method
from chaffinch.loading.address import addressed, read_page
from chaffinch.metadata import language as languages_of_pages
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.page import STATUSES
from chaffinch.page.source import page_list, sendable
from chaffinch.page_work import PageWork, begin_stage
from chaffinch.segment.text_blocks import prose_length
from chaffinch.siblings import url_shapes
from chaffinch.workers.pool import in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.assessment.assessment import Assessment
    from chaffinch.decision.policy import Policy
    from chaffinch.kernels.arrays import Mask
    from chaffinch.page import Page, PageInput
    from chaffinch.verdict import Verdict


def extract(  # noqa: PLR0913  options are keyword-only
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    status: int | None = None,
    method: str | Callable[[Page], Verdict | Mask] = "auto",
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
            a page to a verdict, or to bool[n]: rows that are content, with all their descendants.
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
        ready = prepare_method(
            method, favor=favor, policy=policy, settings=settings, siblings=siblings, limits=limits
        )
        selected = names_in("keep", keep), names_in("drop", drop)
        options: dict[str, Any] = {"url": url, "encoding": encoding, "limits": limits}
        page = read_page(html, **options)
        if chosen is not None:
            chosen.require_url(page.url)
        page = page if status is None else page.with_status(status)
        begin_stage("selectors")
        forced = forced_rows(page, *selected) if any(selected) else None
        found = Extract.of(ready, page, ready.name, forced=forced, limits=limits)
        if nobodies:
            found = replace(found, author_blacklist=nobodies)
        if chosen is not None:
            chosen.require(found)
        return found


OPTIONS: Final = tuple(signature(extract).parameters)[1:]
"""Names of the options of `extract`."""


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
    """Return options of `extract` for many pages: the method is prepared once for all."""
    for name in options:
        require_one_of("option", name, OPTIONS)
    own = {"favor", "policy", "settings", "siblings"}
    rest = {name: value for name, value in options.items() if name not in own}
    of_method = {name: value for name, value in options.items() if name in own}
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


def _extract_or_error(
    page: PageInput | PageError, options: Mapping[str, Any]
) -> Extract | PageError:
    if isinstance(page, PageError):
        return page
    try:
        return extract(page, **options)
    except PageError as error:
        return error


OUTPUTS: Final = (
    *("text", "markdown", "html", "plain", "tei", "clean", "front_matter"),
    *("chunks", "to_dict", "to_json"),
)
"""Outputs of an Extract that hold plain values."""


def output_of(html: PageInput, *, output: str = "markdown", **options: Any) -> Any:
    """Return one output of a page's content: for guarded children, queues and pools.

    Args:
        html: the page as `chaffinch.extract` takes it.
        output: one of `OUTPUTS`, an attribute of `chaffinch.Extract`.
        **options: as of `chaffinch.extract`.

    Raises:
        PageError: the page can't be processed.
        OptionError: the output is unknown, or an option is unknown or impossible.
    """
    require_one_of("output", output, OUTPUTS)
    for name in options:
        require_one_of("option", name, OPTIONS)
    made = getattr(extract(html, **options), output)
    return made() if callable(made) else made


def assess(
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    status: int | None = None,
    limits: Limits | None = None,
) -> Assessment:
    """Return whether a page is content, or a shell, a wall, a login, an error in its place.

    Args:
        html: the page as `chaffinch.extract` takes it.
        url: the page's address.
        encoding: the label the transport gave (charset of the Content-Type header).
        status: HTTP status of the response; None for that which a loaded page has, if any.
        limits: bounds on size, structure and time.

    Raises:
        PageError: the page can't be processed.
        OptionError: an argument is of a wrong type.
    """
    require_kind("limits", limits, Limits)
    if status is not None:
        require_whole("status", status, *STATUSES)
    with PageWork("assessing the page", None if limits is None else limits.seconds):
        page = addressed(parse(html, url=url, encoding=encoding, limits=limits))
        return assessment.assess_page(page if status is None else page.with_status(status))


NEEDED: Final = {"title": "title", "published": "date of publication"}
"""Field of metadata that ``only_with_metadata`` wants, an address besides → its name."""


@dataclass(frozen=True, kw_only=True)
class PageFilter:
    """Which pages are wanted.

    Attributes:
        languages: codes of languages, such as ``en`` and ``zh``; a page in another language, or
            whose language isn't known, is unwanted. Empty for all.
        only_with_metadata: a page without a URL, a title or a date of publication is unwanted.
        url_blacklist: URLs of unwanted pages, given or canonical; one that ends with ``*``
            stands for all that begin so. Scheme, fragment and final slash don't count.

    Raises:
        OptionError: a value is of a wrong type, or no code of a language, or no URL.
    """

    languages: tuple[str, ...] = ()
    only_with_metadata: bool = False
    url_blacklist: tuple[str, ...] = ()
    _blocked: url_shapes.UrlBlacklist | None = field(
        default=None, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        require_flag("only_with_metadata", self.only_with_metadata)
        object.__setattr__(self, "languages", language_codes(self.languages))
        given = names_in("url_blacklist", self.url_blacklist)
        object.__setattr__(self, "url_blacklist", given)
        if given:
            object.__setattr__(self, "_blocked", url_shapes.UrlBlacklist.of(given))

    @classmethod
    def of(cls, values: object) -> Self:
        """Return a filter as such, or made of its fields by name; None is the one for all pages.

        Raises:
            OptionError: a field is unknown, or a value is impossible.
        """
        if values is None:
            return cls()
        if isinstance(values, cls):
            return values
        if not isinstance(values, Mapping):
            raise OptionError(f"wanted must be a PageFilter or its fields, not {values!r}")
        for name in values:
            require_one_of("field of wanted", name, [one.name for one in fields(cls) if one.init])
        return cls(**values)

    def require_url(self, url: str | None) -> None:
        """Check that an address isn't blacklisted.

        Raises:
            UnwantedPageError: it is.
        """
        if self._blocked is not None and url and url in self._blocked:
            raise UnwantedPageError(f"its address is blacklisted: {url}")

    def require(self, found: Extract) -> None:
        """Check that an extracted page is wanted.

        Raises:
            UnwantedPageError: it isn't; the message gives the reason.
        """
        self.require_url(found.url)
        if self._blocked is not None:
            self.require_url(found.metadata.value("canonical"))
        if self.languages and found.language not in self.languages:
            wanted = " or ".join(self.languages)
            raise UnwantedPageError(f"its language is {found.language or 'unknown'}, not {wanted}")
        if self.only_with_metadata:
            missing = [name for field, name in NEEDED.items() if not found.metadata.value(field)]
            missing += [] if found.url else ["URL"]
            if missing:
                raise UnwantedPageError(f"it has no {' and no '.join(missing)}")


def language_codes(given: object) -> tuple[str, ...]:
    """Return primary subtags of BCP 47, each once, of codes such as "en", "pt-BR", "zh_TW"."""
    codes = []
    for one in names_in("languages", given):
        code = languages_of_pages.primary(one)
        if not code:
            raise OptionError(f"no code of a language: {one!r}; use such as 'en' or 'zh'")
        codes.append(code)
    return tuple(dict.fromkeys(codes))


def names_in(option: str, given: Any) -> tuple[str, ...]:
    """Return texts given as one or as several."""
    if isinstance(given, tuple) and not given:
        return ()
    if isinstance(given, str):
        given = (given,)
    if isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):
        raise OptionError(f"{option} is text or a list of texts, not {given!r}")
    names = tuple(given)
    if not all(isinstance(one, str) for one in names):
        raise OptionError(f"{option} is a list of texts, not {names!r}")
    return names
