"""Both back ends beside each other."""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest

from bench.lib.both_back_ends import compared as comparing
from bench.lib.both_back_ends import same_both_ways


@pytest.fixture(scope="session")
def same(plainly: object) -> Callable[..., Any]:
    """Calls a kernel both ways, wants the same bits in what it returns and writes, returns it."""
    del plainly
    return same_both_ways()


@pytest.fixture(scope="session")
def compared(same: Callable[..., Any]) -> Callable[[], AbstractContextManager[Counter[str]]]:
    """A context in which every call of a kernel is made both ways; counts them by name."""
    return partial(comparing, same)
