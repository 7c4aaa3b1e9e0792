"""Provenance of figures: date, machine, versions, command."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from chaffinch.version import __version__


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The date, machine, versions and command of a run."""

    date: str
    python: str
    platform: str
    cpu: str
    chaffinch: str
    command: str


def current_provenance(command: str = "") -> Provenance:
    """Return the provenance of a run that ends now."""
    return Provenance(
        date=datetime.now(UTC).strftime("%Y-%m-%d"),
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        cpu=_cpu_name(),
        chaffinch=__version__,
        command=command,
    )


def _cpu_name() -> str:
    """Return the processor's name: of /proc/cpuinfo on Linux, elsewhere as Python has it."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
