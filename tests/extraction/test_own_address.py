"""A page without an address has the canonical one that it names."""

import pickle

import pytest

import chaffinch
from chaffinch.loading.address import addressed

OWN = "https://grain.example/birds/finch"
PAGE = f"""<head><link rel=canonical href="{OWN}#top"></head><body><main><h1>The finch</h1>
<p>The finch eats grain from <a href=/fields>the fields</a> that lie about the village, and it
leaves the chaff to the wind, which takes it.</main></body>"""
SITE = "https://site.example/"

WAYS = {
    "bytes": lambda **given: chaffinch.extract(PAGE.encode(), **given),
    "text": lambda **given: chaffinch.extract(PAGE, **given),
    "a parsed page": lambda **given: chaffinch.extract(chaffinch.parse(PAGE), **given),
    "many": lambda **given: next(chaffinch.extract_many([PAGE], **given)),
    "a site": lambda **given: chaffinch.Site.learn([PAGE]).extract(PAGE, **given),
}


@pytest.mark.parametrize("way", WAYS)
def test_links_are_absolute_by_the_canonical_address(way):
    found = WAYS[way]()
    assert found.url == found.page.url == OWN
    assert "[the fields](https://grain.example/fields)" in found.markdown()
    assert found.to_dict()["url"] == OWN
    assert pickle.loads(pickle.dumps(found)).url == OWN  # noqa: S301


@pytest.mark.parametrize("way", [way for way in WAYS if way != "many"])
def test_an_address_that_is_given_is_stronger(way):
    found = WAYS[way](url=SITE)
    assert found.url == SITE
    assert "(https://site.example/fields)" in found.markdown()


@pytest.mark.parametrize(
    "link",
    ["", "<link rel=canonical>", "<link rel=canonical href=/finch>", "<link rel=canonical href='http://['>",
     "<link rel=canonical href=mailto:a@b.example>", "<link rel=alternate href=https://a.example/>"],
)  # fmt: skip
def test_what_is_no_canonical_web_address(link):
    page = chaffinch.parse(f"{link}<p>Grain.")
    assert addressed(page) is page
    assert chaffinch.extract(page).page is page


def test_a_canonical_link_in_the_body_and_a_base():
    page = chaffinch.parse(
        "<base href=https://a.example/b/><p>Grain.<link rel='x CANONICAL' href=c>"
    )
    assert addressed(page).url == "https://a.example/b/c"
