"""Dates: declared, seen, in addresses, in text, and those that are of something else."""

from datetime import UTC, date, datetime, timedelta

import pytest
from small_pages import meta, named, read

from chaffinch.elements.dates_in_text import day_of, parse_date, plausible

H1, DAY = "<h1>Harvest</h1>", "2021-03-04"
FAR = "<p>They had waited for the rain, and when it came it stayed.</p>" * 200
ASIDE = f"<aside><h3>Published</h3><time datetime={DAY}></time></aside>"
TEASER = "<aside><time datetime=2021-03-05></time></aside>"
STATE = f'<script id="__NEXT_DATA__" type="application/json">{{"publishedAt": "{DAY}"}}</script>'
OF_URL = "https://a.example/2021/03/04/b"
AT = "article:published_time"
LATER = (datetime.now(UTC) + timedelta(days=30)).date().isoformat()


@pytest.mark.parametrize(
    ("head", "body", "wanted"),
    [
        ("", f"{H1}<time datetime={DAY}>yesterday</time>", DAY),
        ("", f"{H1}<span itemprop=datePublished content={DAY}></span>", DAY),
        ("", f"{H1}<div class=post-date>4. März 2021</div>", DAY),
        ("", f"{H1}<p>Published: March 4, 2021</p>", DAY),
        ("", "<h1>收成</h1><p>2021年3月4日</p>", DAY),
        ("", "<h1>收成</h1><div class=info>2014年4月2日 08:04 来源：麦田报", "2014-04-02T08:04:00"),
        (meta(**{AT: LATER}), "", None),
        (
            "",
            f"{H1}<p>Grain.</p><div class=comment-list><time datetime={DAY}></time></div>{TEASER}",
            None,
        ),
        (
            meta(**{AT: "2021-03-05T03:10:00+00:00"}),
            f"{H1}<time datetime=2021-03-04T19:10:00-08:00>4 March 2021</time>",
            "2021-03-04T19:10:00-08:00",
        ),
        (
            meta(**{AT: "2021-03-05T03:10:00+00:00"}),
            f"{H1}<time datetime=2021-03-04T18:10:00-08:00>4 March 2021</time>",
            "2021-03-05T03:10:00+00:00",
        ),
        (named("w-published-date", DAY), "", DAY),
        (named("published", "March 4, 2021"), "", DAY),
        (named("ms.date", DAY), "", DAY),
        (named("event-start-date", DAY), "", None),
        (named("valid-date", DAY), "", None),
        (named("publisher", DAY), "", None),
        (named("end.date", DAY), "", None),
        ("<title>Harvest | Courier | 04.03.2021</title>", "", DAY),
        ("<title>Harvest 04.03.2021</title>", "", None),
        (STATE, "", DAY),
        (STATE, "<h1>A</h1><time>5 March 2021</time>", "2021-03-05"),
        ("", f"<article><p>Grain.</p>{ASIDE}</article>", DAY),
        ("", f"{H1}<p>Grain.</p>{ASIDE}", None),
        (meta(**{"og:image": "https://img.example/2021/03/04/a.jpg"}), "", DAY),
        (
            meta(**{"og:image": "https://img.example/2021/03/04/a.jpg"}),
            "<p>Published on March 5, 2021.</p>",
            "2021-03-05",
        ),
    ],
)
def test_publication(head, body, wanted):
    assert read(head, body or "<p>x").value("published") == wanted


@pytest.mark.parametrize(
    ("head", "body", "published", "modified"),
    [
        (
            "",
            f"{H1}<p>Published <time datetime={DAY}></time> Updated <time datetime=2022-01-01>",
            DAY,
            "2022-01-01",
        ),
        ("", f"{H1}{FAR}<p>Page last modified: March 4, 2021</p>", DAY, DAY),
        (named("updated", DAY), "", DAY, DAY),
        (named("content-last-modified", DAY), "", DAY, DAY),
    ],
)
def test_changes(head, body, published, modified):
    data = read(head, body)
    assert (data.value("published"), data.value("modified")) == (published, modified)


@pytest.mark.parametrize(
    ("head", "body", "url", "wanted"),
    [
        ("", "", f"{OF_URL}/harvest.html", DAY),
        (named("date", "2020-01-01"), f"{H1}<time datetime={DAY}></time>", OF_URL, DAY),
        ("", f"{H1}<span class=post-date>04/03/2021</span>", "https://x.example/a", "2021-04-03"),
        ("", f"{H1}<span class=post-date>04/03/2021</span>", OF_URL, DAY),
        ("", f"{H1}<i class=post-date>04/03/2021</i>", "https://x.example/2021/march/4/a", DAY),
        (meta(**{AT: "2021-03-05T02:41:41+00:00"}), "", OF_URL, DAY),
        (meta(**{AT: "2021-03-05T13:41:41+00:00"}), "", OF_URL, "2021-03-05T13:41:41+00:00"),
    ],
)
def test_the_day_in_the_address(head, body, url, wanted):
    found = read(head, body, url=url).published
    assert found.value.isoformat() == wanted
    assert "url" in {found.source, *found.agreeing} or wanted != DAY


def test_day_and_month_follow_language_and_country():
    body = f"{H1}<p class=date>04/05/2021</p>"
    assert read(body=body, lang="en-US").published.value == date(2021, 4, 5)
    assert read(body=body, lang="fr").published.value == date(2021, 5, 4)
    assert parse_date("4/5/2021", locale="en") == date(2021, 4, 5)
    assert parse_date("4/5/2021", locale="en-gb") == parse_date("4/5/2021") == date(2021, 5, 4)
    assert parse_date("4.5.2021", locale="en") == date(2021, 5, 4)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2021-03-04", DAY),
        ("2021-03-04T10:00:00Z", "2021-03-04T10:00:00+00:00"),
        ("2021-03-04T10:00:00+0100", "2021-03-04T10:00:00+01:00"),
        ("2021-03-04 10:00:00.123+01:00", "2021-03-04T10:00:00.123000+01:00"),
        ("Thu, 04 Mar 2021 10:00:00 +0100", "2021-03-04T10:00:00+01:00"),
        ("2014年4月2日 08:04", "2014-04-02T08:04:00"),
        ("2014年04月02日08:04:05", "2014-04-02T08:04:05"),
        ("2014年4月2日 08时04分", "2014-04-02T08:04:00"),
        ("2021. 3. 4.", DAY),
        ("2021년 3월 4일", DAY),
        ("2021/3/4", DAY),
        ("20210304", DAY),
        ("March 4, 2021", DAY),
        ("March 4th, 2021 at 9:05 pm", "2021-03-04T21:05:00"),
        ("4 March 2021", DAY),
        ("4. März 2021, 10:30 Uhr", "2021-03-04T10:30:00"),
        ("4 de marzo de 2021", DAY),
        ("4 mars 2021 à 10h30", "2021-03-04T10:30:00"),
        ("4 марта 2021", DAY),
        ("4 marca 2021", DAY),
        ("4 Μαρτίου 2021", DAY),
        ("Παρασκευή 6 Γενάρη 2012", "2012-01-06"),
        ("3 Μάρτη 2012", "2012-03-03"),
        ("12 Νοέμβρη 2011", "2011-11-12"),
        ("PTI | 03:01 PM,Jan 12,2012", "2012-01-12"),
        ("04.03.2021", DAY),
        ("Do 25.04.24 | 14:07", "2024-04-25T14:07:00"),
        ("Do 25.04.24 | 14:07 Uhr | Von Jane Doe in Frankfurt", "2024-04-25T14:07:00"),
        ("Version 1.10.24.7", None),
        ("25/12/2021", "2021-12-25"),
        ("12/25/2021", "2021-12-25"),
        ("31.02.2021", None),
        ("Page 12 of 2021", None),
        ("in 3 hours", None),
        ("9999999999", None),
    ],
)
def test_dates_in_text(text, wanted):
    found = parse_date(text)
    assert (found and found.isoformat()) == wanted
    assert found is None or plausible(found) == (day_of(found).year >= 1990)
