"""The progress bar of a run: pages, pages a second, errors by kind, time left."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any, Self, TextIO

from chaffinch.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch.record import Record
    from chaffinch.batch.shard import ShardOutcome
    from chaffinch.batch.sources.shards import Shard
    from chaffinch.workers.messages import Reply

_BYTES = frozenset({"warc", "zip", "tar"})  # kinds of sources whose offsets are bytes
_BAR = "{percentage:3.0f}% |{bar}| {desc} [{elapsed}, left {remaining}]"


class ProgressBar:
    """A progress bar that listens to a run; a context manager.

    Progress is measured in bytes of the sources: within an archive by the offset of its last page,
    in a folder or a list by the number of pages done, for a table when it is finished.

    Args:
        file: where it is drawn.
        is_shown: draw it; otherwise it only counts.

    Raises:
        MissingExtraError: tqdm isn't installed.
    """

    def __init__(self, file: TextIO, *, is_shown: bool) -> None:
        try:
            from tqdm import tqdm  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtraError.of("tqdm", "batch") from None
        self._bar: Any = tqdm(
            total=1, file=file, disable=not is_shown, bar_format=_BAR, mininterval=0.5
        )
        self._lock = threading.Lock()
        self._weights: dict[str, int] = {}
        self._shard_of: dict[str, tuple[str, bool]] = {}  # by source; whether offsets are bytes
        self._reached: Counter[str] = Counter()
        self._before = self._pages = 0
        self._counts_pages = False
        self.errors: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def begin(self, todo: Sequence[Shard], done: Sequence[ShardOutcome]) -> None:
        """Begin with the shards to do, and the outcomes of those that earlier runs finished."""
        self._weights = {shard.name: max(shard.size, 1) for shard in todo}
        self._shard_of = {
            source: (shard.name, shard.kind in _BYTES)
            for shard in todo
            if shard.items or shard.kind in _BYTES
            for source in shard.items or (shard.source,)
        }
        self._before = sum(max(one.marker["size"], 1) for one in done if one.marker)
        self._reached.clear()
        self._pages = 0
        self._bar.total = self._before + sum(self._weights.values())
        self._bar.initial = self._before
        self._refresh()

    def page(self, record: Record, answer: Reply) -> None:
        """Count a page."""
        with self._lock:
            self._pages += 1
            self._counts_pages = True
            name, is_bytes = self._shard_of.get(record.file, ("", False))
            if name:
                self._reached[name] = record.offset if is_bytes else self._reached[name] + 1
            if answer.error:
                self.errors[answer.error] += 1
            self._refresh()

    def shard(self, outcome: ShardOutcome) -> None:
        """Count a shard, and its pages where they weren't counted one by one."""
        with self._lock:
            self._reached[outcome.name] = self._weights[outcome.name]
            if outcome.marker and not self._counts_pages:
                self._pages += outcome.marker["tally"]["rows"]
                self.errors.update(outcome.marker["tally"]["errors"])
            self._refresh()

    def _refresh(self) -> None:
        elapsed = self._bar.format_dict["elapsed"]
        errors = ", ".join(f"{kind} {count:,}" for kind, count in self.errors.most_common(4))
        rate = self._pages / elapsed if elapsed else 0.0
        self._bar.set_description_str(
            f"{self._pages:,} pages, {rate:,.0f}/s" + (f", errors: {errors}" if errors else ""),
            refresh=False,
        )
        self._bar.n = self._before + self._reached.total()
        self._bar.update(0)
