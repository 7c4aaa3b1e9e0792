"""Every compiled expression of the package takes time linear in what it reads, whatever that is.

What an expression does depends on nothing but itself, so one that was found to be linear isn't
pumped again: ``linear_patterns.txt`` has its fingerprint. ``CHAFFINCH_ALL_PATTERNS=1`` pumps all of
them, as the nightly run does; ``CHAFFINCH_ALL_PATTERNS=write`` writes the file anew.
"""

import ast
import hashlib
import math
import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import Any

import pytest

from pattern_walk import AT, Found, expressions, modules, tree_of, walk
from pumped_strings import Pump, pumps
from time_growth import first_look, is_linear

KNOWN = Path(__file__).with_name("linear_patterns.txt")
"""Fingerprints of expressions that were found to be linear."""
WANTED = os.environ.get("CHAFFINCH_ALL_PATTERNS", "")
PARTS = 8
"""Parts of the expressions, which run in processes of their own where there are several."""
SLOWEST = 4
"""Pumps of an expression that are read at length though their time doesn't seem to grow."""
LOOKS: tuple[tuple[tuple[int, ...], Callable[[int], int]], ...] = (
    ((250, 1_000), lambda pumps: max(SLOWEST, pumps // 4)),
    ((1_000, 4_000), lambda _: SLOWEST),
)
"""Characters of a look at each pump that is left, and how many of these, the slowest, then are."""

MAKERS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "chaffinch.evaluate.scoring._words_pattern": ((),)
}
"""Functions that compile an expression when they are called, with arguments to call them with."""

BAD = (
    r"\s+$", r"\s*,\s*", r"(?:a+)+b", r"\S+@\S+\.\w+", r"<[^>]*>", r"<!--.*?-->",
    r"(?:\.(?:html|png))+$", r"\W*(?:\s*\d)\W*\Z",
)  # fmt: skip
"""Expressions that take quadratic time or worse."""


def reader(pattern: re.Pattern[Any], method: str) -> Callable[[Any], object]:
    """Return what reads a text by a method; a search goes on to the end, as most uses do."""
    if method in {"match", "fullmatch"}:
        return getattr(pattern, method)  # type: ignore[no-any-return]
    return lambda text: deque(pattern.finditer(text), maxlen=0)


def ways(found: Found) -> set[str]:
    """Return the methods by which an expression is tried: by those it is used with, and searched.

    One that is only ever matched at a position which a scanner has reached isn't searched.
    """
    used = {"match", "fullmatch"} & found.methods
    return {"match"} if found.methods == {AT} else used | {"search"}


def slow(pattern: re.Pattern[Any], method: str) -> Pump | None:
    """Return a pump for which the time of an expression grows faster than linearly, if any does.

    All are read up to 1,000 characters, a quarter of them, the slowest, up to 4,000; those whose
    time seems to grow, and the slowest of all, up to 64,000.
    """
    is_bytes = isinstance(pattern.pattern, bytes)
    run = reader(pattern, method)

    def maker(pump: Pump) -> Callable[[int], str | bytes]:
        def make(size: int) -> str | bytes:
            text = pump.text(size)
            return text.encode("latin-1", "replace") if is_bytes else text

        return make

    waiting = list(pumps(pattern))
    for sizes, most in LOOKS:
        times = {pump: first_look(run, maker(pump), sizes) for pump in waiting}
        for pump in waiting:
            if times[pump] == math.inf and not is_linear(run, maker(pump)):
                return pump
        finite = [pump for pump in waiting if times[pump] < math.inf]
        waiting = nlargest(most(len(finite)), finite, times.__getitem__)
    return next((pump for pump in waiting if not is_linear(run, maker(pump))), None)


def made() -> Iterator[Found]:
    """Yield the expressions of functions that compile one."""
    for name, given in MAKERS.items():
        module, _, function = name.rpartition(".")
        for arguments in given:
            pattern = getattr(modules()[module], function)(*arguments)
            yield Found(f"{name}{arguments}", pattern, frozenset(["search"]))


@pytest.mark.parametrize("expression", BAD)
def test_bad_expressions_are_noticed(expression: str) -> None:
    assert slow(re.compile(expression), "search") is not None


@cache
def found() -> tuple[Found, ...]:
    """Return all expressions of the package, by name."""
    return tuple(sorted([*expressions(), *made()], key=lambda one: one.name))


def test_expressions_are_found() -> None:
    assert len(found()) > 200


def fingerprint(pattern: re.Pattern[Any], method: str) -> str:
    """Return what tells an expression, and the way in which it is used, from others."""
    text = repr((pattern.pattern, pattern.flags, method))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_expression_takes_linear_time(part: int) -> None:
    known = set() if WANTED or not KNOWN.exists() else set(KNOWN.read_text("ascii").split())
    uses = [
        (one, method, fingerprint(one.pattern, method))
        for one in found()[part::PARTS]
        for method in sorted(ways(one))
    ]
    bad = [
        f"{one.name}.{method}: {pump}"
        for one, method, mark in uses
        if mark not in known and (pump := slow(one.pattern, method)) is not None
    ]
    assert not bad, "\n".join(bad)
    if WANTED == "write":
        others = set(KNOWN.read_text("ascii").split()) if part and KNOWN.exists() else set()
        KNOWN.write_text("\n".join(sorted(others | {mark for *_, mark in uses})) + "\n", "ascii")


def calls_of_re(tree: ast.Module) -> Iterator[tuple[ast.Call, str, str]]:
    """Yield (call, its name, the function around it or "") of each call of ``re``."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, where = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            where = getattr(node, "name", "lambda")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re":
                yield node, node.func.attr, where
        waiting += [(child, where) for child in ast.iter_child_nodes(node)]


def test_no_expression_escapes_the_walk() -> None:
    found = walk()
    compiled = 0
    for name, module in modules().items():
        tree = tree_of(module)
        if tree is None:
            continue
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [node for node in imports if node.module == "re"], name
        for call, function, where in calls_of_re(tree):
            if function == "escape":
                continue
            assert function == "compile", f"{name}:{call.lineno}: compile it once, at the top"
            if where:
                assert f"{name}.{where}" in MAKERS, f"{name}:{call.lineno}: compiled at each call"
                continue
            compiled += 1
            pattern = eval(ast.unparse(call), vars(module))  # noqa: S307  the package's own code
            assert pattern in found, f"{name}:{call.lineno}"
    assert compiled > 200
