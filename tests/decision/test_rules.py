"""The decision: each rule by itself, by the table of cases, and all of them in their order."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import chaffinch
from chaffinch.cli import main
from chaffinch.decision.draft import Draft
from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import CHOICE, RULES, run, settle, trace
from chaffinch.model.features import features
from chaffinch.page import parse

TABLE = tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))
PARTS = TABLE.pop("parts")
CASES = [{"rule": rule, **case} for rule, some in TABLE.items() for case in some]
BY_NAME = {rule.name: rule for rule in RULES}


def page_of(html):
    def part(found):
        return PARTS[found[1]] * int(found[2] or 1)

    return parse(re.sub(r"\{([a-z]+\d?)(?:\*(\d+))?\}", part, html))


def policy_of(given_):
    return None if given_ is False else Policy(**given_)


def beginning(texts, starts):
    return np.array([text.startswith(tuple(starts)) for text in texts])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']}: {case['id']}")
def test_case(case):
    found = features(page_of(case["html"]))
    texts = [text.strip() for text in found.blocks.texts()]
    scores = case.get("scores", {})
    score = np.array([scores.get(text, case.get("score", 0.5)) for text in texts], np.float32)
    facts = {name: case[name] for name in ("kind", "beta", "threshold") if name in case}
    certainty = case.get("certainty", 0.9)
    draft = Draft(
        found, score, certainty=certainty, policy=policy_of(case.get("policy", {})), **facts
    )
    draft.keep = np.ones(len(texts), dtype=bool)
    if "kept" in case:
        draft.keep = beginning(texts, case["kept"])
    if "dropped" in case:
        draft.keep &= ~beginning(texts, case["dropped"])
    before = draft.keep.copy()
    run((BY_NAME[case["rule"]],), draft)
    for name, changed in (("adds", draft.keep & ~before), ("drops", before & ~draft.keep)):
        assert [texts[at] for at in np.flatnonzero(changed)] == case.get(name, []), name
    for text, wanted in case.get("becomes", {}).items():
        assert draft.score[texts.index(text)] == pytest.approx(wanted, abs=1e-6), text
    images = np.flatnonzero(draft.media) if len(draft.media) else []
    shown = [found.blocks.page.attribute(int(row), "src") for row in images]
    assert [one for one in shown if one] == case.get("images", [])


TEXT, CARDS, RELATED, MENU, CODE = (
    PARTS["text"],
    "".join(f"<li class=card><a href=/{n}><h3>Bird {n}</h3></a><p>Seen {n} times</p></li>"
            for n in range(4)),
    "".join(f"<li><a href=/{n}>Where birds of kind {n} winter</a></li>" for n in range(4)),
    "<ul class=menu><li><a href=/a>A</a><li><a href=/b>B</a><li><a href=/c>C</a></ul>",
    "<pre>bird = nest.first_bird()\nbird.sing(times=3)</pre>",
)  # fmt: skip
PIECES = [TEXT, CARDS, RELATED, MENU, CODE, *PARTS.values()]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), st.data())
def test_a_decision_is_what_its_rules_come_to_one_by_one(parts, data):
    """Each adds kept blocks or drops some, as it says; the record of them ends where they do."""
    found = features(parse("<h2>Birds</h2>" + "<hr>".join(parts)))
    scores = data.draw(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=9))
    score = np.resize(np.array(scores, dtype=np.float32), len(found))
    given_ = {
        "kind": data.draw(st.sampled_from(["article", "forum", "product", "listing"])),
        "beta": data.draw(st.sampled_from([0.5, 1.0, 2.0])),
        "certainty": 0.9,
        "policy": Policy(),
    }
    decision = settle(Draft(found, score.copy(), **given_))
    draft = Draft(found, score.copy(), **given_)
    for rule in RULES:
        before = draft.keep
        run((rule,), draft)
        if len(before) and rule.drops:
            assert not (draft.keep & ~before).any(), rule.name
    assert np.array_equal(decision.keep, draft.keep)
    assert np.array_equal(decision.media, draft.media)
    assert decision.guessed == draft.guessed
    recorded = trace(Draft(found, score.copy(), **given_))
    assert (recorded.keeps[-1] == decision.keep).all()
    for block, one in enumerate(recorded.explanations([()] * len(found))):
        assert one.own_score == score[block]
        assert [c.keep for c in one.changes if c.keep is not None][-1] == decision.keep[block]
        assert one.rule in {change.rule for change in one.changes} | {CHOICE}


def test_what_is_recorded_of_a_rule_names_it():
    page = (
        f"<article><h1>Rye</h1>{TEXT}<ul><li>Flour for bread</li><li>Straw for roofs</li>"
        "<li>Rye</li></ul></article><footer><p>Grown by the millers of Corve.</p></footer>"
    )
    found = features(parse(page))
    count = len(found)
    recorded = trace(Draft(found, np.full(count, 0.9, dtype=np.float32), policy=Policy()))
    footer = recorded.explanations([()] * count)[-1]
    assert (footer.rule, footer.effect) == ("page chrome", BY_NAME["page chrome"].effect)
    assert footer.changes[-1].keep is False
    score = np.array([0.9] * 4 + [0.95, 0.95, 0.1, 0.02], dtype=np.float32)
    recorded = trace(Draft(found, score))
    item = recorded.explanations([()] * count)[-2]
    assert recorded.keeps[-1, -2]
    assert item.rule in {"similar blocks", "atomic elements"}
    assert item.changes[0].after > item.changes[0].before == np.float32(0.1)
    guess = trace(Draft(found, np.full(count, 0.01, dtype=np.float32)))
    assert guess.guessed
    assert {RULES[one].name for one in guess.deciding()} <= {CHOICE, "headings", "page chrome"}


@pytest.mark.parametrize(
    ("name", "part"),
    [("tables", "Finch"), ("cards", "Seen 1"), ("related", "kind 1"), ("captions", "A male"),
     ("byline", "Ada"), ("headline", "Birds of"), ("comments", "ash tree")],
)  # fmt: skip
def test_a_policy_is_obeyed(name, part):
    page = f"""<title>Birds of the hedge - Garden</title><nav>{MENU}</nav><main>
<h1>Birds of the hedge</h1><p class=byline>By Ada Lindqvist</p>{TEXT}<figure>
<img src=/a.jpg width=600 height=400><figcaption>A male in spring</figcaption></figure>
{PARTS["prose"]}<table>{PARTS["cells"]}</table>{PARTS["long"]}<ul>{CARDS}</ul><h2>More</h2><ul>{RELATED}</ul></main>
<section class=comments><h3>Comments</h3>{PARTS["posts"]}</section><footer>Garden</footer>"""
    for wanted in (True, False):
        for method in ("learned", lambda page: page.is_tag("main", "section")):
            found = chaffinch.extract(page, method=method, policy={name: wanted})
            assert (part in found.text) == wanted
            assert "songs of his own" in found.text
            assert "B" not in found.text.split()


def test_the_rules_that_are_printed_are_those_that_run_in_their_order():
    printed = CliRunner().invoke(main, ["methods", "learned"]).output.splitlines()
    begin = printed.index("The rules of the decision, in the order in which they run:") + 1
    assert printed[begin : begin + len(RULES)] == [
        f"{number:2} {rule.name}: {rule.effect}" for number, rule in enumerate(RULES, 1)
    ]
    assert len(BY_NAME) == len(RULES) == len({rule.find for rule in RULES}) + 2  # one runs thrice


def test_a_whole_text_that_stands_twice_is_kept_once_even_in_one_flow():
    lines = "".join(f"<p>Sack {n} of the mill is in the ledger.</p>" for n in range(60))
    found = features(page_of(f"{lines}<p>The end</p>{lines}"))
    draft = Draft(found, np.full(len(found), 0.5, np.float32), policy=Policy())
    draft.keep = np.ones(len(found), bool)
    run((BY_NAME["repeated passages"],), draft)
    assert draft.keep.tolist() == [True] * 61 + [False] * 60


def test_prices_of_entries_are_kept_where_the_entries_are():
    entry = "<li class=item><h3>Feeder {0}</h3><p class=price>{0}.50</p><p class=code>X{0}</p></li>"
    found = features(page_of(f"{{long}}<ul>{''.join(entry.format(n) for n in range(9))}</ul>"))
    texts = list(found.blocks.texts())
    prices = np.array([".50" in text for text in texts])
    codes = np.array([text.startswith("X") for text in texts])
    draft = Draft(found, np.full(len(found), 0.5, np.float32), kind="collection", policy=Policy())
    draft.keep = ~prices & ~codes
    run((BY_NAME["entry prices"],), draft)
    assert draft.keep.tolist() == (~codes).tolist()
