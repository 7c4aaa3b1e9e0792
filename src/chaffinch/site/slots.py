"""Slots: the positions of a template, as the path of tags, ids and classes from the root.

Two elements are in one slot where their paths agree step by step. A step is written as a selector
(``div#main.post``). What changes from page to page in a name is masked by ``*``: every number of an
id, numbers of three digits or more in a class (``post-4711``, but not ``col-8``), and parts that
mix letters and digits as hashes do (``css-1dbjc4n``), and the page's own name, the last level of
its address (``product-owl-box`` on ``/shop/owl-box.html``). What names no position in a template is
ignored: names of the root and of the body, which describe the kind of page, and ids made of a
heading's own words, anchors to which a table of contents leads (``<h2 id="first-steps">First
steps</h2>``, or ``<section id="first-steps">`` around it): with them each chapter of a manual would
be a template's slot of its own.

The likeness of two pages is the Jaccard similarity of the sets of their containers' slots: those
that both have, as a share of those that either has. It is estimated from sketches of fixed size by
one-permutation hashing (Li, Owen and Zhang 2012, «One permutation hashing»): slots fall into `BINS`
bins by their hash, and of each bin the smallest hash is kept. Bins that agree / bins that either
fills estimate the likeness with a standard error of at most 0.06.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property, kept_of_short_texts
from chaffinch.kernels.arrays import Floats, Hashes
from chaffinch.metadata.values import fold
from chaffinch.page import Page, flattening, tags
from chaffinch.page.flattening import mix

MASK: Final = "*"
"""Replacement of the part of a name that changes from page to page."""

MOST_CLASSES: Final = 3
"""Classes of an element in its step, the first ones: those that follow often vary from page to page
(``category-news tag-birds``)."""

_HASHLIKE: Final = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*+\d)(?=\d*+[A-Za-z])[A-Za-z0-9]{5,}")
_NUMBER: Final = re.compile(r"\d+")
_LONG_NUMBER: Final = re.compile(r"\d{3,}")
_SHORTEST_NAME: Final = 4
_LONGEST_HEADING: Final = 200
_ANCHORED: Final = tags.HEADING | tags.table(["section"])
_ROWS_TO_HEADING: Final = 4
_REMEMBERED: Final = 50_000


@dataclass(frozen=True)
class SlotStep:
    """The last step of a slot's path, by which the slots of a template link up to a tree."""

    up: int  # hash of the slot that contains it; 0 for the root
    text: str  # the step as a selector, such as ``div#main.post``


def slot_hashes(page: Page) -> Hashes:
    """Return uint64[n]: the hash of each row's slot; text rows have one, too."""
    numbers = _numbers(page)
    having_names = np.flatnonzero(numbers)
    symbols = page.symbols.copy()
    symbols[having_names] ^= mix(numbers[having_names])
    return kernels.path_hashes(symbols, page.depth, page.end)


def _numbers(page: Page) -> Hashes:
    """Return uint64[n]: the hash of each row's masked names; 0 for none."""
    numbers = np.zeros(len(page), dtype=np.uint64)
    if not len(page):
        return numbers
    ids, classes = page.values("id"), page.values("class")
    own_name = _own_name(page)
    if own_name and not any(own_name in names for names in (*ids.rows, *classes.rows)):
        own_name = ""
    rows, of_row = classes.columns
    of_value = [_masked("", names, own_name)[1] for names in classes.rows]
    numbers[rows] = np.array(of_value, dtype=np.uint64).take(of_row)
    having_id, of_id = ids.columns
    value_of = np.full(len(page), -1)
    value_of[rows] = of_row
    own_ids, own_classes = list(ids.rows), [*classes.rows, ""]
    named = zip(having_id.tolist(), of_id.tolist(), value_of[having_id].tolist(), strict=True)
    of_rows = [
        _masked(_named_id(page, row, own_ids[one]), own_classes[other], own_name)[1]
        for row, one, other in named
    ]
    numbers[having_id] = np.array(of_rows, dtype=np.uint64)
    numbers[[0, page.body]] = 0
    return numbers


def step_of(page: Page, row: int) -> str:
    """Return the step of the element ``row``, such as ``div#main.post``."""
    if row in {0, page.body}:
        return page.name(row)
    own_id = _named_id(page, row, page.attribute(row, "id") or "")
    classes = page.attribute(row, "class") or ""
    return page.name(row) + _masked(own_id, classes, _own_name(page))[0]


def _named_id(page: Page, row: int, own_id: str) -> str:
    """Return the id of the element ``row``; "" for one made of the words of its heading."""
    if not own_id or not _ANCHORED[page.tag[row]]:
        return own_id
    for at in range(row, min(row + _ROWS_TO_HEADING, int(page.end[row]))):
        if tags.HEADING[page.tag[at]]:
            heading = page.text[page.text_at[at] : page.text_at[page.end[at]]]
            words, key = fold(heading[:_LONGEST_HEADING]), fold(own_id)
            is_made_of = words.startswith(key) or key.rstrip("0123456789") == words
            return "" if key and is_made_of else own_id
    return own_id


def _own_name(page: Page) -> str:
    """Return the last level of the page's address without its ending; "" for none of two words."""
    last = (page.url or "").partition("?")[0].rstrip("/").rpartition("/")[2]
    name = last.partition(".")[0]
    return name if len(name) >= _SHORTEST_NAME and "-" in name else ""


def _masked(own_id: str, classes: str, own_name: str) -> tuple[str, int]:
    if own_name and (own_name in own_id or own_name in classes):
        own_id, classes = own_id.replace(own_name, MASK), classes.replace(own_name, MASK)
    return masked_names(own_id, classes)


@kept_of_short_texts(_REMEMBERED)
def masked_names(own_id: str, classes: str) -> tuple[str, int]:
    """Return masked names, such as ``#post-*.post.hentry``, and their hash; "" and 0 for none."""
    ids = [_NUMBER.sub(MASK, _HASHLIKE.sub(MASK, word)) for word in own_id.split()[:1]]
    names = (_LONG_NUMBER.sub(MASK, _HASHLIKE.sub(MASK, name)) for name in classes.split())
    chosen = list(dict.fromkeys(names))[:MOST_CLASSES]
    text = "".join([f"#{one}" for one in ids] + [f".{one}" for one in chosen])
    return text, flattening.hash_string(text) if text else 0


MOST_ANCESTORS: Final = 48
"""Ancestors of a node that its selectors name; with more, they are longer than people write them,
and time grows with the cube of the depth."""

_STEP: Final = re.compile(r"\A(?P<tag>[^#.]++)(?:#(?P<id>[^.]++))?(?P<classes>(?:\..+)?)\Z")
_PLAIN: Final = re.compile(r"\A-?[A-Za-z_][\w-]*\Z", re.ASCII)
_SHORTEST: Final = 3
"""Least characters of the unmasked beginning of an id, for a selector by that beginning."""


@dataclass(frozen=True)
class Node:
    """A slot as a node of the tree."""

    up: int  # number of its parent; -1 for the root
    tag: str  # its tag
    id: str  # its masked id; "" for none
    classes: tuple[str, ...]  # its masked class names, as its step has them

    @cached_property
    def tests(self) -> list[str]:
        """Selectors of one step that match the node: by its id, then by each class.

        They include the tag, so that a class of the root or the body, which varies from page to
        page (``desktop``, ``home``), can't make a rule select the whole page.
        """
        out = [f"{self.tag}.{name}" for name in self.classes if _PLAIN.match(name)]
        if _PLAIN.match(self.id):
            return [f"{self.tag}#{self.id}", *out]
        is_start = MASK in self.id and len(start := self.id.partition(MASK)[0]) >= _SHORTEST
        return [f'{self.tag}[id^="{start}"]', *out] if is_start else out

    def fits(self, test: str) -> bool:
        """Return whether a test of some node matches this one."""
        tag, is_start, start = test.partition('[id^="')
        if is_start:
            return tag == self.tag and self.id.startswith(start[:-2])
        return test == self.tag or test in self.tests


@dataclass(frozen=True, eq=False)
class SlotTree:
    """The slots of a template; k nodes, each after its parent."""

    slots: tuple[int, ...]  # the hash of each node's slot
    nodes: tuple[Node, ...]  # the nodes
    _having: dict[str, frozenset[int]] = field(default_factory=dict)
    _below: dict[str, frozenset[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, steps: Mapping[int, SlotStep], wanted: Iterable[int]) -> "SlotTree":
        """Return the tree of the slots ``wanted`` and those around; ``steps`` are of all slots."""
        depth: dict[int, int] = {0: -1}
        for start in wanted:
            path, slot = [], start
            while slot not in depth and slot in steps:
                path.append(slot)
                slot = steps[slot].up
            for one in reversed(path):
                depth[one] = depth.get(steps[one].up, -1) + 1
        del depth[0]
        slots = tuple(sorted(depth, key=lambda slot: (depth[slot], slot)))
        number = {slot: index for index, slot in enumerate(slots)}
        return cls(slots, tuple(_node(steps[slot], number) for slot in slots))

    @cached_property
    def number(self) -> dict[int, int]:
        return {slot: number for number, slot in enumerate(self.slots)}

    def above(self, number: int) -> Iterator[int]:
        up = self.nodes[number].up
        while up >= 0:
            yield up
            up = self.nodes[up].up

    def having(self, test: str) -> frozenset[int]:
        """Return the nodes that match a test."""
        known = self._having
        if test not in known:
            known[test] = frozenset(n for n, node in enumerate(self.nodes) if node.fits(test))
        return known[test]

    def below(self, outer: str, test: str) -> frozenset[int]:
        """Return the nodes that match ``test`` below one that matches ``outer``."""
        known = self._below
        if outer not in known:
            around, inside = self.having(outer), set[int]()
            for number, node in enumerate(self.nodes):  # each after its parent
                if node.up in around or node.up in inside:
                    inside.add(number)
            known[outer] = frozenset(inside)
        return self.having(test) & known[outer]

    def fitting(self, node: int, allowed: set[int]) -> tuple[str, frozenset[int]]:
        """Return the first selector of a node that matches allowed nodes only, and what it matches.

        Where all match others (slots of one path may differ in masked names only), the first of
        those that match the fewest others.
        """
        best, fewest = ("", frozenset({node})), len(self.nodes) + 1
        for select, matched in self.selectors(node):
            others = len(matched - allowed)
            if others < fewest:
                best, fewest = (select, matched), others
            if not others:
                break
        return best

    def selectors(self, number: int) -> Iterator[tuple[str, frozenset[int]]]:
        """Yield selectors that match a node, and all nodes that each matches.

        In this order: by its id, by a class, below the nearest ancestors with names, by a path of
        children; ancestors are those at most `MOST_ANCESTORS` above.
        """
        node = self.nodes[number]
        for test in node.tests:
            yield test, self.having(test)
        near = islice(self.above(number), MOST_ANCESTORS)
        for outer in dict.fromkeys(test for up in near for test in self.nodes[up].tests):
            for test in (*node.tests, node.tag):
                yield f"{outer} {test}", self.below(outer, test)
        yield from self._paths(number)

    def _paths(self, number: int) -> Iterator[tuple[str, frozenset[int]]]:
        line = [number]
        ancestor = {one: one for one in self._alike(number)}  # of each, so many levels above
        matched = frozenset(ancestor)
        for up in islice(self.above(number), MOST_ANCESTORS):
            line.append(up)
            parents = {up, *self._alike(up)}
            climbed = ((one, self.nodes[at].up) for one, at in ancestor.items())
            ancestor = {one: at for one, at in climbed if at in parents}
            matched = frozenset(ancestor)
            if self.nodes[up].tag == "body" or self.nodes[up].tests:
                yield " > ".join(self._step(n) for n in reversed(line)), matched
            if self.nodes[up].tag == "body":
                return
        yield " > ".join(self._step(n) for n in reversed(line)), matched

    def _alike(self, number: int) -> frozenset[int]:
        node = self.nodes[number]
        out = self.having(node.tag)
        for test in node.tests:
            out &= self.having(test)
        return out

    def _step(self, number: int) -> str:
        node = self.nodes[number]
        return node.tag + "".join(test.removeprefix(node.tag) for test in node.tests)


def _node(step: SlotStep, number: Mapping[int, int]) -> Node:
    match = _STEP.match(step.text)
    if match is None:
        return Node(number.get(step.up, -1), step.text, "", ())
    classes = tuple(name for name in match["classes"].split(".") if name)
    return Node(number.get(step.up, -1), match["tag"], match["id"] or "", classes)


BINS: Final = 64
EMPTY: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Value of a bin without slots."""


def sketch(slots: Hashes) -> Hashes:
    """Return uint64[BINS]: of each bin the smallest mixed hash, `EMPTY` where there is none."""
    mixed = mix(np.unique(slots))
    out = np.full(BINS, EMPTY, dtype=np.uint64)
    np.minimum.at(out, (mixed % np.uint64(BINS)).astype(np.intp), mixed)
    return out


def likeness(sketch: Hashes, others: Hashes) -> Floats:
    """Return float32[k] in 0..1: estimated similarity to each of k others, uint64[k, BINS]."""
    filled = (sketch != EMPTY) | (others != EMPTY)
    same = filled & (sketch == others)
    shares: Floats = (same.sum(axis=1) / np.maximum(filled.sum(axis=1), 1)).astype(np.float32)
    return shares


def path_of(page: Page, row: int) -> str:
    """Return the steps from below the body down to the element ``row``."""
    steps = []
    while row > page.body:
        steps.append(step_of(page, row))
        row = int(page.parent[row])
    return " > ".join(reversed(steps)) or "body"
