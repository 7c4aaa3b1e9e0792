"""The trip of one page: parse, method, verdict; and `Extract`, which people hold.

Nothing is rendered or read before it is asked for: an Extract is a page with a verdict, and text,
Markdown, metadata and the rest are made on first use.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch import methods
from chaffinch.errors import OptionError, PageError
from chaffinch.metadata import read_metadata
from chaffinch.output import text
from chaffinch.page import Page, parse
from chaffinch.pool import in_order
from chaffinch.result import Content, Verdict
from chaffinch.segment.prose import prose_length
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from chaffinch.metadata import Metadata
    from chaffinch.page.arrays import Floats, Mask, Reasons
    from chaffinch.page.guard import Limits

KEPT_BY_SELECTOR = "kept by the caller's selector"
DROPPED_BY_SELECTOR = "dropped by the caller's selector"


@dataclass(frozen=True)
class Explained:
    """Why one text block was kept or dropped."""

    text: str
    keep: bool
    score: float
    reason: str
    selector: str


@dataclass(frozen=True, eq=False)
class Extract:
    """What was extracted from one page, and what was dropped.

    Attributes:
        content: the page and the verdict on it.
        method: name of the method.
    """

    content: Content
    method: str

    def __repr__(self) -> str:
        return f"<Extract by {self.method} of {self.page!r}>"

    def __bool__(self) -> bool:
        """Tell whether any content was found."""
        return bool(self.content)

    @property
    def page(self) -> Page:
        """The page as a table."""
        return self.content.page

    @property
    def keep(self) -> Mask:
        """bool[n]: rows that belong to the content."""
        return self.content.verdict.keep

    @property
    def score(self) -> Floats:
        """float32[n] in 0..1: how much each row looks like content to the method."""
        return self.content.verdict.score

    @property
    def why(self) -> Reasons:
        """int8[n]: which step decided; an index into `reasons`."""
        return self.content.verdict.why

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the codes in `why`."""
        return self.content.reasons

    @property
    def notes(self) -> dict[str, str]:
        """What the method found on the way, such as the page's kind."""
        return dict(self.content.verdict.notes)

    @cached_property
    def text(self) -> str:
        """The plain text of what is kept, blocks on lines of their own; "" for no content."""
        return text.render(self.content)

    @cached_property
    def noise(self) -> str:
        """The plain text of what was dropped, blocks on lines of their own."""
        return text.render(self.content.noise)

    def markdown(self, **options: Any) -> str:
        """Return the content as Markdown (CommonMark and GFM tables).

        Args:
            **options: fields of `chaffinch.output.markdown.MarkdownOptions`.

        Raises:
            OptionError: an option is unknown.
        """
        from chaffinch.output import markdown
        return markdown.render(self.content, options=markdown.MarkdownOptions.of(options))

    def html(self, *, rows: bool = False) -> str:
        """Return the content as clean HTML; ``rows`` adds ``data-row``, the source row."""
        from chaffinch.output import html
        return html.render(self.content, rows=rows)

    def clean(self) -> str:
        """Return the whole page as HTML, minus its noise."""
        from chaffinch.output import html
        return html.render(self.content, whole=True)

    def chunks(self, **options: Any) -> list[chunks.Chunk]:
        """Cut the content for retrieval along its headings; see `chaffinch.output.chunks`."""
        from chaffinch.output import chunks
        return chunks.chunks(self.content, **options)

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and more, each with where it came from."""
        return read_metadata(self.page, self.content)

    @property
    def title(self) -> str:
        """The title of the content, without the site's name; "" if unknown."""
        return self.metadata.value("title") or ""

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.value("authors") or ()

    @property
    def author(self) -> str:
        """The authors' names, joined by "; "."""
        return "; ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, ISO 8601; "" if unknown."""
        return self.metadata.value("published") or ""

    @property
    def site_name(self) -> str:
        """Name of the site; "" if unknown."""
        return self.metadata.value("site_name") or ""

    @property
    def description(self) -> str:
        """The page's own description; "" if it gives none."""
        return self.metadata.value("description") or ""

    @property
    def language(self) -> str:
        """BCP 47 code of the language; "" if unknown."""
        return self.metadata.value("language") or ""

    def explain(self) -> list[Explained]:
        """Return each text block of the page with its verdict, in order."""
        blocks = text_blocks(self.page)
        out = []
        for number, row in enumerate(blocks.first.tolist()):
            code = int(self.why[row])
            out.append(
                Explained(
                    text=blocks.text(number),
                    keep=bool(self.keep[row]),
                    score=float(self.score[row]),
                    reason=self.reasons[code] if code < len(self.reasons) else str(code),
                    selector=self.page.selector(row),
                )
            )
        return out

    def to_dict(self) -> dict[str, Any]:
        """Return url, metadata, text, Markdown and method as plain values for JSON."""
        return {
            "url": self.page.url,
            **self.metadata.to_dict(),
            "text": self.text,
            "markdown": self.markdown(),
            "method": self.method,
            "notes": self.notes,
            "encoding": self.page.encoding,
        }

    def to_json(self, *, indent: int | None = None) -> str:
        """Return `to_dict` as JSON, Unicode kept as it is."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)


def extract(  # noqa: PLR0913  options are keyword-only
    html: bytes | str | Page,
    *,
    url: str | None = None,
    encoding: str | None = None,
    method: str | Callable[[Page], Verdict] = "auto",
    settings: Mapping[str, Any] | None = None,
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
        keep: CSS selectors of what is content in any case, with all that stands in it.
        drop: CSS selectors of what is noise in any case; stronger than ``keep``.
        limits: bounds on size and structure.

    Returns:
        The extract. A page without content gives an empty one, which is false.

    Raises:
        PageError: the page can't be processed.
        OptionError: a method, setting or selector is unknown.
    """
    name, finder = _method(method, settings)
    selectors = [one for group in (keep, drop) for one in _listed(group)]
    page = _page(html, url=url, encoding=encoding, limits=limits)
    for selector in selectors:
        page.select(selector)
    verdict = finder(page)
    reasons = tuple(getattr(finder, "reasons", ()))
    content = Content(page, verdict, reasons)
    if selectors:
        content = _overruled(content, _listed(keep), _listed(drop))
    return Extract(content, name)


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
    _method(options.get("method", "auto"), options.get("settings"))
    return in_order(partial(_extract_or_error, options=options), pages, workers=workers)


def is_readable(
    html: bytes | str | Page, *, min_length: int = 300, limits: Limits | None = None
) -> bool:
    """Tell cheaply, without any method, whether a page holds prose worth extracting.

    Args:
        html: the page as `extract` takes it.
        min_length: characters outside links, in blocks of at least 60, that make a page readable;
            East Asian characters count as three. ``bench/readable.py`` shows what 300 does.
        limits: bounds on size and structure.

    Raises:
        PageError: the page can't be processed.
    """
    page = html if isinstance(html, Page) else parse(html, limits=limits)
    return prose_length(page) >= min_length


def _extract_or_error(
    page: bytes | str | Page, options: Mapping[str, Any]
) -> Extract | PageError:
    try:
        return extract(page, **options)
    except PageError as error:
        return error


def _method(
    method: str | Callable[[Page], Verdict], settings: Mapping[str, Any] | None
) -> tuple[str, Callable[[Page], Verdict]]:
    if isinstance(method, str):
        method = methods.DEFAULT if method == "auto" else method
        return method, methods.build(method, **(settings or {}))
    if settings:
        raise OptionError("settings go with a method's name; a callable has its own")
    if not callable(method):
        raise OptionError(f"a method is a name or a callable, not {method!r}")
    return getattr(method, "name", type(method).__name__), method


def _listed(selectors: Sequence[str]) -> list[str]:
    return [selectors] if isinstance(selectors, str) else list(selectors)


def _page(html: bytes | str | Page, **options: Any) -> Page:
    if not isinstance(html, Page):
        return parse(html, **options)
    url = options["url"]
    return html if url is None or url == html.url else replace(html, url=url)


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
