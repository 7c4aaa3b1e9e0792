"""Dates: declared, seen, in addresses, and those that are of something else."""

from datetime import UTC, date, datetime, timedelta

import pytest
from small_pages import meta, named, read

from chaffinch import extract


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


def test_changes_are_distinguished_from_publication():
    body = (
        "<h1>Harvest</h1><p>Published <time datetime=2021-03-04></time> Updated "
        "<time datetime=2022-01-01></time>"
    )
    data = read(body=body)
    assert data.published.value == date(2021, 3, 4)
    assert data.modified.value == date(2022, 1, 1)


def test_no_date_is_in_the_future():
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


def test_the_address_decides_which_number_is_the_month():
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


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
@pytest.mark.parametrize(
    "date_of",
    [
        "<meta itemprop=dateCreated content={}>",
        "<time itemprop=dateCreated datetime={}>then</time>",
        "<i class=post-date>{}</i>",
    ],
)
def test_the_date_of_a_question_is_not_that_of_its_answers(date_of, order):
    kind = "<div itemscope itemtype=https://schema.org/Answer>{}<p>Air it at night.</p></div>"
    parts = [
        date_of.format("2021-03-04T10:00:00Z"),
        kind.format(date_of.format("2021-03-05T10:00:00Z")),
        kind.format(date_of.format("2021-03-07T10:00:00Z")),
    ]
    shown = "".join(parts[number] for number in order)
    question = "<div itemscope itemtype=https://schema.org/Question><h1>How to dry grain?</h1>"
    assert read(body=f"{question}{shown}</div>").value("published") == "2021-03-04T10:00:00+00:00"


def test_the_date_of_a_comment_is_not_the_pages():
    comments = (
        "<div class=comments><ul><li class=comment>river rat 30 May 2024 08:35</li></ul></div>"
    )
    prose = "<p>Seeds must breathe, and plastic won't let them; these bags are of flax.</p>" * 3
    page = f"<body><h1>Seed bags</h1>{prose}{comments}</body>"
    assert extract(page).metadata.value("published") is None
