"""The record of what each rule did: it ends where the decision does, and names what decided."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import Policy, parse
from chaffinch.decision.rules import CHOICE, RULES, Draft, Trace, settle, trace
from chaffinch.model.features import features

PAGE = (
    "<article><h1>Rye</h1>"
    + "<p>Rye is a grass, grown for its grain, and hardy in poor soils.</p>" * 2
    + "<ul><li>Flour for bread</li><li>Straw for roofs</li><li>Rye</li></ul></article>"
    "<footer><p>Grown by the millers of Corve since 1901, all rights reserved.</p></footer>"
)


def names(some):
    return [RULES[number].name for number in some.deciding()]


@given(
    st.lists(st.floats(0, 1, width=32), min_size=7, max_size=7), st.sampled_from([0.5, 1.0, 2.0])
)
def test_it_ends_where_the_decision_does(scores, beta):
    found = features(parse(PAGE))
    score = np.array(scores, dtype=np.float32)
    policy = Policy()
    given_draft = {"beta": beta, "certainty": 0.9, "policy": policy}
    recorded = trace(Draft(found, score.copy(), **given_draft))
    decision = settle(Draft(found, score.copy(), **given_draft))
    assert (recorded.keeps[-1] == decision.keep).all()
    assert recorded.guessed == decision.guessed
    for block, one in enumerate(recorded.explanations([()] * len(found))):
        assert one.own_score == score[block]
        assert [c.keep for c in one.changes if c.keep is not None][-1] == decision.keep[block]
        changed = {change.rule for change in one.changes}
        assert one.rule in changed | {CHOICE}


def test_a_footer_is_dropped_by_page_chrome():
    found = features(parse(PAGE))
    recorded = trace(Draft(found, np.full(7, 0.9, dtype=np.float32), policy=Policy()))
    (footer,) = (one for one in recorded.explanations([()] * 7) if one.rule == "page chrome")
    assert footer.changes[-1].keep is False
    assert footer.effect == "footers, menus, dialogs, options and buttons are dropped"
    assert names(recorded)[6] == "page chrome"


def test_an_item_kept_since_its_list_was_kept_says_so():
    found = features(parse(PAGE))
    score = np.array([0.9, 0.9, 0.9, 0.95, 0.95, 0.1, 0.02], dtype=np.float32)
    recorded = trace(Draft(found, score))
    assert recorded.keeps[-1, 5]
    assert names(recorded)[5] in {"similar blocks", "atomic elements"}
    (change, *_) = recorded.explanations([()] * 7)[5].changes
    assert change.before == np.float32(0.1)
    assert change.after > 0.1


@pytest.mark.parametrize(
    ("scores", "keep", "decided"),
    [
        ((0.9, 0.9, 0.9), True, 2),
        ((0.1, 0.9, 0.9), True, 0),
        ((0.1, 0.1, 0.9), True, 1),
        ((0.1, 0.9, 0.1), False, 2),
        ((0.9, 0.1, 0.1), False, 0),
        ((0.1, 0.9, 0.1, True), True, 3),
    ],
)
def test_the_last_move_over_the_threshold_decides(scores, keep, decided):
    """Two rules of scores, the choice, and one that may keep what it dropped."""
    later = scores[3:] or (keep,)
    chosen = scores[2] >= 0.5
    recorded = Trace(
        RULES[:4],
        np.array([*scores[:3], scores[2], scores[2]], dtype=np.float32)[:, None],
        np.array([False, False, False, chosen, later[0]])[:, None],
        choice=2,
        threshold=0.5,
        guessed=False,
    )
    assert recorded.deciding().tolist() == [decided]


def test_a_guess_is_decided_by_the_choice():
    found = features(parse(PAGE))
    recorded = trace(Draft(found, np.full(7, 0.01, dtype=np.float32)))
    assert recorded.guessed
    assert set(names(recorded)) <= {CHOICE, "headings", "page chrome"}
