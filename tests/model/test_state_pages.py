"""The made-up pages that the assessment is trained on."""

from random import Random

import pytest

from chaffinch.assessment.assessment import STATES
from chaffinch.page import parse
from training import page_states
from training.state_pages.boxed import with_box
from training.state_pages.kit import Kit
from training.state_pages.sites import site_pages

GENERATORS = page_states.GENERATORS


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_makes_every_state_with_its_words(name):
    generator = GENERATORS[name]
    for kind in page_states.KINDS:
        for number in range(4):
            kit = Kit.of(Random(f"{kind} {number}"), generator.BANK)  # noqa: S311  no secret
            html = generator.make(kit, kind)
            page, said = parse(html), [one for one in kit.said(kind) if one]
            assert any(one in html for one in said) or not said, kind
            assert (kind in {"content", "paywall"}) <= (len(page.text) > 30)


def test_made_pages_are_of_every_state_and_the_same_each_time():
    first, again = ([one.html for one in page_states.made_up(1)] for _ in range(2))
    assert first == again
    assert {one.state for one in page_states.made_up(1)} == set(STATES)


def test_a_page_with_half_of_its_content_is_no_shell():
    gold = "".join(f"Sentence{n}ofthegoldtext." for n in range(40))
    half = f"<p>{gold[: len(gold) // 2]}</p>"
    assert not page_states.is_emptied(half, "shell", gold)
    assert page_states.is_emptied("<p>Nothing of it.</p>", "shell", gold)
    assert page_states.is_emptied(half, "content", gold)


@pytest.mark.parametrize("number", range(12))
def test_a_box_to_sign_in_stands_before_or_behind_all_that_a_page_has(number):
    own = "<html><body class=a><h1>Oats</h1><p>Oats are sown in March.</p></body></html>"
    html = with_box(Kit.of(Random(number), "first"), own)  # noqa: S311  no secret
    page = parse(html)
    kinds = [value for _, value in page.having("type")]
    assert kinds.count("password") == 1
    before, _, behind = html.partition("<h1>Oats</h1><p>Oats are sown in March.</p>")
    assert before.startswith("<html><body class=a>")
    assert behind.endswith("</body></html>")
    assert ("<form" in before) != ("<form" in behind)


def test_pages_of_sites_are_content_errors_and_forms_and_some_have_a_box():
    made = list(site_pages(40))
    assert [one.html for one in made] == [one.html for one in site_pages(40)]
    assert {one.state for one in made} == {"content", "error_page", "login"}
    assert all("password" in one.html for one in made if one.state == "login")
    made = [one for one in made if one.state != "login"]
    boxed = sum("password" in one.html for one in made)
    assert 0.3 * len(made) < boxed < 0.7 * len(made)
