"""Explanations: what decided, what spoke for and against, whatever the method."""

import pytest

import chaffinch
from chaffinch.decision.rules import RULES
from chaffinch.methods import METHODS

RYE = "<p>Rye is a grass, grown for its grain, and hardy in poor soils and cold winters.</p>" * 3
FOOT = (
    "<footer><p>Grown by the millers of the valley since 1901, and sold at the market of Corve, "
    "where the bakers of the town have bought their flour for more than a hundred years.</p>"
    "</footer>"
)


def test_every_page_of_the_example_site_is_explained(example_site):
    known = {rule.name for rule in RULES}
    for row in example_site:
        found = chaffinch.extract(row["html"].encode("latin-1"), url=row["url"])
        blocks = found.explain()
        assert blocks
        kept = "".join(one.text for one in blocks if one.keep)
        assert "".join(kept.split()) == "".join(found.text.split())
        for one in blocks:
            assert one.reason
            assert one.step in found.reasons
            assert one.rule in known
            assert one.supporting or one.opposing
            assert [change.keep for change in one.changes if change.keep is not None][
                -1
            ] == one.keep


def test_selectors_decide_after_all_rules():
    found = chaffinch.extract(f"<article>{RYE}</article>{FOOT}", keep="footer", drop="article")
    blocks = found.explain()
    assert [one.rule for one in blocks] == [""] * len(blocks)
    assert {one.reason for one in blocks} == {
        "kept by the caller's selector",
        "dropped by the caller's selector",
    }


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_explained(example_site, name):
    rows = [row for row in example_site if row["template"] == "article" and row["lang"] == "en"]
    pages = [chaffinch.parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows[:4]]
    siblings = pages[1:] if METHODS[name].needs_siblings else ()
    found = chaffinch.extract(pages[0], method=name, siblings=siblings)
    blocks = found.explain()
    assert all(one.reason for one in blocks)
    assert all(bool(one.contributions) == (name == "learned") for one in blocks)
