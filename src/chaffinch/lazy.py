"""Modules that are loaded on first use.

The only way in which imports are deferred. A package that exports names of its modules maps them to
the modules and takes its ``__getattr__`` from `exporter` (PEP 562). A module that seldom needs
another one refers to it by `lazy_module`::

    if TYPE_CHECKING:
        import chardet
    else:
        chardet = lazy_module("chardet")

Type checkers, and the check of the floors, see an import like any other.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class _LazyModule(ModuleType):
    """A placeholder of a module, which loads the module when an attribute is read."""

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the module, which is loaded if needed; the value is cached."""
        value = getattr(import_module(self.__name__), name)
        vars(self)[name] = value
        return value


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
        value = getattr(import_module(modules[name]), name)
        vars(import_module(package))[name] = value
        return value

    return load
