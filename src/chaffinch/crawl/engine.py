"""Scrapy, which runs a crawl: its engine, slots and callbacks around a `Job`.

The frontier stands for Scrapy's scheduler and the polite line for its download handlers, both of
them places that Scrapy is made to be extended at; what Scrapy would do by itself on the way
(cookies, retries, redirects, robots.txt, filters of duplicates) the job does, so that every request
is recorded. Runs on asyncio alone, without a Twisted reactor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from chaffinch.errors import FetchError, MissingExtraError

try:
    import scrapy
    from scrapy.core.downloader.handlers.base import BaseDownloadHandler
    from scrapy.core.scheduler import BaseScheduler
    from scrapy.crawler import Crawler
    from scrapy.http import Response
except ImportError as error:
    raise MissingExtraError.of("scrapy", "crawl") from error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.http import Request
    from twisted.python.failure import Failure

    from chaffinch.crawl.job import Job

_SETTINGS: Final[dict[str, Any]] = {
    "TWISTED_REACTOR_ENABLED": False,
    "SCHEDULER": f"{__name__}.FrontierScheduler",
    "DOWNLOAD_HANDLERS_BASE": {},
    # Every scheme has our handler or none: Scrapy's own would pass the guard of addresses by.
    "DOWNLOAD_HANDLERS": {"http": f"{__name__}.LineHandler", "https": f"{__name__}.LineHandler"}
    | dict.fromkeys(("data", "file", "ftp", "s3")),
    "DOWNLOADER_MIDDLEWARES_BASE": {},
    "SPIDER_MIDDLEWARES_BASE": {},
    "EXTENSIONS_BASE": {},
    "ITEM_PIPELINES_BASE": {},
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "DOWNLOAD_DELAY": 0,
    "LOG_ENABLED": False,
    "STATS_DUMP": False,
}


class FrontierScheduler(BaseScheduler):
    """Hands out what the frontier names."""

    def __init__(self, crawler: Crawler) -> None:
        self._spider = _spider(crawler)
        self._frontier = self._spider.job.frontier

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the scheduler of a crawler; the engine asks for it."""
        return cls(crawler)

    def has_pending_requests(self) -> bool:
        """Tell whether more is to be asked for."""
        return self._spider.broken is None and self._frontier.has_more()

    def enqueue_request(self, request: Request) -> bool:
        """Return False, which refuses: what is asked for comes from the frontier alone."""
        del request
        return False

    def next_request(self) -> Request | None:
        """Return the next request, if one may be made now."""
        wanted = None if self._spider.broken is not None else self._frontier.take()
        if wanted is None:
            return None
        return scrapy.Request(
            wanted.url,
            callback=self._spider.parse,
            errback=self._spider.failed,
            meta={"wanted": wanted, "download_slot": "all", "verbatim_url": True},
            dont_filter=True,
        )


class LineHandler(BaseDownloadHandler):
    """Asks over the polite line."""

    async def download_request(self, request: Request) -> Response:
        """Return the reply to a request, in ``meta``."""
        reply = await _spider(self.crawler).job.ask(request.meta["wanted"])
        request.meta["reply"] = reply
        return Response(request.url, request=request)


class JobSpider(scrapy.Spider):
    """Passes on what came.

    Attributes:
        broken: the error that ended the crawl, if any: a full disk, a bug.
    """

    name = "chaffinch"

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job
        self.broken: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        """Begin with nothing: the frontier has the start addresses."""
        return
        yield

    async def parse(self, response: Response) -> None:
        """Take in a reply."""
        try:
            await self.job.take_in(response.meta["wanted"], response.meta["reply"])
        except Exception as error:  # noqa: BLE001 Scrapy would log it and go on
            self.broken = self.broken or error

    def failed(self, failure: Failure) -> None:
        """Take in that no reply came."""
        error: Any = failure.value
        request: Request = failure.request  # type: ignore[attr-defined]
        if not isinstance(error, FetchError):
            self.broken = self.broken or error
            return
        try:
            self.job.give_up(request.meta["wanted"], error)
        except Exception as broken:  # noqa: BLE001 as above
            self.broken = self.broken or broken


async def run(job: Job, *, at_once: int) -> None:
    """Run a crawl to its end.

    Args:
        job: what to do.
        at_once: requests at a time, over all hosts.

    Raises:
        ArchiveError: the file can't be written to.
    """
    settings = {
        **_SETTINGS,
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
    }
    crawler = Crawler(JobSpider, settings)
    await crawler.crawl_async(job=job)
    if (broken := _spider(crawler).broken) is not None:
        raise broken


def _spider(crawler: Crawler) -> JobSpider:
    spider = crawler.spider
    if not isinstance(spider, JobSpider):
        raise TypeError(spider)
    return spider
