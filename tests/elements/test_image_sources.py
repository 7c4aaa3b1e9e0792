import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.elements.image_sources import (
    ImageSources,
    is_placeholder,
    larger_version,
    named_size,
    names_picture,
    same_picture,
    stem_of,
)
from chaffinch.page import parse

BLANK = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP"


def sources(html):
    page = parse(html, url="https://example.org/d/p.html")
    images = ImageSources(page)
    found = [images.of(row) for row in page.select("img").tolist()]
    return [(one.url.removeprefix("https://example.org/"), one.attribute) for one in found if one]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<img src=a.jpg>", [("d/a.jpg", "src")]),
        ("<img src=/show?id=7>", [("show?id=7", "src")]),
        ("<img alt=x>", []),
        ("<img src=javascript:x>", []),
        (f"<img src={BLANK}>", []),
        ("<img src=/blank.gif>", []),
        ("<img src=/blank.gif data-src=/a.jpg>", [("a.jpg", "data-src")]),
        (f"<img src='{BLANK}' data-original=/a>", [("a", "data-original")]),
        ("<img src=/1x1.trans.gif data-lazy-src=/a.jpg>", [("a.jpg", "data-lazy-src")]),
        ("<img src=/s.gif data-foo-bar=/b/a.webp>", [("b/a.webp", "data-foo-bar")]),
        ("<img data-foo=/b/a data-bar=/c/a.png>", [("c/a.png", "data-bar")]),
        ("<img src=none.gif file=/forum/a.jpg>", [("forum/a.jpg", "file")]),
        ("<img src=/static/blank.gif file=/forum/a.jpg>", [("forum/a.jpg", "file")]),
        ("<img src=/low.jpg class=lazyload data-src=/a.jpg>", [("a.jpg", "data-src")]),
        ("<img src=/low.jpg data-src=/a.jpg>", [("low.jpg", "src")]),
        ("<img src=/a-40x30.jpg data-src=/a.jpg>", [("a.jpg", "data-src")]),
        ("<img src=/a.jpg?w=16 data-src=/a.jpg?w=900>", [("a.jpg?w=900", "data-src")]),
        ("<img src=/thumbs/a.jpg data-original=/a.jpg>", [("a.jpg", "data-original")]),
        ("<img src=/a-640x480.jpg data-src=/a-320x240.jpg>", [("a-640x480.jpg", "src")]),
        (f"<img src={BLANK} data-link=/x.jpg>", []),
        (f"<img src={BLANK} data-src=/blank.gif data-original=/a.jpg>",
         [("a.jpg", "data-original")]),
        ("<img srcset='/a.jpg 300w, /b.jpg 1200w, /c.jpg 600w'>", [("b.jpg", "srcset")]),
        ("<img srcset='/a.jpg 1x, /b.jpg 2x'>", [("b.jpg", "srcset")]),
        ("<img src=/s.gif data-srcset='/a.jpg 9w, /b.jpg 10w'>", [("b.jpg", "data-srcset")]),
        ("<picture><source srcset='/a.webp 300w, /b.webp 900w'><img alt=x></picture>",
         [("b.webp", "source")]),
        ("<picture><source data-srcset=/a.webp><img src=/blank.gif></picture>",
         [("a.webp", "source")]),
        ("<picture><source srcset=/a.webp><img src=/b.jpg></picture>", [("b.jpg", "src")]),
    ],
)  # fmt: skip
def test_source(html, expected):
    assert sources(html) == expected


def test_shared_src_is_a_placeholder():
    html = "<img src=/wait.jpg data-original=/a.jpg><img src=/wait.jpg data-original=/b.jpg>"
    assert [url for url, _ in sources(html)] == ["a.jpg", "b.jpg"]
    assert [url for url, _ in sources("<img src=/one.jpg data-original=/a.jpg>")] == ["one.jpg"]


def test_noscript_copies_count_once():
    lazy = "<img src=/blank.gif data-src=/a.jpg>"
    assert sources(f"<p>{lazy}<noscript><img src=/a.jpg></noscript>") == [("a.jpg", "data-src")]
    lazy = "<img src=/blank.gif data-src=/barn.jpg>"
    assert sources(f"<p><noscript><img src=/barn-300x200.jpg></noscript>{lazy}") == [
        ("barn.jpg", "data-src")
    ]
    assert sources("<p><img src=/blank.gif><noscript><img src=/a.jpg></noscript>") == [
        ("a.jpg", "src")
    ]
    other = "<p><img src=/one.jpg>text<noscript><img src=/two.jpg></noscript>"
    assert len(sources(other)) == 2


def test_larger_version_of_srcset():
    page = parse("<img src=/a.jpg srcset='/a.jpg 300w, /b.jpg 900w'>", url="https://example.org/")
    source = ImageSources(page).of(page.first("img"))
    assert (source.url, larger_version(page, source)) == (
        "https://example.org/a.jpg",
        "https://example.org/b.jpg",
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("blank.gif", True), ("img/spacer.gif?v=2", True), ("placeholder-16x9.png", True),
        ("loading.svg", True), ("lazyload.png", True), ("1x1.png", True), ("grey.gif", True),
        ("default-placeholder.jpg", True),
        ("grey-heron.jpg", False), ("loading-dock.jpg", False), ("space.jpg", False),
        ("blank/a.jpg", False), ("t.jpg", False), ("12.jpg", False), ("image-1.png", False),
        ("", False), ("photo", False),
    ],
)  # fmt: skip
def test_placeholders(name, expected):
    assert is_placeholder(f"https://example.org/{name}") is expected


@pytest.mark.parametrize(
    ("url", "stem"),
    [
        ("https://e.org/a/barn-640x480.jpg?x=1", "barn"),
        ("https://e.org/thumb_barn.png", "barn"),
        ("https://e.org/400px-Barn.svg.png", "barn"),
        ("https://e.org/wiki/File:Barn.svg", "barn"),
        ("https://e.org/image.jpg", ""),
        ("https://e.org/7.jpg", ""),
        ("https://[", ""),
        ("", ""),
    ],
)
def test_stems(url, stem):
    assert stem_of(url) == stem


def test_pictures_of_one_name():
    assert same_picture("https://e.org/big/barn.jpg", "https://cdn.e.org/barn-150x150.jpg")
    assert not same_picture("https://e.org/1.jpg", "https://e.org/1.jpg")
    assert names_picture("https://e.org/photos/28924622311/", "https://s.org/28924622311_0d9.jpg")
    assert not names_picture("https://e.org/shop/", "https://e.org/barn-at-dusk.jpg")


def test_size_in_a_name():
    assert named_size("https://e.org/a-640x480.jpg?w=1") == (640, 480)
    assert named_size("https://e.org/640x480/a.jpg") is None


@settings(max_examples=200)
@given(st.text(alphabet="ab/.:-_?#[]%0x1 ,w\\é", max_size=30), st.sampled_from(["src", "srcset"]))
def test_any_value(value, name):
    page = parse(f'<img {name}="{value}"><img data-src="{value}">', url="https://example.org/")
    images = ImageSources(page)
    found = [images.of(row) for row in page.select("img").tolist()]
    assert all(one.url.startswith(("http:", "https:")) for one in found if one)
    stem_of(value)
    is_placeholder(value)
