"""The slots of a template as a tree, and the nodes that a selector matches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from chaffinch.caching import cached_property
from chaffinch.site.slots import MASK, name_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chaffinch.site.slots import SlotStep

MOST_ANCESTORS: Final = 48
"""Ancestors of a node that its selectors name; with more, they are longer than people write them,
and time grows with the cube of the depth."""

_STEP: Final = re.compile(r"\A(?P<tag>[^#.]++)(?:#(?P<id>[^.]++))?(?P<classes>(?:\..+)?)\Z")
_TAG: Final = re.compile(r"[^#.\[]+")
_PLAIN: Final = re.compile(r"\A-?[A-Za-z_][\w-]*\Z", re.ASCII)
_SHORTEST: Final = 3
"""Least characters of the unmasked beginning of an id, for a selector by that beginning."""


@dataclass(frozen=True)
class Node:
    """A slot as a node of the tree.

    Attributes:
        up: number of its parent; -1 for the root.
        tag: its tag.
        id: its masked id; "" for none.
        classes: its masked class names, as its step has them.
        further: hashes of class names that the step omits.
    """

    up: int
    tag: str
    id: str
    classes: tuple[str, ...]
    further: frozenset[int] = frozenset()

    def tests(self) -> Iterator[str]:
        """Yield selectors of one step that match the node: by its id, then by each class.

        They include the tag, so that a class of the root or the body, which varies from page to
        page (``desktop``, ``home``), can't make a rule select the whole page.
        """
        if _PLAIN.match(self.id):
            yield f"{self.tag}#{self.id}"
        elif MASK in self.id and len(start := self.id.partition(MASK)[0]) >= _SHORTEST:
            yield f'{self.tag}[id^="{start}"]'
        for name in self.classes:
            if _PLAIN.match(name):
                yield f"{self.tag}.{name}"

    def fits(self, test: str) -> bool:
        """Return whether the node matches a selector that `tests` gives, or a tag."""
        tag = _TAG.match(test)
        rest = test[len(tag[0]) :] if tag else test
        if tag is not None and tag[0] != self.tag:
            return False
        if rest.startswith("#"):
            return self.id == rest[1:]
        if rest.startswith("."):
            name = rest[1:]
            return name in self.classes or (bool(self.further) and name_hash(name) in self.further)
        return not rest or self.id.startswith(rest[6:-2])


@dataclass(frozen=True, eq=False)
class SlotTree:
    """The slots of a template; k nodes, each after its parent.

    Attributes:
        slots: the hash of each node's slot.
        nodes: the nodes.
    """

    slots: tuple[int, ...]
    nodes: tuple[Node, ...]

    @classmethod
    def of(
        cls,
        steps: Mapping[int, SlotStep],
        wanted: Iterable[int],
        further: Mapping[int, frozenset[int]] = MappingProxyType({}),
    ) -> SlotTree:
        """Return the tree of the slots ``wanted`` and their ancestors.

        Args:
            steps: the steps of all slots.
            wanted: the slots.
            further: slot → hashes of class names of its elements that its step omits.
        """
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
        none: frozenset[int] = frozenset()
        nodes = (_node(steps[slot], number, further.get(slot, none)) for slot in slots)
        return cls(slots, tuple(nodes))

    @cached_property
    def number(self) -> dict[int, int]:
        """Slot → number of its node."""
        return {slot: number for number, slot in enumerate(self.slots)}

    def above(self, number: int) -> Iterator[int]:
        """Yield the ancestors of a node, the innermost first."""
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

    @cached_property
    def _below(self) -> dict[str, frozenset[int]]:
        return {}

    @cached_property
    def _having(self) -> dict[str, frozenset[int]]:
        return {}

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
        tests = list(node.tests())
        for test in tests:
            yield test, self.having(test)
        near = islice(self.above(number), MOST_ANCESTORS)
        for outer in dict.fromkeys(test for up in near for test in self.nodes[up].tests()):
            for test in (*tests, node.tag):
                yield f"{outer} {test}", self.below(outer, test)
        yield from self._paths(number)

    def _paths(self, number: int) -> Iterator[tuple[str, frozenset[int]]]:
        """Yield paths of children down to a node, from each ancestor with a name."""
        line = [number]
        ancestor = {one: one for one in self._alike(number)}  # of each, so many levels above
        matched = frozenset(ancestor)
        for up in islice(self.above(number), MOST_ANCESTORS):
            line.append(up)
            parents = {up, *self._alike(up)}
            climbed = ((one, self.nodes[at].up) for one, at in ancestor.items())
            ancestor = {one: at for one, at in climbed if at in parents}
            matched = frozenset(ancestor)
            if self.nodes[up].tag == "body" or next(self.nodes[up].tests(), ""):
                yield " > ".join(self._step(n) for n in reversed(line)), matched
            if self.nodes[up].tag == "body":
                return
        yield " > ".join(self._step(n) for n in reversed(line)), matched

    def _alike(self, number: int) -> frozenset[int]:
        """Return the nodes that a node's own step matches."""
        node = self.nodes[number]
        out = self.having(node.tag)
        for test in node.tests():
            out &= self.having(test)
        return out

    def _step(self, number: int) -> str:
        node = self.nodes[number]
        tests = (test.removeprefix(node.tag) for test in node.tests())
        return node.tag + "".join(tests)


def _node(step: SlotStep, number: Mapping[int, int], further: frozenset[int]) -> Node:
    match = _STEP.match(step.text)
    if match is None:
        return Node(number.get(step.up, -1), step.text, "", (), further)
    classes = tuple(name for name in match["classes"].split(".") if name)
    return Node(number.get(step.up, -1), match["tag"], match["id"] or "", classes, further)
