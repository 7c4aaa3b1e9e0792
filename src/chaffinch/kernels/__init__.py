"""Loops over columns in C, for those who have them: the same results, sooner.

Whatever is computed here numpy or plain Python computes, too: a function that calls a kernel holds
both ways, and the tests want the same bits from each. What a kernel takes and gives stands in the
comment above it.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from types import ModuleType

SWITCH: Final = "CHAFFINCH_COMPILED"
"""Environment variable; 0 leaves the kernels unused."""
_IS_64_BIT: Final = sys.maxsize > 1 << 32


def _load() -> ModuleType | None:
    name = f"{__name__}._native"
    if os.environ.get(SWITCH) == "0" or not _IS_64_BIT or find_spec(name) is None:
        return None
    return import_module(name)


_KERNELS: ModuleType | None = _load()


def kernels() -> ModuleType | None:
    """Return the compiled functions.

    None where the extension wasn't built (no compiler) or ``CHAFFINCH_COMPILED=0`` switches it off.
    """
    return _KERNELS
