"""What a run shows while it works: pages, pages a second, errors by kind, time left."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any, Self, TextIO

from chaffinch.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch.messages import Answer
    from chaffinch.batch.records import Record
    from chaffinch.batch.shard import Outcome
    from chaffinch.batch.sources import Shard

_BAR = "{percentage:3.0f}% |{bar}| {desc} [{elapsed}, left {remaining}]"


class Bar:
    """A progress bar; a context manager.

    How far a run is is told by the bytes of its sources; within a shard by how many of its pages
    were worked on, against the mean of the shards before it.

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
        self._pages = 0
        self._counted: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def begin(self, todo: Sequence[Shard], done: Sequence[Outcome]) -> None:
        """Be told what is to do, and what earlier runs did."""
        self._weights = {shard.name: max(shard.size, 1) for shard in todo}
        before = sum(max(one.marker["size"], 1) for one in done if one.marker)
        self._bar.total = before + sum(self._weights.values())
        self._bar.initial = before
        self._bar.n = before
        self._pages = 0
        self._counted.clear()
        self._say()

    def page(self, record: Record, answer: Answer) -> None:
        """Count a page."""
        with self._lock:
            self._pages += 1
            self._counted[record.source] += 1
            if answer.error:
                self.errors[answer.error] += 1
            self._say()

    def shard(self, outcome: Outcome) -> None:
        """Count a shard, and its pages where they weren't told of one by one."""
        with self._lock:
            if outcome.marker and not self._counted:
                self._pages += outcome.marker["tally"]["rows"]
                self.errors.update(outcome.marker["tally"]["errors"])
            self._bar.update(self._weights[outcome.name])
            self._say()

    def _say(self) -> None:
        elapsed = self._bar.format_dict["elapsed"]
        errors = ", ".join(f"{kind} {count:,}" for kind, count in self.errors.most_common(4))
        rate = self._pages / elapsed if elapsed else 0.0
        self._bar.set_description_str(
            f"{self._pages:,} pages, {rate:,.0f}/s" + (f", errors: {errors}" if errors else ""),
            refresh=False,
        )
        self._bar.update(0)
