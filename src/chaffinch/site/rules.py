"""The rules of a site, what else a person writes, and many selectors matched in a single pass.

Rules are made of tags, ids, classes, beginnings of ids and classes, children and descendants. The
elements of a page have few different ids and classes, and pages of a site share them, so the tests
that a value passes are computed once and cached; and a selector is evaluated only when its rows are
read. Selectors of any other form are left to `Page.select`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Reasons
from chaffinch.verdict import RoleRule


class SiteReason(IntEnum):
    """Codes of the decisions; `REASONS` describes them."""

    NO_TEXT = 0
    UNLIKELY = 1
    RETURNS = 2
    LIKELY = 3
    BY_SLOT = 4
    BESIDE = 5
    OUTSIDE = 6
    DROP_RULE = 7
    CONTENT_RULE = 8
    DROP_BY_HAND = 9
    CONTENT_BY_HAND = 10
    ALONE_DROPPED = 11
    ALONE_KEPT = 12
    TITLE = 13
    LONE_LINK = 14


REASONS: Final = (
    "no text of its own",
    "unlikely to be content, as its place is on other pages",
    "returns on other pages of the site",
    "likely to be content, as its place is on other pages",
    "doubtful by itself, but its place holds content on other pages",
    "stands beside kept text",
    "outside the content rules",
    "in what a rule drops",
    "in what a rule says is content",
    "dropped by a rule written by hand",
    "kept by a rule written by hand",
    "the site model doesn't apply: unlikely to be content, as the page alone says",
    "the site model doesn't apply: likely to be content, as the page alone says",
    "the page's title, with which outputs with headings begin",
    "a link alone in a line, which is noise on pages of this template",
)
"""Names of the codes."""


RECORD: Final = "record"
"""Role of the entries of a list."""
ROLES: Final = ("title", "author", "date", "price", "image", "next", "single")
"""Roles besides content and records. A person writes the rules for a price, and for ``single``, the
link to the version of an article that has all of its parts on one page; neither is learned."""

KINDS: Final = ("content", "drop", RECORD, *ROLES)
"""Kinds of rules. ``content`` and ``drop`` decide, of nested elements the innermost; the others
name fields: records of a list, title, author, date, price, image, the link to the next page."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule of a template.

    Attributes:
        kind: one of `KINDS`.
        select: a CSS selector or an XPath; for a field also one that computes a text.
        support: pages that it was learned from; 0 for a rule written by hand.
        confidence: share (0..1) of the selected text that has the rule's label on those pages; for
            a field, share of those pages on which it selects the field.
        by_hand: written or changed by a person; such rules override learned ones.
        taught: the date, ISO 8601, on which a person kept it after it was tried on sample pages;
            "" for any other rule.
        share: share (0..1) of those pages on which it selected anything; 0 where nobody knows.
        example: the first words of what a learned rule selects on a page; "" where unknown.
        example_page: address of that page.
    """

    kind: str
    select: str
    support: int = 0
    confidence: float = 1.0
    by_hand: bool = False
    taught: str = ""
    share: float = 0.0
    example: str = ""
    example_page: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise RulesError(f"unknown kind of rule {self.kind!r}; known: {', '.join(KINDS)}")

    @property
    def decides(self) -> bool:
        """Whether it says what is content and what is noise, and names no field."""
        return self.kind in {"content", "drop"}

    @property
    def reason(self) -> SiteReason:
        """That of the rows that a rule on content or noise decides."""
        if self.kind == "content":
            return SiteReason.CONTENT_BY_HAND if self.by_hand else SiteReason.CONTENT_RULE
        return SiteReason.DROP_BY_HAND if self.by_hand else SiteReason.DROP_RULE

    @property
    def key(self) -> str:
        """Kind and selector, by which a rule is known among those of one place."""
        return f"{self.kind} {self.select}"

    def rows(self, page: Page) -> list[int]:
        """Return the rows that it selects, in order; text that an XPath computes has none.

        Raises:
            OptionError: its selector is no CSS and no XPath.
        """
        return sorted({one.row for one in page.selected(self.select) if one.row >= 0})


def labels_by_hand(page: Page, rules: Sequence[Rule]) -> Reasons:
    """Return int8[n]: the `SiteReason` that rules written by hand give each row, 0 for none."""
    return decided_by_hand(page, selected_by_hand(page, rules))


def selected_by_hand(page: Page, rules: Sequence[Rule]) -> list[tuple[Rule, list[int]]]:
    """Return the rules written by hand for content and noise, each with the rows it selects."""
    return [(one, one.rows(page)) for one in rules if one.by_hand and one.decides]


def decided_by_hand(page: Page, selected: Sequence[tuple[Rule, Sequence[int]]]) -> Reasons:
    """Return int8[n] as `labels_by_hand`, of rules whose rows are known, by precedence."""
    out = np.zeros(len(page), dtype=np.int8)
    every = [(row, order) for order, (_, rows) in enumerate(selected) for row in rows]
    for row, order in sorted(every):
        out[row : page.end[row]] = selected[order][0].reason
    return out


def idle_fields(page: Page, rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules written by hand for fields that select nothing on ``page``."""
    own = (one for one in rules if one.by_hand and not one.decides)
    return [one for one in own if not page.selected(one.select)]


@dataclass(frozen=True)
class Replacement:
    """A text that is replaced in the source of a page before it is parsed.

    Attributes:
        find: the text, not empty; letters count as they are.
        put: what stands in its place.
    """

    find: str
    put: str

    def __post_init__(self) -> None:
        if not self.find:
            raise RulesError("a replacement needs a text to find")


@dataclass(frozen=True)
class PageTest:
    """A page of the site and texts that its content holds.

    Attributes:
        url: the address of the page.
        contains: the texts, compared with white space folded; none if the page must only have
            content at all.
    """

    url: str
    contains: tuple[str, ...] = ()


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
    """A step of a selector: code of its tag, -1 for any; numbers of its tests of names."""

    tag: int
    tests: tuple[int, ...]
    child: bool


class _Known(dict[str, tuple[int, ...]]):
    """Cache: value of an attribute → numbers of the tests that it passes.

    For an attribute that is a list of names, an exact test passes where one of them is equal.
    """

    def __init__(self, *, is_list: bool) -> None:
        super().__init__()
        self.is_list = is_list
        self.exact: dict[str, int] = {}
        self.inexact: list[tuple[int, str, str]] = []

    def __missing__(self, value: str) -> tuple[int, ...]:
        if len(self) > _REMEMBERED:
            self.clear()
        words = value.split() if self.is_list else [value.strip()]
        passed = {self.exact[word] for word in words if word in self.exact}
        whole = " ".join(words)
        passed.update(test for test, how, part in self.inexact if _holds(how, part, whole))
        self[value] = found = tuple(sorted(passed))
        return found


class Matcher:
    """Finds the rows that each of several selectors matches.

    Raises:
        OptionError: when the rows of a selector are read that isn't valid CSS.
    """

    def __init__(self, selectors: Sequence[str]) -> None:
        self._known = {"id": _Known(is_list=False), "class": _Known(is_list=True)}
        self._tests: dict[tuple[str, str], int] = {}
        self._selectors = tuple(selectors)
        self._compiled = [self._compile(selector) for selector in selectors]

    def __call__(self, page: Page) -> "Matches":
        """Return the matches of the selectors on ``page``, evaluated lazily."""
        hits: list[list[int]] = [[] for _ in self._tests]
        mixed = set()
        for name, known in self._known.items():
            for value, rows in page.values(name).rows.items():
                for test in known[value]:
                    if hits[test]:
                        mixed.add(test)
                    hits[test] += rows
        for test in mixed:
            hits[test].sort()
        return Matches(page, self._selectors, self._compiled, hits)

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
            numbers = tuple(self._number(kind, value) for kind, value in tests)
            steps.append(_Step(tag, numbers, bool(match["child"])))
            at = match.end()
        return tuple(steps) if steps and not steps[0].child else None

    def _number(self, kind: str, value: str) -> int:
        if (kind, value) not in self._tests:
            number = self._tests[kind, value] = len(self._tests)
            known = self._known["id" if kind in {"#", "id^", "id*"} else "class"]
            if kind in {"#", "."}:
                known.exact[value] = number
            else:
                known.inexact.append((number, kind[-1], value))
        return self._tests[kind, value]


@dataclass(frozen=True)
class Matches:
    """Matches of selectors on a page, evaluated lazily.

    Attributes:
        page: the page.
        selectors: the selectors.
        compiled: steps of each; None where `Page.select` evaluates it.
        hits: rows that pass each test, in order.
    """

    page: Page
    selectors: tuple[str, ...]
    compiled: list[tuple[_Step, ...] | None]
    hits: list[list[int]]

    def __getitem__(self, number: int) -> list[int]:
        """Return the rows that a selector matches, in order."""
        steps = self.compiled[number]
        if steps is None:
            rows: list[int] = self.page.select(self.selectors[number]).tolist()
            return rows
        found = self._step_rows(steps[0], None)
        for step in steps[1:]:
            if not found:
                break
            near = self._step_rows(step, found)
            if step.child:
                outer, parent = set(found), self.page.parent.item
                near = [row for row in near if parent(row) in outer]
            found = near
        return found

    def any(self, number: int) -> bool:
        """Return whether a selector matches any row; fast for selectors of a single name."""
        steps = self.compiled[number]
        if steps is not None and len(steps) == len(steps[0].tests) == 1:
            rows = self.hits[steps[0].tests[0]]
            if not rows or steps[0].tag in {-1, self.page.tag.item(rows[0])}:
                return bool(rows)
        return bool(self[number])

    def _step_rows(self, step: _Step, within: list[int] | None) -> list[int]:
        """Return the rows that one step matches below any of ``within``; anywhere for None."""
        if not step.tests:
            spans = [(0, len(self.page))] if within is None else _spans(self.page, within)
            return [
                row for start, stop in spans for row in _tagged(self.page, step.tag, start, stop)
            ]
        named = self.hits[step.tests[0]]
        for test in step.tests[1:]:
            others = set(self.hits[test])
            named = [row for row in named if row in others]
        if named and within is not None:
            named = [
                row
                for start, stop in _spans(self.page, within)
                for row in named[bisect_left(named, start) : bisect_left(named, stop)]
            ]
        if named and step.tag >= 0:
            tag = self.page.tag.item
            named = [row for row in named if tag(row) == step.tag]
        return named


def _holds(how: str, part: str, whole: str) -> bool:
    """Return whether ``whole`` begins with ``part`` (``^``) or contains it (``*``)."""
    return whole.startswith(part) if how == "^" else part in whole


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


def _spans(page: Page, rows: list[int]) -> list[tuple[int, int]]:
    """Return the descendants of ``rows``, in order, as spans [start, end) that don't overlap."""
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
    return (np.flatnonzero(hit) + start).tolist()


def role_rules(rules: Iterable[Rule]) -> tuple[RoleRule, ...]:
    """Return the rules for fields, those written by hand before learned ones of the same field."""
    named = (rule for rule in rules if rule.kind in (RECORD, *ROLES))
    by_hand_first = sorted(named, key=lambda rule: not rule.by_hand)
    return tuple(
        RoleRule(one.kind, one.select, one.confidence, one.by_hand) for one in by_hand_first
    )
