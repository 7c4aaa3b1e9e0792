"""CSS selectors on the page table: parsed by cssselect, evaluated as masks over all rows.

Supported: type, ``*``, id, class, attribute tests, descendant, child, ``+``, ``~``, ``:not``,
``:is``, ``:where``, ``:has`` (descendants and children), ``:first-child``, ``:last-child``,
``:only-child``, ``:empty``, ``:root``, ``:first-of-type``, ``:last-of-type``, ``:nth-child``,
``:nth-of-type``, and lists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from cssselect import parser as css
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Mask
    from chaffinch.page.page import Page
else:
    css = lazy_module("cssselect.parser")

_FAR: Final = 1 << 40
"""Bound of the numbers of ``:nth-child()``: beyond any row."""
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
    """Return bool[n]: the rows (always elements) that the selector list matches.

    Raises:
        OptionError: the selector isn't valid CSS or uses what isn't supported.
    """
    mask = np.zeros(len(page), dtype=bool)
    try:
        for tree in _parsed(selector):
            mask |= _evaluate(page, tree)
    except RecursionError as error:
        raise OptionError(f"the CSS selector is nested too deeply: {_short(selector)}") from error
    return mask


@lru_cache(maxsize=512)
def _parsed(selector: str) -> tuple[Any, ...]:
    try:
        parsed = css.parse(selector)
    except css.SelectorError as error:
        raise OptionError(f"bad CSS selector {_short(selector)}: {error}") from error
    if any(one.pseudo_element for one in parsed):
        raise OptionError(f"pseudo-elements match no row: {_short(selector)}")
    return tuple(one.parsed_tree for one in parsed)


def _short(selector: str) -> str:
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
    return _rows(page, [row for row, known in page.names.items() if known == name])


def _hash(page: Page, node: Any) -> Mask:
    same = _rows(page, [row for row, value in page.having("id") if value == node.id])
    return same & _evaluate(page, node.selector)


def _class(page: Page, node: Any) -> Mask:
    name = node.class_name
    having = page.having("class")
    same = [row for row, value in having if name in value and name in value.split()]
    return _rows(page, same) & _evaluate(page, node.selector)


def _attrib(page: Page, node: Any) -> Mask:
    wanted = node.value.value if node.value is not None else ""
    test = _TESTS[node.operator]
    having = page.having(node.attrib.lower())
    if node.flag == "i":
        wanted, having = wanted.lower(), [(row, value.lower()) for row, value in having]
    same = [row for row, value in having if test(value, wanted)]
    return _rows(page, same) & _evaluate(page, node.selector)


def _combined(page: Page, node: Any, left: Mask) -> Mask:
    """Return the rows of one more step, after those that the steps before it match."""
    right = _evaluate(page, node.subselector)
    match node.combinator:
        case ">":
            below: Mask = right & left[page.parent] & (page.parent >= 0)
            return below
        case " ":
            within = page.inside(left)[page.parent] & (page.parent >= 0)
            mask: Mask = right & within
            return mask
    elements = np.flatnonzero(page.tag != tags.TEXT)
    out = np.zeros(len(page), dtype=bool)
    before: dict[int, bool] = {}
    for row in elements.tolist():
        parent = int(page.parent[row])
        out[row] = before.get(parent, False)
        before[parent] = bool(left[row]) or (node.combinator == "~" and before.get(parent, False))
    return out & right


def _negation(page: Page, node: Any) -> Mask:
    return _evaluate(page, node.selector) & ~_evaluate(page, node.subselector)


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


def _pseudo(page: Page, node: Any) -> Mask:
    elements = page.tag != tags.TEXT
    match node.ident:
        case "root":
            mask = page.parent < 0
        case "empty":
            mask = page.size == 1
        case "first-child":
            mask = _ranks(page, of_type=False, last=False) == 0
        case "last-child":
            mask = _ranks(page, of_type=False, last=True) == 0
        case "only-child":
            mask = (_ranks(page, of_type=False, last=False) == 0) & (
                _ranks(page, of_type=False, last=True) == 0
            )
        case "first-of-type":
            mask = _ranks(page, of_type=True, last=False) == 0
        case "last-of-type":
            mask = _ranks(page, of_type=True, last=True) == 0
        case _:
            raise OptionError(f"not supported in selectors: :{node.ident}")
    matching: Mask = elements & mask & _evaluate(page, node.selector)
    return matching


def _function(page: Page, node: Any) -> Mask:
    kinds = {
        "nth-child": (False, False),
        "nth-last-child": (False, True),
        "nth-of-type": (True, False),
        "nth-last-of-type": (True, True),
    }
    if node.name not in kinds:
        raise OptionError(f"not supported in selectors: :{node.name}()")
    try:
        a, b = css.parse_series(node.arguments)
    except ValueError as error:
        raise OptionError(f"bad argument of :{node.name}()") from error
    a, b = (max(-_FAR, min(_FAR, number)) for number in (a, b))
    of_type, last = kinds[node.name]
    offset = _ranks(page, of_type=of_type, last=last) + 1 - b
    hit = offset == 0 if a == 0 else (offset % a == 0) & (offset // a >= 0)
    return np.asarray(hit & (page.tag != tags.TEXT) & _evaluate(page, node.selector), dtype=bool)


def _ranks(page: Page, *, of_type: bool, last: bool) -> NDArray[np.int64]:
    """Return int64[n]: position among the sibling elements, from 0, from the first or last."""
    elements = np.flatnonzero(page.tag != tags.TEXT)
    group = page.parent[elements].astype(np.int64) + 1
    if of_type:
        kinds = np.unique(page.symbols[elements], return_inverse=True)[1]
        group = group * (int(kinds.max(initial=0)) + 1) + kinds
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(np.append(starts, len(ordered)))
    rank = np.arange(len(ordered)) - np.repeat(starts, sizes)
    if last:
        rank = np.repeat(sizes, sizes) - 1 - rank
    out = np.full(len(page), -1, dtype=np.int64)
    out[elements[order]] = rank
    return out


def _rows(page: Page, rows: list[int]) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    mask[rows] = True
    return mask


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
    "Hash": _hash,
    "Class": _class,
    "Attrib": _attrib,
    "Negation": _negation,
    "Matching": _matching,
    "SpecificityAdjustment": _matching,
    "Relation": _relation,
    "Pseudo": _pseudo,
    "Function": _function,
}
