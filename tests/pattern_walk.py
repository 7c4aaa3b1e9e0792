"""Finds every compiled regular expression of the package, and how it is used."""

import ast
import builtins
import functools
import gc
import importlib
import pkgutil
import re
import types
from collections import defaultdict, deque
from pathlib import Path
from typing import Any, NamedTuple

import chaffinch
from chaffinch.errors import MissingExtraError

AT = "match at"
"""Stands for `re.Pattern.match` with a position, which a scanner has reached."""

METHODS = (AT, "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class Found(NamedTuple):
    """A compiled expression."""

    name: str
    """Where it was found first, as ``module.NAME`` with further steps."""
    pattern: re.Pattern[Any]
    methods: frozenset[str]
    """Methods by which it is called; all where that can't be seen."""


@functools.cache
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


def tree_of(module: types.ModuleType) -> ast.Module | None:
    """Return the syntax of a module, or None where it isn't made of Python."""
    file = module.__file__ or ""
    return ast.parse(Path(file).read_text(encoding="utf-8")) if file.endswith(".py") else None


def _is_foreign(value: Any) -> bool:
    """Whether a value is code of another package, which isn't entered."""
    if isinstance(value, types.ModuleType):
        return not value.__name__.startswith("chaffinch")
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        return not str(value.__module__).startswith("chaffinch")
    return isinstance(value, types.FrameType)


def walk() -> dict[re.Pattern[Any], str]:
    """Return each pattern that can be reached from the modules, with where it was found.

    Whatever the collector of garbage follows is followed: containers, attributes of classes and
    instances, defaults, closures, and what caches hold.
    """
    waiting = deque(
        (f"{name}.{key}", value)
        for name, module in modules().items()
        for key, value in vars(module).items()
        if key != "__builtins__"
    )
    seen = {id(vars(builtins))}
    kept = []
    found: dict[re.Pattern[Any], str] = {}
    while waiting:
        name, value = waiting.popleft()
        if isinstance(value, re.Pattern):
            found.setdefault(value, name)
            continue
        if id(value) in seen or _is_foreign(value):
            continue
        seen.add(id(value))
        kept.append(value)
        waiting += [(f"{name}…", inner) for inner in gc.get_referents(value)]
    return found


def uses() -> dict[re.Pattern[Any], set[str]]:
    """Return the methods by which each pattern that has a name is called."""
    found: dict[re.Pattern[Any], set[str]] = defaultdict(set)
    for module in modules().values():
        tree = tree_of(module)
        called, positioned = set(), set()
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Call) and len(node.args) > 1:
                positioned.add(node.func)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called.add(node.value)
                value = getattr(module, node.value.id, None)
                if isinstance(value, re.Pattern):
                    found[value].add(
                        AT if (node.attr, node in positioned) == ("match", True) else node.attr
                    )
            elif (
                isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in called
            ):
                value = getattr(module, node.id, None)
                if isinstance(value, re.Pattern):
                    found[value].update(METHODS)
    return found


@functools.cache
def expressions() -> list[Found]:
    """Return every compiled expression of the package."""
    by_pattern = uses()
    return [
        Found(name, pattern, frozenset(by_pattern.get(pattern) or METHODS) & frozenset(METHODS))
        for pattern, name in walk().items()
    ]
