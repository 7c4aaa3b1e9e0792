"""Crawls, links, feeds, sitemaps and parts of articles: the public names; extra ``crawl``."""

from chaffinch.web import (
    CrawlLimits,
    CrawlPlan,
    CrawlSummary,
    LinkFilter,
    LinkList,
    ListedPage,
    Politeness,
    crawl,
    find_links,
    find_siblings,
    links_of,
)

__all__ = [
    "CrawlLimits", "CrawlPlan", "CrawlSummary", "LinkFilter", "LinkList", "ListedPage",
    "Politeness", "crawl", "find_links", "find_siblings", "links_of",
]  # fmt: skip
