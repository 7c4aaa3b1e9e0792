"""Drives Scrapy: a response goes through the downloader middleware."""

from plugin_cases import PageFailed
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from chaffinch.plugins import scrapy as plugin


def text_of(page, url):
    crawler = get_crawler()
    middleware = plugin.DownloaderMiddleware.from_crawler(crawler)
    request = Request(url)
    response = HtmlResponse(url, body=page, request=request)
    assert middleware.process_response(request, response) is response
    if response.meta["chaffinch"] is None:
        raise PageFailed(crawler.stats.get_value("chaffinch/errors"))
    return response.meta["chaffinch"].text


def parts():
    return [plugin.Addon()]
