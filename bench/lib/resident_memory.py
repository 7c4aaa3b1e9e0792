"""Memory of this process that is resident, as Linux counts it."""

from __future__ import annotations

from pathlib import Path


def resident(name: str) -> int:
    """Return bytes of a line of the process's status: ``VmRSS:`` now, ``VmHWM:`` at most."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition(name)[2].split()[0]) << 10


def forget_peak() -> None:
    """Let the peak begin anew; that of the system's `getrusage` is even the parent's."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
