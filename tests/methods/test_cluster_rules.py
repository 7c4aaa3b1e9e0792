"""Cluster rules: which rule is learned, what it finds, and how it is saved."""

import json

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.errors import RulesError
from chaffinch.methods import BlockDensity
from chaffinch.methods.cluster_rules import ClusterReason, ClusterRules
from chaffinch.siblings.block_rules import BlockFeatures, Likeness, learn

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
    assert dict(rule.paths) == {
        "html/body": 1, "html/body/div": 1, "html/body/div/div": 1, "html/body/ul": 1,
    }  # fmt: skip


def test_the_largest_sum_of_densities_wins_not_the_most_pages():
    few = [parse(article(n, attributes="id=long", words=400)) for n in range(2)]
    thin = "<body><div><div id=thin><p>" + "<b>g</b>" * 2000 + "</p></div></div><ul></ul></body>"
    given = [*few, *[parse(thin)] * 3]
    (rule,) = learn(given).rules
    assert rule.features.id == "long"
    assert (rule.pages, rule.support) == (5, 2)
    (rule,) = learn(given, choose_by="support").rules
    assert rule.features.id == "thin"
    method = ClusterRules(siblings=given, choose_by="support")
    assert method.learned.rules == (rule,)


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


def test_class_then_path_are_used_where_the_id_is_missing():
    method = ClusterRules.learn(pages(attributes="id=story class='main  text'"))
    for attributes, why in (
        ("class='main text'", ClusterReason.CLASS),
        ("class=other", ClusterReason.PATH),
    ):
        page = parse(article(9, attributes=attributes, words=1, foot=40))
        verdict = method(page)
        assert verdict.why.max() == why
        assert page.text_of(int(np.flatnonzero(verdict.keep)[0])).startswith("Grain")


def test_of_several_matches_the_densest_is_taken():
    method = ClusterRules.learn(pages(attributes="class=part"))
    part = "<div class=part>{}</div>"
    page = parse(f"<div>{part.format('x')}{part.format('much more of it')}</div>{NAV}<div></div>")
    verdict = method(page)
    assert verdict.why.max() == ClusterReason.CLASS
    assert page.text_of(int(np.flatnonzero(verdict.keep)[0])) == "much more of it"


@pytest.mark.parametrize(
    ("html", "cluster"),
    [
        ("<table><tr><td>" + "Another kind of page. " * 9 + "</table>", None),
        (NAV + "<div><p>" + "Neither id nor path. " * 9 + "</div>", 0),
    ],
)
def test_without_a_rule_the_densest_block_is_taken(html, cluster):
    page = parse(html)
    verdict, alone = ClusterRules.learn(pages())(page), BlockDensity()(page)
    assert np.array_equal(verdict.keep, alone.keep)
    assert np.array_equal(verdict.score, alone.score)
    assert verdict.why.max() == ClusterReason.DENSEST
    assert verdict.notes.cluster == cluster
    assert verdict.notes.support is None


def test_a_cluster_without_text_has_no_rule():
    method = ClusterRules.learn([parse("<div></div>")])
    assert method.learned.rules[0].features is None
    page = parse("<div>text</div>")
    assert method(page).why.max() == ClusterReason.DENSEST
    assert ClusterRules.from_text(method.to_text()) == method


def test_siblings_and_learned_rules_say_the_same():
    given, page = pages(), parse(article(9, words=1, foot=40))
    one, two = ClusterRules(siblings=given), ClusterRules.learn(given)
    assert one.learned == two.learned
    assert np.array_equal(one(page).keep, two(page).keep)


def test_saved_rules_are_the_same_when_read():
    method = ClusterRules.learn(
        [*pages(), parse("<foo-bar><div>谷物</div></foo-bar>", url="http://site.test/x")],
        likeness=Likeness(threshold=0.7, counts=True, blocks=["body", "div"]),
        alpha=0.2,
        date="2020-02-02",
    )
    text = method.to_text()
    again = ClusterRules.from_text(text)
    assert again == method
    assert again.to_text() == text
    assert (again.threshold, again.counts, again.blocks, again.alpha) == (
        0.7, True, ("body", "div"), 0.2,
    )  # fmt: skip
    saved = json.loads(text)
    assert (saved["site"], saved["pages"], saved["date"]) == ("site.test", 7, "2020-02-02")
    page = pages(8)[-1]
    assert np.array_equal(again(page).keep, method(page).keep)


def test_an_edited_rule_is_followed():
    saved = json.loads(ClusterRules.learn(pages()).to_text())
    saved["clusters"][0]["content"] = {"id": "foot", "class": "", "path": "html/body/div"}
    page = pages()[0]
    assert block(page, ClusterRules.from_text(json.dumps(saved))(page)) == "#foot"


def edited(**changes):
    saved = json.loads(ClusterRules.learn(pages(2)).to_text())
    return json.dumps(saved | changes)


def without(key):
    saved = json.loads(ClusterRules.learn(pages(2)).to_text())
    del saved[key]
    return json.dumps(saved)


GOOD = {"pages": 1, "support": 1, "density": 0.5, "paths": {"html/body": 1}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a file"),
        ("{}", "not a file"),
        (edited(version=2), "version 2"),
        (edited(alpha="x"), "alpha"),
        (edited(threshold=7), "threshold"),
        (edited(blocks=["nope"]), "nope"),
        (edited(blocks=3), "blocks"),
        (edited(site=None), "site"),
        (edited(clusters={}), "clusters"),
        (edited(clusters=[3]), "cluster 0"),
        (edited(clusters=[GOOD | {"pages": 1.5}]), "pages of cluster 0"),
        (edited(clusters=[GOOD | {"pages": 0}]), "pages of cluster 0"),
        (edited(clusters=[GOOD | {"support": 2}]), "support of cluster 0"),
        (edited(clusters=[GOOD | {"density": None}]), "density"),
        (edited(clusters=[GOOD | {"paths": {"html": "x"}}]), "html"),
        (edited(clusters=[GOOD | {"content": {"id": "x", "class": 3}}]), "content of cluster 0"),
        *[(without(key), key) for key in ("alpha", "threshold", "blocks", "date", "clusters")],
    ],
)
def test_errors_of_reading_name_the_place(text, says):
    with pytest.raises(RulesError, match=says):
        ClusterRules.from_text(text)
