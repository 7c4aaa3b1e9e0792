"""Posts of discussions: found by structure or JSON-LD, with author, date, text and relations."""

import json
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.lists.discussion import declared_posts, posts
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


def declared(data):
    return f"<script type=application/ld+json>{json.dumps(data)}</script><p>Words"


def lists_and_objects(inner):
    keys = ["@type", "text", "author", "name", "comment", "mainEntity", "@graph"]
    objects = st.dictionaries(st.sampled_from(keys), inner, max_size=4)
    return st.one_of(st.lists(inner, max_size=3), objects)


json_values = st.recursive(
    st.one_of(st.none(), st.integers(), st.sampled_from(["Question", "a <b> b", "2024-01-01", ""])),
    lists_and_objects,
    max_leaves=15,
)


@settings(max_examples=100)
@given(json_values)
def test_any_json_ld(data):
    for post in declared_posts(parse(declared(data))):
        assert post.text
        assert isinstance(post.author, str)


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
