"""The only room that opens sockets: pages by their addresses, crawls into WARC files, siblings.

What crawls needs the extra ``crawl``; one page needs nothing beside the package.
"""

from functools import partial
from typing import TYPE_CHECKING

from chaffinch.errors import MissingExtraError
from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.web.client import Fetched, fetch
    from chaffinch.web.crawler import EXTENTS, CrawlPlan, CrawlSummary, crawl
    from chaffinch.web.guard import AddressGuard, is_public
    from chaffinch.web.links import LinkFilter, LinkList, find_links, links_of
    from chaffinch.web.listings import ListedPage
    from chaffinch.web.settings import BINDING, CrawlLimits, FetchLimits, Politeness
    from chaffinch.web.template_pages import Discovery, Sibling, find_siblings
else:
    __getattr__ = exporter(__name__, partial(MissingExtraError.of, extra="crawl"))

__all__ = [
    "BINDING", "EXTENTS", "AddressGuard", "CrawlLimits", "CrawlPlan", "CrawlSummary", "Discovery",
    "FetchLimits", "Fetched", "LinkFilter", "LinkList", "ListedPage", "Politeness", "Sibling",
    "crawl", "fetch", "find_links", "find_siblings", "is_public", "links_of",
]  # fmt: skip
