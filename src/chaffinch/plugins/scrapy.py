"""Scrapy: an item pipeline.

Settings: ``CHAFFINCH_OPTIONS``, options of `chaffinch.extract` but those of single pages;
``CHAFFINCH_FIELDS``, what the pipeline adds to items, of `chaffinch.corpus.rows.VALUES`;
``CHAFFINCH_HTML``, the field of items that holds the page, ``html`` by default.
"""

from typing import Any, Final, Self

from chaffinch.errors import OptionError, PageError, from_extra
from chaffinch.plugins._pages import Pages

with from_extra("scrapy"):
    from itemadapter import ItemAdapter
    from scrapy.exceptions import DropItem
    from scrapy.http import Response

from scrapy.crawler import Crawler

from chaffinch.web.client import charset_of

FIELDS: Final = ("title", "authors", "published", "language", "page_type", "confidence", "text")
"""What the pipeline adds to items unless others are named."""


class ItemPipeline:
    """Adds content and metadata to items that hold a page, and drops items whose page fails.

    Items without the field of the page go on as they are. The page is a response, of whose bytes it
    is made by the label that its server gave, or bytes or text; ``url`` of an item is its address
    then.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        options = settings.getdict("CHAFFINCH_OPTIONS")
        for name in ("url", "encoding", "status"):
            if name in options:
                raise OptionError(f"{name} is of single pages: the response has it")
        self._pages = Pages(options, fields=settings.getlist("CHAFFINCH_FIELDS", FIELDS))
        self._html = settings.get("CHAFFINCH_HTML", "html")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Return the item with its fields, and without its page."""
        del spider
        adapter = ItemAdapter(item)
        page = adapter.get(self._html)
        if page is None:
            return item
        about = {"url": adapter.get("url")}
        if isinstance(page, Response):
            label = charset_of((page.headers.get("Content-Type") or b"").decode("latin-1"))
            about = {"url": page.url, "encoding": label, "status": page.status}
            page = page.body
        try:
            values = self._pages.values(self._pages.extract(page, **about))
        except PageError as error:
            raise DropItem(f"{about['url'] or 'a page'}: {error}") from error
        del adapter[self._html]
        adapter.update(values)
        return item
