"""Ingredients and steps that a page declares and shows are kept, and no copies of them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.decision.declared import recipe_parts, shown_in
from chaffinch.metadata.sources import declared_recipe
from chaffinch.metadata.values import fold
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks

INGREDIENTS = ["200 g flour", "1 onion, chopped", "2 eggs", "salt"]
STEPS = ["Mix flour and eggs to a dough.", "Fry the onion in butter until it is brown."]
RECIPE = {
    "@type": "Recipe",
    "name": "Onion cake",
    "recipeIngredient": INGREDIENTS,
    "recipeInstructions": [{"@type": "HowToStep", "text": text} for text in STEPS],
}
STORY = "<p>My grandmother baked this cake on Sundays.</p>"


def listed(texts, tag="ul"):
    return f"<{tag}>" + "".join(f"<li>{text}</li>" for text in texts) + f"</{tag}>"


def page_of(body, recipe=RECIPE):
    source = f'<script type="application/ld+json">{json.dumps(recipe)}</script>'
    return f"<html><head><title>Onion cake</title>{source}</head><body>{body}</body></html>"


def added(html, kept=("My grand",)):
    """Return the texts that the rule adds to the blocks that begin with one of ``kept``."""
    blocks = text_blocks(parse(html))
    found = recipe_parts(blocks, np.array([one.startswith(kept) for one in blocks.texts()]))
    return [] if found is None else [blocks.text(at) for at in np.flatnonzero(found)]


def test_ingredients_and_steps_are_added_and_nothing_else():
    menu = listed(["Salt", "Eggs and more"])
    body = menu + STORY + listed(INGREDIENTS) + listed(STEPS, "ol") + "<p>Print</p>"
    assert added(page_of(body)) == INGREDIENTS + STEPS


def test_headings_of_groups_are_added_with_their_lists():
    groups = f"<div>{listed(INGREDIENTS[:2])}<h4>Filling</h4>{listed(INGREDIENTS[2:])}</div>"
    assert added(page_of(STORY + groups)) == [*INGREDIENTS[:2], "Filling", *INGREDIENTS[2:]]


def test_amount_and_name_may_be_blocks_of_their_own():
    cells = "".join(
        f"<tr><td>{amount}<td>{name}"
        for amount, name in (one.split(" ", 1) for one in INGREDIENTS[:3])
    )
    assert len(added(page_of(STORY + f"<table>{cells}</table>"))) == 6


def test_a_copy_is_not_added_to_one_that_is_kept():
    body = STORY + listed(INGREDIENTS) + f"<div>{listed(INGREDIENTS)}</div>"
    assert added(page_of(body)) == INGREDIENTS
    blocks = text_blocks(parse(page_of(body)))
    keep = np.arange(len(blocks)) <= len(INGREDIENTS)
    assert recipe_parts(blocks, keep) is None


def test_what_is_missing_of_a_kept_list_is_added():
    body = STORY + listed(STEPS, "ol")
    assert added(page_of(body), ("My grand", "Mix")) == STEPS[1:]


def test_microdata():
    items = "".join(f"<li itemprop=recipeIngredient>{one}</li>" for one in INGREDIENTS)
    body = f"<div itemscope itemtype='https://schema.org/Recipe'>{STORY}<ul>{items}</ul></div>"
    assert added(f"<body>{body}</body>") == INGREDIENTS


@pytest.mark.parametrize(
    "html",
    [
        STORY + listed(INGREDIENTS),
        page_of(STORY + listed(INGREDIENTS), {"@type": "Recipe", "recipeIngredient": [1, None]}),
        page_of(STORY + listed(INGREDIENTS), {"@type": "Article", "about": "recipeIngredient"}),
        page_of(STORY + listed(["one", "two"])),
        f'<script type="application/ld+json">{{"recipeIngredient": [</script>{STORY}',
    ],
)
def test_nothing_is_added_without_a_declared_recipe_that_is_shown(html):
    assert added(html) == []


def test_recipes_that_a_page_links_to_are_not_its_own():
    others = [RECIPE | {"name": f"Cake {n}", "recipeIngredient": [f"{n} eggs"]} for n in (1, 2)]
    assert declared_recipe(parse(page_of(STORY, others))) is None
    assert declared_recipe(parse(page_of(STORY, [*others, RECIPE]))).ingredients == tuple(
        map(fold, INGREDIENTS)
    )


def test_sections_of_steps():
    section = {"@type": "HowToSection", "itemListElement": RECIPE["recipeInstructions"]}
    for steps in ([section], " ".join(STEPS), {"@type": "HowToStep", "text": " ".join(STEPS)}):
        found = declared_recipe(parse(page_of(STORY, RECIPE | {"recipeInstructions": steps})))
        assert "".join(found.steps) == fold(" ".join(STEPS))


@given(st.lists(st.text("ab ", max_size=5), max_size=12), st.lists(st.text("ab", min_size=1)))
def test_blocks_that_show_texts_hold_them_whole(texts, declared):
    keys = [fold(text) for text in texts]
    shown = shown_in(keys, tuple(declared))
    assert shown.shape == (len(keys),)
    for at in np.flatnonzero(shown).tolist():
        assert any(keys[at] in text for text in declared)
    for text in declared:
        for at, key in enumerate(keys):
            if key == text and keys[:at].count(key) == 0 and text not in "".join(keys[:at]):
                assert shown[at]
