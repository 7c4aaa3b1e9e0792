import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_budget import PLANS, scored

from chaffinch import OptionError, estimate_tokens, extract


def cut(html, **options):
    found = extract(html, keep="*").chunks(format="markdown", **options)
    return [(one.headings, one.text) for one in found]


@settings(max_examples=50, deadline=None)
@given(plan=PLANS, most=st.integers(20, 400))
def test_every_block_is_in_one_chunk_and_none_is_too_long_that_can_be_cut(plan, most):
    found = scored(plan)
    chunks = found.chunks(format="markdown", max_tokens=most)
    whole = re.findall(r"Seed\d+x", found.markdown())
    assert [name for one in chunks for name in re.findall(r"Seed\d+x", one.text)] == whole
    for one in chunks:
        sentences = len(re.findall(r"Seed\d+x", one.text))
        is_whole = "|" in one.text or "```" in one.text or "#" in one.text or sentences == 1
        assert estimate_tokens(one.text) <= most or is_whole


def test_a_number_of_tokens_means_markdown():
    found = extract("<h1>Rye</h1><p>Rye is <b>a</b> grass.", keep="*")
    assert found.chunks(max_tokens=50) == found.chunks(format="markdown", max_tokens=50)
    assert found.chunks(counter=len) == found.chunks(format="markdown", counter=len)


def test_sections_with_their_headings():
    html = "<title>T</title><p>a<h2>B</h2><h3>C</h3><p>c<h3>D</h3><p>d<h2>E</h2>"
    assert cut(html) == [
        (("T",), "# T\n\na"),
        (("T", "B", "C"), "## B\n\n### C\n\nc"),
        (("T", "B", "D"), "### D\n\nd"),
        (("T", "E"), "## E"),
    ]


def test_long_paragraphs_are_cut_between_sentences():
    html = (
        "<title>T</title><p>One two three. 1. Four five # six. - Seven <b>eight. Nine</b> ten. End."
    )
    texts = [text for _, text in cut(html, max_length=24)]
    assert texts[0].startswith("# T\n\nOne two three.")
    assert all("**eight. Nine**" in one or "Nine" not in one for one in texts)
    assert any(one.startswith("\\- Seven") for one in texts)


def test_tables_and_code_stay_whole_however_long():
    html = "<title>T</title><table><tr><th>a<th>b<tr><td>c<td>d</table><pre>e\n f\n g</pre>"
    assert [text for _, text in cut(html, max_length=10)][-2:] == [
        "# T\n\n| a | b |\n| --- | --- |\n| c | d |",
        "```\ne\n f\n g\n```",
    ]


def test_lists_go_on_with_their_numbers():
    items = "".join(f"<li>item number {number}" for number in range(1, 7))
    texts = [text for _, text in cut(f"<title>T</title><ol>{items}</ol>", max_length=40)]
    assert texts[1].startswith(("2. item number 2", "3. item number 3"))
    assert texts[-1].endswith("6. item number 6")


def test_what_chunks_say_of_the_page():
    html = "<html lang=de><title>T</title><p>a<h2>B</h2><p>c<p>c"
    found = extract(html, keep="p, h2", url="https://grain.example/")
    for form in ("text", "markdown"):
        one, two = found.chunks(format=form)
        assert (one.title, one.url, one.language) == ("T", "https://grain.example/", "de")
        ids = {found.text[block.start : block.end]: block.id for block in found.blocks[:3]}
        assert two.ids == (
            ids["B"],
            ids["c"].removesuffix("-2"),
            f"{ids['c'].removesuffix('-2')}-2",
        )
    record = found.to_dict(parts=["chunks"], chunk_tokens=50)
    assert [one["text"] for one in record["chunks"]] == ["# T\n\na", "## B\n\nc\n\nc"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "html"},
        {"format": "text", "max_tokens": 9},
        {"format": "text", "counter": len},
        {"format": "markdown", "overlap": 3},
        {"format": "markdown", "max_tokens": 0},
        {"format": "markdown", "max_length": 0},
        {"format": "markdown", "max_tokens": 9, "counter": 3},
    ],
)
def test_impossible_chunks(wrong):
    with pytest.raises(OptionError):
        extract("<p>a", keep="p").chunks(**wrong)


def test_nothing_kept_has_no_chunks():
    assert extract("<p>a", drop="p").chunks(format="markdown") == []
