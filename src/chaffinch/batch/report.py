"""The report of a run, read from the markers of its shards, at any time, also while it runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from chaffinch.batch.storage import DONE, MARKER, Storage
from chaffinch.batch.tally import Tally
from chaffinch.errors import OptionError, SetupError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RUN: Final = "run.json"
"""File with the plan of a run."""

FAILED: Final = "failed"
"""Folder of the sources that could not be read."""

DRIFT: Final = "drift.json"
"""File with the drift of the run's sites, written once all pages are extracted."""

_STEPS: Final = 60  # intervals of the course of a run


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """The report of a run.

    Attributes:
        about: plan, versions and number of shards.
        done: shards that are done.
        tally: counts of all of them.
        spans: start, end (seconds since 1970) and rows of each shard.
        failed: shard → why it failed.
        duplicates: number of clusters, and of pages in them other than the first; empty where
            duplicates are kept.
        drift: as `chaffinch.batch.drift.drift_of` returns it, of the hosts with the most pages of
            each shard; empty without site models, and before all pages are extracted.
    """

    about: Mapping[str, Any]
    done: int
    tally: Tally
    spans: Sequence[tuple[float, float, int]] = field(repr=False)
    failed: Mapping[str, str]
    duplicates: Mapping[str, int]
    drift: Mapping[str, Any]

    @property
    def seconds(self) -> float:
        """Seconds in which at least one shard was worked on."""
        total, until = 0.0, 0.0
        for start, end, _ in sorted(self.spans):
            total += max(0.0, end - max(start, until))
            until = max(until, end)
        return total

    @property
    def rate(self) -> float:
        """Pages a second in the mean."""
        return self.tally.rows / self.seconds if self.seconds else 0.0

    def course(self) -> list[tuple[float, float]]:
        """Return pages a second over time: seconds from the start, and the rate from there on.

        A shard's pages count as spread evenly over its time.
        """
        if not self.spans:
            return []
        first = min(start for start, _, _ in self.spans)
        last = max(end for _, end, _ in self.spans)
        step = max((last - first) / _STEPS, 0.001)
        rates = [0.0] * _STEPS
        for start, end, rows in self.spans:
            rate = rows / max(end - start, 0.001)
            for number in range(_STEPS):
                low = first + number * step
                shared = min(end, low + step) - max(start, low)
                rates[number] += rate * max(0.0, shared) / step
        return [(number * step, rate) for number, rate in enumerate(rates)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "about": dict(self.about),
            "done": self.done,
            "seconds": self.seconds,
            "pages_per_second": self.rate,
            "tally": self.tally.to_dict(),
            "failed": dict(self.failed),
            "duplicates": dict(self.duplicates),
            "drift": dict(self.drift),
            "course": self.course(),
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, sort_keys=True)


def read_run(storage: Storage) -> dict[str, Any] | None:
    """Return what run.json holds of the run in a folder; None where there is none.

    Raises:
        SetupError: it is broken.
    """
    return storage.read_json(RUN, plan=(dict,), schema=(int,), date=(str,), shards=(int,))


def read_report(out: str) -> RunReport:
    """Return the report of the run in a folder.

    Raises:
        OptionError: the folder holds no run.
        SetupError: one of its files is broken.
    """
    storage = Storage(out)
    about = read_run(storage)
    if about is None:
        raise OptionError(f"{out} holds no run")
    tally = Tally()
    spans = []
    names = storage.names(DONE, ".json")
    for name, marker in storage.read_jsons(names, **MARKER):
        try:
            one = Tally.from_dict(marker["tally"])
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise SetupError(f"{storage.path(name)} is broken: {error}") from error
        spans.append((marker["start"], marker["end"], one.rows))
        tally.add(one)
    failed = {
        name.removeprefix(f"{FAILED}/").removesuffix(".json"): found["problem"]
        for name, found in storage.read_jsons(storage.names(FAILED, ".json"), problem=(str,))
    }
    return RunReport(
        about=about,
        done=len(names),
        tally=tally,
        spans=spans,
        failed=failed,
        duplicates=storage.read_json("duplicates.json", clusters=(int,), others=(int,)) or {},
        drift=storage.read_json(DRIFT, sites=(int,), findings=(dict,)) or {},
    )
