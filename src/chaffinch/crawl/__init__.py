"""A polite crawl into a WARC file, and same-layer discovery for one page; extra ``crawl``."""

from chaffinch.errors import MissingExtraError

try:
    from chaffinch.crawl.crawl_plan import EXTENTS, CrawlPlan
    from chaffinch.crawl.crawl_summary import CrawlSummary
    from chaffinch.crawl.link_lists import (
        LinkFilter,
        LinkList,
        find_feed_urls,
        find_links,
        find_sitemap_urls,
        links_of,
    )
    from chaffinch.crawl.run import crawl
    from chaffinch.crawl.settings import BINDING, CrawlLimits, Politeness
    from chaffinch.crawl.sibling_discovery import Discovery, Sibling, find_siblings
    from chaffinch.crawl.sitemaps import ListedPage
except ModuleNotFoundError as error:
    raise MissingExtraError.of(error.name or "a package", "crawl") from error

__all__ = [
    "BINDING",
    "EXTENTS",
    "CrawlLimits",
    "CrawlPlan",
    "CrawlSummary",
    "Discovery",
    "LinkFilter",
    "LinkList",
    "ListedPage",
    "Politeness",
    "Sibling",
    "crawl",
    "find_feed_urls",
    "find_links",
    "find_siblings",
    "find_sitemap_urls",
    "links_of",
]
