import json
import math
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest

import chaffinch
from chaffinch.assessment.assessment import (
    NEXT_STEPS,
    STATES,
    assess_page,
    shipped_model,
)
from chaffinch.assessment.page_signals import signals_of
from chaffinch.errors import OptionError

PROSE = "The mill turns in the wind of the first morning after the long rain. " * 6
PAGES = tomllib.loads(Path(__file__).with_name("signals.toml").read_text("utf-8"))["states"]


@pytest.mark.parametrize("state", STATES)
def test_each_state(state):
    found = chaffinch.assess(PAGES[state])
    assert found.state == state, found
    assert found.next_step == NEXT_STEPS[state]
    assert found.probability == max(found.probabilities.values())


@pytest.mark.parametrize(
    "html", [*PAGES.values(), "", "\0\0", "no markup", "<" * 3000, "<p>" * 3000]
)
def test_probabilities_sum_to_one(html):
    found = chaffinch.assess(html)
    assert list(found.probabilities) == list(STATES)
    assert math.isclose(sum(found.probabilities.values()), 1, abs_tol=1e-9)
    assert all(0 <= one <= 1 for one in found.probabilities.values())


def test_evidence_names_rows_of_the_page():
    page = chaffinch.parse(PAGES["login"])
    found = assess_page(page)
    named = {one.name: one for one in found.evidence}
    rows = {row for one in named.values() for row in one.rows}
    assert any(page.attribute(row, "type") == "password" for row in rows)
    strengths = [one.log_odds for one in found.evidence]
    assert strengths == sorted(strengths, reverse=True)
    assert strengths[-1] > 0


def test_evidence_lists_each_thing_once_and_only_what_is_there():
    for html in PAGES.values():
        evidence = chaffinch.assess(html).evidence
        assert all(one.value for one in evidence), evidence
        names = [one.name.partition(", little")[0].partition(", thin")[0] for one in evidence]
        assert len(names) == len(set(names)), names


def test_the_status_speaks_too():
    page = "<title>Sorry</title><p>Back soon."
    assert chaffinch.assess(page, status=503).next_step == "retry_later"
    assert chaffinch.assess(page, status=404).next_step == "give_up"
    assert chaffinch.assess(page, status=404).state == "error_page"
    assert chaffinch.assess(page).status is None


def test_content_in_data_needs_no_browser():
    data = json.dumps({"@type": "Article", "articleBody": PROSE * 4})
    shell = PAGES["shell"] + f"<script type=application/ld+json>{data}</script>"
    found = chaffinch.assess(shell)
    assert (found.state, found.next_step) == ("content", "read")
    assert found.evidence[0].log_odds == 0


def test_the_extract_has_it_and_its_record_where_it_is_asked_for():
    found = chaffinch.extract(PAGES["error_page"], status=404)
    assert found.assessment.state == "error_page"
    assert found.assessment.status == 404
    assert "assessment" not in found.to_dict()
    values = json.loads(found.to_json(parts=["assessment"]))["assessment"]
    assert values == json.loads(json.dumps(asdict(found.assessment)))


@pytest.mark.parametrize("status", ["404", 4.5, 7, 1000])
def test_a_status_is_a_number_that_http_has(status):
    for function in (chaffinch.assess, chaffinch.extract):
        with pytest.raises(OptionError, match="status"):
            function("<p>x", status=status)


def test_the_weights_are_of_the_signals_that_are_measured():
    names = tuple(name for name, _, _ in signals_of(chaffinch.parse("")))
    assert shipped_model().signals == names


def test_a_box_to_sign_in_beside_it_makes_no_form_of_a_page(example_site):
    boxed = [row for row in example_site if "password" in row["html"]]
    assert len(boxed) > 30
    states = [
        chaffinch.assess(row["html"].encode("latin-1"), url=row["url"]).state for row in boxed
    ]
    assert states.count("content") >= 0.95 * len(states)
