"""The façade: one page's trip, the caller's selectors, many pages."""

import pickle

import pytest

import chaffinch
from chaffinch import OptionError, PageError, Site, Verdict
from chaffinch.verdict import Content
from embedded_pages import FOOD, NEST, SHELLS, SONG

PAGE = """<html lang=en><head><title>Rye returns | The Post</title>
<meta property="og:site_name" content="The Post"></head><body>
<div id=nav><a href=/a>Birds</a> <a href=/b>Fields</a> <a href=/c>Mills</a></div>
<div id=story><h1>Rye returns</h1><p>The hills east of the town were never good wheat land, and
for eighty years nobody asked them to be. Now forty farms sow rye again, and the mill takes it.</p>
<p>The first loaves were dark, sour and heavy, and they were sold out before ten in the morning.</p>
<p class=ad>Buy a plough.</p></div>
<div id=foot><a href=/about>About</a> <a href=/terms>Terms</a> <small>© The Post</small></div>"""


@pytest.fixture(scope="module")
def got():
    return chaffinch.extract(PAGE, url="https://grain.example/rye", method="block_density")


def test_selectors_have_the_last_word_and_drop_the_very_last():
    got = chaffinch.extract(PAGE, method="block_density", keep=["#foot"], drop=["#story .ad", "h1"])
    assert "© The Post" in got.text
    assert "plough" not in got.text
    assert "Rye returns" not in got.text
    both = chaffinch.extract(PAGE, method="block_density", keep="#foot", drop="small")
    assert "About" in both.text
    assert "©" not in both.text
    reasons = {e.text: e.reason for e in both.explain()}
    assert "selector" in reasons["About Terms © The Post"]


@pytest.mark.parametrize(
    "options",
    [
        {"method": "no_such"},
        {"method": "block_density", "settings": {"no_such": 1}},
        {"method": "block_density", "settings": {"alpha": -1}},
        {"method": lambda page: Verdict.empty(len(page)), "settings": {"alpha": 1}},
        {"method": 3},
        {"keep": ["p["]},
        {"drop": ["p:hover"]},
        {"method": "block_density", "siblings": ["<p>x"]},
    ],
)
def test_wrong_options(options):
    with pytest.raises(OptionError):
        chaffinch.extract(PAGE, **options)


@pytest.mark.parametrize("html", ["", b"", "<body></body>", "<script>x()</script>"])
def test_no_content_is_an_empty_extract(html):
    got = chaffinch.extract(html)
    assert not got
    assert (got.text, got.markdown(), got.html(), got.chunks()) == ("", "", "", [])
    assert got.to_dict()["text"] == ""


def test_results_are_the_same_again_and_after_pickling(got):
    again = pickle.loads(pickle.dumps(got))  # noqa: S301
    assert again.text == got.text
    assert again.markdown() == got.markdown()
    assert again.score.tobytes() == got.score.tobytes()


@pytest.mark.parametrize("workers", [1, 2])
def test_many_pages_keep_their_order_and_errors_their_place(workers):
    pages = [PAGE, b"%PDF-1.7 x", PAGE.replace("Rye", "Oats"), ""]
    got = list(chaffinch.extract_many(pages, workers=workers, method="block_density"))
    assert "Rye returns" in got[0].text
    assert isinstance(got[1], PageError)
    assert "Oats returns" in got[2].text
    assert not got[3]


def test_many_pages_are_taken_lazily():
    def endless():
        while True:
            yield PAGE

    results = chaffinch.extract_many(endless(), method="block_density")
    assert "forty farms" in next(results).text
    parallel = chaffinch.extract_many(endless(), workers=2, method="block_density")
    assert "forty farms" in next(parallel).text
    parallel.close()


def test_readable_pages():
    assert chaffinch.is_readable(PAGE + PAGE)
    assert not chaffinch.is_readable("<ul><li><a href=x>one</a><li><a href=y>two</a></ul>")
    assert not chaffinch.is_readable("")
    assert chaffinch.is_readable("<p>" + "山坡上的黑麦又回来了，磨坊重新转动。" * 8)


# Content that stands only in the page's data


def by_site(html, **options):
    page = chaffinch.parse(html, **options)
    return Site.learn([page, chaffinch.parse(SHELLS["furnished"])]).extract(page)


every_shell = pytest.mark.parametrize("kind", SHELLS)
every_way = pytest.mark.parametrize("way", [chaffinch.extract, by_site])


@every_way
@every_shell
def test_each_row_of_an_extract_is_one_of_its_page(way, kind):
    found = way(SHELLS[kind], url="https://birds.test/finch")
    for column in (found.keep, found.score, found.why, found.content.kept):
        assert len(column) == len(found.page)
    assert len(found.in_rows.kept) == len(found.in_rows.page)
    assert found.given.text.count("Loading") == 1
    for block in found.blocks:
        rows = found.page.text[
            found.page.text_at[block.rows[0]] : found.page.text_at[block.rows[1]]
        ]
        assert found.text[block.start : block.end] in " ".join(rows.split())
    for output in (found.text, found.markdown(), found.html(), found.clean(), found.tei()):
        assert all(sentence in output for sentence in (SONG, NEST, FOOD))
        assert "Loading" not in output
    kept = [one.text for one in found.explain() if one.keep]
    assert kept == found.text.replace("\t", "\n").split("\n")


@every_way
def test_what_the_page_shows_gives_way(way):
    found = way(SHELLS["furnished"])
    assert found.noise.splitlines() == [
        *("All the birds Where they are seen", "Loading…", "Made by the bird society")
    ]
    dropped = [one for one in found.explain() if not one.keep]
    assert [one.text for one in dropped] == found.noise.splitlines()
    assert not found.in_rows.kept.any()
    assert all(one.reason for one in dropped)


def test_a_verdict_on_another_page_is_refused():
    found = chaffinch.extract(SHELLS["next"])
    with pytest.raises(OptionError, match=r"verdict on \d+ rows doesn't go with a page of \d+"):
        Content(found.given, found.content.verdict)
    with pytest.raises(OptionError, match="verdict on 2 rows"):
        chaffinch.extract(PAGE, method=lambda _: Verdict.empty(2))


def test_links_with_their_words_and_whether_they_are_in_the_content():
    page = "<nav><a href=/a>Home</a></nav><p id=x>Rye, <a href='b#c'>oats <i>and</i></a> more.<a>no"
    found = chaffinch.extract(page, url="https://x.org/d/", keep="#x", drop="nav").links
    assert [(one.text, one.url, one.in_content) for one in found] == [
        ("Home", "https://x.org/a", False),
        ("oats and", "https://x.org/d/b#c", True),
    ]
