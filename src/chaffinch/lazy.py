"""Modules that run when they are first used: those of `LATER`, libraries, names of an `exporter`.

A module of `LATER` is imported like any other (``from chaffinch.output import markdown``), and runs
when something of it is first read. A library that is seldom needed is held by `lazy_module`. A
package that exports names of its modules imports them for type checkers, and takes its
``__getattr__`` from `exporter` (PEP 562). Type checkers, and the check of the floors, see imports
like any other.

A process that is forked while another thread imports a module inherits the module's lock as held,
and hangs where it needs the module. So a fork waits until the imports of other threads are done
that began here: they begin in the midst of work, where nobody expects one.
"""

from __future__ import annotations

import logging  # noqa: F401  registers what it does at a fork; amid one would be too late
import os
import sys
import time
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import get_ident
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ROOMS: Final = {
    "assessment": "assessment",
    "corpus": "readers rows sources",
    "decision": "discussions policy_parts rules",
    "elements": "image_sources images listed",
    "extraction": "extract article_parts",
    "lists": "discussion entries labelled",
    "metadata": "byline_labels bylines credited dates language names page_fields product sources"
    " titles values",
    "model": "attribution block_relation method_confidence",
    "output": "html markdown table_forms tei text whole_page",
    "reading": "blocks difference quotes reader",
    "render": "renderer",
    "segment.vips": "structure",
    "service": "jobs mcp server",
    "siblings": "pagination url_shapes",
    "site": "fields file site",
    "web": "client frontier guard response template_pages warc",
}
LATER: Final = {
    *(f"chaffinch.{room}.{name}" for room, names in _ROOMS.items() for name in names.split()),
    "chaffinch.metadata",
    "chaffinch.record",
}
"""Modules that are seldom needed where they are imported, and take long to run."""
_KNOWN: Final = frozenset(LATER)

_PATIENCE: Final = 10.0
"""Seconds that a fork waits for imports, and an import for a fork: either may hold what the other
needs, where a module forks while it is imported."""


class _Imports:
    """The imports in progress, so that none is cut by a fork; without a lock, which would be."""

    def __init__(self) -> None:
        self._depth: dict[int, int] = {}  # thread → its imports in progress, one within another
        self._forks: dict[int, None] = {}  # threads that are about to fork

    def load(self, name: str) -> ModuleType:
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
        thread = get_ident()
        self._forks[thread] = None
        self._wait(self._depth, thread)

    def after_fork(self) -> None:
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
    """Stands for a module, which is loaded when something of it is read; values are kept."""

    def __getattr__(self, name: str) -> Any:
        own = self.__name__
        if name.startswith("__") or f"{own}.{name}" in _KNOWN:  # tools look at all modules
            raise AttributeError(name)
        if sys.modules.get(own) is self:
            LATER.discard(own)
            sys.modules.pop(own, None)
        module = _IMPORTS.load(own)
        if own in _KNOWN:
            self._give_way(module)
        value = vars(self)[name] = getattr(module, name)
        return value

    def _give_way(self, module: ModuleType) -> None:
        """Put the module where this stood, and the modules of a package in the package."""
        above, _, leaf = self.__name__.rpartition(".")
        vars(sys.modules[above])[leaf] = module
        for key in tuple(vars(self)):
            if (within := sys.modules.get(f"{self.__name__}.{key}")) is not None:
                vars(module)[key] = within


class _LaterModules(MetaPathFinder, Loader):
    """Finds modules of `LATER`, in place of which a `_LazyModule` is imported."""

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path, target) if name in LATER else None
        if found is not None:
            found.loader = self
        return found

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _LazyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass

    def get_resource_reader(self, name: str) -> Any:
        """Return what reads the data beside a package that didn't run so far."""
        found = PathFinder.find_spec(name, sys.modules[name.rpartition(".")[0]].__path__)
        reader: Any = None if found is None else found.loader
        return reader.get_resource_reader(name)


sys.meta_path.insert(0, _LaterModules())


def load_module(name: str) -> ModuleType:
    """Return the module ``name``, imported now if it isn't loaded yet."""
    return _IMPORTS.load(name)


def lazy_module(name: str) -> Any:
    """Return what stands for a library's module, which is loaded when it is used."""
    return _LazyModule(name)


def exporter(
    package: str, missing: Callable[[str], Exception] | None = None
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: a public name is loaded with its module.

    The public names are those that the package imports for type checkers; ``missing`` makes the
    error where a module that these need isn't installed, of its name.
    """

    def load(name: str) -> Any:
        known = _imported_for_types(package)
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            value = getattr(_IMPORTS.load(known[name]), name)
        except ModuleNotFoundError as error:
            if missing is None:
                raise
            raise missing(error.name or "a package") from error
        vars(import_module(package))[name] = value
        return value

    return load


@cache
def _imported_for_types(package: str) -> dict[str, str]:
    """Return name → module of what a package imports where it says ``if TYPE_CHECKING``."""
    import ast  # noqa: PLC0415  whoever only imports the package needs none of it

    found = sys.modules[package].__loader__
    source: str = found.get_source(package)  # type: ignore[union-attr]
    blocks = (one.body for one in ast.parse(source).body if isinstance(one, ast.If))
    imports = (one for block in blocks for one in block if isinstance(one, ast.ImportFrom))
    return {one.name: str(each.module) for each in imports for one in each.names}
