"""Posts of discussions: found by structure or JSON-LD, with author, date, text and relations."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from chaffinch.lists.discussion import posts
from chaffinch.lists.post_features import date_in
from chaffinch.page import parse

TABLE = tomllib.loads(Path(__file__).with_name("lists.toml").read_text("utf-8"))

TEXTS = (
    "The top hand's breadth of the wheat is moving, can it still be saved?",
    "Moisture is fine, warmth is the trouble. Get air through it.",
    "It is eighteen degrees. The fan has been on since midnight.",
)
USERS = ("stonebarn", "Miller_Jo", "hen & chick")
DATES = ("2 August 2024 08:07", "2 August 2024 10:43", "3 August 2024 11:00")


def read(html):
    return posts(parse(html, url="https://example.org/forum/thread.html"))


def thread(pattern, around="<h1>Weevils</h1><div>{}</div>"):
    """Fill a pattern once for each post and put them into a page."""
    parts = [
        pattern.format(user=user.replace("&", "&amp;"), date=date, text=text, n=number)
        for number, (user, date, text) in enumerate(zip(USERS, DATES, TEXTS, strict=True), 1)
    ]
    return around.format("".join(parts))


PATTERNS = {
    "classes": "<div class=post><b class=user>{user}</b><span class=date>{date}</span>"
    "<div class=text>{text}</div></div>",
    "wrapped": "<div><div class='post p{n}'><h4><a href=/profile/{n}>{user}</a></h4><p>{date}</p>"
    "<p>{text}</p></div></div>",
}


@pytest.mark.parametrize(("text", "date"), TABLE["dates of posts"])
def test_dates(text, date):
    assert date_in(text) == date


@pytest.mark.parametrize(
    "html",
    [
        PATTERNS["classes"].format(user="a", date=DATES[0], text="t", n=1) * 3000,
        "<div class=comment><a class=user>a</a><time>2024-01-01</time><p>text of it</p>" * 450,
        "<p>2024-01-01 <a class=user>a</a>" * 5000,
        "<div>" * 500 + "2024-01-01",
    ],
)
def test_large_pages(html):
    found = read(html)
    assert len(found) <= 1000


def test_example_site(example_site):
    """Threads: all posts with user and date; their texts but for signatures; lists: none."""
    counts = Counter()
    for row in example_site:
        found = posts(parse(row["html"].encode("latin-1"), url=row["url"]))
        if row["template"] in {"list", "docs", "table", "archive"}:
            assert found == [], row["id"]
        if row["template"] == "thread":
            for post, gold in zip(found, row["posts"], strict=True):
                counts["posts"] += 1
                counts["user"] += post.author == gold["user"]
                counts["date"] += post.date[:16].replace("T", " ") == gold["datetime"]
                counts["text"] += "".join(post.text.split()) == "".join(gold["post_text"].split())
    assert counts["posts"] >= 30
    assert counts["user"] == counts["date"] == counts["posts"], counts
    assert counts["text"] >= 0.9 * counts["posts"], counts
