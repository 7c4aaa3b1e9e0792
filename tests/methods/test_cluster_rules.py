"""Cluster rules: which rule is learned, and what it finds."""

import re

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.errors import OptionError
from chaffinch.methods import BlockDensity
from chaffinch.methods.cluster_rules import BlockFeatures, ClusterRules
from chaffinch.page.selectors import hash_of

NAV = "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul>"


def article(number, *, attributes="id=story", words=200, foot=5):
    text = f"Grain number {number} and so on. " * words
    foot = f"<div id=foot>{'All rights are kept. ' * foot}</div>"
    return f"<body>{NAV}<div><div {attributes}><p>{text}</p></div></div>{foot}</body>"


def pages(count=6, **options):
    return [
        parse(article(number, **options), url=f"http://site.test/{number}.html")
        for number in range(count)
    ]


def block(page, verdict):
    rows = np.flatnonzero(verdict.keep)
    return page.selector(int(rows[0])) if len(rows) else ""


def test_the_rule_is_the_features_of_the_densest_blocks():
    (rule,) = ClusterRules.learn(pages()).learned.rules
    assert rule.features == BlockFeatures("story", "", "html/body/div/div")
    assert (rule.pages, rule.support) == (6, 6)
    paths = ("html/body", "html/body/div", "html/body/div/div", "html/body/ul")
    assert rule.paths == {hash_of(path): 1 for path in paths}


def test_a_short_article_is_found_where_density_alone_takes_the_foot():
    method = ClusterRules.learn(pages())
    short = parse(article(7, words=1, foot=40))
    assert block(short, BlockDensity()(short)) == "#foot"
    verdict = method(short)
    assert block(short, verdict) == "#story"
    assert ClusterRules.reasons[verdict.why.max()] == "in the block of the rule's id"
    assert (verdict.notes.support, verdict.notes.pages) == (6, 6)
    assert verdict.score[short.first("#story")] == 1
    assert verdict.score[short.first("#foot")] == 0


def test_rules_are_saved_and_read(tmp_path):
    learned, path = ClusterRules.learn(pages()), tmp_path / "rules.json"
    path.write_text(learned.learned.to_json(), encoding="utf-8")
    again, one = ClusterRules(rules=str(path)), parse(article(7))
    assert again.learned == learned.learned
    assert (again(one).keep == learned(one).keep).all()


@pytest.mark.parametrize(
    "damage", ["", "[]", '{"kind": "x"}', '"rules": 1', '"pages": 0', '"threshold": 7', '"id": [1]']
)
def test_files_that_hold_no_rules_are_refused(tmp_path, damage):
    saved, path = ClusterRules.learn(pages()).learned.to_json(), tmp_path / "rules.json"
    name = damage.partition(":")[0]
    broken = re.sub(f"{name}: [^,]+", damage, saved) if name.startswith('"') else damage
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(OptionError):
        ClusterRules(rules=str(path))
    with pytest.raises(OptionError):
        ClusterRules(rules=str(tmp_path / "none.json"))
