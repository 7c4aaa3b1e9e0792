"""What a caller can pass to `chaffinch.batch.run` to follow its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch.record import Record
    from chaffinch.batch.shard import ShardOutcome
    from chaffinch.batch.sources.shards import Shard
    from chaffinch.workers.messages import Reply


class RunListener(Protocol):
    """Receives the progress of a run; called from several threads."""

    def begin(self, todo: Sequence[Shard], done: Sequence[ShardOutcome]) -> None:
        """Receive the shards still to do, and the outcomes of those that earlier runs finished."""

    def page(self, record: Record, reply: Reply) -> None:
        """Receive one page; called by engines that work in this process only."""

    def shard(self, outcome: ShardOutcome) -> None:
        """Receive the outcome of a shard."""
