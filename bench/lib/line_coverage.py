"""Which steps from line to line a call makes in one package: what tells pages that lead elsewhere.

Only some calls of each function are watched, and the fewer the longer it has shown nothing new, so
that watching costs about as much as running.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, Self

_WATCHED: Final = 3  # calls of one function while one page is made something of
_PATIENCE: Final = 60  # watched calls without news, from where on only some are watched
_SELDOM: Final = 16  # pages, of which one watches such a function


class LineCoverage:
    """Watches the functions of a package within ``with``; `seen` holds the steps of all times."""

    def __init__(self, package: Path, seen: Iterable[str] = ()) -> None:
        self.seen = set(seen)
        self.new = 0
        self._root = f"{package}/"
        self._pages = 0
        self._calls: Counter[CodeType] = Counter()
        self._quiet: Counter[CodeType] = Counter()
        self._steps: set[tuple[CodeType, int, int]] = set()

    def __enter__(self) -> Self:
        """Begin a page: `new` counts its steps that no page before it made."""
        self._pages += 1
        self.new = 0
        self._calls.clear()
        sys.settrace(self._called)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        calls = self._calls
        calls[code] += 1
        if calls[code] > _WATCHED or not code.co_filename.startswith(self._root):
            return None
        if self._quiet[code] > _PATIENCE and (self._pages + code.co_firstlineno) % _SELDOM:
            return None
        self._quiet[code] += 1
        before, steps = frame.f_lineno, self._steps

        def went(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal before
            if event == "line":
                step = (code, before, frame.f_lineno)
                before = frame.f_lineno
                if step not in steps:
                    steps.add(step)
                    self._quiet[code] = 0
                    self._note(step)
            return went

        return went

    def _note(self, step: tuple[CodeType, int, int]) -> None:
        code, before, line = step
        name = f"{code.co_filename.removeprefix(self._root)}:{before}-{line}"
        if name not in self.seen:
            self.seen.add(name)
            self.new += 1
