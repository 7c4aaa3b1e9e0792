"""Every compiled expression of the package takes time linear in what it reads, whatever that is.

What an expression does depends on nothing but itself, so one that was found to be linear isn't
pumped again: ``linear_patterns.txt`` has its fingerprint. ``CHAFFINCH_ALL_PATTERNS=1`` pumps all of
them, as the nightly run does; ``CHAFFINCH_ALL_PATTERNS=write`` writes the file anew.
"""

import ast
import hashlib
import importlib
import math
import os
import pkgutil
import re
import textwrap
import types
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from functools import cache
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import chaffinch
from chaffinch.errors import MissingExtraError
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

AT = "match at"
"""Stands for `re.Pattern.match` with a position, which a scanner has reached."""
METHODS = (AT, "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")

BAD = (
    r"\s+$", r"\s*,\s*", r"(?:a+)+b", r"<[^>]*>", r"<!--.*?-->", r"(?:\.(?:html|png))+$",
    r"\W*(?:\s*\d)\W*\Z",
)  # fmt: skip
"""Expressions that take quadratic time or worse."""


class Found(NamedTuple):
    """A compiled expression."""

    name: str
    """``module:line``."""
    pattern: re.Pattern[Any]
    methods: frozenset[str]
    """Methods by which it is called; all where that can't be seen."""


@cache
def modules() -> dict[str, types.ModuleType]:
    """Return every module of the package, imported, by name.

    Plug-ins whose tool isn't installed are left out: ``make plugins`` installs them.
    """
    found = {chaffinch.__name__: chaffinch}
    for each in pkgutil.walk_packages(chaffinch.__path__, "chaffinch."):
        if not each.name.endswith("__main__"):
            try:
                found[each.name] = importlib.import_module(each.name)
            except MissingExtraError:
                if not each.name.startswith("chaffinch.plugins."):
                    raise
    return found


@cache
def trees() -> dict[str, ast.Module]:
    """Return the syntax of the modules that are made of Python, by name."""
    files = {name: module.__file__ or "" for name, module in modules().items()}
    return {
        name: ast.parse(Path(file).read_text(encoding="utf-8"))
        for name, file in files.items()
        if file.endswith(".py")
    }


def uses() -> dict[re.Pattern[Any], set[str]]:
    """Return the methods by which each pattern that has a name is called."""
    found: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    for name, tree in trees().items():
        called, positioned = set(), set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(node.args) > 1:
                positioned.add(node.func)
            value: Any = None
            methods: tuple[str, ...] = METHODS
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called.add(node.value)
                value = getattr(modules()[name], node.value.id, None)
                is_at = node.attr == "match" and node in positioned
                methods = (AT if is_at else node.attr,)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                value = None if node in called else getattr(modules()[name], node.id, None)
            if isinstance(value, re.Pattern):
                found[value].update(methods)
    return found


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


@pytest.mark.parametrize("expression", BAD)
def test_bad_expressions_are_noticed(expression: str) -> None:
    assert slow(re.compile(expression), "search") is not None


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


@cache
def found() -> tuple[Found, ...]:
    """Return all expressions of the package, each once; all are compiled at the tops of modules."""
    by_pattern, names = uses(), {}
    for name, tree in trees().items():
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert not [node for node in imports if node.module == "re"], name
        for call, function, where in calls_of_re(tree):
            if function == "escape":
                continue
            assert function == "compile", f"{name}:{call.lineno}: compile it once, at the top"
            if where:
                assert f"{name}.{where}" in MAKERS, f"{name}:{call.lineno}: compiled at each call"
                continue
            pattern = eval(ast.unparse(call), vars(modules()[name]))  # noqa: S307  our own code
            names.setdefault(pattern, f"{name}:{call.lineno}")
    for name, given in MAKERS.items():
        module, _, function = name.rpartition(".")
        for arguments in given:
            names.setdefault(getattr(modules()[module], function)(*arguments), name)
    known = frozenset(METHODS)
    every = (
        Found(name, pattern, frozenset(by_pattern.get(pattern) or METHODS) & known)
        for pattern, name in names.items()
    )
    return tuple(sorted(every, key=lambda one: one.name))


def test_expressions_are_found() -> None:
    assert len(found()) > 200


def test_no_group_is_possessive() -> None:
    """Until Python 3.11.4 such a group keeps what its last turn had read before it failed."""
    group = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")
    assert [one.name for one in found() if group.search(str(one.pattern.pattern))] == []


def fingerprint(pattern: re.Pattern[Any], method: str) -> str:
    """Return what tells an expression, and the way in which it is used, from others."""
    text = repr((pattern.pattern, pattern.flags, method))
    return hashlib.sha256(text.encode()).hexdigest()[:10]


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
        marks = " ".join(sorted(others | {mark for *_, mark in uses}))
        KNOWN.write_text(textwrap.fill(marks, 98) + "\n", "ascii")
