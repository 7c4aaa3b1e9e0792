"""Crawl4AI: Markdown, images and tables of the content; links of the whole page."""

import pytest
from plugin_cases import case_of

from chaffinch.errors import OptionError

pytestmark = pytest.mark.filterwarnings("default")
GRASS = "Rye is a grass, grown for its grain. "
RYE = f"""<html><head><title>Rye</title></head><body><nav><a href="https://grain.example/a">Home</a>
<a href="https://grain.example/b">Shop</a></nav><article><h1>Rye</h1><p>{GRASS * 9}</p>
<figure><img src="https://grain.example/i.jpg" alt="A field" width=640 height=480></figure>
<h2>Harvest</h2><p>{GRASS * 6}</p><table><caption>Yields</caption><tr><th>Year<th>Yield
<tr><td>2023<td>4.1 t<tr><td>2024<td>3.9 t</table><p>{GRASS * 6}</p></article></body></html>"""


@pytest.fixture(scope="module")
def driver():
    return case_of("crawl4ai").driver()


def test_a_strategy_scrapes_the_content_and_all_links(driver):
    made = driver.plugin.ScrapingStrategy().scrap("https://grain.example/rye", RYE)
    assert "Home" not in made.cleaned_html
    assert "<h2" in made.cleaned_html
    links = {one.href for one in (*made.links.internal, *made.links.external)}
    assert {"https://grain.example/a", "https://grain.example/b"} <= links
    assert [one.src for one in made.media.images] == ["https://grain.example/i.jpg"]
    (table,) = made.media.tables
    assert (table["headers"], table["rows"][1]) == (["Year", "Yield"], ["2024", "3.9 t"])
    assert made.metadata["title"] == "Rye"
    assert 0 < made.metadata["confidence"] <= 1


def test_a_crawl_with_the_strategy(driver):
    found = driver.crawled(RYE, scraping_strategy=driver.plugin.ScrapingStrategy())
    assert found.success
    assert "## Harvest" in found.markdown.raw_markdown
    assert "Shop" not in found.markdown.raw_markdown


def test_a_filter_makes_the_fit_markdown(driver):
    from crawl4ai import DefaultMarkdownGenerator  # noqa: PLC0415  not installed everywhere

    generator = DefaultMarkdownGenerator(
        content_filter=driver.plugin.ContentFilter(), content_source="raw_html"
    )
    found = driver.crawled(RYE, markdown_generator=generator)
    assert "Shop" in found.markdown.raw_markdown
    assert "Shop" not in found.markdown.fit_markdown
    assert "## Harvest" in found.markdown.fit_markdown


def test_options_act_and_are_checked(driver):
    (html,) = driver.plugin.ContentFilter(drop="table").filter_content(RYE)
    assert "2024" not in html
    for make in (driver.plugin.ContentFilter, driver.plugin.ScrapingStrategy):
        with pytest.raises(OptionError, match="unknown option"):
            make(nothing=1)
