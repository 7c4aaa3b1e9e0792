"""Positions among siblings, and the CSS selector and XPath of a row, both ways."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing, tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Rows
    from chaffinch.page.page import Page

_STEP: Final = re.compile(r"/([^/\[\]]+)(?:\[(\d+)\])?")
_MOST_DEPTH: Final = 512
"""Of paths that share what they begin with: deeper ones, which no page has, are hashed apart."""
_IDENTIFIER: Final = re.compile(r"\A-?[A-Za-z_][\w-]*\Z", re.ASCII)


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


def lone_ids(page: Page) -> dict[int, str]:
    """Return row → id of the elements whose id is an identifier that no other element has."""
    rows = page.values("id").rows
    return {own[0]: one for one, own in rows.items() if len(own) == 1 and _IDENTIFIER.match(one)}


def css_of(page: Page, row: int) -> str:
    """Return a CSS selector that matches exactly the element ``row``.

    The nearest element with an id of its own starts it; below that, steps are
    ``tag:nth-of-type(k)``. A text run has no selector: that of its parent is returned.
    """
    if page.tag[row] == tags.TEXT:
        row = int(page.parent[row])
    steps: list[str] = []
    step_of = _css_steps(page)
    while row >= 0:
        steps.append(step_of(row))
        if row in page.lone_ids:
            break
        row = int(page.parent[row])
    return " > ".join(reversed(steps))


def css_of_each(page: Page, rows: Iterable[int], *, most_steps: int = 100) -> Iterator[str]:
    """Yield the CSS selector of each row as `css_of` makes it, of many rows at little cost.

    Of a row more than ``most_steps`` below the nearest id of its own, or the root, it is that of
    its ancestor so far down: a page of deep nests would make selectors of many times its size.
    """
    return _of_each(page, rows, _css_steps(page), " > ", page.lone_ids, most_steps)


def xpath_of_each(page: Page, rows: Iterable[int], *, most_steps: int = 100) -> Iterator[str]:
    """Yield the absolute XPath of the element of each row, at little cost; see `css_of_each`."""
    return (f"/{path}" for path in _of_each(page, rows, _xpath_steps(page), "/", {}, most_steps))


def tag_paths(page: Page, rows: Iterable[int]) -> Iterator[str]:
    """Yield the tag path of each element, as `Page.tag_path` makes it, at little cost."""
    return _of_each(page, rows, page.name, "/", {}, len(page))


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


def _css_steps(page: Page) -> Callable[[int], str]:
    """Return what makes the part of a selector that names one element among its siblings."""
    lone_ids, name_of, place = page.lone_ids, page.name, page.index_of_type.item
    selectable = cache(lambda name: name if _IDENTIFIER.match(name) else "*")

    def step(row: int) -> str:
        if row in lone_ids:
            return f"#{lone_ids[row]}"
        name = selectable(name_of(row))
        return f"{name}:nth-of-type({place(row) + 1})" if row else name

    return step


def xpath_of(page: Page, row: int) -> str:
    """Return the absolute XPath of ``row``; text runs end in ``text()[k]``."""
    steps = map(_xpath_steps(page), (row, *page.ancestors(row)))
    return "".join(f"/{step}" for step in reversed([*steps]))


def _xpath_steps(page: Page) -> Callable[[int], str]:
    """Return what makes the part of an XPath that names one row among its siblings."""
    name_of, place = page.name, page.index_of_type.item

    def step(row: int) -> str:
        name = name_of(row)
        return f"{'text()' if name == '#text' else name}[{place(row) + 1}]"

    return step


def row_at(page: Page, xpath: str) -> int:
    """Return the row an absolute XPath of steps ``/name[k]`` or ``/text()[k]`` names, or -1.

    A step without a number means the first.
    """
    row, candidates = -1, [0] if len(page) else []
    if not xpath or "".join(m.group() for m in _STEP.finditer(xpath)) != xpath:
        return -1
    for step in _STEP.finditer(xpath):
        name = "#text" if step[1] == "text()" else step[1].lower()
        same = [r for r in candidates if page.name(r) == name]
        wanted = int(step[2] or 1)
        if not 1 <= wanted <= len(same):
            return -1
        row = same[wanted - 1]
        candidates = page.children(row)
    return row


def hash_of(path: str) -> int:
    """Return the `Page.path_hash` of rows whose tag path is ``path``, such as ``html/body/div``."""
    names = path.split("/")
    count = len(names)
    end = np.full(count, count, dtype=np.int32)
    return int(hashing.path_hashes(_symbols(names), np.arange(count, dtype=np.int16), end)[-1])


def hashes_of(paths: Iterable[str]) -> list[int]:
    """Return `hash_of` of each of many paths; what several begin with is hashed once."""
    wanted = list(paths)
    short = {path for path in wanted if path.count("/") <= _MOST_DEPTH}
    every: set[str] = set()
    for path in short:
        prefix, mark = path, "/"
        while mark and prefix not in every:
            every.add(prefix)
            prefix, mark, _ = prefix.rpartition("/")
    ordered = sorted(every, key=lambda path: path.replace("/", "\0"))  # each before those below it
    depth = np.array([path.count("/") for path in ordered], dtype=np.int16)
    symbols = _symbols(path.rpartition("/")[2] for path in ordered)
    hashes = hashing.path_hashes(symbols, depth, _ends(depth.tolist())).tolist()
    known = dict(zip(ordered, hashes, strict=True))
    return [known[path] if path in short else hash_of(path) for path in wanted]


def _symbols(names: Iterable[str]) -> NDArray[np.uint64]:
    """Return the numbers of tags as `Page.symbols` has them."""
    known = ((tags.CODES.get(name, tags.UNKNOWN), name) for name in names)
    numbers = [one if one != tags.UNKNOWN else hashing.hash_string(name) for one, name in known]
    return np.array(numbers, dtype=np.uint64)


def _ends(depths: list[int]) -> Rows:
    """Return int32[n]: the first row after each subtree, of rows in document order."""
    ends = np.full(len(depths), len(depths), dtype=np.int32)
    open_: list[int] = []
    for row, depth in enumerate(depths):
        while open_ and depths[open_[-1]] >= depth:
            ends[open_.pop()] = row
        open_.append(row)
    return ends
