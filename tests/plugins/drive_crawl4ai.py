"""Drives Crawl4AI, over HTTP pages that are given raw, without a browser."""

import asyncio
import os
import tempfile

os.environ.setdefault("CRAWL4_AI_BASE_DIRECTORY", tempfile.mkdtemp())  # before it is imported

from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from plugin_cases import PageFailed

from chaffinch.plugins import crawl4ai as plugin


def crawled(page, **config):
    """Return the result of a crawl of one page."""

    async def crawl():
        strategy = AsyncHTTPCrawlerStrategy()
        async with AsyncWebCrawler(crawler_strategy=strategy, verbose=False) as crawler:
            run = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, verbose=False, **config)
            return await crawler.arun(f"raw:{page}", config=run)

    return asyncio.run(crawl())


def text_of(page, url):
    del url
    if not page:
        return "".join(plugin.ContentFilter().filter_content(page))
    found = crawled(page, scraping_strategy=plugin.ScrapingStrategy())
    if not found.success:
        raise PageFailed(found.error_message)
    return found.markdown.raw_markdown


def parts():
    return [plugin.ContentFilter(drop="nav"), plugin.ScrapingStrategy()]
