"""Methods and settings: those of one's own, what is given directly, decisions made again."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import chaffinch
from chaffinch import Method, OptionError, Policy
from chaffinch.methods import Learned
from chaffinch.verdict import Content
from everything import everything

PAGE = "<p>The miller mills rye.<p>And oats."


@dataclass(frozen=True)
class Own(Method):
    data: str = ""

    reasons = ("outside", "inside")

    def __call__(self, page):
        return everything(page, why=1)

    def elsewhere(self, page, verdict):
        assert verdict.keep.all()
        assert len(verdict.keep) == len(page)
        found = chaffinch.parse(self.data)
        return Content(found, everything(found), ("in the data",)) if self.data else None


def test_a_subclass_has_its_reasons_and_its_name():
    found = chaffinch.extract(PAGE, method=Own())
    assert found.method == "Own"
    assert {one.reason for one in found.explain()} == {"inside"}
    assert found.replaced is None


def test_a_subclass_may_find_content_in_the_data():
    found = chaffinch.extract(PAGE, method=Own("<p>Only in the data."))
    assert found.text == "Only in the data."
    assert found.replaced is not None
    assert {one.reason for one in found.explain() if one.keep} == {"in the data"}


def test_a_function_to_a_mask_keeps_subtrees():
    def second(page):
        return page.is_tag("p") & (np.arange(len(page)) == page.select("p")[1])

    found = chaffinch.extract("<p>Rye.<p>Oats <b>and</b> barley.", method=second)
    assert (found.text, found.method) == ("Oats and barley.", "second")
    assert found.redecide(policy={"headline": True}).text == found.text
    for wrong in (lambda page: page.is_tag("p")[1:], lambda page: page.length):
        with pytest.raises(chaffinch.OptionError, match="a mask of the page is bool"):
            chaffinch.extract(PAGE, method=wrong)


ROWS = "".join(
    f"<tr><td>{year}</td><td>{year % 7}</td><td>rye</td></tr>" for year in range(1990, 1999)
)
TABLE = f"<table><tr><th>Year</th><th>Tonnes</th><th>Grain</th></tr>{ROWS}</table>"
HTML = "<title>Rye</title><h1>Rye, a grass</h1><article>" + (
    "<p>Rye is a grass, grown for its grain, and the chaffinch takes some of it.</p>" * 6
) + "</article>"  # fmt: skip


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
    folded = html.replace(
        "<p>And more", "<details><p>And what is folded of it.</p></details><p>And more"
    )
    assert "is folded" in chaffinch.extract(folded, method=method).text
    assert (
        "is folded" not in chaffinch.extract(folded, method=method, policy={"hidden": False}).text
    )


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


@pytest.mark.parametrize("method", ["block_density", Learned(), Learned().__call__])
def test_a_policy_goes_with_any_method(example_site, method):
    page = example_site[0]["html"].encode("latin-1")
    found = chaffinch.extract(page, method=method, policy={"tables": False})
    with_titles = {"policy": {"headline": True}}
    same(found.redecide(**with_titles), chaffinch.extract(page, method=method, **with_titles))
    with pytest.raises(OptionError, match="favor"):
        found.redecide(favor="recall")


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
