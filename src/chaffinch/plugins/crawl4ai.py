"""Crawl4AI: a content filter and a scraping strategy.

Either makes Crawl4AI's Markdown that of the main content. The strategy does more: cleaned HTML,
images and tables are those of the content too, while links stay those of the whole page, which deep
crawls follow.
"""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING, Any

from chaffinch.errors import MissingExtraError
from chaffinch.lazy import lazy_module

try:
    from crawl4ai.content_filter_strategy import RelevantContentFilter
    from crawl4ai.content_scraping_strategy import LXMLWebScrapingStrategy
    from crawl4ai.models import MediaItem, ScrapingResult
except ImportError as error:
    raise MissingExtraError.of(error.name or "crawl4ai", "crawl4ai") from error

if TYPE_CHECKING:
    from chaffinch.extraction import trip
    from chaffinch.extraction.extract import Extract
    from chaffinch.output.table import Table
else:
    trip = lazy_module("chaffinch.extraction.trip")


class ContentFilter(RelevantContentFilter):
    """Filters a page down to its main content, for ``fit_markdown``.

    Best in a ``DefaultMarkdownGenerator`` with ``content_source="raw_html"``: the default, cleaned
    HTML, has lost what distinguishes content from noise. A page that can't be processed raises its
    `chaffinch.PageError`, which Crawl4AI writes into ``fit_markdown``.

    Args:
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: an option is unknown or impossible.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._options = trip.prepared_options(options)

    def filter_content(self, html: str) -> list[str]:
        """Return the content as a fragment of HTML; [] for none.

        Raises:
            PageError: the page can't be processed.
        """
        fragment = trip.extract(io.StringIO(html or ""), **self._options).html()
        return [fragment] if fragment else []


class ScrapingStrategy(LXMLWebScrapingStrategy):
    """Scrapes the main content: ``CrawlerRunConfig(scraping_strategy=ScrapingStrategy())``.

    A page that can't be processed raises its `chaffinch.PageError`, which makes Crawl4AI's result
    one without success.

    Args:
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: an option is unknown or impossible.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._options = trip.prepared_options(options)

    def scrap(self, url: str, html: str, **kwargs: Any) -> ScrapingResult:
        """Return the content of a page, and all of its links.

        Raises:
            PageError: the page can't be processed.
        """
        address = url if url.startswith(("http://", "https://")) else None
        found = trip.extract(io.StringIO(html or ""), url=address, **self._options)
        made: ScrapingResult = super().scrap(url, html, **kwargs)
        made.cleaned_html = found.html()
        made.success = True
        made.media.images = _images(found)
        made.media.tables = [_table(one) for one in found.tables]
        made.metadata = {**(made.metadata or {}), **_about(found)}
        return made

    async def ascrap(self, url: str, html: str, **kwargs: Any) -> ScrapingResult:
        """Return what `scrap` returns, made in a thread."""
        return await asyncio.to_thread(self.scrap, url, html, **kwargs)


def _images(found: Extract) -> list[MediaItem]:
    return [
        MediaItem(src=one.url, alt=one.alt, desc=one.caption, type="image", width=one.width)
        for one in found.images
        if one.url
    ]


def _table(one: Table) -> dict[str, Any]:
    """Return a table as Crawl4AI has them."""
    names = list(one.names) if one.headers else []
    rows = one.texts[one.headers :]
    return {"headers": names, "rows": rows, "caption": one.caption, "summary": ""}


def _about(found: Extract) -> dict[str, Any]:
    values = {
        "title": found.title,
        "author": "; ".join(found.authors),
        "published": found.date,
        "language": found.language,
        "page_type": found.page_type,
        "confidence": found.confidence,
    }
    return {name: value for name, value in values.items() if value not in (None, "")}
