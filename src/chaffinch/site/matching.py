"""Many selectors on one page in a single pass over its names: what makes rules cheap.

Rules are made of tags, ids, classes, beginnings of ids and classes, children and descendants. The
elements of a page bear few different pairs of id and class, and pages of a site bear the same ones,
so which steps of which rules a pair fits is found out once and remembered. Selectors of any other
form are left to `Page.select`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
        fitting = self._rows(page)
        return [
            page.select(selector).tolist() if steps is None else _matched(page, fitting, steps)
            for selector, steps in zip(self._selectors, self._compiled, strict=True)
        ]

    def _rows(self, page: Page) -> dict[int, list[int]]:
        """Return the named steps that some rows fit, as bits → those rows, in order."""
        memory = self._memory
        fitting: dict[int, list[int]] = {}
        if len(memory) > _REMEMBERED:
            memory.clear()
        for row, pairs in page.all_attributes():
            own_id = pairs["id"] if "id" in pairs else None  # noqa: SIM401  faster than get
            classes = pairs["class"] if "class" in pairs else None  # noqa: SIM401
            key = own_id, classes
            found = memory[key] if key in memory else -1  # noqa: SIM401
            if found < 0:
                found = memory[key] = self._fitting(own_id, classes)
            if found:
                if found in fitting:
                    fitting[found].append(row)
                else:
                    fitting[found] = [row]
        return fitting

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


def _matched(page: Page, fitting: dict[int, list[int]], steps: tuple[_Step, ...]) -> list[int]:
    """Return the rows that a selector matches: from its first step on, each within the last."""
    rows = _alone(page, fitting, steps[0], None)
    for step in steps[1:]:
        if not rows:
            break
        if step.child:
            outer = set(rows)
            near = _alone(page, fitting, step, rows)
            rows = [row for row in near if int(page.parent[row]) in outer]
        else:
            rows = _alone(page, fitting, step, rows)
    return rows


def _alone(
    page: Page, fitting: dict[int, list[int]], step: _Step, within: list[int] | None
) -> list[int]:
    """Return the rows that one step matches below any of the rows ``within``; None for anywhere."""
    spans = _spans(page, within) if within is not None else [(0, len(page))]
    if step.bit < 0:
        return [row for start, stop in spans for row in _tagged(page, step.tag, start, stop)]
    wanted = 1 << step.bit
    named = sorted(row for found, rows in fitting.items() if found & wanted for row in rows)
    if step.tag >= 0:
        named = [row for row in named if int(page.tag[row]) == step.tag]
    if within is None:
        return named
    return [
        row
        for start, stop in spans
        for row in named[bisect_left(named, start) : bisect_left(named, stop)]
    ]


def _spans(page: Page, rows: list[int]) -> list[tuple[int, int]]:
    """Return the rows below ``rows``, in order, as spans that don't overlap."""
    out: list[tuple[int, int]] = []
    for row in rows:
        stop = int(page.end[row])
        if not out or row >= out[-1][1]:
            out.append((row + 1, stop))
    return out


def _tagged(page: Page, tag: int, start: int, stop: int) -> list[int]:
    """Return the elements of a tag (any, where it is -1) in a span of rows."""
    tags_there = page.tag[start:stop]
    hit = tags_there == tag if tag >= 0 else tags_there != tags.TEXT
    rows: list[int] = (np.flatnonzero(hit) + start).tolist()
    return rows
