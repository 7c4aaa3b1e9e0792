"""Every call of a kernel made both ways, by C and by numpy, and compared bit by bit."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.parser_tree import Walked
from chaffinch.page.attributes import AttributeColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WITHIN: Final = {"network": 3e-6}
"""How far results may differ: sums of the network are made in another order."""


_TABLE: Final = 4 << 20
"""Bytes of an array from where on it is a table of a model, which no kernel writes to."""


def same_both_ways() -> Callable[..., Any]:
    """Return a function that calls a kernel both ways and returns the native result.

    It takes the kernel's name and arguments, and raises `AssertionError` where the back ends return
    other bits, or leave others in their arguments.
    """
    native, plain = _functions("native"), _functions("plain")

    def call(name: str, *arguments: Any) -> Any:
        again = [one.copy() if _is_small(one) else one for one in arguments]
        result, expected = native[name](*arguments), plain[name](*again)
        if name in WITHIN:
            _demand_close(name, result, expected)
        else:
            _demand(name, _bits(result) == _bits(expected))
        for one, other in zip(arguments, again, strict=True):
            _demand(name, one is other or _bits(one) == _bits(other))
        return result

    return call


def _demand(name: str, holds: bool) -> None:  # noqa: FBT001  what is demanded
    if not holds:
        raise AssertionError(f"{name}: the back ends differ")


def _demand_close(name: str, result: Any, expected: Any) -> None:
    for one, other in zip(result, expected, strict=True):
        _demand(name, _bits(one)[:2] == _bits(other)[:2])
        _demand(name, np.allclose(one, other, rtol=0, atol=WITHIN[name], equal_nan=True))


@contextmanager
def compared(same: Callable[..., Any]) -> Iterator[Counter[str]]:
    """Make every call of a kernel both ways for a while; yields how many there were, by name."""
    calls: Counter[str] = Counter()

    def both(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls[name] += 1
            return same(name, *arguments)

        return call

    with kernels.using("native"):
        for name in set(kernels.__all__) - {"walk_hindrance"}:
            setattr(kernels, name, both(name))
        yield calls


def _is_small(argument: Any) -> bool:
    return isinstance(argument, np.ndarray) and argument.nbytes < _TABLE


def _functions(back_end: kernels.BackEnd) -> dict[str, Callable[..., Any]]:
    with kernels.using(back_end):
        return {name: getattr(kernels, name) for name in kernels.__all__}


def _bits(result: Any) -> Any:
    """Return what is compared of a result or an argument: types, shapes and bits."""
    if isinstance(result, Walked):
        own = result.attributes
        by_row = own if isinstance(own, dict) else AttributeColumns(*own).by_row
        return _bits((*result[:-1], by_row))
    if isinstance(result, np.ndarray):
        return result.dtype, result.shape, result.tobytes()
    if isinstance(result, dict):
        return [(key, _bits(value)) for key, value in result.items()]
    if isinstance(result, tuple | list):
        return [_bits(one) for one in result]
    return type(result), result
