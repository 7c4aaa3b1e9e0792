"""Rules of a person that match nothing any more are found by drift, in both modes and over runs."""

from dataclasses import replace

import pytest

from chaffinch import Site
from chaffinch.corpus.report import Tally, drift_of
from chaffinch.site import Rule
from chaffinch.site.usage import Usage

GONE = Rule(kind="drop", select="div.gone", by_hand=True, taught="2026-11-01", share=0.9)
DATE = Rule(kind="date", select="span.gone", by_hand=True, taught="2026-11-01", share=0.9)
SELDOM = Rule(kind="drop", select="div.seldom", by_hand=True, taught="2026-11-01", share=0.1)
THERE = Rule(kind="drop", select="p", by_hand=True)


@pytest.fixture
def ruled(learned):
    lost = replace(GONE, select="div.lost")
    own = replace(learned.templates[0], rules=(*learned.templates[0].rules, lost))
    templates = (own, *learned.templates[1:])
    return replace(learned, rules=(GONE, DATE, SELDOM, THERE), templates=templates, usage=Usage())


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_they_are_named(ruled, english, mode):
    site = ruled.with_mode(mode)
    for row in english[:20]:
        site(row["page"])
    found = "\n".join(site.findings())
    assert "all pages: the rule by hand drop div.gone selects nothing on any of 20 pages" in found
    assert "all pages: the rule by hand date span.gone selects nothing" in found
    assert f"template {site.templates[0].name}: the rule by hand drop div.lost" in found
    assert "div.seldom" not in found  # 20 pages are too few for a rule of every tenth
    assert "drop p " not in found


def test_a_rule_that_selects_once_is_not_named(ruled, english):
    site = replace(ruled, rules=(replace(GONE, select="h1"),), usage=Usage())
    for row in english[:20]:
        site(row["page"])
    assert not [one for one in site.findings() if one.startswith("all pages")]


def test_counts_are_kept_over_runs(ruled, english, tmp_path):
    path = tmp_path / "site.toml"
    ruled.save(path)
    for start in (0, 3):
        site = Site.load(path)
        for row in english[start : start + 3]:
            site(row["page"])
        assert ("date span.gone" in str(site.findings())) == (start == 3)
        site.save_counts(path)
    assert Usage.from_dict(ruled.usage.to_dict()) == ruled.usage


def test_a_batch_adds_them_up(ruled, english, tmp_path):
    ruled.save(tmp_path / "grain.example")
    tally = Tally()
    for row in english[:6]:
        ruled(row["page"])
        other = Tally(uses={"grain.example": ruled.usage.to_dict(), "other.example": {}})
        ruled.clear_usage()
        tally.add(Tally.from_dict(other.to_dict() | {"uses": other.uses}))
    assert "date span.gone selects nothing on any of 6" in str(drift_of(tally.uses, str(tmp_path)))
