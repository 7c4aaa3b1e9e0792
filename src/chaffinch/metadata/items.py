"""Items that a page declares: microdata in the form of JSON-LD, and the texts of recipes.

Microdata as in the HTML Standard, section «Microdata»; ``itemref`` isn't followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from chaffinch.metadata.json_ld import types_of
from chaffinch.metadata.sources import Evidence
from chaffinch.metadata.values import LONGEST_TEXT, clean, fold, one_line
from chaffinch.page import Page

Texts = tuple[str, ...]
"""Texts folded to letters and digits, each once."""
_MOST_DEPTH: Final = 8  # items within one another
_MOST_CHARACTERS: Final = 20 * LONGEST_TEXT  # of all ingredients, and of all steps
_ADDRESSES: Final = {"a": "href", "link": "href", "area": "href", "img": "src", "time": "datetime",
                     "data": "value", "meter": "value", "meta": "content"}  # fmt: skip


def main_item(evidence: Evidence, types: frozenset[str]) -> tuple[int, dict[str, Any]] | None:
    """Return (row, values as of JSON-LD) of the page's own item of one of the types; None for none.

    Of several items that aren't within one another, the one that holds the headline or has one of
    the page's titles as its name is meant. Types are named without the address of the vocabulary.
    """
    page = evidence.page
    if "itemtype" not in page.attribute_names:
        return None
    rows = [row for row, value in page.having("itemtype") if types.intersection(_types(value))]
    outer: list[int] = []
    for row in rows[:50]:
        if not outer or row >= page.end[outer[-1]]:
            outer.append(row)
    items = [(row, _item(page, row)) for row in outer]
    if len(items) > 1:
        head = evidence.headline_row
        items = [
            (row, own)
            for row, own in items
            if row <= head < page.end[row] or fold(str(own.get("name", [""])[0])) in evidence.titles
        ]
    return items[0] if items else None


def _item(page: Page, top: int) -> dict[str, Any]:
    """Return the values of an item, its nested items as values of theirs."""
    root: dict[str, Any] = {"@type": _types(page.attribute(top, "itemtype") or "")}
    open_items = [(int(page.end[top]), root)]
    named = {row for row, value in page.having("itemprop") if value}
    named |= {row for row, _ in page.having("itemscope")}
    for row in sorted(row for row in named if top < row < page.end[top])[:1_000]:
        while row >= open_items[-1][0]:
            open_items.pop()
        own = open_items[-1][1]
        value: Any = _value(page, row)
        if page.attribute(row, "itemscope") is not None:
            value = {"@type": _types(page.attribute(row, "itemtype") or "")}
            if len(open_items) < _MOST_DEPTH:
                open_items.append((int(page.end[row]), value))
        for name in (page.attribute(row, "itemprop") or "").split():
            own.setdefault(name, []).append(value)
    return root


def _value(page: Page, row: int) -> str:
    content = page.attribute(row, "content")
    if content is None:
        content = page.attribute(row, _ADDRESSES.get(page.name(row), "content"))
    if content is not None:
        return clean(content)
    start, stop = page.text_at[[row, page.end[row]]].tolist()
    return one_line(page.text[start : min(stop, start + 2 * LONGEST_TEXT)])


def _types(value: str) -> list[str]:
    return [one.rstrip("/").rpartition("/")[2] for one in value.split()]


def declared_recipe(page: Page) -> tuple[Texts, Texts]:
    """Return the ingredients, and the steps, of the recipe that ``page`` declares as its own.

    One text an ingredient or step, or one of all steps; empty for none.
    """
    evidence = Evidence(page)
    nodes = (node for node in evidence.nodes if "Recipe" in types_of(node.properties))
    items = [node.properties for node in evidence.main_of(nodes)]
    if (found := main_item(evidence, frozenset({"Recipe"}))) is not None:
        items.append(found[1])
    for item in items:
        ingredients, steps = (
            folded(text for key in keys for text in texts_in(evidence, item.get(key)))
            for keys in (("recipeIngredient", "ingredients"), ("recipeInstructions",))
        )
        if ingredients or steps:
            return ingredients, steps
    return (), ()


def texts_in(evidence: Evidence, value: Any) -> Iterator[str]:
    """Yield the texts of a value: strings, and those of steps and of sections of steps."""
    waiting = [value]
    for _ in range(300):
        if not waiting:
            return
        nested: list[Any] = []
        for one in evidence.values(waiting.pop()):
            if isinstance(one, str):
                yield one
            elif isinstance(one, dict):
                if isinstance(one.get("text"), str):
                    yield one["text"]
                nested.append(one.get("itemListElement"))
        waiting.extend(reversed(nested))


def folded(texts: Iterable[str]) -> Texts:
    found: dict[str, None] = {}
    left = _MOST_CHARACTERS
    for text in texts:
        cut = range(0, min(len(text), left), LONGEST_TEXT)
        if key := "".join(fold(clean(text[at : at + LONGEST_TEXT])) for at in cut):
            found[key] = None
        left = max(left - len(text), 0)
    return tuple(found)
