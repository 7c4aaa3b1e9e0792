from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from chaffinch.page import parse


def of(web_maker, host, target, **more):
    return web_maker.answer(web_maker.Asked(host=host, port=80, target=target, **more))


PAGES = [
    ("post.test", "/"),
    ("post.test", "/birds/index.html?page=3"),
    ("zh.post.test", "/mills/index.html"),
    ("shop.test", "/item.html?id=7"),
    ("forum.test", "/thread/44/"),
    ("docs.test", "/manual/chapter-3.html"),
    ("slow.test", "/1.html"),
    ("faulty.test", "/good"),
    ("trap.test", "/real/1.html"),
    ("opted.test", "/noindex.html"),
    ("app.test", "/plain/3.html"),
]


@pytest.mark.parametrize(("host", "target"), PAGES)
def test_pages_are_made_of_their_address_alone(web_maker, host, target):
    one, two = of(web_maker, host, target), of(web_maker, host, target)
    assert one.status == 200
    assert one == two
    page = parse(one.body)
    assert page.select("h1, a").any()


def test_there_are_five_thousand_pages(web_maker):
    from web_maker.texts import COUNTS  # noqa: PLC0415 found by the fixture

    assert sum(count for kind in COUNTS.values() for count in kind.values()) > 4900
    addresses, titles = set(), set()
    for lang, count in COUNTS["article"].items():
        for number in range(0, count, 7):
            entry = web_maker.texts.entry("article", lang, number)
            addresses.add(entry.link)
            titles.add(entry.title)
    assert len(addresses) == len(titles) == -(-2400 // 7) + -(-1600 // 7)


def test_every_link_of_a_list_leads_to_a_page(web_maker):
    page = parse(of(web_maker, "post.test", "/fields/index.html").body, url="http://post.test/")
    links = [href for _, href in page.having("href") if href.startswith("/fields/20")]
    assert len(links) >= 20
    for href in set(links):
        assert of(web_maker, "post.test", urlsplit(href).path).status == 200


def test_gold_is_on_the_page(web_maker):
    for host, target in (("shop.test", "/item.html?id=7"), ("app.test", "/plain/3.html")):
        answer = of(web_maker, host, target)
        shown = "".join(parse(answer.body).text.split())
        for line in answer.gold.splitlines():
            assert "".join(line.split()) in shown


def test_a_shell_has_the_gold_of_its_twin_and_none_of_its_text(web_maker):
    twin = of(web_maker, "app.test", "/plain/3.html")
    for kind in ("app", "late", "state", "wall", "frames"):
        shell = of(web_maker, "app.test", f"/{kind}/3.html")
        assert shell.gold == twin.gold
        page = parse(shell.body)
        assert twin.gold.splitlines()[1] not in page.text
