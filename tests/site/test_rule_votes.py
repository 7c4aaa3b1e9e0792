"""Learned rules as a witness of the full mode, and rules that doubt themselves."""

from dataclasses import replace

import numpy as np

from chaffinch import extract
from chaffinch.site import Site
from chaffinch.site.block_evidence import shipped_weights
from chaffinch.site.joined_scores import ScoredPage
from chaffinch.site.modes import FALLBACK
from chaffinch.site.rules import Rule


def fitting(learned, english):
    """Return a page of the largest template with learned content rules, and its number."""
    for row in english[1::2]:
        scored = ScoredPage.of(row["page"])
        number, _ = learned.leaders.nearest(scored.summary.sketch)
        if learned.rule_set.votes(number, row["page"]) is not None:
            return row["page"], scored, number
    raise AssertionError("no page has a template with learned rules")


def changed(learned, number, **values):
    """Return the model with other values of one template."""
    templates = list(learned.templates)
    templates[number] = replace(templates[number], **values)
    return Site(templates=tuple(templates))


def test_votes_speak_for_what_the_rules_keep_and_against_the_rest(learned, english):
    page, scored, number = fitting(learned, english)
    with_votes = scored.evidence(learned, number)
    assert set(with_votes.votes.tolist()) == {-1.0, 1.0}
    silent = replace(with_votes, votes=np.zeros_like(with_votes.votes))
    weights = shipped_weights()
    assert weights.rules > 0
    more = with_votes.probability(weights) - silent.probability(weights)
    assert (more[with_votes.votes > 0] >= 0).all()
    assert (more[with_votes.votes < 0] <= 0).all()
    assert np.abs(more).max() > 0
    kept = learned.rule_set.votes(number, page)
    first = scored.scores.features.blocks.first[: len(scored.summary)]
    np.testing.assert_array_equal(kept[first], with_votes.votes > 0)


def test_rules_by_hand_have_no_vote(learned, english):
    page, scored, number = fitting(learned, english)
    by_hand = changed(learned, number, rules=(Rule(kind="content", select="body", by_hand=True),))
    assert by_hand.rule_set.votes(number, page) is None
    assert not scored.evidence(by_hand, number).votes.any()
    both = changed(
        learned,
        number,
        rules=(*learned.templates[number].rules, Rule(kind="drop", select="body", by_hand=True)),
    )
    np.testing.assert_array_equal(
        both.rule_set.votes(number, page), learned.rule_set.votes(number, page)
    )


def test_an_explanation_names_the_vote(learned, english):
    page, _, _ = fitting(learned, english)
    found = extract(page, method=learned).explain()
    assert any("the template's rules" in str(block) for block in found)


def test_rules_of_a_template_in_doubt_leave_it_to_the_default(learned, english):
    page, _, number = fitting(learned, english)
    sure = learned.with_mode("rules")(page)
    assert sure.notes.mode == "rules"
    site = changed(learned, number, known=0.5)
    assert site.templates[number].in_doubt
    assert "in doubt" in site.report().to_text()
    assert "in doubt" not in learned.report().to_text()
    notes = site.with_mode("rules")(page).notes
    assert notes.mode == FALLBACK
    assert "too unlike one another" in notes.because
    assert site(page).notes.mode == "full"


def test_a_person_s_rules_are_not_doubted(learned, english):
    page, _, number = fitting(learned, english)
    rules = (*learned.templates[number].rules, Rule(kind="drop", select="footer", by_hand=True))
    site = changed(learned, number, known=0.5, rules=rules)
    assert site.with_mode("rules")(page).notes.mode == "rules"
    assert "in doubt" not in site.report().to_text()
