"""A polite crawl into a WARC file, and same-layer discovery for one page; extra ``crawl``."""

from chaffinch.errors import MissingExtraError

try:
    from chaffinch.crawl.crawl_plan import EXTENTS, CrawlPlan
    from chaffinch.crawl.crawl_summary import CrawlSummary
    from chaffinch.crawl.run import crawl
    from chaffinch.crawl.settings import BINDING, CrawlLimits, Politeness
    from chaffinch.crawl.sibling_discovery import Discovery, Sibling, find_siblings
except ModuleNotFoundError as error:
    raise MissingExtraError.of(error.name or "a package", "crawl") from error

__all__ = [
    "BINDING",
    "EXTENTS",
    "CrawlLimits",
    "CrawlPlan",
    "CrawlSummary",
    "Discovery",
    "Politeness",
    "Sibling",
    "crawl",
    "find_siblings",
]
