"""What outputs of hostile pages need of memory, measured in a process of its own.

There freed memory is given back to the system at once (``PYTHONMALLOC=malloc``), so that none of an
earlier output is used again and none is missed. That takes half as much time again: seconds are
measured elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import TracebackType
from typing import IO, Self, cast

from bench.lib.output_costs import Measured, Row, costs, load_outputs


class MemoryPass:
    """A process that measures memory, begun with the first question; a context manager."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.communicate()  # its input ends, and so does it

    def added(self, rows: list[Row]) -> list[Row]:
        """Return rows of one kind and size, whose seconds are known, with their memory."""
        if not rows:
            return []
        if self._process is None:
            self._process = _started()
        first, outputs = rows[0], [row.output for row in rows]
        question = json.dumps([first.kind, first.size, outputs, first.alone])
        print(question, file=self._process.stdin, flush=True)
        measured = [
            Row(*one) for one in json.loads(cast("IO[str]", self._process.stdout).readline())
        ]
        return [
            row._replace(more=one.more, peak=one.peak, fault=row.fault or one.fault)
            for row, one in zip(rows, measured, strict=True)
        ]


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import answer; answer()"],
        env={**os.environ, "PYTHONMALLOC": "malloc"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer() -> None:
    """Answer a line of kind, size, outputs and whether each is alone with a line of rows."""
    load_outputs()
    for line in sys.stdin:
        kind, size, outputs, alone = json.loads(line)
        rows = costs(kind, size, outputs, alone=alone, measured=Measured.MEMORY)
        print(json.dumps(rows), flush=True)
