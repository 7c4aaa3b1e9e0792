"""An extractor for the test archive: a page that asks for harm does it; others are as ever.

Named to a run as ``--extractor bench.lib.perils:Perilous`` with the repository's root on the path.
"""

from __future__ import annotations

import ctypes
import os
import re
import time
from typing import Any

from chaffinch.corpus.sources import Recipe, Record

_ASKED = re.compile(rb"<!--peril:(\w+)-->")
_LONG = 3600


def _eat() -> None:
    held = []
    while True:
        held.append(bytearray(64 << 20))


def _spin() -> None:
    while True:
        pass


DO = {
    "hang": lambda: time.sleep(_LONG),
    "hold": lambda: ctypes.PyDLL(None).sleep(_LONG),
    "exit": lambda: os._exit(3),
    "exit0": lambda: os._exit(0),
    "segfault": lambda: ctypes.string_at(0),
    "memory": _eat,
    "spin": _spin,
}
"""What a page may ask for → what does it: sleep, sleep with the interpreter's lock, exit, …"""


class Perilous:
    """Does what a page asks for, then extracts it."""

    def __init__(self, recipe: Recipe) -> None:
        from chaffinch.corpus.rows import Extraction  # noqa: PLC0415 - others take DO alone

        self._extraction = Extraction(recipe)

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the row of a page that leaves the process alive."""
        if asked := _ASKED.search(record.html, 0, 2000):
            DO[asked[1].decode()]()
        return self._extraction(record)
