"""Renderers show the image that a reader of the page would see."""

import pytest
from output_pages import content_of

from chaffinch.output import html, markdown
from chaffinch.output.whole_page import whole_page

LAZY = "<img src=/blank.gif data-src=/a.jpg alt=x>"
ADDRESS = "https://example.org/a.jpg"


@pytest.mark.parametrize(
    "source",
    [
        LAZY,
        f"{LAZY}<noscript><img src=/a.jpg alt=x></noscript>",
        "<img srcset='/b.jpg 1x, /a.jpg 2x' alt=x>",
        "<picture><source srcset=/a.jpg><img src=/blank.gif alt=x></picture>",
        "<img src=/blank.gif alt=y><noscript><img src=/a.jpg alt=x></noscript>",
    ],
)
def test_resolved_source(source):
    content = content_of(f"<p>word {source}</p>", url="https://example.org/")
    assert markdown.render(content) == f"word ![x]({ADDRESS})\n"
    written = html.render(content)
    assert written.count("<img") == 1
    assert f'src="{ADDRESS}"' in written


def test_placeholders_alone_are_left_out():
    content = content_of("<p>word <img src=/blank.gif alt=x></p>", url="https://example.org/")
    assert markdown.render(content) == "word\n"
    assert "<img" not in html.render(content)


def test_the_whole_page_without_scripts_shows_what_stands_for_them():
    alone = "<figure><picture><noscript><img src=/a.jpg alt=x></noscript></picture></figure>"
    beside = "<p>word <img src=/b.jpg alt=y><noscript><img src=/b.jpg alt=y></noscript></p>"
    written = whole_page(content_of(alone + beside, url="https://example.org/"))
    assert written.count("/a.jpg") == written.count("/b.jpg") == 1
    assert "noscript" not in written
