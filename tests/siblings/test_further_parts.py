"""Which candidates are further parts of the same article, and which are siblings."""

import pytest

from chaffinch import extract, parse
from chaffinch.siblings.pagination import bare_title, further_parts, part_address, shown_next

HOST = "https://site.test"


def page(path, *, title="On grain", body="", head=""):
    html = f"<head><title>{title}</title>{head}</head><body>{body}<p>text of {path}"
    return parse(html, url=HOST + path)


def is_part(one, other):
    (found,) = further_parts(one, [other])
    (back,) = further_parts(other, [one])
    assert found == back
    return bool(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a/grain.html?page=1", "/a/grain.html?page=2"),
        ("/a/grain.html", "/a/grain.html?page=2"),
        ("/a/grain?x=1&pageNo=3", "/a/grain?x=1"),
        ("/a/grain/", "/a/grain/page/2/"),
        ("/a/grain/index.html", "/a/grain/page-2"),
        ("/a/grain_p2.html", "/a/grain.html"),
    ],
)
def test_numbers_that_call_themselves_pages_need_no_title(one, other):
    assert is_part(page(one, title="On grain"), page(other, title="On chaff"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a/14.html", "/a/14_2.html"),
        ("/a/14_2.html", "/a/14_3.html"),
        ("/a/grain", "/a/grain/2"),
        ("/a/grain/2/", "/a/grain/"),
        ("/a/grain-2.shtml", "/a/grain.shtml"),
    ],
)
def test_bare_numbers_need_the_same_title(one, other):
    assert is_part(page(one), page(other))
    assert is_part(page(one), page(other, title="On grain (2)"))
    lone = part_address(one).part is None or part_address(other).part is None
    assert is_part(page(one, title=""), page(other, title="")) == lone
    assert not is_part(page(one), page(other, title="On chaff"))


def test_the_page_itself_counts():
    one = page("/a/14.html")
    assert is_part(one, one)
    assert is_part(one, page("/a/14.html#part", body="loaded later"))
    assert is_part(parse("<p>same</p>"), parse("<p>same</p>"))
    assert not is_part(parse("<p>same</p>"), parse("<p>Same</p>"))
    assert not is_part(parse("<p id=a>same</p>"), parse("<p id=b>same</p>"))


def test_same_canonical_address_other_than_the_root():
    def with_canonical(path, href, title):
        return page(path, title=title, head=f'<link rel=canonical href="{href}">')

    for href, same in (("/story/1", True), (f"{HOST}/", False), ("/index.html", False)):
        one, other = with_canonical("/x", href, "one text"), with_canonical("/y", href, "another")
        assert is_part(one, other) == same
    whole = with_canonical("/x", f"{HOST}/story", "one text")
    assert is_part(whole, with_canonical("/y/z", "/story", "another"))


NEXT = [
    '<a href="/d">2</a>',
    '<a href="/d">[2]</a>',
    '<a href="/d">下一页</a>',
    '<a href="/d">Next page »</a>',
    '<a rel=next href="/d">the rest of it</a>',
    '<link rel="next" href="/d">',
]


@pytest.mark.parametrize("link", NEXT)
def test_pagination_links_count_with_the_same_title(link):
    assert is_part(page("/c", body=link), page("/d"))
    assert is_part(page("/c", body=link), page("/d", title="On grain - page 2"))
    assert not is_part(page("/c", body=link), page("/d", title="On chaff"))
    assert not is_part(page("/c", body=link), page("/e"))


def test_same_title_and_headline_count_unless_the_site_has_one_title():
    def story(path, headline="<h1>On grain</h1>"):
        return page(path, title="On grain | Site", body=headline)

    assert is_part(story("/c"), story("/d"))
    assert not is_part(story("/c"), story("/d", "<h1>On chaff</h1>"))
    logo = '<h1><a href="/">On grain</a></h1>'
    assert not is_part(story("/c", logo), story("/d", logo))
    other = page("/e", title="On chaff")
    assert further_parts(story("/c"), [story("/d"), other, other]).tolist() == [True, False, False]
    assert not further_parts(story("/c"), [story("/d"), story("/e"), story("/f")]).any()


@pytest.mark.parametrize(
    "title",
    [
        "The salt pans - Page 2 of 3 | Coast",
        "The salt pans | Page 2 | Coast",
        "The salt pans – Seite 2 | Coast",
        "The salt pans | 2 of 5 | Coast",
        "The salt pans — Seite 2 von 3 — Coast",
        "The salt pans(2)_Coast",
        "The salt pans（2/3）_Coast",
        "[2] The salt pans - Coast",
        "The salt pans - Coast - Page 2",
        "Page 2 - The salt pans | Coast",
        "The salt pans, page 2 | Coast",
        "The salt pans: 2/3 | Coast",
        "The salt pans 2/3 | Coast",
        "The salt pans - 2 - Coast",
        "The salt pans_2_Coast",
        "The salt pans (Teil 2 von 3) | Coast",
        "The salt pans » Page 2 » Coast",
        "The salt pans · Página 2 de 3 · Coast",
        "The salt pans | page 2 sur 3 | Coast",
        "The salt pans - strona 2 z 3 - Coast",
        "The salt pans | Страница 2 из 3 | Coast",
        "The salt pans - 2. oldal | Coast",
        "The salt pans - Sayfa 2/3 | Coast",
        "The salt pans - หน้า 2 | Coast",
        "The salt pans | صفحة ٢ من ٣ | Coast",
        "The salt pans - עמוד 2 | Coast",
        "The salt pans - पृष्ठ 2 | Coast",
        "The salt pans - Trang 2 | Coast",
        "The salt pans - Σελίδα 2 από 3 | Coast",
        "The salt pans 第2页 共3页 - Coast",
        "The salt pans 第二页_Coast",
        "The salt pans（2ページ目）｜Coast",
        "The salt pans(2/3ページ) | Coast",
        "The salt pans - 2페이지 | Coast",
    ],
)
def test_the_number_of_a_part_stands_anywhere_in_a_title(title):
    assert bare_title(title) == bare_title("The salt pans | Coast")
    own = page("/salt", title="The salt pans | Coast", body="<a href=/brine>Next page</a>")
    assert further_parts(own, [page("/brine", title=title)]).tolist() == [True]


@pytest.mark.parametrize(
    "title", ["Ten tips", "Area 51", "Paris 1984", "Season 2023-24", "Route 66"]
)
def test_other_numbers_belong_to_the_title(title):
    assert bare_title(f"{title} | Coast") == " ".join(f"{title} coast".casefold().split()).replace(
        "-", " "
    )


@pytest.mark.parametrize(
    "text",
    "Próxima página,Volgende,Dalej,Следующая страница →,Sonraki sayfa »,Seuraava,Trang sau,ถัดไป"
    ",التالي,次のページへ,다음 페이지,下一頁>,Nästa sida,Další".split(","),
)
def test_the_next_part_is_told_in_many_languages(text):
    own = page("/salt", title="The salt pans", body=f"<a href=/brine>{text}</a>")
    assert further_parts(own, [page("/brine", title="The salt pans (2)")]).tolist() == [True]
    assert shown_next(own) == f"{HOST}/brine"
    assert extract(own).next_part == f"{HOST}/brine"
    assert not shown_next(own, frozenset({f"{HOST}/brine"}))
