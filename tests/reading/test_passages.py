import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chaffinch

HTML = """<title>Grain</title><article><h1>Grain</h1><p>Rye is a grass that is grown for its grain,
and <a href=/straw>its straw</a> is long. It <b>feeds</b> chaffinches in the winter.
<p>Oats like wet years: they are sown in March, and cut late in summer.
<table><tr><th>Crop<th>Price<tr><td>Rye<td>12<tr><td>Oats<td>9</table>
<p>苍头燕雀在冬天吃谷物，春天吃昆虫和蜘蛛，它们在树上筑巢。</article>"""
QUOTES = tomllib.loads(Path(__file__).with_name("quotes.toml").read_text("utf-8"))["quotes"]
FOUND = chaffinch.extract(HTML, keep="article", url="https://grain.example/a#top")


@pytest.mark.parametrize(("quote", "status"), [*QUOTES, ("x" * 100_000, "absent")])
def test_quotes(quote, status):
    found = FOUND.verify(quote)
    assert found == status or (quote.startswith("ats") and found != "exact")


def test_where_a_passage_stands():
    found = FOUND.locate(
        "its straw is long. It feeds chaffinches in the winter. Oats like wet years"
    )
    assert found.rows[0] < found.rows[1]
    assert found.ids == tuple(one.id for one in FOUND.blocks if "Rye is a" in FOUND.text[
        one.start : one.end] or "Oats like" in FOUND.text[one.start : one.end])  # fmt: skip
    assert FOUND.page.select(found.selector).tolist() == FOUND.page.select(found.xpath).tolist()
    assert found.url == f"https://grain.example/a{found.fragment}"
    assert (
        found.fragment == "#:~:text=its%20straw%20is%20long.%20It%20feeds,Oats%20like%20wet%20years"
    )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_range_of_whole_words_is_exact(data):
    held = FOUND.text.split()
    first = data.draw(st.integers(0, len(held) - 1))
    last = data.draw(st.integers(first + 1, len(held)))
    passage = FOUND.locate(" ".join(held[first:last]))
    assert passage.status == "exact"
    assert passage.similarity == 1


def test_many_near_places_take_linear_time():
    found = chaffinch.extract("<p>" + "aa " * 200_000 + "<p>" + "a" * 200_000, keep="p")
    assert found.verify("a" * 100_000) == "absent"
    assert found.verify("aa " * 3000 + "b") == "changed"


def test_every_line_of_the_markdown_is_exact():
    for line in FOUND.markdown().split("\n"):
        if any(map(str.isalnum, line)):
            assert FOUND.verify(line) == "exact"


def test_dropped_text_is_not_quoted():
    found = chaffinch.extract("<nav>Home and away</nav><title>Rye</title><p>Rye.", drop="nav")
    assert found.verify("Home and away") == "absent"
