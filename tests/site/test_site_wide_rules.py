"""Rules for all pages of a site: written by hand, whatever the template, in both modes."""

from dataclasses import replace

import pytest
from trusted_rules import trusted

from chaffinch import Site, extract, parse
from chaffinch.errors import RulesError
from chaffinch.site import Rule
from chaffinch.site.report import check_rules

SENTENCE = "The barley harvest began late this year, and the first sheaves stood wet in the field. "
PAGE = f"""<html><head><meta name="writer" content="Ada  Finch"><title>Barley | Grain</title></head>
<body><div class="menu"><a href="/">Home</a> <a href="/a">All</a></div>
<div class="story"><p>{SENTENCE * 3}<p>{SENTENCE * 2}<div class="box">Read also: oats, rye, of
which we wrote at length in the last week of the month of May.</div></div>
<div class="feet">Set in type by hand.</div></body></html>"""
TEXT = """kind = "chaffinch site"
version = 1
site = "grain.example"
"""


def with_rules(*rules):
    body = "".join(
        f"\n[[rule]]\nkind = '{kind}'\nselect = \"{select}\"\n" for kind, select in rules
    )
    return Site.from_text(TEXT + body)


@pytest.mark.parametrize("mode", ["full", "rules"])
@pytest.mark.parametrize(
    "select", [".feet", "//div[@class='feet']", "//text()[contains(., 'type')]"]
)
def test_they_act_without_any_template(mode, select):
    assert "by hand" not in extract(PAGE, method=with_rules().with_mode(mode)).text
    found = with_rules(("content", select)).extract(PAGE, mode=mode)
    assert "Set in type by hand." in found.text
    assert SENTENCE.strip() in found.text


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_the_innermost_decides(mode):
    site = with_rules(("drop", "body"), ("content", "div.story"), ("drop", "//*[@class='box']"))
    text = site.extract(PAGE, mode=mode).text
    assert text.startswith("The barley")
    assert "Read also" not in text
    assert "Home" not in text


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_they_act_beside_those_of_templates(learned, english, mode):
    site = trusted(learned)
    page = next(
        row["page"] for row in english if site.with_mode(mode)(row["page"]).notes.mode == mode
    )
    kept = site.extract(page, mode=mode)
    assert kept.text
    ruled = replace(site, rules=(Rule(kind="drop", select="body", by_hand=True),))
    assert ruled.extract(page, mode=mode).text == ""
    assert {one.rule for one in extract(page, method=ruled.with_mode(mode)).explain()} == {
        "the site's rule «drop»"
    }


def test_they_are_saved_learned_over_checked_and_compared(learned, english, tmp_path):
    pages = [row["page"] for row in english]
    rule = Rule(kind="drop", select=".nowhere", by_hand=True)
    ruled = replace(learned, rules=(rule,))
    ruled.save(tmp_path / "site.toml")
    assert Site.load(tmp_path / "site.toml").rules == (rule,)
    assert ruled.update(pages[:2]).rules == (rule,)
    assert ("", "matches nothing") in {
        (one.template, one.remark) for one in check_rules(ruled, pages)
    }
    assert "drop  .nowhere  (by hand)" in ruled.report().to_text()
    assert ruled.report().to_dict()["rules"][0]["select"] == ".nowhere"


def test_a_mark_makes_no_rule_for_all_pages_a_learned_one():
    text = Site.from_text(TEXT + "[[rule]]\nkind = 'drop'\nselect = 'p'\nlearned = '0'\n").to_text()
    assert Site.from_text(text).rules[0].by_hand


@pytest.mark.parametrize("select", ["//p[", "//p[re:nothing(.)]", "p >", "count(//p"])
def test_broken_ones_name_their_place(select):
    with pytest.raises(RulesError, match="rule 1 of the site"):
        with_rules(("drop", select))
    assert parse(PAGE).select("//p").tolist()
