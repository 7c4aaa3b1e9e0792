"""Learned rules as a witness of the full mode, and rules that doubt themselves."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.site import Site
from chaffinch.site.apply import ScoredPage
from chaffinch.site.model import FALLBACK
from chaffinch.site.rules import Rule


def fitting(learned, english):
    """Return a page of the largest template with learned content rules, and its number."""
    for row in english[1::2]:
        scored = ScoredPage.of(row["page"])
        template = learned.template_of(row["page"])
        if template and any(rule.kind == "content" for rule in template.rules):
            return row["page"], scored, learned.templates.index(template)
    raise AssertionError("no page has a template with learned rules")


def changed(learned, number, **values):
    """Return the model with other values of one template."""
    templates = list(learned.templates)
    templates[number] = replace(templates[number], **values)
    return Site(templates=tuple(templates))


def test_rules_by_hand_have_no_vote(learned, english):
    _, scored, number = fitting(learned, english)
    own = learned.templates[number]
    votes = scored.evidence(own).votes
    assert votes.any()
    hand = Rule(kind="drop", select="body", by_hand=True)
    np.testing.assert_array_equal(
        scored.evidence(replace(own, rules=(*own.rules, hand))).votes, votes
    )
    assert not scored.evidence(replace(own, rules=(hand,))).votes.any()


SURE = {"pages": 20, "known": 1.0, "lost": 0.0}
"""What a template has whose rules are trusted."""


@pytest.mark.parametrize(
    ("values", "because"),
    [
        ({"known": 0.5}, "too unlike one another"),
        ({"lost": 0.01}, "can't say what its pages together say"),
        ({"pages": 5}, "learned from 5 pages only"),
    ],
)
def test_rules_of_a_template_in_doubt_leave_it_to_the_full_model(learned, english, values, because):
    page, _, number = fitting(learned, english)
    trusted = changed(learned, number, **SURE)
    assert trusted.with_mode("rules")(page).notes.mode == "rules"
    assert not trusted.templates[number].doubt
    site = changed(learned, number, **SURE | values)
    assert because in site.templates[number].doubt
    assert f"in doubt: {site.templates[number].doubt}" in site.report().to_text()
    ruled, full = site.with_mode("rules")(page), site(page)
    assert ruled.notes.mode == full.notes.mode == "full"
    assert because in ruled.notes.because
    assert full.notes.because is None
    np.testing.assert_array_equal(ruled.keep, full.keep)


def test_a_page_that_no_template_fits_is_left_to_the_default(learned):
    notes = learned.with_mode("rules")(parse("<p>Grain is weighed at the mill.")).notes
    assert notes.mode == FALLBACK
    assert "no template fits" in notes.because


def test_what_is_lost_by_rules_alone_is_measured_on_the_pages_they_were_learned_from():
    """Paragraphs of the story and lone links beside them stand in one place: no rule tells them."""
    alike = [page_of(number) for number in range(10)]
    mixed = [page_of(number, links=6) for number in range(10)]
    plain, torn = (Site.learn(pages, date="2026-11-23") for pages in (alike, mixed))
    assert plain.templates[0].lost < 0.002
    assert not plain.templates[0].doubt
    assert torn.templates[0].lost > 0.01
    assert "can't say" in torn.templates[0].doubt
    assert (
        Site.from_text(torn.to_text(), torn.to_data()).templates[0].lost == torn.templates[0].lost
    )


def page_of(number, *, links=0):
    """Return a page of five paragraphs, with a lone link after each of the first ``links``."""
    dice = np.random.default_rng(number)
    words = "barley river mill council bridge winter harvest market garden ferry stone".split()
    text = ""
    for at in range(5):
        text += f"<p>{' '.join(dice.choice(words, 40)).capitalize()}.</p>"
        if at < links:
            title = " ".join(dice.choice(words, 9)).capitalize()
            text += f"<p><a href=/{number}-{at}>{title}</a></p>"
    return f"<body><div class=top><a href=/>Home</a></div><div class=story>{text}</div>"


def test_a_person_s_rules_are_not_doubted(learned, english):
    page, _, number = fitting(learned, english)
    rules = (*learned.templates[number].rules, Rule(kind="drop", select="footer", by_hand=True))
    site = changed(learned, number, known=0.5, rules=rules)
    assert site.with_mode("rules")(page).notes.mode == "rules"
    assert not site.templates[number].doubt
