"""Notes: what marks in the text lead to, and nothing else that links within the page lead to."""

import numpy as np
import pytest

import chaffinch
from chaffinch.elements.texts import notes
from chaffinch.page import parse
from chaffinch.page.tags import TEXT

URL = "https://example.org/finch"
LINE = "<p>The chaffinch sings from early spring on{}, and eats seeds of many kinds{}.</p>"
LIST = "<ol><li id=a>Song <i>of</i> birds, 1998.<li id=b>Seeds, 2004.<li>Unread</ol>"
CONTENTS = "<ul><li><a href=#one>1</a><li><a href=#two>2</a></ul>"


def mark(name, text):
    return f"<sup><a href={name}>{text}</a></sup>"


def told(html, url=URL):
    page = parse(html, url=url)
    rows = notes(page, page.tag == TEXT)
    texts = (page.tag == TEXT) & rows
    return [page.text_of(row).strip() for row in np.flatnonzero(texts) if page.text_of(row).strip()]


@pytest.mark.parametrize("address", ["", URL])
def test_a_list_of_notes_is_recognised_as_one(address):
    html = LINE.format(mark(f"{address}#a", "[1]"), mark(f"{address}#b", "[2]")) + LIST
    assert told(html) == ["Song", "of", "birds, 1998.", "Seeds, 2004.", "Unread"]


def test_a_saved_page_may_spell_out_its_address():
    html = LINE.format(mark(f"{URL}#a", "[1]"), mark(f"{URL}#b", "[2]")) + LIST
    assert "Unread" in told(html, url=None)
    assert not told(html, url="https://example.org/other")


@pytest.mark.parametrize("text", ["1", "[12]", "12a", "(b)", "†", "**", "一", "[注1]", "[note 12]"])
def test_marks(text):
    html = LINE.format(mark("#a", text), mark("#b", text)) + LIST
    assert "Unread" in told(html)


def test_notes_without_a_list():
    html = LINE.format(mark("#a", "*"), "") + "<p>More.</p><p><a name=a>*</a> Said so.</p>"
    assert told(html) == ["*", "Said so."]


@pytest.mark.parametrize(
    "html",
    [
        "",
        LINE.format("", "") + LIST,
        # One of three items is led to: a list in which a text links to something.
        LINE.format(mark("#a", "[1]"), "") + LIST,
        # A word is no mark, nor is what leads upwards, elsewhere or nowhere.
        LINE.format(mark("#a", "Song"), mark("#b", "Seeds")) + LIST,
        LIST + LINE.format(mark("#a", "1"), mark("#b", "2")),
        LINE.format(mark("/other#a", "1"), mark("#c", "2")) + LIST,
        # Numbers that stand alone are a table of contents or pages.
        CONTENTS + "<p id=one>First part.</p><p id=two>Second part.</p>",
        # What is long is a section.
        LINE.format(mark("#a", "2"), "") + f"<div id=a>{LINE * 40}</div>",
    ],
)
def test_no_notes(html):
    assert told(html) == []


def test_a_policy_asks_for_notes_with_their_heading():
    body = "".join(LINE.format(mark("#a", "[1]"), mark("#b", "[2]")) for _ in range(4))
    page = f"<main>{body}<h2>References</h2>{LIST}<h2>Sites</h2><p><a href=/x>Sites</a></main>"
    for wanted in (True, False):
        text = chaffinch.extract(page, settings={"policy": {"notes": wanted}}).text
        assert "chaffinch sings" in text
        assert [word in text for word in ("References", "1998", "Unread")] == [wanted] * 3
