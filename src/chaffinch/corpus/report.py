"""The report of a run: counts of shards, added up at any time, as JSON, lines and an HTML page."""

from __future__ import annotations

import heapq
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Final, Self

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from chaffinch.corpus.store import DONE, MARKER, Storage
from chaffinch.corpus.table import ERRORS
from chaffinch.errors import OptionError, SetupError

RUN: Final = "run.json"
"""File with the plan of a run."""

FAILED: Final = "failed"
"""Folder of the sources that could not be read."""

BINS: Final = 20
"""Bins of the confidence, 0 to 1."""

_HOSTS: Final = 100  # hosts of a shard with counts of their own, those with the most pages
_CAUSES: Final = 100  # causes of errors of a shard, the most frequent
_DOUBTS: Final = 20  # pages of a run that are named, those of the least confidence
_LONGEST: Final = 30  # bars of a plot; all others are one more bar
_NOT_IN_HTML: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


@dataclass
class Tally:
    """Counts of the pages of a shard or a run; its field names are stored in markers."""

    rows: int = 0  # rows written, those with errors included
    bytes: int = 0  # of HTML processed
    seconds: float = 0.0  # of processing in children
    peak: int = 0  # largest resident size of a child, KiB
    errors: Counter[str] = field(default_factory=Counter)  # rows by kind of error
    # rows by "kind: error in words", those of the most frequent
    causes: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)  # records that are no page, by reason
    # pages that the recipe excludes, by reason
    left_out: Counter[str] = field(default_factory=Counter)
    truncated: Counter[str] = field(default_factory=Counter)  # pages by why they aren't whole
    languages: Counter[str] = field(default_factory=Counter)  # pages by language
    # pages by predicted type, "" for none
    page_types: Counter[str] = field(default_factory=Counter)
    # pages by declared type, "" for none
    declared_types: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)  # pages by method
    # pages by the state that their assessment gives, where they were assessed
    states: Counter[str] = field(default_factory=Counter)
    # pages by bin of their confidence, "0" to "19"
    confidence: Counter[str] = field(default_factory=Counter)
    # pages by host, of each shard those with the most
    hosts: Counter[str] = field(default_factory=Counter)
    # pages by "host template", of the same hosts
    templates: Counter[str] = field(default_factory=Counter)
    # [confidence, address, title, place] of the pages with the least confidence
    doubts: list[list[Any]] = field(default_factory=list)

    def count(self, row: Mapping[str, Any]) -> None:
        self.rows += 1
        self.hosts[row["host"]] += 1
        if row["truncated"]:
            self.truncated[row["truncated"]] += 1
        if row.get("assessment"):
            self.states[row["assessment"]["state"]] += 1
        if row["error"]:
            self.errors[row["error"]] += 1
            self.causes[f"{row['error']}: {row['error_detail']:.100}"] += 1
            if len(self.causes) > 2 * _CAUSES:
                self.causes = Counter(dict(self.causes.most_common(_CAUSES)))
            return
        for name in ("language", "page_type", "declared_type", "method"):
            getattr(self, f"{name}s")[row.get(name) or ""] += 1
        if row.get("template"):
            self.templates[f"{row['host']} {row['template']}"] += 1
        confidence = row.get("confidence")
        if confidence is not None:
            self.confidence[str(min(BINS - 1, int(confidence * BINS)))] += 1
            place = ":".join(str(row[name]) for name in ("file", "member", "offset") if row[name])
            title = str(row.get("title") or "")
            self._add_doubts([[round(confidence, 4), row["url"][:500], title[:100], place[:500]]])

    def add(self, other: Self) -> None:
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif one.name == "peak":
                self.peak = max(mine, theirs)
            elif one.name != "doubts":
                setattr(self, one.name, mine + theirs)
        self._add_doubts(other.doubts)

    def _add_doubts(self, doubts: Sequence[list[Any]]) -> None:
        if len(self.doubts) < _DOUBTS or any(one < self.doubts[-1] for one in doubts):
            self.doubts = heapq.nsmallest(_DOUBTS, [*self.doubts, *doubts])

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; of a long list of hosts those with the most pages."""
        plain = {name: dict(v) if isinstance(v, Counter) else v for name, v in vars(self).items()}
        hosts = plain["hosts"] = dict(self.hosts.most_common(_HOSTS))
        plain["causes"] = dict(self.causes.most_common(_CAUSES))
        plain["templates"] = {
            name: count for name, count in self.templates.items() if name.split(" ")[0] in hosts
        }
        return plain

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        tally = cls()
        for name, value in values.items():
            before = getattr(tally, name)
            if isinstance(before, Counter):
                before.update({key: _number(count) for key, count in value.items()})
            elif name == "doubts":
                tally.doubts = [
                    [_number(confidence), *map(str, [url, title, place])]
                    for confidence, url, title, place in value[:_DOUBTS]
                ]
            else:
                setattr(tally, name, _number(value))
        return tally


def _number(value: Any) -> Any:
    if not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"a count must be a number from 0 on, not {value!r:.80}")
    return value


@dataclass(frozen=True, kw_only=True)
class RunReport:
    """The report of a run."""

    about: Mapping[str, Any]  # plan, versions and number of shards
    done: int  # shards that are done
    tally: Tally  # counts of all of them
    seconds: float  # in which at least one shard was worked on
    failed: Mapping[str, str]  # shard → why it failed
    # number of clusters, and of pages in them other than the first; empty where duplicates are kept
    duplicates: Mapping[str, int]

    @property
    def rate(self) -> float:
        return self.tally.rows / self.seconds if self.seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {**vars(self), "pages_per_second": self.rate, "tally": self.tally.to_dict()}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, sort_keys=True)

    def to_html(self) -> str:
        """Return all of it as one self-contained HTML page."""
        tally = self.tally
        bins = {
            f"from {number / BINS:.2f}": tally.confidence[str(number)] for number in range(BINS)
        }
        return _template().render(
            out=self.about["plan"]["out"],
            figures=list(self._figures()),
            tally=tally,
            errors={f"{kind}: {ERRORS.get(kind, '')}": n for kind, n in tally.errors.items()},
            confidence=bins if tally.confidence else {},
            failed=self.failed,
            bars_of=_bars,
        )

    def _figures(self) -> Iterator[tuple[str, str]]:
        tally = self.tally
        errors = tally.errors.total()
        yield "shards", f"{self.done:,} of {self.about['shards']:,}"
        yield "pages", f"{tally.rows:,}"
        yield "with errors", f"{errors:,} ({errors / max(tally.rows, 1):.3%})"
        yield "records lost", f"{tally.errors['record']:,}"
        yield "HTML", f"{tally.bytes / 1e6:,.1f} MB"
        yield "time", f"{self.seconds:,.1f} s"
        yield "pages a second", f"{self.rate:,.1f}"
        yield "milliseconds of a child by page", f"{1000 * tally.seconds / max(tally.rows, 1):.2f}"
        yield "largest child", f"{tally.peak / 1024:,.0f} MiB"
        if self.duplicates:
            yield "clusters of pages alike", f"{self.duplicates['clusters']:,}"
            yield "pages in them but for the first", f"{self.duplicates['others']:,}"
        yield "schema", str(self.about["schema"])
        yield "chaffinch", str(self.about["chaffinch"])


def _bars(
    counts: Mapping[str, int], unknown: str, *, in_order: bool
) -> list[tuple[str, int, float, float]]:
    """Return name, count, share (0..1) and width (0..100) of each bar, the largest first."""
    named = [(name or unknown, count) for name, count in counts.items()]
    if not in_order:
        named.sort(key=lambda one: (-one[1], one[0]))
    more = sum(count for _, count in named[_LONGEST:])
    named = [*named[:_LONGEST], *([("all others", more)] if more else [])]
    # a damaged journal may hold counts of 0
    highest, total = max(count for _, count in named) or 1, sum(counts.values()) or 1
    return [(name, count, count / total, 100 * count / highest) for name, count in named]


def read_run(storage: Storage) -> dict[str, Any] | None:
    return storage.read_json(RUN, plan=(dict,), schema=(int,), date=(str,), shards=(int,))


def read_report(out: str) -> RunReport:
    """Return the report of the run in a folder, also while it runs.

    Raises:
        OptionError: the folder holds no run.
        SetupError: one of its files is broken.
    """
    storage = Storage(out)
    about = read_run(storage)
    if about is None:
        raise OptionError(f"{out} holds no run")
    tally, seconds, until = Tally(), 0.0, 0.0
    spans: list[tuple[float, float]] = []
    names = storage.names(DONE, ".json")
    for name, marker in storage.read_jsons(names, **MARKER):
        try:
            tally.add(Tally.from_dict(marker["tally"]))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise SetupError(f"{storage.path(name)} is broken: {error}") from error
        spans.append((marker["start"], marker["end"]))
    for start, end in sorted(spans):
        seconds += max(0.0, end - max(start, until))
        until = max(until, end)
    failed = storage.read_jsons(storage.names(FAILED, ".json"), problem=(str,))
    return RunReport(
        about=about,
        done=len(names),
        tally=tally,
        seconds=seconds,
        failed={
            name.removeprefix(f"{FAILED}/").removesuffix(".json"): found["problem"]
            for name, found in failed
        },
        duplicates=storage.read_json("duplicates.json", clusters=(int,), others=(int,)) or {},
    )


@cache
def _template() -> Template:
    """Return the page's template: every value is escaped, and without what no HTML may hold."""

    def allowed(value: Any) -> Any:
        is_plain = isinstance(value, str) and not isinstance(value, Markup)
        return _NOT_IN_HTML.sub("\ufffd", value) if is_plain else value

    return Environment(
        loader=PackageLoader("chaffinch", ""),
        autoescape=True,
        finalize=allowed,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    ).get_template("corpus/report.html")
