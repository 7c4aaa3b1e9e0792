"""Cluster rules: which rule is learned, and what it finds."""

import numpy as np

from chaffinch import parse
from chaffinch.methods import BlockDensity
from chaffinch.methods.cluster_rules import BlockFeatures, ClusterReason, ClusterRules, learn
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
    (rule,) = learn(pages()).rules
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
    assert verdict.why.max() == ClusterReason.ID
    assert (verdict.notes.support, verdict.notes.pages) == (6, 6)
    assert verdict.score[short.first("#story")] == 1
    assert verdict.score[short.first("#foot")] == 0
