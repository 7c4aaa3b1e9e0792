"""Pages that aren't wanted, by address, language and metadata; names that are no author's."""

import pytest

import chaffinch
from chaffinch import PageFilter, UnwantedPageError
from chaffinch.siblings.url_shapes import UrlBlacklist
from rows_of_cases import examples

TEXTS = {
    "en": "The owls that live in this barn have been there for as long as it has stood. ",
    "de": "Die Eulen, die in dieser Scheune leben, sind dort, seit sie an der Straße steht. ",
    "zh": "谷仓里住着一对猫头鹰，每年春天它们都会回到这里孵化小猫头鹰。",
}
URL = "https://barn.example/owls.html"


def page_of(language="en", *, head="", byline=""):
    text = "".join(f"<p>{TEXTS[language] * 6}" for _ in range(4))
    return f"<title>Owls of the barn</title>{head}<article><h1>Owls of the barn</h1>{byline}{text}"


DATED = '<meta property="article:published_time" content="2024-05-06">'


@pytest.mark.parametrize("language", TEXTS)
def test_a_page_in_another_language_is_unwanted(language):
    page = page_of(language)
    found = chaffinch.extract(page, wanted={"languages": ["fr", language]})
    assert found.language == language
    with pytest.raises(UnwantedPageError, match=f"its language is {language}, not fr or it"):
        chaffinch.extract(page, wanted=PageFilter(languages=("fr", "it-IT")))


def test_metadata_may_be_a_condition():
    wanted = PageFilter(only_with_metadata=True)
    assert chaffinch.extract(page_of(head=DATED), url=URL, wanted=wanted).date == "2024-05-06"
    with pytest.raises(UnwantedPageError, match=r"it has no date of publication$"):
        chaffinch.extract(page_of(), url=URL, wanted=wanted)
    with pytest.raises(UnwantedPageError, match="it has no date of publication and no URL"):
        chaffinch.extract(page_of(), wanted=wanted)
    with pytest.raises(UnwantedPageError, match="no title"):
        chaffinch.extract("<p>7 8 9", url=URL, wanted=wanted)


@pytest.mark.parametrize(
    "entry", [URL, "http://barn.example/owls.html#top", "https://barn.example/*", f"{URL}*"]
)
def test_a_blacklisted_address_is_unwanted(entry):
    with pytest.raises(UnwantedPageError, match="blacklisted"):
        chaffinch.extract(page_of(), url=URL, wanted={"url_blacklist": [entry]})


def test_other_addresses_are_wanted():
    blocked = UrlBlacklist.of([URL, "https://barn.example/tag/*", "https://mill.example"])
    assert "https://barn.example/tag/owl" in blocked
    assert "https://mill.example/" in blocked
    for other in (
        "https://barn.example/",
        f"{URL}l",
        "https://barn.example/tags",
        "",
        "mailto:a@b",
    ):
        assert other not in blocked
    assert URL not in UrlBlacklist()


@pytest.mark.parametrize(
    ("head", "byline"), examples(__file__, "names that are nobodys are passed over")
)
def test_names_that_are_nobodys_are_passed_over(head, byline):
    page = page_of(head=head, byline=byline)
    others = chaffinch.extract(page, author_blacklist="jane doe").authors
    assert [one.lower() for one in others] == ["will barnes"]
    assert chaffinch.extract(page, author_blacklist="will barnes").authors == ("Jane Doe",)
    assert chaffinch.extract(page, author_blacklist={"Will Barnes", "Jane Doe"}).authors == ()


def test_the_blacklist_holds_for_rules_of_a_site_too():
    page = page_of(byline="<p class=who>Jane Doe, Will Barnes</p>")
    site = chaffinch.Site.from_text(
        'kind = "chaffinch site"\nversion = 1\nsite = ""\n[[rule]]\nkind = "author"\n'
        'select = ".who"\n'
    )
    assert chaffinch.extract(page, method=site).authors == ("Jane Doe", "Will Barnes")
    found = chaffinch.extract(page, method=site, author_blacklist=["Will  BARNES"])
    assert found.authors == ("Jane Doe",)


def test_a_page_of_unknown_language_is_unwanted():
    with pytest.raises(UnwantedPageError, match="its language is unknown"):
        chaffinch.extract("<p>7 8 9", wanted={"languages": "en"})


def test_the_canonical_address_counts_too():
    page = page_of(head=f'<link rel=canonical href="{URL}">')
    with pytest.raises(UnwantedPageError, match="blacklisted"):
        chaffinch.extract(page, url=f"{URL}?print=1", wanted={"url_blacklist": URL})
