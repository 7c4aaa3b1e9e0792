"""Many selectors on one page in a single pass over its names: what makes rules cheap.

Rules are made of tags, ids, classes, beginnings of ids and classes, children and descendants. The
elements of a page bear few different pairs of id and class, and pages of a site bear the same ones,
so which steps of which rules a pair fits is found out once and remembered. Selectors of any other
form are left to `Page.select`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page

_NAME: Final = r"[\w\u0080-\U0010ffff-]+"
_TEST: Final = re.compile(
    rf"#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf'|\[(?P<attribute>id|class)(?P<how>\^|\*)="(?P<value>[^"\\]+)"\]'
)
_STEP: Final = re.compile(
    rf"\s*(?P<child>>)?\s*(?P<tag>[a-z][a-z0-9]*|\*)?(?P<tests>(?:#{_NAME}|\.{_NAME}|\[[^\]]*\])*)"
)
_REMEMBERED: Final = 20_000


@dataclass(frozen=True)
class _Step:
    """A step of a selector: ``bit`` is its number among the steps with names, -1 for none."""

    tag: int
    bit: int
    child: bool


class Matcher:
    """Finds the rows that each of several selectors matches.

    Raises:
        OptionError: when called, for a selector that isn't valid CSS.
    """

    def __init__(self, selectors: Sequence[str]) -> None:
        self._tests: list[tuple[tuple[str, str], ...]] = []
        self._memory: dict[tuple[str | None, str | None], int] = {}
        self._selectors = tuple(selectors)
        self._compiled = [self._compile(selector) for selector in selectors]

    def __call__(self, page: Page) -> list[list[int]]:
        """Return for each selector the rows that it matches, in order."""
        bits = self._bits(page)
        out = []
        for selector, steps in zip(self._selectors, self._compiled, strict=True):
            if steps is None:
                out.append(page.select(selector).tolist())
            else:
                out.append([r for r in _last(page, bits, steps[-1]) if _fits(page, bits, steps, r)])
        return out

    def _bits(self, page: Page) -> dict[int, int]:
        """Return row → the named steps it fits, as bits, of rows that fit any."""
        memory, bits = self._memory, {}
        if len(memory) > _REMEMBERED:
            memory.clear()
        for row, pairs in page.all_attributes():
            key = (pairs.get("id"), pairs.get("class"))
            found = memory.get(key)
            if found is None:
                found = memory[key] = self._fitting(*key)
            if found:
                bits[row] = found
        return bits

    def _fitting(self, own_id: str | None, classes: str | None) -> int:
        own, named = (own_id or "").strip(), (classes or "").split()
        return sum(
            1 << bit
            for bit, tests in enumerate(self._tests)
            if all(_holds(kind, value, own, named) for kind, value in tests)
        )

    def _compile(self, selector: str) -> tuple[_Step, ...] | None:
        """Return the steps of a selector, None for one of another form."""
        steps: list[_Step] = []
        at = 0
        text = selector.strip()
        while at < len(text):
            match = _STEP.match(text, at)
            if match is None or match.end() == at or not (match["tag"] or match["tests"]):
                return None
            if match["tag"] not in {None, "*"} and match["tag"] not in tags.CODES:
                return None
            tests = _tests(match["tests"])
            if tests is None:
                return None
            tag = -1 if match["tag"] in {None, "*"} else tags.CODES[match["tag"]]
            steps.append(_Step(tag, self._number(tests), bool(match["child"])))
            at = match.end()
        return tuple(steps) if steps and not steps[0].child else None

    def _number(self, tests: tuple[tuple[str, str], ...]) -> int:
        if not tests:
            return -1
        if tests not in self._tests:
            self._tests.append(tests)
        return self._tests.index(tests)


def _holds(kind: str, value: str, own_id: str, classes: list[str]) -> bool:
    """Tell whether an element with these names passes a test."""
    whole = " ".join(classes)
    match kind:
        case "#":
            return own_id == value
        case ".":
            return value in classes
        case "id^":
            return own_id.startswith(value)
        case "id*":
            return value in own_id
        case "class^":
            return whole.startswith(value)
        case _:
            return value in whole


def _tests(text: str) -> tuple[tuple[str, str], ...] | None:
    out, at = [], 0
    while at < len(text):
        match = _TEST.match(text, at)
        if match is None:
            return None
        if match["attribute"]:
            out.append((match["attribute"] + match["how"], match["value"]))
        else:
            out.append(("#", match["id"]) if match["id"] else (".", match["class"]))
        at = match.end()
    return tuple(sorted(out))


def _last(page: Page, bits: dict[int, int], step: _Step) -> list[int]:
    """Return the rows that a step by itself matches."""
    if step.bit >= 0:
        wanted = 1 << step.bit
        return [row for row, found in bits.items() if found & wanted and _tagged(page, step, row)]
    every = page.tag == step.tag if step.tag >= 0 else page.tag != tags.TEXT
    rows: list[int] = np.flatnonzero(every).tolist()
    return rows


def _tagged(page: Page, step: _Step, row: int) -> bool:
    return step.tag < 0 or int(page.tag[row]) == step.tag


def _fits(page: Page, bits: dict[int, int], steps: tuple[_Step, ...], row: int) -> bool:
    """Tell whether what ``row`` stands in fits the steps before the last.

    For each descendant combinator the nearest fitting ancestor is taken and, where a child
    combinator above it then fails, the next one (a small search over few steps).
    """
    waiting = [(len(steps) - 1, row)]
    while waiting:
        number, at = waiting.pop()
        if number == 0:
            return True
        before = steps[number - 1]
        above = [int(page.parent[at])] if steps[number].child else list(page.ancestors(at))
        waiting.extend(
            (number - 1, up) for up in reversed(above) if up >= 0 and _has(page, bits, before, up)
        )
    return False


def _has(page: Page, bits: dict[int, int], step: _Step, row: int) -> bool:
    if step.bit >= 0 and not bits.get(row, 0) >> step.bit & 1:
        return False
    return _tagged(page, step, row)
