"""Every source of every field on small pages."""

import json
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from chaffinch.errors import OptionError
from chaffinch.metadata import FIELDS, read_metadata
from chaffinch.page import parse
from chaffinch.result import Content, Verdict


def meta(**pairs):
    return "".join(f'<meta property="{n}" content="{v}">' for n, v in pairs.items())


def named(name, content):
    return f'<meta name="{name}" content="{content}">'


def linked(data):
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def read(head="", body="<p>Text.</p>", url="https://www.thecourier.example/a/b", lang=""):
    root = f'<html lang="{lang}">' if lang else "<html>"
    return read_metadata(parse(f"<!doctype html>{root}<head>{head}</head>{body}", url=url))


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "A quiet harvest",
    "author": [{"@type": "Person", "name": "Jane Doe"}, {"@type": "Person", "name": "John Roe"}],
    "datePublished": "2021-03-04T10:00:00+01:00",
    "dateModified": "2021-03-05",
    "publisher": {"@type": "Organization", "name": "The Courier"},
    "description": "What the fields gave.",
    "image": {"@type": "ImageObject", "url": "/harvest.jpg"},
    "articleSection": ["Fields"],
    "keywords": "grain, chaff",
    "inLanguage": "en-GB",
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "mainEntityOfPage": {"@type": "WebPage", "@id": "https://www.thecourier.example/a/b"},
}


def test_json_ld_alone_gives_every_field():
    data = read(linked(ARTICLE))
    assert data.value("title") == "A quiet harvest"
    assert data.value("authors") == ("Jane Doe", "John Roe")
    assert data.value("published") == "2021-03-04T10:00:00+01:00"
    assert data.value("modified") == "2021-03-05"
    assert data.value("site_name") == "The Courier"
    assert data.value("description") == "What the fields gave."
    assert data.value("lead_image") == "https://www.thecourier.example/harvest.jpg"
    assert data.value("categories") == ("Fields",)
    assert data.value("tags") == ("grain", "chaff")
    assert data.value("language") == "en"
    assert data.value("licence") == "https://creativecommons.org/licenses/by/4.0/"
    assert data.value("canonical") == "https://www.thecourier.example/a/b"
    assert data.value("page_type") == "article"


def test_a_found_value_says_where_it_came_from():
    page = parse(f"<head>{linked(ARTICLE)}</head><body><h1>A quiet harvest</h1>")
    found = read_metadata(page).title
    assert found.source == "json-ld:NewsArticle.headline"
    assert page.name(found.row) == "script"
    assert "h1" in found.agreeing
    alone = read_metadata(parse(f"<head>{linked(ARTICLE)}</head>")).title
    assert alone.source == "json-ld:NewsArticle.headline"
    assert 0 < alone.confidence < found.confidence < 1


def test_a_headline_without_h1_is_the_line_of_the_page_that_the_title_holds():
    body = "<body><p>Fields</p><td>A quiet harvest</td><p>They had waited for the rain.</p>"
    for head in ("The Old Bell : A quiet harvest", "A quiet harvest - Fields - The Old Bell"):
        found = read(f"<title>{head}</title>", body).title
        assert (found.value, found.source) == ("A quiet harvest", "line")
    banner = "<body><h1>The Old Bell</h1><h2>A quiet harvest</h2><p>They had waited."
    assert read("<title>A quiet harvest - The Old Bell</title>", banner).value("title") == (
        "A quiet harvest"
    )
    linked_only = "<body><a href=/b>A quiet harvest</a><p>They had waited for the rain.</p>"
    found = read("<title>The Old Bell : A quiet harvest</title>", linked_only).title
    assert found.source == "title"


def test_a_label_or_a_date_in_the_h1_is_not_the_title():
    for heading in ("<small>News</small> A quiet harvest", "A quiet harvest <i>04.03.21 18:27</i>"):
        data = read("<title>A quiet harvest | The Old Bell</title>", f"<body><h1>{heading}</h1>")
        assert data.value("title") == "A quiet harvest"


def test_an_h1_that_shares_no_word_with_the_declared_titles_gives_way_to_them():
    head = "<title>Threshing machines | The Old Bell</title>" + meta(
        **{"og:title": "Threshing machines"}
    )
    assert read(head, "<body><h1>Work less, rest more</h1>").value("title") == "Threshing machines"
    both = read(head, "<body><h1>Machines for work</h1>").value("title")
    assert both == "Machines for work"


def test_metas_alone_give_the_fields():
    head = (
        '<meta property="og:title" content="A quiet harvest">'
        '<meta property="og:site_name" content="The Courier">'
        '<meta property="og:description" content="What the fields gave.">'
        '<meta property="og:image" content="harvest.jpg">'
        '<meta property="og:type" content="article">'
        '<meta property="og:url" content="https://www.thecourier.example/c">'
        '<meta property="og:locale" content="pt_BR">'
        '<meta property="article:published_time" content="2021-03-04T10:00:00Z">'
        '<meta property="article:modified_time" content="2021-03-05T10:00:00Z">'
        '<meta property="article:section" content="Fields">'
        '<meta property="article:tag" content="grain"><meta property="article:tag" content="chaff">'
    ) + named("author", "By Jane Doe and John Roe")
    data = read(head)
    assert data.to_dict(fields=FIELDS) == {
        "title": "A quiet harvest",
        "authors": ["Jane Doe", "John Roe"],
        "published": "2021-03-04T10:00:00+00:00",
        "site_name": "The Courier",
        "description": "What the fields gave.",
        "language": "pt",
        "modified": "2021-03-05T10:00:00+00:00",
        "canonical": "https://www.thecourier.example/c",
        "categories": ["Fields"],
        "tags": ["grain", "chaff"],
        "lead_image": "https://www.thecourier.example/a/harvest.jpg",
        "page_type": "article",
        "licence": None,
    }


def test_a_page_that_says_nothing_has_no_fields():
    data = read_metadata(parse("<p>12</p>"))
    assert all(data.found(name) is None for name in FIELDS)


def test_an_unknown_field_is_an_option_error():
    with pytest.raises(OptionError, match="known: title, authors"):
        read().value("colour")


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("A quiet harvest | The Courier", "A quiet harvest"),
        ("A quiet harvest - Thecourier.example", "A quiet harvest"),
        ("The Courier: A quiet harvest", "A quiet harvest"),
        ("A quiet harvest | Fields | The Courier | More", "A quiet harvest | Fields"),
        ("Well-known facts: a list", "Well-known facts: a list"),
    ],
)
def test_the_site_is_cut_off_the_title(title, wanted):
    head = f"<title>{title}</title>{meta(**{'og:site_name': 'The Courier'})}"
    assert read(head).value("title") == wanted


@pytest.mark.parametrize("between", ["_", "｜", "-", " - ", "——"])
def test_chinese_titles_are_cut(between):
    head = f"<title>今年的收成很好{between}麦田报</title>{meta(**{'og:site_name': '麦田报'})}"
    assert read(head).value("title") == "今年的收成很好"


def test_the_heading_tells_which_part_of_the_title_is_meant():
    data = read("<title>Fields » A quiet harvest » News</title>", "<h1>A quiet harvest ¶</h1>")
    assert data.value("title") == "A quiet harvest"
    assert "title" not in data.title.source


def test_a_heading_that_names_the_site_is_no_title():
    body = '<h1><a href="/">Notes of a miller</a></h1><h2 class="entry-title">A quiet harvest</h2>'
    assert read("<title>A quiet harvest</title>", body).value("title") == "A quiet harvest"


def test_text_of_the_page_keeps_what_looks_like_markup():
    data = read(body="<h1>How to write &lt;br&gt; tags</h1>")
    assert data.value("title") == "How to write <br> tags"


def test_the_heading_near_the_content_wins():
    page = parse(
        "<body><h1>Weather today</h1>" + "<p>Sun and rain all day.</p>" * 50 + "<h1>A quiet harvest"
        "</h1><p id=c>The fields gave much.</p>"
    )
    keep = np.zeros(len(page), dtype=bool)
    keep[page.first("#c") :] = True
    rows = len(page)
    verdict = Verdict(keep, np.zeros(rows, np.float32), np.zeros(rows, np.int8))
    assert read_metadata(page, Content(page, verdict)).value("title") == "A quiet harvest"


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
        ("2014年4月2日 08:04 来源：麦田报", "麦田报"),
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


def test_articles_that_a_page_links_to_are_not_its_own():
    others = [
        {"@type": "Article", "headline": f"Story {n}", "url": f"https://www.thecourier.example/{n}"}
        for n in "xyz"
    ]
    data = read(linked(others) + "<title>All stories</title>")
    assert data.value("title") == "All stories"
    own = {"@type": "Article", "headline": "Mine", "url": "https://www.thecourier.example/a/b"}
    assert read(linked([*others, own])).value("title") == "Mine"


def test_the_question_of_a_page_is_its_main_entity():
    page = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "name": "How to dry grain?",
            "author": {"@type": "Person", "name": "Jane Doe"},
        },
    }
    data = read(linked(page))
    assert data.value("title") == "How to dry grain?"
    assert data.value("authors") == ("Jane Doe",)
    assert data.value("page_type") == "forum"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Harvest</h1><time datetime=2021-03-04>yesterday</time>",
        "<h1>Harvest</h1><span itemprop=datePublished content=2021-03-04></span>",
        "<h1>Harvest</h1><div class=post-date>4. März 2021</div>",
        "<h1>Harvest</h1><p>Published: March 4, 2021</p>",
        "<h1>收成</h1><p>2021年3月4日</p>",
    ],
)
def test_dates_that_readers_see(body):
    assert read(body=body).published.value == date(2021, 3, 4)


def test_chinese_dates_keep_their_time():
    data = read(body="<h1>收成</h1><div class=info>2014年4月2日 08:04 来源：麦田报</div>")
    assert data.value("published") == "2014-04-02T08:04:00"


def test_the_address_gives_a_date():
    data = read(url="https://www.thecourier.example/2021/03/04/harvest.html")
    assert data.published.value == date(2021, 3, 4)
    assert data.published.source == "url"
    assert data.published.row == -1


def test_agreement_beats_a_lone_source():
    head = named("date", "2020-01-01")
    body = "<h1>Harvest</h1><time datetime=2021-03-04></time>"
    url = "https://www.thecourier.example/2021/03/04/harvest"
    assert read(head, body, url=url).published.value == date(2021, 3, 4)


def test_changes_are_told_from_publication():
    body = (
        "<h1>Harvest</h1><p>Published <time datetime=2021-03-04></time> Updated "
        "<time datetime=2022-01-01></time>"
    )
    data = read(body=body)
    assert data.published.value == date(2021, 3, 4)
    assert data.modified.value == date(2022, 1, 1)


def test_no_date_lies_in_the_future():
    later = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()
    assert read(meta(**{"article:published_time": later})).published is None


def test_dates_of_comments_and_related_pages_are_not_the_pages():
    body = (
        "<h1>Harvest</h1><p>Grain.</p><div class=comment-list><time datetime=2021-03-04></time>"
        "</div><aside><time datetime=2021-03-05></time></aside>"
    )
    assert read(body=body).published is None


def test_times_in_utc_are_of_the_day_that_the_page_shows():
    head = meta(**{"article:published_time": "2021-03-05T03:10:00+00:00"})
    shown = "<h1>Harvest</h1><time datetime=2021-03-04T19:10:00-08:00>4 March 2021</time>"
    assert read(head, shown).value("published") == "2021-03-04T19:10:00-08:00"
    other = "<h1>Harvest</h1><time datetime=2021-03-04T18:10:00-08:00>4 March 2021</time>"
    assert read(head, other).value("published") == "2021-03-05T03:10:00+00:00"


@pytest.mark.parametrize(
    ("name", "content", "field"),
    [
        ("w-published-date", "2021-03-04", "published"),
        ("published", "March 4, 2021", "published"),
        ("ms.date", "2021-03-04", "published"),
        ("updated", "2021-03-04", "modified"),
        ("content-last-modified", "2021-03-04", "modified"),
    ],
)
def test_metas_of_unknown_names_that_speak_of_dates(name, content, field):
    assert read(named(name, content)).value(field) == "2021-03-04"


@pytest.mark.parametrize("name", ["event-start-date", "valid-date", "publisher", "end.date"])
def test_metas_of_other_dates_are_no_publication(name):
    assert read(named(name, "2021-03-04")).value("published") is None


def test_the_address_tells_which_number_is_the_month():
    body = "<h1>Harvest</h1><span class=post-date>04/03/2021</span>"
    assert read(body=body).value("published") == "2021-04-03"
    for url in ("https://x.example/2021/03/04/a", "https://x.example/2021/march/4/a"):
        data = read(body=body, url=url)
        assert data.value("published") == "2021-03-04"
        assert data.published.agreeing


def test_a_title_may_end_with_its_date():
    assert read("<title>Harvest | Courier | 04.03.2021</title>").value("published") == "2021-03-04"
    assert read("<title>Harvest 04.03.2021</title>").value("published") is None


def test_an_embedded_state_gives_a_date_where_nothing_else_does():
    state = (
        '<script id="__NEXT_DATA__" type="application/json">{"publishedAt": "2021-03-04"}</script>'
    )
    assert read(state).published.source == "state"
    assert read(state, "<h1>A</h1><time>5 March 2021</time>").value("published") == "2021-03-05"


def test_a_sidebar_within_the_article_may_bear_its_date():
    aside = "<aside><h3>Published</h3><time datetime=2021-03-04></time></aside>"
    assert read(body=f"<article><p>Grain.</p>{aside}</article>").value("published") == "2021-03-04"
    assert read(body=f"<h1>Harvest</h1><p>Grain.</p>{aside}").value("published") is None


def test_day_and_month_follow_the_language():
    body = "<h1>Harvest</h1><p class=date>04/05/2021</p>"
    assert read(body=body, lang="en-US").published.value == date(2021, 4, 5)
    assert read(body=body, lang="fr").published.value == date(2021, 5, 4)


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_tells_where_it_came_from_and_how_sure_it_is(name):
    page = parse(
        f"<head>{linked(ARTICLE)}</head><body><p>x", url="https://www.thecourier.example/a/b"
    )
    found = read_metadata(page).found(name)
    assert found.source.startswith(("json-ld:NewsArticle", "text"))
    assert 0 < found.confidence < 1
    assert page.name(found.row) == "script"
    assert json.dumps(read_metadata(page).told(name))


def test_the_lead_image_is_the_declared_one_that_the_page_shows():
    head = meta(**{"og:image": "/i/barn-at-dusk-1200x630.jpg"})
    head += linked({"@type": "NewsArticle", "image": "/i/barn-inside.png"})
    alone = read(head).lead_image
    assert alone.value.endswith("barn-at-dusk-1200x630.jpg")
    shown = read(head, "<p>x<img src=/i/barn-inside.png?w=90>").lead_image
    assert shown.value.endswith("barn-inside.png")
    assert shown.agreeing == ("img",)
    sized = read(head, "<p>x<img data-src=/thumbs/barn-at-dusk-300x200.jpg>").lead_image
    assert (sized.value, sized.agreeing) == (alone.value, ("img",))
    assert sized.confidence > alone.confidence


def test_tags_and_licence_of_links():
    body = (
        "<a rel=tag href=/t/grain>grain</a><a rel=tag href=/t/chaff>chaff</a>"
        "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"
    )
    data = read(body=body)
    assert data.value("tags") == ("grain", "chaff")
    assert data.value("licence") == "https://creativecommons.org/licenses/by/4.0/"


def test_breadcrumbs_give_categories():
    steps = [{"@type": "ListItem", "item": {"name": n}} for n in ("Home", "Fields", "Harvest")]
    data = read(linked({"@type": "BreadcrumbList", "itemListElement": steps}))
    assert data.value("categories") == ("Fields",)


def test_the_site_is_named_by_the_title_where_the_host_confirms_it():
    data = read("<title>A quiet harvest | The Courier</title>")
    assert data.value("site_name") == "The Courier"
    assert read("<title>A quiet harvest | Something</title>").site_name is None


def test_a_front_page_as_canonical_of_a_deep_page_is_doubted():
    head = "<link rel=canonical href=https://www.thecourier.example/>"
    assert read(head).value("canonical") == "https://www.thecourier.example/a/b"


def test_fields_are_read_when_asked_for():
    data = read(linked(ARTICLE))
    assert not set(FIELDS) & set(data.__dict__)
    assert data.title is data.title
    assert set(FIELDS) & set(data.__dict__) == {"title"}


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


def test_a_moment_in_utc_is_of_the_day_that_the_address_names():
    head = meta(**{"article:published_time": "2021-03-05T02:41:41+00:00"})
    assert read(head, url="https://a.example/2021/03/04/b").value("published") == "2021-03-04"
    late = meta(**{"article:published_time": "2021-03-05T13:41:41+00:00"})
    assert (
        read(late, url="https://a.example/2021/03/04/b").value("published").startswith("2021-03-05")
    )


def test_the_last_change_is_found_at_the_end_of_the_page():
    far = "<p>They had waited for the rain, and when it came it stayed.</p>" * 200
    data = read("", f"<h1>Harvest</h1>{far}<p>Page last modified: March 4, 2021</p>")
    assert data.value("modified") == data.value("published") == "2021-03-04"


def test_the_day_in_the_address_of_the_image_is_the_last_resort():
    head = meta(**{"og:image": "https://img.example/2021/03/04/a.jpg"})
    found = read(head).published
    assert (found.value, found.source) == (date(2021, 3, 4), "meta:og:image")
    dated_text = read(head, "<p>Published on March 5, 2021.</p>").published
    assert dated_text.value == date(2021, 3, 5)


def test_a_picture_that_stands_for_the_site_gives_way_to_one_of_the_page():
    head = meta(**{"og:image": "/i/the-courier-logo.png"})
    assert read(head).value("lead_image").endswith("the-courier-logo.png")
    head += linked({"@type": "NewsArticle", "image": "/i/barn-at-dusk.jpg"})
    assert read(head).value("lead_image").endswith("barn-at-dusk.jpg")


def test_two_elements_of_a_heading_on_two_lines_are_two_words():
    body = "<body><h1>A quiet<br>harvest <span>of 2021</span></h1>"
    assert read("", body).value("title") == "A quiet harvest of 2021"


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


def test_the_page_type_of_microdata():
    body = "<body itemscope itemtype='https://schema.org/QAPage'><h1>Which sieve?</h1>"
    assert read("", body).value("page_type") == "forum"


def test_sections_after_the_title_are_no_part_of_it():
    head = "<title>A quiet harvest in the hills | News | Local | Oakmill</title>"
    assert read(head, "<p>They had waited.").value("title") == "A quiet harvest in the hills"
    assert read("<title>秋天的收获令人惊喜不已_国内_某某网</title>").value("title") == (
        "秋天的收获令人惊喜不已"
    )


def test_the_rest_of_a_title_that_is_the_heading_names_the_site():
    found = read("<title>A quiet harvest_Oakmill</title>", "<h1>A quiet harvest</h1>", url=None)
    assert (found.site_name.value, found.site_name.source) == ("Oakmill", "title")
