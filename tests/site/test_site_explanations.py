"""Explanations of site models: slots, returning texts, rules by hand and fallbacks."""

from __future__ import annotations

from trusted_rules import trusted

import chaffinch
from chaffinch.site.model import FALLBACK
from chaffinch.site.usage import Usage


def test_the_slot_of_each_block_is_named(english, learned):
    page = english[1]["page"]
    found = learned.extract(page)
    assert found.notes.mode == "full"
    blocks = found.explain()
    assert [one.text for one in blocks if one.keep] == found.text.splitlines()
    for one in blocks:
        assert one.slot
        assert {piece.group for piece in one.contributions} <= {
            "the page alone", "its slot", "returning text", "links of its slot",
            "the place of a lead", "the template's rules",
        }  # fmt: skip
        assert one.step in learned.reasons
    returning = [one for one in blocks if one.step == "returns on other pages of the site"]
    assert returning
    for one in returning:
        assert one.opposing[0].group == "returning text"


def test_an_explanation_is_no_use(english, learned):
    site = chaffinch.Site(**{**vars_of(learned), "usage": Usage()})
    found = site.extract(english[1]["page"])
    before = dict(vars(site.usage)["by_template"])
    found.explain()
    assert vars(site.usage)["by_template"] == before


def vars_of(site):
    return {name: getattr(site, name) for name in ("name", "templates", "history", "mode")}


def test_rules_name_the_selector_that_matched(english, learned):
    rules = trusted(learned).with_mode("rules")
    asked = 0
    for row in english[1::2]:
        found = rules.extract(row["page"])
        if found.notes.mode != "rules":
            continue
        asked += 1
        for one in found.explain():
            if one.slot:
                rows = found.page.select(one.slot).tolist()
                assert any(at <= one.row < found.page.end[at] for at in rows)
                assert one.keep == (one.rule == "the site's rule «content»")
    assert asked


def test_where_no_template_fits_the_default_explains(learned):
    page = "<article>" + "<p>Rye is a grass, grown for its grain, and hardy.</p>" * 3
    found = learned.extract(page)
    assert found.notes.mode == FALLBACK
    (first, *_) = found.explain()
    assert first.rule
    assert first.contributions
    assert not first.slot


def test_policies_override_a_site(english, learned):
    page = english[1]["page"]
    found = learned.extract(page, policy={"headline": True})
    changed = [one for one in found.explain() if one.rule == "policy"]
    assert all(one.reason == "policy: kept by the policy" for one in changed if one.keep)
    without = {one.text for one in learned.extract(page).explain() if one.keep}
    assert {one.text for one in changed if one.keep}.isdisjoint(without)
