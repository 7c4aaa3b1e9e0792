"""Kernels beside their oracles."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
import pytest
from oracles import ORACLES

from chaffinch import kernels
from chaffinch.kernels.tree import Walked
from chaffinch.page.attributes import AttributeColumns

TABLE = 4 << 20
"""Bytes of an array from where on it is a table of a model, which no kernel writes to."""
KERNELS = {name: getattr(kernels, name) for name in ORACLES}


def both(name: str, *arguments: Any) -> Any:
    """Call a kernel and its oracle, want the same bits in what they return and write."""
    again = [one.copy() if is_small(one) else one for one in arguments]
    result, expected = KERNELS[name](*arguments), ORACLES[name](*again)
    assert bits(result) == bits(expected), name
    for one, other in zip(arguments, again, strict=True):
        assert one is other or bits(one) == bits(other), name
    return result


def is_small(argument: Any) -> bool:
    return isinstance(argument, np.ndarray) and argument.nbytes < TABLE


def bits(result: Any) -> Any:
    """Return what is compared of a result or an argument: types, shapes and bits."""
    if isinstance(result, Walked):
        own = result.attributes
        by_row = own if isinstance(own, dict) else AttributeColumns(*own).by_row
        return bits((*result[:-1], by_row))
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tobytes()
    if isinstance(result, dict):
        return [(key, bits(value)) for key, value in result.items()]
    if isinstance(result, tuple | list):
        return [bits(one) for one in result]
    return type(result), result


@contextmanager
def comparing() -> Iterator[Counter[str]]:
    calls: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return both(name, *arguments)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ORACLES:
            patch.setattr(kernels, name, counted(name))
        yield calls


@pytest.fixture(scope="session")
def same() -> Callable[..., Any]:
    """Calls a kernel and its oracle, wants the same bits in what they return and write."""
    return both


@pytest.fixture(scope="session")
def compared() -> Callable[[], AbstractContextManager[Counter[str]]]:
    """A context in which every call of a kernel is compared; counts them by name."""
    return comparing
