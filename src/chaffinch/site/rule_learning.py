"""A wrapper of a template: few rules that people can read, for its content and the noise in it.

The slots of a template make a tree, and each has some text that was kept and some that was dropped
on the template's pages. The rules are the cheapest way to label that tree from the root down, where
every change of label is a rule: a *content* rule below what is dropped, a *drop* rule below what is
kept. The cost is the text that gets the wrong label plus `RULE_COST` for each rule, and its minimum
is found exactly, by dynamic programming over the tree. Then each change gets the first of its
selectors, from short to long, that matches nothing of the other label in the template.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.segment.densities import BLOCKS
from chaffinch.site.field_rules import field_rule, field_rules
from chaffinch.site.page_summary import omitted_class_names
from chaffinch.site.roles import RECORD
from chaffinch.site.rule_examples import ExampleFinder
from chaffinch.site.rules import Rule
from chaffinch.site.slot_tree import SlotTree
from chaffinch.site.template import LEAST_PAGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Hashes, Mask
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.slots import SlotStep

RULE_COST: Final = 0.01
"""Cost of a rule: the share of a page's content, in the mean over the template's pages, whose label
it must correct. ``python -m bench.quality.sites --sweep`` measures other values."""
_LEAF_COST: Final = 3.0
"""Cost, in rules, of a content rule for a paragraph, a heading or a list item instead of its
container: the next page may have other elements there."""
_LEAST_RIGHT: Final = 0.6
"""Least share of the text in the selected elements that a rule labels right; else it isn't made."""
_ROUNDS: Final = 8
_TIE: Final = 1e-9
_NEARLY_ALL: Final = 0.98
_RECORDS: Final = 4.0
"""Mean number of a slot's elements on a page from which they can be records."""
_RECORD_SHARE: Final = 0.6
"""Least share of the kept text in records, for the template to be a list."""
_ALONE: Final = 0.95
"""Least elements around those of a record, for each to have one: a share of their number."""
_LINKED: Final = 0.2
"""Least link density of records, which tells them from the paragraphs of an article."""


def learn_rules(
    pages: Sequence[PageSummary],
    keeps: Sequence[Mask],
    apart: Sequence[Mask],
    steps: Mapping[int, SlotStep],
) -> tuple[tuple[Rule, ...], Hashes]:
    """Return the rules of a template, and the slots that they keep, uint64[k], ascending.

    Of a single page nothing is learned.

    Args:
        pages: its pages.
        keeps: bool[m] of each page, which of its blocks are content.
        apart: bool[m] of each page, blocks that are dropped whatever rules keep.
        steps: the steps of all slots.
    """
    if len(pages) < LEAST_PAGES:
        return (), np.zeros(0, dtype=np.uint64)
    wanted = {int(slot) for page in pages for slot in page.slots}
    wanted.update(slot for page in pages for slot in page.roles.values())
    tree = SlotTree.of(steps, wanted, omitted_class_names(pages))
    masses, having = _masses(tree, pages, keeps, apart)
    rare = having < min(2, len(pages) - 1)
    each = RULE_COST * len(pages)
    leaf = np.array([node.tag not in BLOCKS for node in tree.nodes], dtype=bool)
    cost = np.where(rare, np.inf, [np.full(len(rare), each), np.where(leaf, _LEAF_COST, 1) * each])
    examples = ExampleFinder(tree, pages)
    for _ in range(_ROUNDS):
        label, changes = _labelled(tree, masses, cost)
        rules, wrong = _selected(examples, label, changes, masses, having)
        if not wrong:
            break
        cost[:, wrong] = np.inf
    kept = sorted(slot for slot, node in tree.number.items() if label[node])
    rules += field_rules(examples)
    for node in _records(tree, pages, keeps, label):
        example = examples.within({node}, masses[0])
        rules.append(field_rule(tree, RECORD, node, len(pages), 1.0, example))
    return tuple(rules), np.array(kept, dtype=np.uint64)


def _masses(
    tree: SlotTree, pages: Sequence[PageSummary], keeps: Sequence[Mask], apart: Sequence[Mask]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return float64[2, k] and int64[k]: text labelled wrong, and the pages that have each node.

    The text is that of a node without descendants, as a share of the pages' content, labelled wrong
    if the node is dropped (0) or kept (1).
    """
    wrong = np.zeros((2, len(tree.slots)))
    count = np.zeros(len(tree.slots), dtype=np.int64)
    for page, keep, gone in zip(pages, keeps, apart, strict=True):
        nodes = np.array([tree.number[int(slot)] for slot in page.slots], dtype=np.intp)
        count[nodes] += 1
        length = page.length.astype(np.float64)
        own = nodes[page.slot]
        whole = length[keep].sum() or length.sum() or 1.0
        np.add.at(wrong[0], own[keep], length[keep] / whole)
        noise = ~(keep | gone)
        np.add.at(wrong[1], own[noise], length[noise] / whole)
    return wrong, count


def _labelled(
    tree: SlotTree, wrong: NDArray[np.float64], cost: NDArray[np.float64]
) -> tuple[NDArray[np.int8], list[int]]:
    """Return int8[k], 1 for content, and the nodes where the label changes, from the root down.

    ``cost`` is float64[2, k], that of a change to «drop» and to «content» at each node: infinite
    where no rule shall be made: a single page has the node, or no selector fits it.
    """
    best = wrong.copy()
    for node in range(len(tree.nodes) - 1, 0, -1):
        up = tree.nodes[node].up
        if up >= 0:
            stay, change = best[:, node], best[::-1, node] + cost[::-1, node]
            best[:, up] += np.minimum(stay, change)
    label = np.zeros(len(tree.nodes), dtype=np.int8)
    changes = []
    holds = _holding(tree, wrong[0])
    for node in range(len(tree.nodes)):
        up = tree.nodes[node].up
        above = int(label[up]) if up >= 0 else 0
        price = cost[1 - above, node]
        gain = best[above, node] - best[1 - above, node] - price
        nearly = holds[node] and not above and np.isfinite(price)
        changed = gain > (-price if nearly else 0) + _TIE
        label[node] = 1 - above if changed else above
        if changed:
            changes.append(node)
    return label, changes


def _holding(tree: SlotTree, content: NDArray[np.float64]) -> Mask:
    """Return bool[k]: containers with content of which no child container has nearly all.

    Where a rule does nearly as well on any of several nested elements, it selects this one: further
    out it would include elements that the sample doesn't have, further in it would miss some.
    ``content`` is float64[k], without descendants.
    """
    container = np.array([node.tag in BLOCKS for node in tree.nodes], dtype=bool)
    inside = _inside(tree, content)
    most = np.zeros(len(tree.nodes))
    for number, node in enumerate(tree.nodes):
        if node.up >= 0 and container[number]:
            most[node.up] = max(most[node.up], inside[number])
    return container & (inside > 0) & (most < _NEARLY_ALL * inside)


def _selected(
    examples: ExampleFinder,
    label: NDArray[np.int8],
    changes: list[int],
    masses: NDArray[np.float64],
    having: NDArray[np.int64],
) -> tuple[list[Rule], list[int]]:
    """Return one rule for each change, or one for several that share a selector.

    And the nodes of those rules that would label too much text wrong.
    """
    tree = examples.tree
    rules, wrong, left = [], [], set(changes)
    inside = _inside(tree, masses)
    for node in changes:
        if node not in left:
            continue
        is_content = int(label[node])
        select, matched = tree.fitting(
            node, {n for n in range(len(label)) if label[n] == is_content}
        )
        tops = [n for n in matched if not matched.intersection(tree.above(n))]
        right, all_of = inside[1 - is_content][tops].sum(), inside[:, tops].sum()
        if not tops or right < _LEAST_RIGHT * all_of:
            wrong.append(node)
            continue
        left -= matched
        rule = Rule(
            kind="content" if is_content else "drop",
            select=select,
            support=int(having[tops].max()),
            confidence=round(float(right / all_of) if all_of else 1.0, 3),
        )
        example = examples.within(frozenset(tops), masses[1 - is_content])
        rules.append(replace(rule, example=example.text, example_page=example.page))
    return rules, wrong


def _inside(tree: SlotTree, own: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[…, k]: the sums of ``own`` over each node and its descendants."""
    sums = own.copy()
    for node in range(len(tree.nodes) - 1, 0, -1):
        if tree.nodes[node].up >= 0:
            sums[..., tree.nodes[node].up] += sums[..., node]
    return sums


def _records(
    tree: SlotTree, pages: Sequence[PageSummary], keeps: Sequence[Mask], label: NDArray[np.int8]
) -> list[int]:
    """Return the node of the records, if the template is a list; else []."""
    size = len(tree.slots)
    elements, kept, linked = np.zeros(size), np.zeros(size), np.zeros(size)
    for page, keep in zip(pages, keeps, strict=True):
        nodes = np.array([tree.number[int(slot)] for slot in page.slots], dtype=np.intp)
        elements[nodes] += page.elements
        own = nodes[page.slot][keep]
        np.add.at(kept, own, page.length[keep].astype(np.float64))
        np.add.at(linked, own, page.linked[keep].astype(np.float64))
    inside, in_links = _inside(tree, kept), _inside(tree, linked)
    many = elements >= _RECORDS * len(pages)
    most = inside >= _RECORD_SHARE * max(inside.max(initial=0), 1)
    fit = many & most & (label == 1) & (in_links >= _LINKED * inside)
    return [_outermost(tree, int(node), elements) for node in np.flatnonzero(fit)[:1]]


def _outermost(tree: SlotTree, node: int, elements: NDArray[np.float64]) -> int:
    """Return the outermost node around ``node`` with as many elements, each with one of its own.

    A record is the whole entry, with what is dropped in it, such as its date.
    """
    up = tree.nodes[node].up
    while up >= 0 and _ALONE * elements[node] <= elements[up] <= elements[node]:
        node, up = up, tree.nodes[up].up
    return node
