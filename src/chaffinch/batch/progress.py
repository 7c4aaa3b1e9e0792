"""What a run shows while it works: pages, pages a second, errors by kind, time left."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any, Self, TextIO

from chaffinch.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch.record import Record
    from chaffinch.batch.shard import ShardOutcome
    from chaffinch.batch.sources import Shard
    from chaffinch.workers.messages import Answer

_BYTES = frozenset({"warc", "zip", "tar"})  # kinds of sources whose offsets are bytes
_BAR = "{percentage:3.0f}% |{bar}| {desc} [{elapsed}, left {remaining}]"


class Bar:
    """A progress bar; a context manager.

    How far a run is is told by the bytes of its sources: within an archive by where its last page
    stood, in a folder or a list by the pages that are done, in a table once it is through.

    Args:
        file: where it is drawn.
        is_shown: draw it; else it only counts.

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
        self._is_told = False
        self.errors: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def begin(self, todo: Sequence[Shard], done: Sequence[ShardOutcome]) -> None:
        """Be told what is to do, and what earlier runs did."""
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
        self._say()

    def page(self, record: Record, answer: Answer) -> None:
        """Count a page."""
        with self._lock:
            self._pages += 1
            self._is_told = True
            name, is_bytes = self._shard_of.get(record.file, ("", False))
            if name:
                self._reached[name] = record.offset if is_bytes else self._reached[name] + 1
            if answer.error:
                self.errors[answer.error] += 1
            self._say()

    def shard(self, outcome: ShardOutcome) -> None:
        """Count a shard, and its pages where they weren't told of one by one."""
        with self._lock:
            self._reached[outcome.name] = self._weights[outcome.name]
            if outcome.marker and not self._is_told:
                self._pages += outcome.marker["tally"]["rows"]
                self.errors.update(outcome.marker["tally"]["errors"])
            self._say()

    def _say(self) -> None:
        elapsed = self._bar.format_dict["elapsed"]
        errors = ", ".join(f"{kind} {count:,}" for kind, count in self.errors.most_common(4))
        rate = self._pages / elapsed if elapsed else 0.0
        self._bar.set_description_str(
            f"{self._pages:,} pages, {rate:,.0f}/s" + (f", errors: {errors}" if errors else ""),
            refresh=False,
        )
        self._bar.n = self._before + self._reached.total()
        self._bar.update(0)
