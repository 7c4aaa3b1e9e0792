"""Scrapy: settings act, items are filled or dropped."""

import pytest
from plugin_cases import plugin_of
from scrapy import Request
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler

pytestmark = pytest.mark.filterwarnings("default")
URL = "https://grain.example/rye"
GRASS = "Rye is a grass, grown for its grain. "
RYE = f"""<title>Rye</title><meta name=author content="Ann Field">
<meta property="article:published_time" content="2024-05-01T08:00:00+02:00"><meta name=description
content="On rye."><link rel=canonical href="https://grain.example/r"><html lang=en>
<article><h1>Rye</h1><p>{GRASS * 9}</p><p>{GRASS * 5}</p></article>"""


@pytest.fixture(scope="module")
def scrapy():
    return plugin_of("scrapy")


def crawler_of(**settings):
    return get_crawler(settings_dict=settings)


def response_of(page, **options):
    return HtmlResponse(URL, body=page, request=Request(URL), **options)


def test_the_pipeline_reads_the_label_of_the_server(scrapy):
    page = "<title>Рожь</title><p>Рожь это злак, его растят ради зерна.".encode("koi8-r")
    response = response_of(page, headers={"Content-Type": "text/html; charset=KOI8-R"})
    assert scrapy.ItemPipeline(crawler_of()).process_item({"html": response})["title"] == "Рожь"


def test_the_pipeline_fills_items_and_drops_those_that_fail(scrapy):
    pipeline = scrapy.ItemPipeline.from_crawler(crawler_of())
    for page in (RYE, RYE.encode("utf-16"), response_of(RYE.encode())):
        item = pipeline.process_item({"url": URL, "html": page, "crawl": 3})
        assert set(item) == {"url", "crawl", *scrapy.FIELDS}
        assert (item["title"], item["authors"], item["crawl"]) == ("Rye", ["Ann Field"], 3)
    assert pipeline.process_item({"url": URL}) == {"url": URL}
    with pytest.raises(DropItem, match="not HTML: PDF"):
        pipeline.process_item({"html": b"%PDF-1.7"})


def test_settings_act_and_are_checked(scrapy):
    settings = {"CHAFFINCH_HTML": "page", "CHAFFINCH_FIELDS": ["markdown"]}
    pipeline = scrapy.ItemPipeline(crawler_of(**settings, CHAFFINCH_OPTIONS={"drop": "p"}))
    item = pipeline.process_item({"page": "<h1>Rye</h1><p>Grass.</p>"})
    assert "Grass" not in item["markdown"]
    for wrong in ({"CHAFFINCH_FIELDS": ["none"]}, {"CHAFFINCH_OPTIONS": {"url": URL}}):
        with pytest.raises(ValueError, match=r"none|url"):
            scrapy.ItemPipeline(crawler_of(**wrong))
