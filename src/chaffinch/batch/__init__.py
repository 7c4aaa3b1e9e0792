"""From archives to tables: many pages at a time, on one machine or a cluster.

`run` is the whole run; it submits `process_shard` and `process_bucket` to an engine. An extractor
of one's own is made with `Recipe`, `Record` and `Extraction`. `import chaffinch` imports nothing of
this, and each name is loaded when it is used, so that a child process loads only what it needs. It
needs ``chaffinch[batch]``.
"""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.batch.extraction import Extraction
    from chaffinch.batch.orchestration import run
    from chaffinch.batch.plan import Plan
    from chaffinch.batch.recipe import Recipe
    from chaffinch.batch.record import Record
    from chaffinch.batch.report import RunReport, read_report
    from chaffinch.batch.shard import process_shard
    from chaffinch.batch.sites import process_bucket
    from chaffinch.batch.sources.shards import Shard, find_shards
    from chaffinch.workers.limits import PageLimits
else:
    __getattr__ = exporter(
        __name__,
        {
            "Extraction": "chaffinch.batch.extraction",
            "PageLimits": "chaffinch.workers.limits",
            "Plan": "chaffinch.batch.plan",
            "Recipe": "chaffinch.batch.recipe",
            "Record": "chaffinch.batch.record",
            "RunReport": "chaffinch.batch.report",
            "Shard": "chaffinch.batch.sources.shards",
            "find_shards": "chaffinch.batch.sources.shards",
            "process_bucket": "chaffinch.batch.sites",
            "process_shard": "chaffinch.batch.shard",
            "read_report": "chaffinch.batch.report",
            "run": "chaffinch.batch.orchestration",
        },
    )

__all__ = [
    "Extraction", "PageLimits", "Plan", "Recipe", "Record", "RunReport", "Shard", "find_shards",
    "process_bucket", "process_shard", "read_report", "run",
]  # fmt: skip
