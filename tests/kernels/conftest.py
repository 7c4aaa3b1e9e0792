"""Both back ends beside each other."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
import pytest

from chaffinch import kernels
from chaffinch.kernels.parser_tree import Walked
from chaffinch.page.attributes import AttributeColumns

WITHIN = {"network": 2e-6}
"""How far results may differ: sums of the network are made in another order."""


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


def copied(arguments: tuple[Any, ...]) -> list[Any]:
    return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]


def functions(back_end: kernels.BackEnd) -> dict[str, Callable[..., Any]]:
    with kernels.using(back_end):
        return {name: getattr(kernels, name) for name in kernels.__all__}


@pytest.fixture(scope="session")
def same(plainly: object) -> Callable[..., Any]:
    """Calls a kernel both ways, wants the same bits in what it returns and writes, returns it."""
    del plainly
    native, plain = functions("native"), functions("plain")

    def call(name: str, *arguments: Any) -> Any:
        again = copied(arguments)
        result, expected = native[name](*arguments), plain[name](*again)
        if name in WITHIN:
            for one, other in zip(result, expected, strict=True):
                assert bits(one)[:2] == bits(other)[:2], name
                assert np.allclose(one, other, rtol=0, atol=WITHIN[name], equal_nan=True), name
        else:
            assert bits(result) == bits(expected), name
        assert bits(list(arguments)) == bits(again), name
        return result

    return call


@pytest.fixture(scope="session")
def compared(same: Callable[..., Any]) -> Callable[[], AbstractContextManager[Counter[str]]]:
    """A context in which every call of a kernel is made both ways; counts them by name."""

    @contextmanager
    def comparing() -> Iterator[Counter[str]]:
        calls: Counter[str] = Counter()

        def both(name: str) -> Callable[..., Any]:
            def call(*arguments: Any) -> Any:
                calls[name] += 1
                return same(name, *arguments)

            return call

        with kernels.using("native"), pytest.MonkeyPatch.context() as patch:
            for name in set(kernels.__all__) - {"walk_hindrance"}:
                patch.setattr(kernels, name, both(name))
            yield calls

    return comparing
