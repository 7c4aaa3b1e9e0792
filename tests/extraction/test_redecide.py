"""`Extract.redecide` is `extract` with the other options, on the page that was read already."""

import json
import pickle

import pytest

import chaffinch
from chaffinch import OptionError, Policy
from chaffinch.methods import Learned

POLICIES = [None, {}, {"headline": True, "comments": True}, {"cards": True}, Policy(tables=False)]


def same(one, other):
    assert one.text == other.text
    assert one.keep.tolist() == other.keep.tolist()
    assert one.why.tolist() == other.why.tolist()
    assert one.score.tolist() == other.score.tolist()
    assert (one.method, one.confidence, one.page_type) == (
        other.method,
        other.confidence,
        other.page_type,
    )


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("favor", [None, "balanced", "precision", "recall"])
def test_it_is_the_decision_of_extract(example_site, favor, policy):
    for row in example_site[::11]:
        page = row["html"].encode("latin-1")
        found = chaffinch.extract(page, url=row["url"])
        again = found.redecide(favor=favor, policy=policy)
        same(again, chaffinch.extract(page, url=row["url"], favor=favor, policy=policy))
        assert again.in_rows.page is found.in_rows.page


def test_what_is_not_given_stays(example_site):
    page = example_site[0]["html"].encode("latin-1")
    given = {"favor": "recall", "policy": {"comments": True}, "keep": "nav", "drop": "h1, footer"}
    found = chaffinch.extract(page, **given)
    same(found.redecide(), found)
    for changed in ({"favor": "precision"}, {"policy": {"tables": False}}):
        same(found.redecide(**changed), chaffinch.extract(page, **(given | changed)))


@pytest.mark.parametrize("method", ["block_density", Learned(), Learned().__call__])
def test_a_policy_goes_with_any_method(example_site, method):
    page = example_site[0]["html"].encode("latin-1")
    found = chaffinch.extract(page, method=method, policy={"tables": False})
    with_titles = {"policy": {"headline": True}}
    same(found.redecide(**with_titles), chaffinch.extract(page, method=method, **with_titles))
    with pytest.raises(OptionError, match="favor"):
        found.redecide(favor="recall")


def test_settings_and_siblings_stay(example_site):
    one, *others = [row["html"].encode("latin-1") for row in example_site[:4]]
    given = {"method": "sibling_subtrees", "siblings": others, "settings": {"alpha": 0.9}}
    policy = {"headline": True}
    found = chaffinch.extract(one, **given)
    same(found.redecide(policy=policy), chaffinch.extract(one, **given, policy=policy))


def test_content_of_data_alone_is_found_again():
    words = "The chaffinch sings from the top of a birch, and its song ends with a flourish. " * 20
    data = json.dumps({"@type": "Article", "articleBody": words})
    html = f'<script type="application/ld+json">{data}</script><p>Please wait'
    found = chaffinch.extract(html)
    assert found.source
    same(found.redecide(favor="recall"), chaffinch.extract(html, favor="recall"))


def test_what_cannot_be_decided_again_says_so():
    html = "<p>" + "Rye is a grass, grown for its grain. " * 9
    found = chaffinch.extract(html)
    with pytest.raises(OptionError, match="isn't at hand"):
        pickle.loads(pickle.dumps(found)).redecide()  # noqa: S301 our own bytes
    with pytest.raises(OptionError, match="part by part"):
        chaffinch.extract_parts([html, html.replace("Rye", "Oats")]).redecide()
    for wrong in ({"favor": "all"}, {"policy": {"tabels": True}}, {"policy": 3}):
        with pytest.raises(OptionError):
            found.redecide(**wrong)
