"""Values that are kept: properties and fields, without a lock; of texts, if they are short.

`functools.cached_property` of Python 3.11 holds a lock of the class while it computes. A process
that is forked while another thread computes inherits the lock as held, by a thread that the child
doesn't have, and hangs in the first property it reads. Everything that is cached here follows from
immutable objects, so that two threads may compute it at once and keep the first result.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar, overload

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

Value = TypeVar("Value")
_LONGEST: Final = 100  # characters of texts whose values are kept


def kept_of_short_texts(entries: int) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Decorate a function of texts that pages repeat, such as their class names.

    The texts are strangers', and what is kept of them stays until the process ends: so only
    ``entries`` values are, of at most 100 characters each.
    """

    def decorated(func: Callable[..., Value]) -> Callable[..., Value]:
        kept = lru_cache(maxsize=entries)(func)

        @wraps(func)
        def call(*texts: str) -> Value:
            return (kept if len("".join(texts)) <= _LONGEST else func)(*texts)

        return call

    return decorated


def finds(pattern: re.Pattern[str], entries: int = 4096) -> Callable[[str], bool]:
    """Return what says whether names, of classes or the like, hold what a pattern finds."""
    kept = lru_cache(maxsize=entries)(lambda names: pattern.search(names) is not None)
    return lambda names: (
        kept(names) if len(names) <= _LONGEST else pattern.search(names) is not None
    )


def kept_with_page(func: Callable[..., Value]) -> Callable[..., Value]:
    """Decorate a function that makes a column of a page: made once, frozen, kept with the page.

    It may take numbers besides; for each there is a column.
    """
    name = f"{func.__module__}.{func.__qualname__}"

    @wraps(func)
    def call(page: Any, *numbers: int) -> Value:
        if (known := page.derived_columns.get((name, numbers))) is None:
            column: Any = func(page, *numbers)
            column.setflags(write=False)
            known = page.derived_columns.setdefault((name, numbers), column)
        return known  # type: ignore[no-any-return]

    return call


class cached_property(Generic[Value]):  # noqa: N801  named as the standard library's, which it replaces
    """Decorates a method without arguments: its result is kept in the instance's ``__dict__``.

    It runs once an instance, or more than once where threads read the property at the same time:
    all of them get the result that was kept first.
    """

    def __init__(self, func: Callable[[Any], Value]) -> None:
        self.func = func
        self.name = func.__name__
        self.__doc__ = func.__doc__
        self.__module__ = func.__module__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Value: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Self | Value:
        """Return the value, computed now; later reads find it in ``__dict__`` itself."""
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.name, self.func(instance))  # type: ignore[no-any-return]


class _LaterField:
    """The descriptor of `later_field`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        """Return the value, computed now; later reads find it in ``__dict__`` itself."""
        own = {} if instance is None else instance.__dict__
        if (make := own.get(_later(self.name))) is not None:
            own.setdefault(self.name, make())
            own.pop(_later(self.name), None)  # and what it holds
        return own.get(self.name)


def later_field() -> Any:
    """Return the default of a dataclass's field: None, or what a function gives when it is read.

    `put_off` gives an instance that function in place of the field's value.
    """
    return _LaterField()


def put_off(instance: object, name: str, make: Callable[[], object]) -> None:
    """Let the field ``name`` of an instance, a `later_field`, be computed when it is first read."""
    instance.__dict__.pop(name, None)
    instance.__dict__[_later(name)] = make


def _later(name: str) -> str:
    """Return where the function of a field stands."""
    return f"_later_{name}"
