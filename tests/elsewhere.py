"""Tests whose tools have environments of their own, and what may be skipped.

Where such tools aren't there, their tests aren't collected, and one loud skip a group stands for
them. With ``CHAFFINCH_REQUIRE_ALL=1`` any other skip fails, but for want of the labelled corpora,
which aren't part of the repository.
"""

import os
from importlib.util import find_spec
from typing import Any

import pytest

ELSEWHERE = "RUN ELSEWHERE"
FREE = (ELSEWHERE, "NO CORPORA", "NO SITES")
"""How the reasons begin of what may be skipped all the same."""


def missing(*tools: str) -> list[str]:
    """Return those of some modules that aren't installed."""
    found = []
    for tool in tools:
        try:
            is_there = find_spec(tool) is not None
        except ModuleNotFoundError:  # of the package that it is in
            is_there = False
        found += [] if is_there else [tool]
    return found


def require(tools: list[str], command: str, *, is_here: bool) -> None:
    """Skip loudly where tools are missing; fail where this is the environment that has them."""
    absent = missing(*tools)
    if absent and not is_here:
        pytest.skip(f"{ELSEWHERE} ({command}): {', '.join(absent)} not installed")
    assert not absent


def fail_if_skipped(report: Any) -> Any:
    """Return a report, failed where it is of a skip and nothing may be skipped."""
    required = os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1"
    if required and report.skipped and isinstance(report.longrepr, tuple):
        _, _, reason = report.longrepr
        if not reason.removeprefix("Skipped: ").startswith(FREE):
            report.outcome, report.longrepr = "failed", f"nothing may be skipped: {reason}"
    return report
