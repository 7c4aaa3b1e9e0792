"""Markdown within a budget of tokens, and in chunks: whole blocks, by their worth or in order."""

import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from plans import PLANS, scored

from chaffinch import OptionError, estimate_tokens, extract, parse
from chaffinch.output import markdown
from chaffinch.output.markdown_blocks import selected
from chaffinch.verdict import Verdict
from everything import all_of
from strategies import markup


def shown(text):
    return re.findall(r"Seed(\d+)x", text.partition("\n___\n\n_Left out")[0])


@settings(max_examples=60, deadline=None)
@given(
    plan=PLANS,
    budgets=st.lists(st.integers(1, 900), min_size=2, max_size=5),
    seed=st.integers(0, 9),
)
@example(plan=["h2", "list", "sentences", "h3", "table"], budgets=[60, 90, 120, 160, 200], seed=1)
def test_a_budget_is_kept_in_order_and_a_larger_one_shows_all_of_a_smaller(plan, budgets, seed):
    found = scored(plan, seed)
    whole = found.markdown()
    before: set[str] = set()
    for budget in sorted(budgets):
        text = found.markdown(max_tokens=budget)
        if estimate_tokens(whole) <= budget:
            assert text == whole
            continue
        names = shown(text)
        assert text.startswith(whole.partition("\n")[0])
        assert estimate_tokens(text) <= budget or not names
        assert "\n___\n\n_Left out to fit" in text
        assert names == [one for one in shown(whole) if one in set(names)]
        assert before <= set(names)
        before = set(names)
    assert found.markdown(max_tokens=10**6) == whole


@settings(max_examples=40, deadline=None)
@given(plan=PLANS, budget=st.integers(40, 700))
def test_no_sentence_table_or_listing_is_cut(plan, budget):
    found = scored(plan)
    whole = found.markdown()
    text = found.markdown(max_tokens=budget)
    for name in shown(text):
        assert f"Seed{name}x is sown in early spring." in text
    pieces = re.findall(r"^```\n[^`]*?\n```$|(?:^\|[^\n]*\|\n)+", whole, re.MULTILINE)
    for piece in pieces:
        assert (piece.strip() in text) or not set(shown(piece)) & set(shown(text))


@settings(max_examples=80, deadline=None)
@given(source=markup())
def test_all_blocks_one_by_one_are_the_whole(source):
    page = parse(f"{source}<!---->")
    content = all_of(page)
    blocks = []
    whole = markdown.render(content, written=blocks)
    assert selected((one, one.lines) for one in blocks) == whole


def test_what_is_left_out_is_named_with_its_size():
    plan = ["sentence", "h2", "sentences", "h3", "sentences", "h2", *["sentences"] * 9]
    text = scored(plan).markdown(max_tokens=330)
    notice = text.partition("_Left out to fit 330 tokens: about ")[2]
    assert re.match(r"\d+ tokens\. Ask for a section by its number:_\n\n- ", notice)
    assert re.search(
        r"^- 2 Seed15x is sown in early spring\.: about \d+ tokens$", notice, re.MULTILINE
    )
    small = scored(plan).markdown(max_tokens=120)
    assert small.endswith("tokens. Ask for a section by its number in the outline._\n")


def test_repeated_and_low_scored_blocks_go_first():
    plan = ["again", "again", "sentences", "again", "sentences"]
    found = scored(plan)
    most = estimate_tokens(found.markdown()) - 1
    text = found.markdown(max_tokens=most)
    assert text.count("Share this page") < 3
    page = parse(
        "<title>Grain</title><p>Rye is low and long enough.<p>Oats are high.<p>Wheat too."
        "<p>Barley as well."
    )
    score = np.array([0.1 if "Rye" in page.text_of(row) else 0.9 for row in range(len(page))], "f4")
    keep = np.ones(len(page), dtype=bool)
    method = lambda _: Verdict(keep, score, np.zeros(len(page), np.int8))  # noqa: E731
    long = extract(page, method=method)
    text = long.markdown(max_tokens=4, counter=lambda text: text.count("."))
    assert text == long.markdown()
    text = long.markdown(max_tokens=11, counter=lambda text: 3 * text.count("."))
    assert "Rye" not in text
    assert "Oats" in text


@pytest.mark.parametrize("output", ["html", "plain", "tei"])
def test_outputs_without_a_part_refuse_a_budget(output):
    with pytest.raises(OptionError, match=r"acts on Markdown, not on .*: use markdown\(max_tokens"):
        getattr(scored(["sentence"]), output)(max_tokens=9)


# Chunks


@settings(max_examples=50, deadline=None)
@given(plan=PLANS, most=st.integers(20, 400))
def test_every_block_is_in_one_chunk_and_none_is_too_long_that_can_be_cut(plan, most):
    found = scored(plan)
    chunks = found.chunks(max_tokens=most)
    whole = re.findall(r"Seed\d+x", found.markdown())
    assert [name for one in chunks for name in re.findall(r"Seed\d+x", one.text)] == whole
    for one in chunks:
        sentences = len(re.findall(r"Seed\d+x", one.text))
        is_whole = "|" in one.text or "#" in one.text or sentences == 1  # a table of one line
        assert estimate_tokens(one.text) <= most or is_whole


@pytest.mark.parametrize(
    ("raw", "most", "expected"),
    [
        ("One two. Three four! Five?", 20, ["One two.", "Three four!", "Five?"]),
        ("One two. Three four! Five?", 26, ["One two. Three four!", "Five?"]),
        ("It is e.g. here. And so.", 18, ["It is e.g. here.", "And so."]),
        ("他说：“好。”我走了！真的？", 12, ["他说：“好。”", "我走了！真的？"]),
        ("abcdefghij", 4, ["abcdefghij"]),
        ("It is <b>one. Two</b> or three. Five?", 30, ["It is **one. Two** or three.", "Five?"]),
    ],
)
def test_a_long_paragraph_is_cut_between_sentences(raw, most, expected):
    found = extract(f"<p>{raw}", keep="*")
    assert [one.text for one in found.chunks(max_length=most)] == expected


def test_parts_of_a_table_and_of_a_listing_have_its_header_and_its_fences():
    rows = "".join(f"<tr><td>oats {n}<td>{n} sacks" for n in range(4))
    table = [one.text for one in extract(f"<table><tr><th>Grain<th>Harvest{rows}</table>", keep="*")
             .chunks(max_length=90)]  # fmt: skip
    head = "| Grain | Harvest |\n| --- | --- |\n"
    assert table == [
        f"{head}| oats 0 | 0 sacks |\n| oats 1 | 1 sacks |",
        f"{head}| oats 2 | 2 sacks |\n| oats 3 | 3 sacks |",
    ]
    listing = extract("<pre>a = 1\n\nb = 2\nc = 3\n</pre>", keep="*").chunks(max_length=20)
    assert [one.text for one in listing] == [
        "```\na = 1\n```",
        "```\n\nb = 2\n```",
        "```\nc = 3\n```",
    ]


def test_a_list_that_was_typed_is_cut_between_its_items():
    page = "<p>• Rye is sown. It grows.<br>• Oats are sown.<br>• Wheat is sown.</p>"
    found = [one.text for one in extract(page, keep="*").chunks(max_length=45)]
    assert found == ["- Rye is sown. It grows.\n- Oats are sown.", "- Wheat is sown."]


def test_chunks_are_cut_along_headings():
    html = "<p>a<h1>B</h1><p>c<h3>D</h3><h4>E</h4><p>f<p>g<h3>H</h3><h2>I</h2><p>j"
    assert [(one.headings, one.text) for one in extract(html, keep="*").chunks()] == [
        (("B",), "# B\n\na\n\nc"),  # the title stands above all
        (("B", "D", "E"), "### D\n\n#### E\n\nf\n\ng"),
        (("B", "H"), "### H"),
        (("B", "I"), "## I\n\nj"),
    ]


def test_what_chunks_say_of_the_page():
    html = "<html lang=de><title>T</title><p>a<h2>B</h2><p>c<p>c"
    found = extract(html, keep="p, h2", url="https://grain.example/")
    one, two = found.chunks()
    assert (one.title, one.url, one.language) == ("T", "https://grain.example/", "de")
    ids = {found.text[block.start : block.end]: block.id for block in found.blocks[:3]}
    assert two.ids == (ids["B"], ids["c"].removesuffix("-2"), f"{ids['c'].removesuffix('-2')}-2")
    record = found.to_dict(parts=["chunks"], chunk_tokens=50)
    assert [one["text"] for one in record["chunks"]] == ["# T\n\na", "## B\n\nc\n\nc"]


def test_a_section_has_a_budget_of_its_own():
    found = scored(["h2", *["sentences"] * 4, "h3", "sentence", "h2", "sentence"])
    one = found.markdown(section="1", max_tokens=120)
    assert one.startswith("## Seed0x")
    assert estimate_tokens(one) <= 120
    assert "_Left out to fit 120 tokens" in one


@pytest.mark.parametrize("count", [None, -1, "9", True])
def test_a_counter_that_counts_nothing_is_refused(count):
    with pytest.raises(OptionError, match="counter must return a number"):
        scored(["sentence"]).markdown(max_tokens=5, counter=lambda _: count)


def test_front_matter_is_part_of_the_budget():
    found = scored(["sentences"] * 6)
    text = found.markdown(max_tokens=200, front_matter=True)
    assert text.startswith("---\n")
    assert estimate_tokens(text) <= 200
