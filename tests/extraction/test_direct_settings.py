"""`favor` and `policy` as arguments of their own, and the facts of an extract."""

import json

import pytest

import chaffinch
from chaffinch import OptionError, Policy
from chaffinch.methods import Learned

ROWS = "".join(
    f"<tr><td>{year}</td><td>{year % 7}</td><td>rye</td></tr>" for year in range(1990, 1999)
)
TABLE = f"<table><tr><th>Year</th><th>Tonnes</th><th>Grain</th></tr>{ROWS}</table>"
HTML = "<title>Rye</title><h1>Rye, a grass</h1><article>" + (
    "<p>Rye is a grass, grown for its grain, and the chaffinch takes some of it.</p>" * 6
) + "</article>"  # fmt: skip


@pytest.mark.parametrize("policy", [Policy(tables=False), {"tables": False}])
def test_a_policy_is_given_directly(policy):
    html = HTML.replace("</p>", "</p>" + TABLE, 3).replace(TABLE, "", 2)
    direct = chaffinch.extract(html, policy=policy)
    within = chaffinch.extract(html, settings={"policy": policy})
    assert direct.text == within.text != chaffinch.extract(html).text
    assert direct.text == next(iter(chaffinch.extract_many([html], policy=policy))).text
    with_it, without = (
        chaffinch.compare(html, methods=["learned", "block_density"], **given).columns
        for given in ({"policy": policy}, {})
    )
    assert with_it[0].length < without[0].length
    assert with_it[1].length < without[1].length  # a policy holds for every method


@pytest.mark.parametrize("favor", ["precision", "recall"])
def test_what_is_favoured_is_given_directly(favor):
    for method in ("auto", "learned"):
        direct = chaffinch.extract(HTML, method=method, favor=favor, settings={"weights": None})
        within = chaffinch.extract(HTML, settings={"favor": favor})
        assert direct.keep.tolist() == within.keep.tolist()


def test_methods_without_such_a_setting_refuse_it():
    direct = {"favor": "recall"}
    with pytest.raises(OptionError, match="block_density has no favor; it goes with: learned"):
        chaffinch.extract(HTML, method="block_density", **direct)
    for method in (Learned(), Learned().__call__):
        with pytest.raises(OptionError, match="favor goes with a method's name"):
            chaffinch.extract(HTML, method=method, **direct)
    with pytest.raises(OptionError, match="none of the methods has favor"):
        chaffinch.compare(HTML, methods=["block_density"], **direct)
    with pytest.raises(OptionError, match="favor is given twice"):
        chaffinch.extract(HTML, settings=direct, **direct)


@pytest.mark.parametrize("method", ["block_density", "learned", Learned(), Learned().__call__])
def test_a_policy_has_the_last_word_over_any_method(method):
    html = HTML.replace("</article>", f"{TABLE}<p>And more of it.</p></article>")
    usual = chaffinch.extract(html, method=method)
    without = chaffinch.extract(html, method=method, policy={"tables": False})
    assert "Tonnes" in usual.text
    assert "Tonnes" not in without.text
    dropped = without.why[(usual.keep & ~without.keep).nonzero()[0]]
    assert len(dropped)
    if method != "learned":
        assert {without.reasons[code] for code in dropped} == {"dropped by the policy"}
    asked = chaffinch.extract(html, method=method, policy={"headline": True})
    assert asked.text.startswith("Rye")


def test_facts_are_typed_attributes():
    found = chaffinch.extract(HTML, url="https://grain.example/rye")
    assert found.url == "https://grain.example/rye"
    assert found.page_type == "article"
    assert isinstance(found.confidence, float)
    assert 0 <= found.confidence <= 1
    assert found.source is found.notes is None
    values = found.to_dict()
    for name in ("url", "page_type", "confidence", "source"):
        assert values[name] == getattr(found, name)
    assert values["notes"] == {}


def test_a_method_that_predicts_nothing_has_no_type():
    found = chaffinch.extract(HTML, method="block_density")
    assert found.page_type is found.source is None
    assert found.notes.density > 0
    values = json.loads(found.to_json())
    assert 0 < values["confidence"] == found.confidence <= 1


@pytest.mark.parametrize("method", ["auto", "line_blocks"])
def test_siblings_of_a_method_that_compares_no_pages_are_refused_by_name(method):
    with pytest.raises(OptionError, match=rf"method='{method}'.*compares pages: .*cluster_rules"):
        chaffinch.extract(HTML, method=method, siblings=[HTML])
