"""Guarded children: processes with limits of time and memory for each call, and pools of them.

The public names. `ChildPool` runs any importable function; docs/workers.md shows how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.errors import WorkerError
    from chaffinch.workers.guarded_pool import ChildPool
    from chaffinch.workers.protocol import PageLimits
else:
    __getattr__ = exporter(__name__)

__all__ = ["ChildPool", "PageLimits", "WorkerError"]
