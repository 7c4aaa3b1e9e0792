"""Counts of the pages of shards: small, and added up in any order to those of the run."""

from __future__ import annotations

import json
import math
import threading
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, Self, TextIO

from chaffinch.corpus.store import DONE, MARKER, Storage
from chaffinch.corpus.table import ERRORS
from chaffinch.errors import MissingExtraError, OptionError, SetupError
from chaffinch.reports.templates import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.corpus.sources import Record, Shard
    from chaffinch.corpus.store import ShardOutcome
    from chaffinch.workers.protocol import Reply


BINS: Final = 20
"""Bins of the confidence, 0 to 1."""

_HOSTS: Final = 100  # hosts of a shard with counts of their own, those with the most pages


Uses = dict[str, dict[str, dict[str, float]]]
"""Host → template of its model ("" for none) → sums of `chaffinch.site.model.TemplateUse`."""


@dataclass
class Tally:
    """Counts of the pages of a shard or a run; its field names are stored in markers.

    Attributes:
        rows: rows written, those with errors included.
        bytes: of HTML processed.
        seconds: of processing in children.
        peak: largest resident size of a child, KiB.
        errors: rows by kind of error.
        skipped: records that are no page, by reason.
        left_out: pages that the recipe excludes, by reason.
        truncated: pages by why they aren't whole.
        languages: pages by language.
        page_types: pages by predicted type, "" for none.
        declared_types: pages by declared type, "" for none.
        methods: pages by method.
        states: pages by the state that their assessment gives, where they were assessed.
        confidence: pages by bin of their confidence, "0" to "19".
        hosts: pages by host, of each shard those with the most.
        templates: pages by "host template", of the same hosts.
        uses: counts of use of site models, of the same hosts, from which drift is computed.
    """

    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0
    peak: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    truncated: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    page_types: Counter[str] = field(default_factory=Counter)
    declared_types: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)
    confidence: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)
    uses: Uses = field(default_factory=dict)

    def count(self, row: Mapping[str, Any]) -> None:
        """Count a row of the output."""
        self.rows += 1
        self.hosts[row["host"]] += 1
        if row["truncated"]:
            self.truncated[row["truncated"]] += 1
        if row.get("assessment"):
            self.states[row["assessment"]["state"]] += 1
        if row["error"]:
            self.errors[row["error"]] += 1
            return
        self.languages[row.get("language") or ""] += 1
        self.page_types[row.get("page_type") or ""] += 1
        self.declared_types[row.get("declared_type") or ""] += 1
        self.methods[row.get("method") or ""] += 1
        if row.get("template"):
            self.templates[f"{row['host']} {row['template']}"] += 1
        if row.get("uses"):
            self._add_uses({row["host"]: row["uses"]})
        if row.get("confidence") is not None:
            self.confidence[str(min(BINS - 1, int(row["confidence"] * BINS)))] += 1

    def add(self, other: Self) -> None:
        """Add the counts of another tally."""
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif one.name == "uses":
                self._add_uses(theirs)
            elif one.name == "peak":
                self.peak = max(mine, theirs)
            else:
                setattr(self, one.name, mine + theirs)

    def _add_uses(self, other: Uses) -> None:
        for host, templates in other.items():
            for template, sums in templates.items():
                mine = self.uses.setdefault(host, {}).setdefault(template, {})
                for name, value in sums.items():
                    mine[name] = mine.get(name, 0) + value

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; of a long list of hosts those with the most pages."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        hosts = dict(self.hosts.most_common(_HOSTS))
        templates = {
            name: count for name, count in self.templates.items() if name.split(" ")[0] in hosts
        }
        uses = {host: found for host, found in self.uses.items() if host in hosts}
        plain = {name: dict(v) if isinstance(v, Counter) else v for name, v in values.items()}
        return {**plain, "hosts": hosts, "templates": templates, "uses": uses}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return a tally from the values of `to_dict`.

        Raises:
            ValueError: a count is none.
            LookupError, TypeError, AttributeError: they are something else.
        """
        blank = cls()
        made: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(getattr(blank, name), Counter):
                made[name] = Counter({key: _number(count) for key, count in value.items()})
            elif name == "uses":
                made[name] = {
                    host: {
                        template: {key: _number(total) for key, total in sums.items()}
                        for template, sums in templates.items()
                    }
                    for host, templates in value.items()
                }
            else:
                made[name] = _number(value)
        return cls(**made)


def _number(value: Any) -> Any:
    """Return a count or a sum.

    Raises:
        ValueError: it is no number from 0 on.
    """
    if not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"a count must be a number from 0 on, not {value!r:.80}")
    return value


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
        drift: as `chaffinch.corpus.sites.drift_of` returns it, of the hosts with the most pages of
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


_WIDTH, _HEIGHT = 640, 140
_LONGEST: Final = 30  # bars of a plot; all others are one more bar


def as_html(report: RunReport) -> str:
    """Return the page."""
    tally = report.tally
    bins = {f"from {number / BINS:.2f}": tally.confidence[str(number)] for number in range(BINS)}
    drift = report.drift.get("findings", {})
    return render(
        "corpus/report.html",
        out=report.about["plan"]["out"],
        figures=list(_figures(report)),
        course=_course(report.course()),
        tally=tally,
        errors={f"{kind}: {ERRORS.get(kind, '')}": n for kind, n in tally.errors.items()},
        confidence=bins if tally.confidence else {},
        changes={host: "; ".join(found) for host, found in drift.items()},
        failed=report.failed,
        bars_of=_bars,
    )


def _figures(report: RunReport) -> Iterator[tuple[str, str]]:
    tally = report.tally
    errors = tally.errors.total()
    yield "shards", f"{report.done:,} of {report.about['shards']:,}"
    yield "pages", f"{tally.rows:,}"
    yield "with errors", f"{errors:,} ({errors / max(tally.rows, 1):.3%})"
    yield "records lost", f"{tally.errors['record']:,}"
    yield "HTML", f"{tally.bytes / 1e6:,.1f} MB"
    yield "time", f"{report.seconds:,.1f} s"
    yield "pages a second", f"{report.rate:,.1f}"
    yield "milliseconds of a child by page", f"{1000 * tally.seconds / max(tally.rows, 1):.2f}"
    yield "largest child", f"{tally.peak / 1024:,.0f} MiB"
    if report.duplicates:
        yield "clusters of pages alike", f"{report.duplicates['clusters']:,}"
        yield "pages in them but for the first", f"{report.duplicates['others']:,}"
    if report.drift:
        changed = len(report.drift["findings"])
        yield "sites whose models were used", f"{report.drift['sites']:,}, {changed:,} changed"
    yield "schema", str(report.about["schema"])
    yield "chaffinch", str(report.about["chaffinch"])


def _course(course: Sequence[tuple[float, float]]) -> dict[str, Any]:
    """Return the values for the plot of pages a second over time; {} where there are none."""
    if not course:
        return {}
    highest = max(rate for _, rate in course) or 1.0
    last = course[-1][0] or 1.0
    points = " ".join(
        f"{_WIDTH * at / last:.1f},{_HEIGHT * (1 - rate / highest):.1f}" for at, rate in course
    )
    return {"highest": highest, "last": last, "points": points, "width": _WIDTH, "height": _HEIGHT}


def _bars(
    counts: Mapping[str, int], unknown: str, *, in_order: bool
) -> list[tuple[str, int, float, float]]:
    """Return name, count, share (0..1) and width (0..100) of each bar, the largest first."""
    named = [(name or unknown, count) for name, count in counts.items()]
    if not in_order:
        named.sort(key=lambda one: (-one[1], one[0]))
    more = sum(count for _, count in named[_LONGEST:])
    named = [*named[:_LONGEST], *([("all others", more)] if more else [])]
    highest, total = max(count for _, count in named) or 1, sum(counts.values())
    return [(name, count, count / total, 100 * count / highest) for name, count in named]


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
