"""A polite crawl of many pages into a WARC file, and the siblings of one page; extra ``crawl``."""

from chaffinch.errors import MissingExtraError

try:
    from chaffinch.crawl.run import EXTENTS, Plan, crawl
    from chaffinch.crawl.settings import BINDING, CrawlLimits, Politeness
    from chaffinch.crawl.siblings import Discovery, Sibling, find_siblings
    from chaffinch.crawl.summary import Summary
except ModuleNotFoundError as error:
    raise MissingExtraError.of(error.name or "a package", "crawl") from error

__all__ = [
    "BINDING",
    "EXTENTS",
    "CrawlLimits",
    "Discovery",
    "Plan",
    "Politeness",
    "Sibling",
    "Summary",
    "crawl",
    "find_siblings",
]
