import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chaffinch
from chaffinch import OptionError, estimate_tokens, extract, parse
from chaffinch.output import markdown
from chaffinch.output.markdown_blocks import selected
from chaffinch.verdict import Content, Verdict
from strategies import markup

LEAF = st.sampled_from(["sentence", "sentences", "table", "code", "list", "quote", "rule", "again"])
PLANS = st.lists(st.one_of(LEAF, st.sampled_from(["h2", "h3", "h4"])), max_size=14)


def page_of(plan):  # noqa: C901  a table of cases
    """A page whose every sentence, cell and line of code has a number of its own."""
    number = 0

    def words(count=1):
        nonlocal number
        number += count
        return [f"Seed{one}x is sown in early spring." for one in range(number - count, number)]

    out = ["<title>Grain</title>"]
    for kind in plan:
        match kind:
            case "sentence":
                out.append(f"<p>{words()[0]}</p>")
            case "sentences":
                out.append(f"<p>{' '.join(words(5))} And <b>{words()[0]}</b></p>")
            case "table":
                a, b, c, d = words(4)
                out.append(f"<table><tr><th>{a}<th>{b}<tr><td>{c}<td>{d}</table>")
            case "code":
                out.append("<pre><code>" + "\n".join(words(4)) + "</code></pre>")
            case "list":
                a, b, c, d = words(4)
                out.append(f"<ol start=3><li>{a}<li>{b}<ul><li>{c}</ul><li><p>{d}</ol>")
            case "quote":
                a, b = words(2)
                out.append(f"<blockquote><p>{a}<p>{b}</blockquote>")
            case "rule":
                out.append("<hr>")
            case "again":
                out.append("<p>Share this page with your friends.</p>")
            case _:
                out.append(f"<{kind}>{words()[0]}</{kind}>")
    return "".join(out)


def scored(plan, seed=0):
    page = parse(page_of(plan))
    score = np.random.default_rng(seed).random(len(page)).astype(np.float32)
    keep = np.ones(len(page), dtype=bool)
    return extract(page, method=lambda _: Verdict(keep, score, np.zeros(len(page), np.int8)))


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


@pytest.mark.parametrize(
    "counter", [len, lambda text: len(text) // 4, lambda text: len(text.split()) + 3]
)
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_counter_of_the_caller_counts(counter, share):
    found = scored(["sentences", "h2", "list", "table", "h3", "sentences", "code", "h2", "quote"])
    whole = found.markdown(counter=counter)
    budget = int(counter(whole) * share)
    text = found.markdown(max_tokens=budget, counter=counter)
    assert counter(text) <= budget
    assert text != whole
    assert found.markdown(max_tokens=counter(whole), counter=counter) == whole


@settings(max_examples=80, deadline=None)
@given(source=markup())
def test_all_blocks_one_by_one_are_the_whole(source):
    page = parse(f"{source}<!---->")
    content = Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), dtype=bool)))
    blocks = []
    whole = markdown.render(content, written=blocks)
    assert selected(blocks) == whole


def test_numbers_of_items_stay_and_lists_begin_with_them():
    html = "<p>a<ol><li>one<li>two<li>three<p>more of three</ol><p>z"
    page = parse(html)
    content = Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), dtype=bool)))
    blocks = []
    markdown.render(content, written=blocks)
    assert selected([blocks[0], *blocks[3:5]]) == "a\n\n3. three\n\n   more of three\n"
    assert selected(blocks[4:]) == "3. more of three\n\nz\n"


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


def test_front_matter_is_part_of_the_budget():
    found = scored(["sentences"] * 6)
    text = found.markdown(max_tokens=200, front_matter=True)
    assert text.startswith("---\n")
    assert estimate_tokens(text) <= 200


def test_a_section_has_a_budget_of_its_own():
    found = scored(["h2", *["sentences"] * 4, "h3", "sentence", "h2", "sentence"])
    one = found.section("1", max_tokens=120)
    assert one.markdown.startswith("## Seed0x")
    assert estimate_tokens(one.markdown) <= 120
    assert "_Left out to fit 120 tokens" in one.markdown
    assert found.markdown(section="2") == found.section("2").markdown


@pytest.mark.parametrize("output", ["html", "plain", "tei"])
def test_outputs_without_a_part_refuse_a_budget(output):
    with pytest.raises(OptionError, match=r"acts on Markdown, not on .*: use markdown\(max_tokens"):
        getattr(scored(["sentence"]), output)(max_tokens=9)


@pytest.mark.parametrize(
    "wrong",
    [{"max_tokens": 0}, {"max_tokens": "9"}, {"counter": 3}, {"section": 3}, {"section": [3]}],
)
def test_impossible_budgets(wrong):
    with pytest.raises(OptionError):
        scored(["sentence"]).markdown(**wrong)


@pytest.mark.parametrize("count", [None, -1, "9", True])
def test_a_counter_that_counts_nothing_is_refused(count):
    with pytest.raises(OptionError, match="counter must return a number"):
        scored(["sentence"]).markdown(max_tokens=5, counter=lambda _: count)


def test_nothing_kept_is_nothing():
    found = chaffinch.extract("<p>a", drop="p")
    assert found.markdown(max_tokens=1) == ""
    assert found.outline() == []


def test_json_has_the_selected_markdown():
    found = scored(["h2", "sentence", "h2", "sentence"])
    assert found.to_dict(section="2")["markdown"] == found.section("2").markdown
    outline = found.to_dict(parts=["outline"])["outline"]
    assert [one["number"] for one in outline] == ["0", "1", "2"]
