"""Tests that share the state of their process, and so run in one thread where others run in four.

What they share: the streams that click's runner swaps, signals by which growth of time is cut off,
the current folder, the environment, patched modules,
the counts of a site. Fixtures of pytest that patch or capture are known to pytest-run-parallel.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import time_growth

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

STATE = {
    *("CliRunner", "chdir", "environ", "setitimer", "setrlimit", "setrecursionlimit", "settrace"),
    *("MonkeyPatch", "catch_warnings", "compared", "fork", "disable", "thread_time"),
    *("get_traced_memory", "process_time", "clear_usage"),
    *(name for name, own in vars(time_growth).items() if inspect.isfunction(own)),
}
"""Names of what changes the process."""
FIXTURES = {"sanitized", "monkeypatch", "capsys", "capfd", "recwarn"}


def mark_tests_of_process_state(items: list[pytest.Item]) -> None:
    """Mark tests that can't run in several threads at once."""
    for item in items:
        function = getattr(item, "function", None)
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & FIXTURES or (function is not None and _names_state(function)):
            item.add_marker("thread_unsafe")


def _names_state(test: Callable[..., Any]) -> bool:
    """Return whether a test, or a function of its module that it calls, names such state."""
    todo = [getattr(getattr(test, "hypothesis", None), "inner_test", test)]
    seen: set[Any] = set()
    while todo:
        one = inspect.unwrap(todo.pop())
        if one in seen or not inspect.isfunction(one):
            continue
        seen.add(one)
        names = set(one.__code__.co_names)
        if names & STATE:
            return True
        todo += [own for name in names if (own := one.__globals__.get(name)) is not None]
        todo = [own for own in todo if getattr(own, "__module__", "") == test.__module__]
    return False
