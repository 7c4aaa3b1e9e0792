"""Folders of site models, and selectors that are checked before a page is met."""

import pytest

from chaffinch import Site, extract
from chaffinch.page.lxml_pages import wrong_call
from chaffinch.site.site import SiteFolder
from rows_of_cases import examples

SENTENCE = "The barley harvest began late this year, and the first sheaves stood wet in the field. "
PAGE = f"<title>Barley</title><article><p>{SENTENCE * 4}</article>"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.grain.example/a", "grain"),
        ("https://grain.example/a", "grain"),
        ("https://b.news.grain.example/a", "below"),
        ("https://OATS.example/", "oats"),
        ("https://example/", ""),
        ("https://egrain.example/", ""),
        (None, ""),
    ],
)
def test_a_folder_of_models_goes_by_host(tmp_path, url, name):
    for host, site in (("grain", "grain"), (".grain", "below"), ("oats", "oats")):
        Site(host=site).save(tmp_path / f"{host}.example")
    folder = SiteFolder.load(tmp_path)
    assert folder.site_of(url).host == name
    found = extract(PAGE, url=url, method=folder)
    assert found.text.startswith("The barley")
    assert name or found.notes.because == "there is no model of its host"


@pytest.mark.parametrize(
    ("expression", "problem"), examples(__file__, "calls are checked before a page is met")
)
def test_calls_are_checked_before_a_page_is_met(expression, problem):
    assert wrong_call(expression) == problem
