"""Scrapy: a downloader middleware, an item pipeline, and an add-on that sets both.

Settings: ``CHAFFINCH_OPTIONS``, options of `chaffinch.extract` but those of single pages;
``CHAFFINCH_FIELDS``, what the pipeline adds to items, of `chaffinch.corpus.rows.VALUES`;
``CHAFFINCH_HTML``, the field of items that holds the page, ``html`` by default.
"""

from __future__ import annotations

import logging
from typing import Any, Final, Self

from chaffinch.errors import OptionError, PageError, from_extra
from chaffinch.plugins._pages import Pages

with from_extra("scrapy"):
    from itemadapter import ItemAdapter
    from scrapy.exceptions import DropItem
    from scrapy.http import Response, TextResponse

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings

from chaffinch.web.client import charset_of

_LOG: Final = logging.getLogger(__name__)

META: Final = "chaffinch"
"""Key of ``response.meta``: the `chaffinch.Extract` of the page; None where it has failed."""

FIELDS: Final = ("title", "authors", "published", "language", "page_type", "confidence", "text")
"""What the pipeline adds to items unless others are named."""


class _Component:
    """What middleware and pipeline have in common: pages by the settings of a crawler."""

    def __init__(self, crawler: Crawler) -> None:
        settings, self._stats = crawler.settings, crawler.stats
        options = settings.getdict("CHAFFINCH_OPTIONS")
        for name in ("url", "encoding", "status"):
            if name in options:
                raise OptionError(f"{name} is of single pages: the response has it")
        self._pages = Pages(options, fields=settings.getlist("CHAFFINCH_FIELDS", FIELDS))
        self._html = settings.get("CHAFFINCH_HTML", "html")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _extract(self, response: Response) -> Any:
        """Return the extract of a response: of its bytes, by the label that its server gave."""
        label = charset_of((response.headers.get("Content-Type") or b"").decode("latin-1"))
        about = {"url": response.url, "encoding": label, "status": response.status}
        return self._pages.extract(response.body, **about)


class DownloaderMiddleware(_Component):
    """Puts the extract of each response of text into ``response.meta["chaffinch"]``.

    A page that can't be processed has None there, a warning in the log, and counts in the statistic
    ``chaffinch/errors``; its response goes on.
    """

    def process_response(
        self, request: Request, response: Response, spider: Any = None
    ) -> Response:
        del spider
        if isinstance(response, TextResponse):
            try:
                request.meta[META] = self._extract(response)
                self._stats.inc_value("chaffinch/pages")
            except PageError as error:
                request.meta[META] = None
                self._stats.inc_value("chaffinch/errors")
                _LOG.warning("%s: %s", response.url, error)
        return response


class ItemPipeline(_Component):
    """Adds content and metadata to items that hold a page, and drops items whose page fails.

    Items without the field of the page go on as they are. The page is bytes, text, or a response;
    ``url`` of an item is its address.
    """

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item with its fields, and without its page."""
        del spider
        adapter = ItemAdapter(item)
        given = adapter.get(self._html)
        if given is None:
            return item
        try:
            if isinstance(given, Response):
                found = self._extract(given)
            else:
                found = self._pages.extract(given, url=adapter.get("url"))
            values = self._pages.values(found)
        except PageError as error:
            raise DropItem(f"{adapter.get('url') or 'a page'}: {error}") from error
        del adapter[self._html]
        adapter.update(values)
        return item


class Addon:
    """Sets the middleware and the pipeline.

    ``ADDONS = {"chaffinch.plugins.scrapy.Addon": 500}``
    """

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components to the settings, unless they are there."""
        for name, component, place in (
            ("DOWNLOADER_MIDDLEWARES", "DownloaderMiddleware", 50),
            ("ITEM_PIPELINES", "ItemPipeline", 300),
        ):
            known = {f"{__name__}.{component}": place, **settings.getdict(name)}
            settings.set(name, known, priority="addon")
