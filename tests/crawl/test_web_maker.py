from __future__ import annotations

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
