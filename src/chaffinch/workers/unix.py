"""What only Unix has: limits of a process' memory and time, and locks on files."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from chaffinch.errors import SetupError

_MODULES: Final = ("fcntl", "resource")


def require_unix(what: str) -> None:
    """Check that the system has the limits that guarded children and the service need.

    Raises:
        SetupError: it hasn't, as Windows.
    """
    if missing := [name for name in _MODULES if find_spec(name) is None]:
        raise SetupError(
            f"{what} needs limits of processes that only Unix has ({', '.join(missing)}): use Linux"
            " or macOS; on Windows, WSL or a container"
        )
