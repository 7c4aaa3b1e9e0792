"""The texts of the recipe that a page declares, by JSON-LD or microdata: ingredients and steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from chaffinch.metadata.sources import Evidence, JsonLdGraph, main_item, types_of
from chaffinch.metadata.values import LONGEST_TEXT, clean, fold
from chaffinch.page import Page

_RECIPE: Final = frozenset({"Recipe"})
_MOST_CHARACTERS: Final = 20 * LONGEST_TEXT
"""Characters of all ingredients, and of all steps, that are read."""
_MOST_TEXTS: Final = 300


@dataclass(frozen=True)
class RecipeTexts:
    """The declared texts of a recipe, folded to letters and digits.

    Attributes:
        ingredients: one text an ingredient.
        steps: one text a step, or one of all steps.
    """

    ingredients: tuple[str, ...]
    steps: tuple[str, ...]


def declared_recipe(page: Page) -> RecipeTexts | None:
    """Return the texts of the recipe that ``page`` declares as its own; None for none."""
    evidence = Evidence(page)
    for item in _items(evidence):
        ingredients = _folded(
            text
            for key in ("recipeIngredient", "ingredients")
            for text in _texts(evidence.graph, item.get(key))
        )
        steps = _folded(_texts(evidence.graph, item.get("recipeInstructions")))
        if ingredients or steps:
            return RecipeTexts(ingredients, steps)
    return None


def _items(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Yield the recipes that the page declares as its own."""
    graph = evidence.graph
    nodes = tuple(node for node in graph.nodes if "Recipe" in types_of(node.properties))
    for node in evidence.main_of(JsonLdGraph(nodes, graph.by_id)):
        yield node.properties
    found = main_item(evidence, _RECIPE)
    if found is not None:
        yield found[1]


def _texts(graph: JsonLdGraph, value: Any) -> Iterator[str]:
    """Yield the texts of ingredients or steps: strings, steps, and sections of steps."""
    waiting = [value]
    for _ in range(_MOST_TEXTS):
        if not waiting:
            return
        nested: list[Any] = []
        for one in graph.values(waiting.pop()):
            if isinstance(one, str):
                yield one
            elif isinstance(one, dict):
                yield from (one[key] for key in ("text",) if isinstance(one.get(key), str))
                nested.append(one.get("itemListElement"))
        waiting.extend(reversed(nested))


def _folded(texts: Iterator[str]) -> tuple[str, ...]:
    """Return the texts that aren't empty, folded, each once."""
    found: dict[str, None] = {}
    left = _MOST_CHARACTERS
    for text in texts:
        cut = range(0, min(len(text), left), LONGEST_TEXT)
        if key := "".join(fold(clean(text[at : at + LONGEST_TEXT])) for at in cut):
            found[key] = None
        left = max(left - len(text), 0)
    return tuple(found)
