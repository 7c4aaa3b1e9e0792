"""Content that only JSON-LD or embedded state has: found where rows are empty, and only there."""

import json
import pickle

import pytest

import chaffinch
from chaffinch.decision.declared import MOST_SOURCE, find_embedded
from embedded_pages import FOOD, NEST, SONG, TEXT, declared, set_by_a_script, shell


def blocks(*texts):
    return [{"type": "paragraph", "id": number, "text": text} for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (declared({"@type": "NewsArticle", "articleBody": TEXT}), "NewsArticle.articleBody"),
        (declared({"@type": "Product", "description": TEXT}), "Product.description"),
        (
            declared({"@type": "DiscussionForumPosting", "text": SONG, "comment": [
                {"@type": "Comment", "text": NEST},
                {"@type": "Comment", "text": f"{FOOD} {NEST} {SONG}"}]}),
            "DiscussionForumPosting.text",
        ),
        (shell({"props": {"post": {"title": "Finches", "body": TEXT}}}), "props.post.body"),
        (shell({"page": {"content": blocks(SONG, NEST, FOOD, SONG + NEST)}}), "content.*.text"),
        (set_by_a_script({"text": TEXT}), "__INITIAL_STATE__:text"),
    ],
    ids=["article", "product", "thread", "state", "blocks of a state", "set by a script"],
)  # fmt: skip
def test_a_shell_gives_the_text_of_its_data(html, source):
    found = chaffinch.extract(html, url="https://birds.test/finch")
    for sentence in (SONG, NEST, FOOD):
        assert sentence in found.text
        assert sentence in found.html()
    assert "Loading" not in found.text
    assert found.method == "learned"
    assert found.source.endswith(source)
    assert found.explain()[0].reason == "stands only in the data that scripts read"
    assert found.title == "Finches"
    assert found.to_dict()["url"] == "https://birds.test/finch"


def test_short_lines_of_a_text_in_a_state_are_kept_with_it():
    verse = ["水车停了九年，今年立夏又转了起来，两条巷子外都听得见。", "谁？", "“我。”"]
    lines = [SONG, "“Well?”", NEST, "Nothing.", FOOD, *verse * 3]
    found = chaffinch.extract(shell({"page": {"content": blocks(*lines)}}))
    assert [line for line in found.text.split("\n") if line] == [SONG, "“Well?”", NEST, *lines[3:8]]


def test_markup_in_a_state_is_read_as_markup():
    html = f"<h2>Song</h2><p>{SONG}</p><ul><li>{NEST}</li><li>{FOOD}</li></ul><p>{TEXT}</p>"
    found = chaffinch.extract(shell({"body": html}))
    assert "## Song" in found.markdown()
    assert f"- {NEST}" in found.markdown()
    assert "<p>" not in found.text


def test_scripts_in_it_are_no_text():
    found = chaffinch.extract(shell({"body": f"<p>{TEXT}</p><script>alert(1)<\\/script>"}))
    assert SONG in found.text
    assert "alert" not in found.text
    assert "<script" not in found.html()


def test_an_extract_of_data_can_be_pickled_and_has_the_metadata_of_the_page():
    node = {"@type": "NewsArticle", "headline": "Song of finches", "articleBody": TEXT,
            "author": {"@type": "Person", "name": "Ann Wood"}}  # fmt: skip
    found = pickle.loads(pickle.dumps(chaffinch.extract(declared(node))))  # noqa: S301  our own
    assert found.author == "Ann Wood"
    assert NEST in found.text
    assert found.given is not None


SHOWN = (
    "A nest box for small birds, made of larch that grew in the hills behind the workshop, with a"
    " roof of slate and a front that opens for cleaning in winter. It is thirty centimetres high,"
    " weighs two kilograms, and comes with two screws of brass and a card that says where to hang"
    " it: in half shade, its hole to the east, three metres above the ground at the least."
)


def test_rows_that_hold_a_text_give_way_to_nothing_but_the_whole_of_it():
    for node, taken in (
        ({"@type": "NewsArticle", "articleBody": f"{SHOWN} {TEXT} {NEST * 9}"}, True),
        ({"@type": "Product", "review": [{"@type": "Review", "reviewBody": TEXT * 3}]}, False),
    ):
        html = declared(node).replace("Loading", f"<main><p>{SHOWN}</p></main>")
        assert (chaffinch.extract(html).given is not None) == taken


def test_summaries_labels_and_code_are_no_text():
    node = {"@type": "WebPage", "description": TEXT}
    assert chaffinch.extract(declared(node)).given is None
    labels = {f"label{number}": f"Press the key number {number}, please." for number in range(99)}
    assert chaffinch.extract(shell(labels)).given is None
    lists = {"values": [f"{n:02}:campaign^share|source^phone|group^mail,{n}" for n in range(60)]}
    assert chaffinch.extract(shell(lists)).given is None
    code = {"css": "a{color:red} .b{margin:0}" * 200, "src": "https://birds.test/" + "a/" * 200}
    assert chaffinch.extract(shell(code)).given is None


def test_selectors_speak_of_the_pages_own_rows():
    html = declared({"@type": "NewsArticle", "articleBody": TEXT})
    assert chaffinch.extract(html, keep=["#root"]).text == "Loading"


@pytest.mark.parametrize(
    "source",
    [
        "[" * 5_000 + "]" * 5_000,
        '{"a":' * 900 + '"' + TEXT.replace("\n", " ") + '"' + "}" * 900,
        json.dumps({"a": ["word, " * 20] * 90_000}),
        json.dumps([[str(n)] for n in range(300_000)]),
        '{"body": "' + SONG,
        "{body: 1}",
        "null",
        '"text"',
        '{"a": [null, true, 1e999, {"b": []}]}',
        json.dumps({"body": "\ud800" * 500 + TEXT}),
    ],
    ids="deep deeper-text huge many-values cut no-json null string odd-values surrogates".split(),
)
def test_hostile_data_is_no_error(source):
    for kind in ("application/json", "application/ld+json"):
        chaffinch.extract(shell(source, kind=kind)).text.encode("utf-8", "replace")


def test_data_beyond_a_size_is_not_read():
    page = chaffinch.parse(shell({"body": TEXT * (MOST_SOURCE // len(TEXT) + 1)}))
    assert find_embedded(page, kept_units=0) is None
    assert "state" not in vars(page.head)
