"""What readers' aids and notes are, and what only looks like them."""

import pytest

import chaffinch
from chaffinch.elements.footnotes import footnotes
from chaffinch.page import parse

PROSE = "<p>The chaffinch is a small bird, common in gardens and woods; it sings in spring.</p>" * 3


def extract(inner):
    page = f"<body><article><h1>Chaffinch</h1>{PROSE}{inner}{PROSE}</article>"
    return chaffinch.extract(page, url="https://x.example/a", keep=["article"])


def lines_between(inner):
    return [line for line in extract(inner).text.split("\n") if "chaffinch" not in line.lower()]


def test_many_marked_links_take_linear_time():
    inner = "<div><h2>Range</h2>" + "<a class=edit href=/e>edit</a> " * 20_000 + "</div>"
    assert lines_between(inner)[0] == "Range"


@pytest.mark.parametrize("sign", ["\u200b", "&zwj;", "&shy;", "\ufeff \u2060"])
@pytest.mark.parametrize(
    "place", ["<p>{}</p>", "<ul><li>{}</ul>", "<h2>{}</h2>", "<div>{}<br>{}</div>"]
)
def test_lines_without_a_visible_character_are_left_out(sign, place):
    found, without = extract(place.replace("{}", sign)), extract("")
    assert found.text == without.text
    assert found.markdown() == without.markdown()
    assert [one.text for one in found.chunks()] == [one.text for one in without.chunks()]


FINCH = "https://example.org/finch"
LINE = "<p>The chaffinch sings from early spring on{}, and eats seeds of many kinds{}.</p>"
LIST = "<ol><li id=a>Song <i>of</i> birds, 1998.<li id=b>Seeds, 2004.<li>Unread</ol>"


def mark(name, text):
    return f"<sup><a href={name}>{text}</a></sup>"


def told(html, url=FINCH):
    page = parse(html, url=url)
    links = page.is_tag("a").nonzero()[0].tolist()
    return [page.folded(row) for row in footnotes(page, links, page.shown).notes]


@pytest.mark.parametrize("text", ["1", "[12]", "12a", "(b)", "†", "**", "一", "[注1]", "[note 12]"])
def test_marks(text):
    html = LINE.format(mark("#a", text), mark("#b", text)) + LIST
    assert told(html) == ["Song of birds, 1998.", "Seeds, 2004."]
