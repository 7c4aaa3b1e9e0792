"""From archives to tables: many pages at a time, on one machine or a cluster.

`run` is the whole run; it submits `process_shard` to an engine. An extractor of one's own is made
with `Recipe`, `Record` and `Extraction`; `learn_sites` learns models of many sites. It needs
``chaffinch[batch]``; each name is loaded when it is used, so that a child process loads what it
needs alone.
"""

from functools import partial
from typing import TYPE_CHECKING

from chaffinch.errors import MissingExtraError
from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.corpus.learning import learn_sites
    from chaffinch.corpus.report import RunReport, read_report
    from chaffinch.corpus.rows import Extraction
    from chaffinch.corpus.runs import process_shard, run
    from chaffinch.corpus.sources import Plan, Recipe, Record, Shard, find_shards
    from chaffinch.workers.protocol import PageLimits
else:
    __getattr__ = exporter(__name__, partial(MissingExtraError.of, extra="batch"))

__all__ = [
    "Extraction", "PageLimits", "Plan", "Recipe", "Record", "RunReport", "Shard", "find_shards",
    "learn_sites", "process_shard", "read_report", "run",
]  # fmt: skip
