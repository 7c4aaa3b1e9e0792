"""The compiled library."""

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


class MissingKernelError(SetupError, AttributeError):
    """The library lacks a kernel: its sources changed after it was compiled."""


def _missing(name: str) -> Any:
    raise MissingKernelError(
        f"the kernels were compiled from other sources, without {name}: compile them anew, by make"
        " or pip install --no-deps --editable ."
    )


native.__getattr__ = _missing
