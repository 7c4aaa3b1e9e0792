"""What an extract shows and keeps: its title, its address, comments, no page longer than needed."""

import gc
import pickle
import weakref
from collections.abc import Callable

import pytest

import chaffinch
from chaffinch.extraction.extracted import Extract
from chaffinch.loading.address import addressed
from everything import everything

TEXT = "Rye is a grass, grown for its grain, and the chaffinch takes some of it. " * 9
TITLE = "<title>Rye and the finch - Grain Post</title>"


@pytest.mark.parametrize(
    "head", ["<h1>Rye and the finch</h1>", "<h1>Rye <br>and the finch</h1>", ""]
)
@pytest.mark.parametrize("method", ["auto", "block_density", everything])
def test_outputs_with_headings_begin_with_it_and_have_it_once(head, method):
    found = chaffinch.extract(f"{TITLE}<article>{head}<p>{TEXT}</article>", method=method)
    assert found.title == "Rye and the finch"
    assert found.markdown().startswith("# Rye and the finch\n\n")
    assert found.markdown().count("finch\n") == 1
    assert found.html().startswith("<h1>Rye and the finch</h1>\n")
    assert found.html().count("<h1>") == 1
    first, *others = found.chunks(max_length=200)
    assert first.text.startswith("# Rye and the finch\n")
    assert not any("Rye and the finch" in one.text for one in others)
    for chunk in (first, *others):
        assert chunk.title == chunk.headings[0] == "Rye and the finch"
    assert found.to_dict()["markdown"] == found.markdown()


def test_a_headline_that_is_asked_for_is_in_the_text_with_or_without_a_row():
    for head in ("<h1>Rye and the finch</h1>", ""):
        page = f"{TITLE}<article>{head}<p>{TEXT}</article>"
        found = chaffinch.extract(page, policy={"headline": True})
        assert found.text.startswith("Rye and the finch\nRye is")
        assert found.markdown().count("Rye and the finch") == 1
        block = found.blocks[0]
        assert (block.rows is None) == (not head)
        assert found.text[block.start : block.end] == "Rye and the finch"
        assert "".join(found.text[b.start : b.end] for b in found.blocks).count("is a grass") == 9


OWN = "https://grain.example/birds/finch"
PAGE = f"""<head><link rel=canonical href="{OWN}#top"></head><body><main><h1>The finch</h1>
<p>The finch eats grain from <a href=/fields>the fields</a> that lie about the village, and it
leaves the chaff to the wind, which takes it.</main></body>"""
SITE = "https://site.example/"

WAYS = {
    "bytes": lambda **given: chaffinch.extract(PAGE.encode(), **given),
    "text": lambda **given: chaffinch.extract(PAGE, **given),
    "a parsed page": lambda **given: chaffinch.extract(chaffinch.parse(PAGE), **given),
    "many": lambda **given: next(chaffinch.extract_many([PAGE], **given)),
    "a site": lambda **given: chaffinch.Site.learn([PAGE]).extract(PAGE, **given),
}


@pytest.mark.parametrize("way", WAYS)
def test_links_are_absolute_by_the_canonical_address(way):
    found = WAYS[way]()
    assert found.url == found.page.url == OWN
    assert "[the fields](https://grain.example/fields)" in found.markdown()
    assert found.to_dict()["url"] == OWN
    assert pickle.loads(pickle.dumps(found)).url == OWN  # noqa: S301


@pytest.mark.parametrize("way", [way for way in WAYS if way != "many"])
def test_an_address_that_is_given_is_stronger(way):
    found = WAYS[way](url=SITE)
    assert found.url == SITE
    assert "(https://site.example/fields)" in found.markdown()


@pytest.mark.parametrize(
    "link",
    ["", "<link rel=canonical>", "<link rel=canonical href=/finch>", "<link rel=canonical href='http://['>",
     "<link rel=canonical href=mailto:a@b.example>", "<link rel=alternate href=https://a.example/>"],
)  # fmt: skip
def test_what_is_no_canonical_web_address(link):
    page = chaffinch.parse(f"{link}<p>Grain.")
    assert addressed(page) is page
    assert chaffinch.extract(page).page is page


LONG = "<p>" + "The owls that live in this barn have been there for as long as it has stood. " * 4
COMMENTS = (
    "<section id=comments>"
    + "".join(
        f"<div class=comment><b class=author>Reader {n}</b> "
        f"<time datetime=2024-05-0{n}>May {n}</time>"
        f"<p>Thank you for this, number {n}; my barn is empty since the winter.</p></div>"
        for n in range(1, 4)
    )
    + "</section>"
)
ARTICLE = f"<title>Owls</title><article><h1>Owls</h1>{LONG}{LONG}{LONG}</article>{COMMENTS}"


@pytest.mark.parametrize("policy", [None, {"comments": True}, {"comments": False}], ids=str)
def test_comments_are_listed_whatever_the_text_holds(policy):
    found = chaffinch.extract(ARTICLE, policy=policy)
    assert [(one.author, one.date) for one in found.comments] == [
        (f"Reader {n}", f"2024-05-0{n}") for n in range(1, 4)
    ]
    assert ("Thank you" in found.text) == bool(policy and policy["comments"])
    record = found.to_dict(parts=["comments"])
    assert [one["author"] for one in record["comments"]] == [f"Reader {n}" for n in range(1, 4)]


MILL = (
    "<html lang=en><title>The mill</title><article><h1>The mill</h1>"
    + "<p>The wheat is ground at night by a mill on the river, and the flour goes to town.</p>" * 5
    + "<table><tr><th>a<th>b<tr><td>1<td>2</table><figure><img src=mill.png alt='A mill'></figure>"
    "<pre><code>x = 1</code></pre></article><footer><a href=/>Home</a></footer>"
)
OUTPUTS: dict[str, Callable[[Extract], object]] = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown,
    "html": lambda found: found.html,
    "metadata": lambda found: (found.title, found.authors, found.date, found.language),
    "json": lambda found: found.to_json(parts=("chunks", "images", "tables", "posts", "records")),
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_no_cycle_holds_a_page(output):
    def page_after() -> weakref.ref[chaffinch.Page]:
        page = chaffinch.parse(MILL)
        assert OUTPUTS[output](chaffinch.extract(page))
        return weakref.ref(page)

    page_after()  # what is loaded and kept on first use is no page's
    gc.collect()
    gc.disable()
    try:
        assert page_after()() is None
    finally:
        gc.enable()
