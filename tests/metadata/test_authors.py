"""Authors: declared, in bylines, far below, and who is none."""

import pytest
from small_pages import ARTICLE, linked, meta, named, read

from chaffinch import extract
from time_growth import is_linear


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Harvest</h1><p class=byline>By <a>Jane Doe</a></p>",
        '<h1>Harvest</h1><span itemprop="author" itemscope><b itemprop="name">Jane Doe</b></span>',
        "<h1>Harvest</h1><a rel=author href=/jane>Jane Doe</a>",
        "<h1>Harvest</h1><div>Written by Jane Doe on March 4, 2021</div>",
        "<h1>Harvest</h1><div class=author><p>Written by<p>Jane Doe<p>Head miller</div>",
        "<h1>Harvest</h1><p>2021-03-04 · Jane Doe</p>",
    ],
)
def test_bylines_that_readers_see(body):
    assert read(body=body).value("authors") == ("Jane Doe",)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("作者：王小明", "王小明"),
        ("2014年4月2日 08:04 文/王小明", "王小明"),
        ("记者 李磊", "李磊"),
    ],
)
def test_chinese_bylines(line, wanted):
    data = read(body=f"<h1>今年的收成很好</h1><p>{line}</p><p>正文。</p>")
    assert data.value("authors") == (wanted,)


def test_a_commenter_is_no_author():
    body = (
        "<h1>Harvest</h1><p>Much grain.</p><div class=comments><p class=author>Mary Major</p></div>"
    )
    assert read(body=body).authors is None


def test_a_user_starts_a_thread():
    body = "<h1>How to dry grain?</h1><a class=username>b.miller</a><p>Hello all.</p>"
    assert read(body=body).value("authors") == ("b.miller",)


def test_the_site_as_author_gives_way_to_a_person():
    head = linked({**ARTICLE, "author": {"@type": "Organization", "name": "The Courier"}})
    assert read(head).value("authors") == ("The Courier",)
    with_person = read(head + named("author", "Jane Doe"))
    assert with_person.value("authors") == ("Jane Doe",)


def test_references_in_json_ld_are_followed():
    graph = {
        "@graph": [
            {"@type": "Article", "headline": "Harvest", "author": {"@id": "#jane"}},
            {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
        ]
    }
    assert read(linked(graph)).value("authors") == ("Jane Doe",)


def test_a_person_with_a_name_in_two_fields_is_an_author():
    person = {"@type": "Person", "givenName": "Jane", "familyName": "Doe"}
    assert read(linked(ARTICLE | {"author": person})).value("authors") == ("Jane Doe",)


def test_a_declared_list_of_authors_prevails_over_its_first_name():
    several = linked(ARTICLE) + named("author", "Jane Doe") + meta(**{"article:author": "Jane Doe"})
    other = linked(ARTICLE | {"@type": "Article", "author": "Jane Doe"})
    assert read(other + several).value("authors") == ("Jane Doe", "John Roe")


def test_an_author_is_found_far_below_the_title_if_there_is_only_one():
    far = "<p>They had waited for the rain, and when it came it stayed.</p>" * 200
    link = "<p>About <a href=/author/jane>Jane Doe</a></p>"
    assert read("", f"<h1>Harvest</h1>{far}{link}").value("authors") == ("Jane Doe",)
    assert read("", f"<h1>Harvest</h1>{far}<h3>Written by Jane Doe</h3>").value("authors") == (
        "Jane Doe",
    )
    two = link + "<p><a href=/author/john>John Roe</a></p>"
    assert read("", f"<h1>Harvest</h1>{far}{two}").authors is None


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("<span>By</span><span>Jane Doe</span>", ("Jane Doe",)),
        ("<small>WRITTEN BY</small><p>Jane Doe</p>", ("Jane Doe",)),
        ("<h3>Author</h3><p>Jane Doe</p>", ("Jane Doe",)),
        ("<p>Von Jane Doe, Frankfurt</p>", ("Jane Doe",)),
        ("<p>By Jane (Janey) Doe</p>", ("Jane (Janey) Doe",)),
        ("<p class=author>박준석 기자</p>", ("박준석",)),
    ],
)
def test_bylines_as_pages_write_them(byline, names):
    assert (
        read("", f"<h1>A quiet harvest</h1>{byline}<p>They had waited.").value("authors") == names
    )


def test_the_site_with_its_town_is_no_person():
    head = meta(**{"og:site_name": "courier.example"})
    found = read(head + named("author", "courier.example, Frankfurt, Germany")).authors
    assert found is None or found.confidence < 0.2


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("<p class=author><a>陈博</a><a>经济观察报</a></p>", ("陈博",)),
        ("<p>记者 王小明 李四 北京报道</p>", ("王小明", "李四")),
        ("<p>作者：刘 强</p>", ("刘强",)),
        ("<p>（图片来源：全景视觉）</p>", None),
    ],
)
def test_chinese_bylines_of_several_elements(byline, names):
    body = f"<body><h1>秋天的收获</h1>{byline}<p>他们等了很久的雨。</p>"
    assert read("", body, lang="zh").value("authors") == names


def test_the_program_behind_a_forum_is_not_its_author():
    head = named("generator", "Plinth! X3") + named("author", "Plinth! Team")
    body = "<body><h1>Which sieve?</h1><div class=authi><a>janedoe7</a></div>"
    body += "<div class=authi>2021-3-4 23:20</div><p>I look for one.</p>"
    assert read(head, body).value("authors") == ("janedoe7",)


def test_a_product_is_by_no_author():
    head = linked({"@type": "Product", "name": "Winnowing fan"})
    assert read(head, "<body><h1>Winnowing fan</h1><p>By Oakmill</p>").authors is None


@pytest.mark.parametrize("part", ["@", "a@", "(@", " and", "posted ", "By ", "a", ",", "记者 "])
def test_hostile_names_take_linear_time(part):
    def head(size):
        return named("author", part * (size // 32 // len(part)) + "!") * 32

    assert is_linear(lambda head: read(head).authors, head)


@pytest.mark.parametrize("count", ["注册于 2007, 39 帖", "Member since 2021, 1037 posts"])
def test_the_count_of_posts_beside_a_user_is_no_part_of_the_name(count):
    poster = f"<div class=poster><b>云溪谷</b><small>{count}</small></div>"
    body = f"<h1>收割机</h1>{poster}<p>一直请人来收，可师傅明年不干了，是买台旧的还是跟人合伙？</p>"
    assert extract(f"<body>{body}</body>").authors == ("云溪谷",)
