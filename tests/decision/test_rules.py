"""The decision: its rules one by one, and the order in which they run."""

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import chaffinch
from chaffinch.cli import main
from chaffinch.decision.policy import Policy
from chaffinch.decision.repeated import repeated_passages
from chaffinch.decision.rules import RULES, THREAD, Draft, run
from chaffinch.decision.scores import (
    LOWEST,
    atomic_element_of,
    choose,
    pulled_to_group_means,
    shared_scores,
)
from chaffinch.decision.structure import kept_media
from chaffinch.model.features import features
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from decided import decide

CELLS = "<tr><th>Bird</th><th>Eggs</th></tr>" + "<tr><td>Finch</td><td>5</td></tr>" * 3
PARTS = f"""<p>One</p><ul><li>Two</li><li>Three</li></ul><table>{CELLS}</table>
<pre>four
five</pre><ol><li><h3>Card</h3><p>With text</p><p>And more</p></li></ol><p>Last</p>"""
LINE = "The chaffinch is a small bird that sings from early spring on, number {}."


def copies(blocks, keep, **options):
    """Return the mask of repeated passages, of no block where there are none."""
    found = repeated_passages(features(blocks.page), keep, **options)
    return np.zeros(len(blocks), dtype=bool) if found is None else found


def kept_by(html, kept):
    """Return blocks, units and a mask of the blocks whose text starts with one of ``kept``."""
    blocks = text_blocks(parse(html))
    keep = np.array([text.startswith(kept) for text in blocks.texts()])
    return blocks, np.array([len(t.split()) for t in blocks.texts()], dtype=np.float32), keep


def test_lists_data_tables_and_code_are_atomic_and_cards_are_not():
    blocks = text_blocks(parse(PARTS))
    named = dict(zip(blocks.texts(), atomic_element_of(blocks).tolist(), strict=True))
    assert named["One"] == named["Last"] == named["Card"] == named["With text"] == -1
    assert named["Two"] == named["Three"] >= 0
    assert named["Bird"] == named["Finch"] == named["5"] >= 0
    assert len({named["Two"], named["Bird"], named["four five"], -1}) == 4


def test_nested_lists_belong_to_the_outermost():
    blocks = text_blocks(parse("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ul><li>d</ul>"))
    assert atomic_element_of(blocks).tolist() == [0, 0, 0, 3]


def test_the_posts_of_a_thread_may_be_items_of_a_list():
    blocks = text_blocks(parse("<ol><li>One post<li>Another</ol><pre>code</pre>"))
    assert atomic_element_of(blocks).tolist() == [0, 0, 2]
    assert atomic_element_of(blocks, lists=False).tolist() == [-1, -1, 2]


def test_a_page_without_such_parts_has_no_atomic_element_of():
    assert atomic_element_of(text_blocks(parse("<p>a</p><p>b</p>"))) is None


@given(st.lists(st.floats(0, 1, width=32), min_size=8, max_size=8), st.integers(0, 9))
def test_an_atomic_element_shares_the_mean_of_its_words(scores, seed):
    random = np.random.default_rng(seed)
    units = random.integers(1, 20, 8).astype(np.float32)
    whole = np.array([-1, 0, 0, 0, -1, 1, 1, -1], dtype=np.int32)
    alone = np.arange(8, dtype=np.int32)
    score = np.array(scores, dtype=np.float32)
    found = shared_scores(pulled_to_group_means(score, units, alone), units, whole)
    assert np.allclose(found[whole < 0], score[whole < 0], atol=1e-6)
    for number in (0, 1):
        inside = whole == number
        assert np.allclose(
            found[inside], np.average(score[inside], weights=units[inside]), atol=1e-5
        )
    assert found.min() >= score.min() - 1e-6
    assert found.max() <= score.max() + 1e-6


def test_a_table_is_kept_or_dropped_as_one():
    found = features(parse(PARTS))
    element = atomic_element_of(found.blocks)
    inside = element == element[list(found.blocks.texts()).index("Bird")]
    for first, second in ((0.9, 0.4), (0.6, 0.01)):
        score = np.full(len(found), 0.001, dtype=np.float32)
        score[0] = 0.99
        score[inside] = second
        score[np.flatnonzero(inside)[:3]] = first
        keep = decide(score, found).keep[inside]
        assert keep.all() or not keep.any()


def test_a_doubtful_table_within_the_text_stays_but_in_threads_and_where_precision_counts():
    page = parse(f"<p>{TEXT}</p><table>{CELLS}</table><p>{TEXT}</p><table>{CELLS}</table>")
    found = features(page)
    table = page.inside(page.is_tag("table"))[found.blocks.first]
    within = table & (np.arange(len(found)) < np.flatnonzero(~table)[-1])

    def stays(score, **given):
        scores = np.where(table, score, 0.95).astype(np.float32)
        keep = decide(scores, found, **{"policy": Policy(), **given}).keep
        assert keep[~table].all()
        assert not keep[table & ~within].any()
        assert keep[within].any() == keep[within].all()
        return bool(keep[within].any())

    assert stays(0.1)
    assert not stays(LOWEST / 2)
    assert stays(LOWEST / 2, policy=Policy(tables=True))
    assert not stays(0.1, policy=Policy(tables=False))
    assert not stays(0.1, kind=THREAD)
    assert not stays(0.1, beta=0.5)


def test_a_link_that_stands_alone_goes_from_pages_that_are_read():
    page = parse(f"{TEXT}<div><a href=/more>Read more</a></div><p>{LINE}</p>")
    found = features(page)
    score = np.full(len(found), 0.9, dtype=np.float32)
    for kind in ("article", "service"):
        gone = np.flatnonzero(~decide(score, found, kind=kind).keep)
        assert [found.blocks.text(block) for block in gone] == ["Read more"]
    for kind in (THREAD, "listing", "documentation"):
        assert decide(score, found, kind=kind).keep.all()


def test_code_within_the_text_stays_but_where_precision_counts():
    page = parse(f"<pre>{CODE}</pre><p>{TEXT}</p><pre>{CODE}</pre><p>{TEXT}</p><pre>{CODE}</pre>")
    found = features(page)
    code = page.inside(page.is_tag("pre"))[found.blocks.first]
    prose = np.flatnonzero(~code)
    within = code & (np.arange(len(found)) > prose[0]) & (np.arange(len(found)) < prose[-1])

    def kept(score, **given):
        keep = decide(np.where(code, score, 0.95).astype(np.float32), found, **given).keep
        assert keep[~code].all()
        return keep & code

    assert (kept(0.1) == within).all()
    assert (kept(0.1, kind=THREAD) == within).all()
    assert not kept(LOWEST / 2).any()
    assert not kept(0.1, beta=0.5).any()


def test_a_heading_goes_with_the_text_below_it():
    long = "Text of many words, " * 9
    html = f"<p>{long}</p><h2>Head</h2><p>More of it</p><h2>End</h2><b>x</b>"
    found = features(parse(html))
    found.group[:] = np.arange(5)
    score = np.array([0.99, 0.42, 0.5, 0.42, 0.01], dtype=np.float32)
    alone = choose(score, found.units, found.group).keep
    assert alone.tolist() == [True, False, True, False, False]
    assert decide(score, found).keep.tolist() == [True, True, True, False, False]


def images_kept(html, kept=("Text",)):
    blocks, units, keep = kept_by(html, kept)
    page = blocks.page
    mask = kept_media(blocks, units, keep)
    return [
        page.attribute(row, "src") for row in np.flatnonzero(mask & page.is_tag("img")).tolist()
    ]


TEXT = "".join(
    f"<p>Text number {number}, which is kept and has some words.</p>" for number in "123"
)


def test_pictures_between_above_and_in_figures_are_kept():
    figure = "<figure><img src=figure><figcaption>A caption</figcaption></figure>"
    menu = f"<nav><img src=logo>{'<p>Menu</p>' * 5}</nav>"
    html = f"{menu}<article><img src=top>{TEXT}{figure}{TEXT}</article>"
    assert images_kept(html) == ["top", "figure"]


def test_icons_and_pictures_of_what_was_dropped_are_not():
    cards = "<li><img src=card>A card with quite a few words of its own, as cards have</li>" * 9
    html = f"<div>{TEXT}<img src=icon width=16>{'<b>x</b>'}</div><ul>{cards}</ul>"
    assert images_kept(html) == []


@pytest.mark.parametrize(
    ("size", "kept"),
    [
        ("width=120 height=80", True),
        ("width=300", True),
        ("", True),
        ("width=96 height=96", False),
        ("height=48", False),
        ("width=0 height=0", False),
    ],
)
def test_a_picture_is_small_when_no_side_is_long(size, kept):
    found = images_kept(f"<nav><p>Menu</p></nav><article><img src=top {size}>{TEXT}</article>")
    assert found == (["top"] if kept else [])


def test_nothing_kept_keeps_no_picture():
    assert images_kept("<p>Other</p><img src=a>") == []


CODE = "bird = nest.first_bird()\nbird.sing(times=3)"


def test_passages_that_stand_twice_are_kept_once():
    passage = "".join(f"<p>{LINE.format(number)}</p>" for number in range(3))
    blocks, _, keep = kept_by(f"{passage}<p>The end</p><div>{passage}</div>", ("The",))
    assert copies(blocks, keep).tolist() == [False] * 4 + [True] * 3


def test_single_lines_tables_and_code_may_come_again():
    line = f"<p>{LINE}</p>"
    for html in (
        f"{line}<p>The end</p>{line}",
        f"<table><tr><td>{line * 3}</td></tr></table>" * 2,
        f"<pre>{LINE}</pre>" * 6,
    ):
        blocks, _, keep = kept_by(html, ("The",))
        assert not copies(blocks, keep).any()


def test_what_repeats_in_running_text_is_no_copy():
    items = "".join(f"<li>{LINE.format(number)}</li>" for number in range(3))
    html = "".join(f"<h3>The {day} day</h3><ul>{items}</ul>" for day in ("first", "second"))
    blocks, _, keep = kept_by(html, ("The",))
    assert not copies(blocks, keep).any()
    for boxed in (f"<ul>{items}</ul><div><ul>{items}</ul></div>", f"<ul>{items * 2}</ul>"):
        blocks, _, keep = kept_by(boxed, ("The",))
        assert copies(blocks, keep).tolist() == [False] * 3 + [True] * 3


def test_one_long_passage_is_kept_once_where_single_ones_count():
    long = f"<p>{LINE * 3}</p>"
    blocks, _, keep = kept_by(f"{long}<p>The end</p><p>The end</p>{long}", ("The",))
    assert copies(blocks, keep, single=True).tolist() == [False, False, False, True]
    assert not copies(blocks, keep).any()


@given(
    st.lists(st.sampled_from(["a", "b", LINE, LINE + "x", ""]), max_size=14),
    st.booleans(),
    st.data(),
)
def test_copies_are_kept_blocks_and_each_text_stays_once(texts, single, data):
    blocks = text_blocks(parse("<p>c" + "".join(f"<p>{text}</p>" for text in texts)))
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks))))
    keep = keep.astype(bool)
    gone = copies(blocks, keep, single=single)
    assert not (gone & ~keep).any()
    every = list(blocks.texts())
    assert {every[i] for i in np.flatnonzero(keep)} == {
        every[i] for i in np.flatnonzero(keep & ~gone)
    }


CARDS = "".join(
    f"<li class=card><a href=/{n}><h3>Bird {n}</h3></a><p>Seen {n} times</p></li>" for n in range(4)
)
RELATED = "".join(f"<li><a href=/{n}>Where birds of kind {n} winter</a></li>" for n in range(4))
MENU = "<ul class=menu><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>"
ASKED = f"""<nav>{MENU}</nav>
<main><h1>Birds</h1>{TEXT}<table>{CELLS}</table>{TEXT}<ul>{CARDS}</ul><h2>More</h2>
<ul>{RELATED}</ul></main>"""


@pytest.mark.parametrize(
    ("name", "part"), [("tables", "Finch"), ("cards", "Seen 1"), ("related", "kind 1")]
)
def test_a_policy_of_structure_is_obeyed(name, part):
    for wanted in (True, False):
        found = chaffinch.extract(ASKED, settings={"policy": {name: wanted, "headline": True}})
        assert (part in found.text) == wanted
        assert "Text number 2" in found.text
        assert "B" not in found.text.split()


def test_the_rules_that_are_printed_are_those_that_run_in_their_order():
    printed = CliRunner().invoke(main, ["methods", "learned"]).output.splitlines()
    begin = printed.index("The rules of the decision, in the order in which they run:") + 1
    assert printed[begin : begin + len(RULES)] == [
        f"{number:2} {rule.name}: {rule.effect}" for number, rule in enumerate(RULES, 1)
    ]
    assert len({rule.name for rule in RULES}) == len({rule.find for rule in RULES}) == len(RULES)


@given(st.lists(st.sampled_from([TEXT, CARDS, RELATED, MENU, CODE, LINE]), min_size=1), st.data())
def test_a_decision_is_what_its_rules_come_to_one_by_one(parts, data):
    found = features(parse("<h2>Birds</h2>" + "<hr>".join(parts)))
    scores = data.draw(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=9))
    score = np.resize(np.array(scores, dtype=np.float32), len(found))
    kind = data.draw(st.sampled_from(["article", THREAD, "product", "listing"]))
    decision = decide(score, found, kind=kind, policy=Policy())
    draft = Draft(found, score, kind=kind, policy=Policy())
    for rule in RULES:
        run([rule], draft)
    assert np.array_equal(decision.keep, draft.keep)
    assert np.array_equal(decision.media, draft.media)
    assert decision.guessed == draft.guessed


def test_each_rule_changes_what_its_line_names():
    page = f"<nav>{MENU}</nav><ul><li>One</li><li>Two</li></ul><h2>Head</h2>{TEXT}<img src=a>{TEXT}"
    found = features(parse(page))
    draft = Draft(found, np.linspace(0.9, 0.6, len(found), dtype=np.float32), policy=Policy())
    changed = {}
    for rule in RULES:
        before = [draft.score, draft.keep, draft.media]
        run([rule], draft)
        after = [draft.score, draft.keep, draft.media]
        changed[rule.name] = [not np.array_equal(*pair) for pair in zip(before, after, strict=True)]
    score, keep, media = ([n == place for n in range(3)] for place in range(3))
    assert changed["similar blocks"] == changed["atomic elements"] == score
    assert changed["expected F measure"][1]
    assert changed["page chrome"] == keep
    assert changed["attached media"] == media
