"""Drives scrapy-poet: the provider makes the article of a response."""

from types import SimpleNamespace

import zyte_common_items as items
from plugin_cases import PageFailed
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

from chaffinch.errors import PageError
from chaffinch.plugins import scrapy_poet as plugin


def provided(page, url, *kinds):
    """Return the objects of the classes for a page, by class."""
    provider = plugin.Provider(SimpleNamespace(crawler=get_crawler()))
    made = provider(set(kinds), HtmlResponse(url, body=page))
    return {type(one): one for one in made}


def text_of(page, url):
    try:
        return provided(page, url, items.Article)[items.Article].articleBody or ""
    except PageError as error:
        raise PageFailed from error


def parts():
    return []
