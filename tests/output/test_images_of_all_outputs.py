"""All outputs and the part ``images`` are of one opinion on images, whatever the method."""

import json
import re

import pytest

import chaffinch
from chaffinch.elements.images import content_images
from chaffinch.elements.shown_content import shown_content
from chaffinch.methods import METHODS

PROSE = (
    "<p>A sentence of the article, long enough to speak for what stands beside it, or above.</p>"
    * 3
)
PAGE = f"""<html><head><title>Old barns</title></head><body><article><h1>Old barns</h1>{PROSE}
<figure><img src=/barn.jpg width=640 height=480 alt=Barn><figcaption>A barn</figcaption></figure>
<a href="https://ads.example/c?id=4"><img src=/offer.gif width=300 height=250></a>{PROSE}
<p><img src=/count.gif width=1 height=1><img class=icon src=/icons/pen.png></p>
<div><img src="/mill_%7Bwidth%7Dx.jpg"><noscript><img src=/mill.jpg></noscript></div>{PROSE}
<amp-img src=/loft.jpg width=600 height=400></amp-img>{PROSE}<a href=/><img src=/logo.svg></a>
</article></body></html>"""
METHODS_OF_ONE_PAGE = [name for name, method in METHODS.items() if not method.needs_siblings]


def names(output, pattern):
    return {found.rpartition("/")[2] for found in re.findall(pattern, output)}


def in_outputs(extract):
    return [
        names(extract.markdown(), r"!\[[^]]*\]\(([^)]*)\)"),
        names(extract.html(), r"<img[^>]* src=\"([^\"]*)\""),
        names(extract.clean(), r"<(?:amp-)?img[^>]* src=\"([^\"]*)\""),
        names(extract.tei(), r"<graphic[^>]* url=\"([^\"]*)\""),
        names(json.loads(extract.to_json(parts=["html"]))["html"], r"<img[^>]* src=\"([^\"]*)\""),
    ]


def test_rules_hold_in_every_output():
    extract = chaffinch.extract(PAGE, url="https://example.org/d/p.html", keep=["article"])
    expected = {"barn.jpg", "mill.jpg", "loft.jpg"}
    assert {one.url.rpartition("/")[2] for one in extract.images} == expected
    for found in in_outputs(extract):
        assert found == expected


@pytest.mark.parametrize("method", METHODS_OF_ONE_PAGE)
def test_every_method(example_site, method):
    pages = [
        row for row in example_site if row["template"] in ("article", "product", "thread", "list")
    ]
    for row in [{"html": PAGE, "url": "https://example.org/d/p.html"}, *pages[::4]]:
        html = row["html"].encode("latin-1")
        extract = chaffinch.extract(html, url=row["url"], method=method)
        listed = {one.url.rpartition("/")[2] for one in extract.images}
        for found in in_outputs(extract):
            assert found == listed, row["url"]


def test_a_method_that_judges_images_has_the_word():
    extract = chaffinch.extract(
        PAGE, url="https://example.org/d/p.html", method="information_blocks"
    )
    keep = extract.content.verdict.keep
    own = {row for row in extract.page.select("img, amp-img").tolist() if keep[row]}
    assert own
    assert {one.row for one in extract.images} <= own


def test_text_asks_for_no_images():
    extract = chaffinch.extract(PAGE, url="https://example.org/d/p.html")
    assert extract.text
    assert "images" not in vars(shown_content(extract.content))
    assert content_images(extract.content, shown_content(extract.content).elements.images)
