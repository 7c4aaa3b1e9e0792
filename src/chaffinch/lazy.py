"""Modules that are loaded on first use.

The only way in which imports are deferred. A package that exports names of its modules maps them to
the modules and takes its ``__getattr__`` from `exporter` (PEP 562). A module that seldom needs
another one refers to it by `lazy_module`::

    if TYPE_CHECKING:
        import chardet
    else:
        chardet = lazy_module("chardet")

Type checkers, and the check of the floors, see an import like any other.

A process that is forked while another thread imports a module inherits the module's lock as held,
and hangs where it needs the module. So a fork waits until the imports of other threads are done
that began here: they begin in the midst of work, where nobody expects one.
"""

from __future__ import annotations

import logging  # noqa: F401  registers what it does at a fork; amid one would be too late
import os
import time
from importlib import import_module
from threading import get_ident
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PATIENCE: Final = 10.0
"""Seconds that a fork waits for imports, and an import for a fork: either may hold what the other
needs, where a module forks while it is imported."""


class _Imports:
    """The imports in progress, so that none is cut by a fork; without a lock, which would be."""

    def __init__(self) -> None:
        self._depth: dict[int, int] = {}  # thread → its imports in progress, one within another
        self._forks: dict[int, None] = {}  # threads that are about to fork

    def load(self, name: str) -> ModuleType:
        """Return the module ``name``, imported if needed."""
        thread = get_ident()
        depth = self._depth.get(thread, 0)
        if not depth:
            self._wait(self._forks, thread)
        self._depth[thread] = depth + 1
        try:
            return import_module(name)
        finally:
            if depth:
                self._depth[thread] = depth
            else:
                del self._depth[thread]

    def before_fork(self) -> None:
        """Wait until no other thread imports."""
        thread = get_ident()
        self._forks[thread] = None
        self._wait(self._depth, thread)

    def after_fork(self) -> None:
        """Let imports go on."""
        self._forks.pop(get_ident(), None)

    def in_child(self) -> None:
        """Forget the threads that the child doesn't have."""
        thread = get_ident()
        self._forks.clear()
        for other in [one for one in self._depth if one != thread]:
            del self._depth[other]

    @staticmethod
    def _wait(threads: Mapping[int, object], own: int) -> None:
        """Wait until no other thread is among ``threads``."""
        if not threads:
            return
        until = time.monotonic() + _PATIENCE
        while any(one != own for one in tuple(threads)) and time.monotonic() < until:
            time.sleep(0.001)


_IMPORTS: Final = _Imports()

if hasattr(os, "register_at_fork"):  # not on Windows, which doesn't fork
    os.register_at_fork(
        before=_IMPORTS.before_fork,
        after_in_parent=_IMPORTS.after_fork,
        after_in_child=_IMPORTS.in_child,
    )


class _LazyModule(ModuleType):
    """A placeholder of a module, which loads the module when an attribute is read."""

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the module, which is loaded if needed; the value is cached."""
        value = getattr(_IMPORTS.load(self.__name__), name)
        vars(self)[name] = value
        return value


def load_module(name: str) -> ModuleType:
    """Return the module ``name``, imported now if it isn't loaded yet."""
    return _IMPORTS.load(name)


def lazy_module(name: str) -> Any:
    """Return a placeholder of the module ``name``, which is loaded when it is used."""
    return _LazyModule(name)


def exporter(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: a public name is loaded with its module.

    Args:
        package: its ``__name__``.
        modules: public name → module that has it.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(_IMPORTS.load(modules[name]), name)
        vars(import_module(package))[name] = value
        return value

    return load
