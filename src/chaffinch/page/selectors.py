"""Rows by path: CSS selectors and XPath of rows, and the rows that selectors match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.errors import OptionError
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.lazy import lazy_module
from chaffinch.page import flattening, tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.page.page import Page

css = lazy_module("cssselect.parser")

IDENTIFIER: Final = re.compile(r"\A-?[A-Za-z_][\w-]*\Z", re.ASCII)


def positions(parent: Rows, kind: NDArray[np.uint64] | None) -> Rows:
    """Return int32[n]: position of each row among its siblings (of the same ``kind``), from 0.

    ``kind`` is uint64[n], compared for equality, or None for all siblings.
    """
    count = len(parent)
    keys = (parent,) if kind is None else (kind, parent)
    order = np.lexsort(keys)
    new = np.ones(count, dtype=bool)
    new[1:] = parent[order[1:]] != parent[order[:-1]]
    if kind is not None:
        new[1:] |= kind[order[1:]] != kind[order[:-1]]
    starts = np.flatnonzero(new)
    rank = np.arange(count) - np.repeat(starts, np.diff(np.append(starts, count)))
    out = np.empty(count, dtype=np.int32)
    out[order] = rank
    return out


def css_of_each(page: Page, rows: Iterable[int], *, most_steps: int = 100) -> Iterator[str]:
    """Yield a CSS selector that matches exactly each element, of many at little cost.

    The nearest element with an id of its own starts it; below that, steps are
    ``tag:nth-of-type(k)``. A text run has no selector: that of its parent is returned. Of a row
    more than ``most_steps`` below the nearest id of its own, or the root, it is that of its
    ancestor so far down: a page of deep nests would make selectors of many times its size.
    """
    lone_ids, place = page.lone_ids, page.index_of_type.item
    selectable = cache(lambda name: name if IDENTIFIER.match(name) else "*")

    def step(row: int) -> str:
        if row in lone_ids:
            return f"#{lone_ids[row]}"
        name = selectable(page.name(row))
        return f"{name}:nth-of-type({place(row) + 1})" if row else name

    return _of_each(page, rows, step, " > ", lone_ids, most_steps)


def xpath_of_each(page: Page, rows: Iterable[int], *, most_steps: int = 100) -> Iterator[str]:
    """Yield the absolute XPath of the element of each row, at little cost; see `css_of_each`."""
    name_of, place = page.name, page.index_of_type.item
    paths = _of_each(
        page, rows, lambda row: f"{name_of(row)}[{place(row) + 1}]", "/", {}, most_steps
    )
    return (f"/{path}" for path in paths)


def _of_each(  # noqa: PLR0913, PLR0917  one loop for two forms
    page: Page,
    rows: Iterable[int],
    step_of: Callable[[int], str],
    joint: str,
    tops: Mapping[int, str],
    most_steps: int,
) -> Iterator[str]:
    """Yield the steps that lead to each row, from the root or the nearest of ``tops``."""
    known: dict[int, tuple[str, int]] = {-1: ("", 0)}
    parent, tag = page.parent.item, page.tag.item
    for row in rows:
        at = parent(row) if tag(row) == tags.TEXT else int(row)
        unknown = []
        while at not in known:
            unknown.append(at)
            at = -1 if at in tops else parent(at)
        found = known[at]
        for one in reversed(unknown):
            before, steps = found
            if steps < most_steps:
                step = step_of(one)
                found = f"{before}{joint}{step}" if before else step, steps + 1
            known[one] = found
        yield found[0]


def hash_of(path: str) -> int:
    """Return the `Page.path_hash` of rows whose tag path is ``path``, such as ``html/body/div``."""
    names = path.split("/")
    count = len(names)
    end = np.full(count, count, dtype=np.int32)
    return int(kernels.path_hashes(_symbols(names), np.arange(count, dtype=np.int16), end)[-1])


def _symbols(names: Iterable[str]) -> NDArray[np.uint64]:
    """Return the numbers of tags as `Page.symbols` has them."""
    known = ((tags.CODES.get(name, tags.UNKNOWN), name) for name in names)
    numbers = [one if one != tags.UNKNOWN else flattening.hash_string(name) for one, name in known]
    return np.array(numbers, dtype=np.uint64)


_FAR: Final = 1 << 40  # bound of the numbers of ``:nth-child()``: beyond any row
_SHOWN: Final = 200  # characters of a selector in a message
_XPATH: Final = re.compile(r"\A[\s(]*+(?:\.{0,2}/|[a-z-]++\s*+\(|['\"])")


@dataclass(frozen=True)
class Selected:
    """What a selector selects, or an XPath computes.

    Attributes:
        row: its row; that of the element for an attribute; -1 for text that is computed.
        value: the value of an attribute, text that is computed, the text of a text node; None for
            an element, whose text is that of its subtree.
    """

    row: int
    value: str | None = None


def is_xpath(selector: str) -> bool:
    """Return whether a selector is an XPath: it begins with a slash, a function or a string.

    No CSS selector begins so. Before the slash may stand dots and brackets.
    """
    return _XPATH.match(selector) is not None


def matches(page: Page, selector: str) -> Mask:
    """Return bool[n]: the rows (always elements) that the selector list matches."""
    mask = np.zeros(len(page), dtype=bool)
    try:
        for tree in _parsed(selector):
            mask |= _evaluate(page, tree)
    except RecursionError as error:
        raise OptionError(f"the CSS selector is nested too deeply: {brief(selector)}") from error
    return mask


@lru_cache(maxsize=512)
def _parsed(selector: str) -> tuple[Any, ...]:
    try:
        parsed = css.parse(selector)
    except css.SelectorError as error:
        raise OptionError(f"bad CSS selector {brief(selector)}: {error}") from error
    if any(one.pseudo_element for one in parsed):
        raise OptionError(f"pseudo-elements match no row: {brief(selector)}")
    return tuple(one.parsed_tree for one in parsed)


def brief(selector: str) -> str:
    """Return a selector as messages show it."""
    return repr(selector if len(selector) <= _SHOWN else f"{selector[:_SHOWN]}…")


def _evaluate(page: Page, node: Any) -> Mask:
    """Return the rows that a parsed selector matches; its steps, of any number, don't recurse."""
    steps = []
    while type(node).__name__ == "CombinedSelector":
        steps.append(node)
        node = node.selector
    handler = _HANDLERS.get(type(node).__name__)
    if handler is None:
        raise OptionError(f"not supported in selectors: {node!r}")
    mask = handler(page, node)
    for step in checked(reversed(steps), every=16):
        mask = _combined(page, step, mask)
    return mask


def _element(page: Page, node: Any) -> Mask:
    elements: Mask = page.tag != tags.TEXT
    if node.element is None:
        return elements
    name = node.element.lower()
    if name in tags.CODES:
        return page.is_tag(name)
    return marked(len(page), [row for row, known in page.names.items() if known == name])


def _attrib(page: Page, node: Any) -> Mask:
    wanted = node.value.value if node.value is not None else ""
    any_case = node.flag == "i"
    return _having(page, node, node.attrib.lower(), node.operator, wanted, any_case=any_case)


def _having(  # noqa: PLR0913  an id or a class is one of these
    page: Page, node: Any, name: str, operator: str, wanted: str, *, any_case: bool = False
) -> Mask:
    word = "" if operator in {"exists", "!="} else wanted.lower()  # that such a value holds
    values = page.own_attributes.candidate_values(name, (word,)).items()
    test, wanted = _TESTS[operator], wanted.lower() if any_case else wanted
    found = (rows for own, rows in values if test(own.lower() if any_case else own, wanted))
    return marked(len(page), [*chain.from_iterable(found)]) & _evaluate(page, node.selector)


def _combined(page: Page, node: Any, left: Mask) -> Mask:
    """Return the rows of one more step, after those that the steps before it match."""
    right = _evaluate(page, node.subselector)
    if node.combinator in {">", " "}:
        around = left if node.combinator == ">" else page.inside(left)
        below: Mask = right & around[page.parent] & (page.parent >= 0)
        return below
    elements = np.flatnonzero(page.tag != tags.TEXT)
    out = np.zeros(len(page), dtype=bool)
    before: dict[int, bool] = {}
    for row in elements.tolist():
        parent = int(page.parent[row])
        out[row] = before.get(parent, False)
        before[parent] = bool(left[row]) or (node.combinator == "~" and before.get(parent, False))
    return out & right


def _matching(page: Page, node: Any) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    for tree in node.selector_list:
        mask |= _evaluate(page, tree)
    return mask & _evaluate(page, node.selector)


def _relation(page: Page, node: Any) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    for combinator, selector in node.arguments:
        inner = _evaluate(page, selector.parsed_tree)
        match combinator.value:
            case " ":
                mask |= page.total(inner) - inner > 0
            case ">":
                parents = page.parent[inner]
                mask[parents[parents >= 0]] = True
            case other:
                raise OptionError(f"not supported in :has(): {other!r}")
    return mask & _evaluate(page, node.selector)


_PLACES: Final = {
    "first-child": ("nth-child",),
    "last-child": ("nth-last-child",),
    "only-child": ("nth-child", "nth-last-child"),
    "first-of-type": ("nth-of-type",),
    "last-of-type": ("nth-last-of-type",),
}
"""Pseudo-class → the functions of which it is ``(1)``."""
_COUNTED: Final = {
    "nth-child": (False, False),
    "nth-last-child": (False, True),
    "nth-of-type": (True, False),
    "nth-last-of-type": (True, True),
}
"""Function → whether it counts elements of the same tag, and from the last."""


def _pseudo(page: Page, node: Any) -> Mask:
    if node.ident == "root":
        mask = page.parent < 0
    elif node.ident == "empty":
        mask = page.size == 1
    elif node.ident in _PLACES:
        mask = np.all([_ranks(page, one) == 0 for one in _PLACES[node.ident]], axis=0)
    else:
        raise OptionError(f"not supported in selectors: :{node.ident}")
    matching: Mask = (page.tag != tags.TEXT) & mask & _evaluate(page, node.selector)
    return matching


def _function(page: Page, node: Any) -> Mask:
    if node.name not in _COUNTED:
        raise OptionError(f"not supported in selectors: :{node.name}()")
    try:
        a, b = css.parse_series(node.arguments)
    except ValueError as error:
        raise OptionError(f"bad argument of :{node.name}()") from error
    a, b = (max(-_FAR, min(_FAR, number)) for number in (a, b))
    offset = _ranks(page, node.name) + 1 - b
    hit = offset == 0 if a == 0 else (offset % a == 0) & (offset // a >= 0)
    return np.asarray(hit & (page.tag != tags.TEXT) & _evaluate(page, node.selector), dtype=bool)


def _ranks(page: Page, counted: str) -> NDArray[np.int64]:
    """Return int64[n]: position among the sibling elements that a function counts, from 0."""
    of_type, from_last = _COUNTED[counted]
    elements = np.flatnonzero(page.tag != tags.TEXT)
    elements = elements[::-1] if from_last else elements
    kind = page.symbols[elements] if of_type else None
    out = np.full(len(page), -1, dtype=np.int64)
    out[elements] = positions(page.parent[elements], kind)
    return out


_TESTS: Final[dict[str, Callable[[str, str], bool]]] = {
    "exists": lambda _value, _wanted: True,
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(wanted + "-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
    "!=": lambda value, wanted: value != wanted,
}

_HANDLERS: Final[dict[str, Callable[[Page, Any], Mask]]] = {
    "Element": _element,
    "Hash": lambda page, node: _having(page, node, "id", "=", node.id),
    "Class": lambda page, node: _having(page, node, "class", "~=", node.class_name),
    "Attrib": _attrib,
    "Negation": lambda page, node: (
        _evaluate(page, node.selector) & ~_evaluate(page, node.subselector)
    ),
    "Matching": _matching,
    "SpecificityAdjustment": _matching,
    "Relation": _relation,
    "Pseudo": _pseudo,
    "Function": _function,
}
