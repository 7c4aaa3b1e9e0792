"""The compiled library."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from chaffinch.errors import SetupError

try:
    native: Any = import_module("chaffinch.kernels._native")
except ImportError as error:
    raise SetupError(
        "the kernels aren't compiled: install a wheel of Chaffinch, or a C compiler with Python's"
        " headers and then Chaffinch from its source; see docs/installing.md"
    ) from error
