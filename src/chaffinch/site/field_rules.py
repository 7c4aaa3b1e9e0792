"""Rules for the fields of a template's pages: where title, author, date, image and next link stand.

The pages' summaries name the element of each field; its slot on most of them makes the rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from chaffinch.metadata.page_fields import picture_key
from chaffinch.site.roles import ROLES, role_of
from chaffinch.site.rules import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.rule_examples import Example, ExampleFinder
    from chaffinch.site.slot_tree import SlotTree

_LEAST_PAGES: Final = 0.5
"""Least share of a template's pages on which a title, author, date or next page has one slot."""
_FEWEST: Final = 3
"""Pages on which it has that slot, where more than two have it at all."""
_OF_A_PAGE: Final = frozenset({"title", "image"})
"""Fields whose value is that page's alone: one that returns on others is the site's."""
_OWN: Final = 0.5
"""Most different values to a page for a field to be one that mostly returns."""
_MOST_NAMED: Final = 2.0
"""Mean number of a slot's elements on a page beyond which it can't identify a field."""


def field_rules(examples: ExampleFinder) -> list[Rule]:
    """Return the rules for fields: the slot of each on most of the pages that have the field."""
    tree, pages = examples.tree, examples.pages
    elements: Counter[int] = Counter()
    for page in pages:
        for slot, count in zip(page.slots.tolist(), page.elements.tolist(), strict=True):
            elements[tree.number[slot]] += count
    rules = []
    for role in ROLES:
        having, node, words = _place_of(role, tree, pages)
        often = having >= _LEAST_PAGES * len(pages) and len(words) >= min(_FEWEST, having)
        if not words or not often or (role in _OF_A_PAGE and _is_alike(words)):
            continue
        share = len(words) / having
        if share >= _LEAST_PAGES and elements[node] <= _MOST_NAMED * len(pages):
            rule = field_rule(tree, role, node, len(words), share, examples.of_node(node))
            rules.append(rule)
    return rules


def field_rule(  # noqa: PLR0913, PLR0917  what a rule says, one by one
    tree: SlotTree, kind: str, node: int, support: int, confidence: float, example: Example
) -> Rule:
    """Return a rule for a field whose selector matches the node and as little else as possible."""
    return Rule(
        kind=kind,
        select=tree.fitting(node, {node})[0],
        support=support,
        confidence=round(confidence, 3),
        example=example.text,
        example_page=example.page,
    )


def _place_of(
    role: str, tree: SlotTree, pages: Sequence[PageSummary]
) -> tuple[int, int, list[str]]:
    """Return how many pages have a field, the node where most have it, and what these say there.

    Of a field whose value is the page's alone, the node counts for most that says the most
    different things.
    """
    found: dict[int, list[str]] = defaultdict(list)
    having = 0
    for page in pages:
        slots = {slot: None for name, slot in page.roles.items() if role_of(name) == role}
        having += bool(slots)
        for slot in slots:
            words = page.words.get(slot, "")
            found[tree.number[slot]].append(picture_key(words) if role == "image" else words)
    size = (lambda words: (len(set(words)), len(words))) if role in _OF_A_PAGE else len
    node = max(found, key=lambda one: size(found[one]), default=-1)
    return having, node, found[node]


def _is_alike(words: list[str]) -> bool:
    """Return whether what a slot says on pages, "" where unknown, mostly returns on others."""
    known = [one for one in words if one]
    return len(set(known)) <= _OWN * len(known) and len(known) > 1
