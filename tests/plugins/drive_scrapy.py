"""Drives Scrapy: a response goes through the item pipeline."""

from plugin_cases import PageFailed
from scrapy import Request
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from chaffinch.plugins import scrapy as plugin


def text_of(page, url):
    pipeline = plugin.ItemPipeline.from_crawler(get_crawler())
    response = HtmlResponse(url, body=page, request=Request(url))
    try:
        return pipeline.process_item({"html": response})["text"]
    except DropItem as error:
        raise PageFailed from error


def parts():
    return []
