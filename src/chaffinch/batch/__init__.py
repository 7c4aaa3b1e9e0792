"""From archives to tables: many pages at a time, on one machine or a cluster.

`run` does it all; `process_shard` and `process_bucket` are what it places. Nothing here is imported
by `import chaffinch`; it needs ``chaffinch[batch]``.
"""

from __future__ import annotations

import importlib
from typing import Any

_ROOMS = {
    "PageLimits": "workers.limits",
    "Plan": "batch.plan",
    "Recipe": "batch.plan",
    "Record": "batch.record",
    "RunReport": "batch.report",
    "Shard": "batch.sources",
    "find_shards": "batch.sources",
    "process_bucket": "batch.sites",
    "process_shard": "batch.shard",
    "read_report": "batch.report",
    "run": "batch.orchestration",
}

__all__ = sorted(_ROOMS)  # noqa: PLE0605 - a list of the names above


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for, so that a child loads only what it needs."""
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"chaffinch.{_ROOMS[name]}"), name)
