"""Figures of a run: by system, corpus, page type and language, as tables in Markdown and as JSON.

Every figure follows from the column sums of one matrix with a row a page, so that the same code
gives the figure of a group and of every bootstrap sample of it. The JSON holds no page's text,
URL or id: it can be published.
"""

import json
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.version import __version__
from chaffinch.wording import counted

Figures = NDArray[np.float64]

_COLUMNS = {
    "word_f1": "word F1", "word_precision": "P", "word_recall": "R", "shingle_f1": "4-gram F1",
    "rouge_l": "ROUGE-L", "share": "share", "good": "good", "block_recall": "noise blocks R",
    "block_precision": "noise blocks P", "snippet_f1": "snippet F1",
    "snippet_precision": "snippet P", "snippet_recall": "snippet R",
}  # fmt: skip
_MEANS = ("word_f1", "word_precision", "word_recall", "rouge_l", "share", "good")
_ADDENDS = (
    "gold", *_MEANS, "with_output", "shingle_precision", "with_gold", "shingle_recall", "hits",
    "noise", "missed", "noise_found", "noise_blocks", "dropped_blocks",
)  # fmt: skip
_GROUPS = {"page_type": "page type", "lang": "language"}
_CPU: Final = re.compile(r"^model name[^\S\n]*:([^\n]*)", re.MULTILINE)


def main_figure(corpus: str) -> str:
    """Return the figure by which systems are ranked on a corpus: word F1 but for two benchmarks."""
    ranked = {"scrapinghub": "shingle_f1", "trafilatura_eval": "snippet_f1"}
    return ranked.get(corpus, "word_f1")


@dataclass(frozen=True, kw_only=True)
class PageResult:
    """The result of one system on one page.

    ``seconds`` is the time of the extraction alone, from bytes to text. ``error`` names the
    exception where the system failed ("" where it didn't); a failed page is scored as an empty
    output. ``scores`` are of `chaffinch.evaluate.scoring.score_page`.
    """

    system: str
    page: LabelledPage
    seconds: float
    is_empty: bool
    error: str
    scores: Mapping[str, float]


class Figure(NamedTuple):
    """A figure in 0..1 with its 95 % interval; no interval where there is one domain only."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """One system's figures on one group of pages.

    ``kind`` is ``all``, ``page_type`` or ``lang``, and ``group`` the page type or language ("" for
    all). ``figures`` holds those that the group's labels allow. ``empty`` counts outputs without a
    character, failures included; ``errors`` counts failures by the name of the exception.
    ``left_out`` counts pages of a whole corpus that a method which compares wasn't run on, for
    they have no siblings; they are in no other figure.
    """

    system: str
    corpus: str
    kind: str = "all"
    group: str = ""
    pages: int = 0
    domains: int = 0
    empty: int = 0
    errors: Mapping[str, int]
    ms_mean: float = 0.0
    ms_median: float = 0.0
    pages_per_second: float = 0.0
    figures: Mapping[str, Figure]
    left_out: int = 0


class SystemInfo(NamedTuple):
    """A system: name, version, setting, and a note on its figures."""

    name: str
    version: str
    setting: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A run: where it was made, its systems, their figures, its pages."""

    about: Mapping[str, str]
    systems: tuple[SystemInfo, ...]
    summaries: tuple[Summary, ...]
    results: tuple[PageResult, ...] = ()

    def to_json(self) -> str:
        """Return the report as JSON, a line a summary; a figure is its value, or with its ends."""

        def cell(value: Any) -> Any:
            if isinstance(value, Mapping):
                return {name: cell(one) for name, one in value.items()}
            if isinstance(value, Figure):
                return cell(value.value) if value.low is None else [*map(cell, value)]
            return round(value, 5) if isinstance(value, float) else value

        head = {"about": dict(self.about), "systems": [one._asdict() for one in self.systems]}
        rows = (json.dumps(cell(vars(one)), ensure_ascii=False) for one in self.summaries)
        lines = json.dumps(head, ensure_ascii=False)[:-1] + ',\n"summaries": [\n'
        return lines + ",\n".join(rows) + "\n]}\n"

    def of_corpus(self, corpus: str) -> list[Summary]:
        """Return the systems' figures on a whole corpus, the best main figure first."""
        found = [one for one in self.summaries if one.corpus == corpus and one.kind == "all"]
        main = main_figure(corpus)
        return sorted(found, key=lambda one: -one.figures[main].value if main in one.figures else 1)


def provenance(command: str = "") -> dict[str, str]:
    """Return date, machine, versions and command of a run that ends now."""
    cpu, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.is_file() and (named := _CPU.search(info.read_text("utf-8", "replace"))):
        cpu = named.group(1).strip()
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpu": cpu,
        "chaffinch": __version__,
        "command": command,
    }


# Figures and their intervals.


def figures_of(sums: Figures) -> dict[str, Figures]:
    """Return float64[samples] of every figure, for float64[samples, addends] sums.

    It is nan where it isn't defined.
    """
    of = dict(zip(_ADDENDS, sums.T, strict=True))
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = of["shingle_precision"] / of["with_output"]
        recall = of["shingle_recall"] / of["with_gold"]
        # Where nothing was extracted from any page, precision isn't defined and F1 is 0.
        precision = np.where(np.isnan(precision) & ~np.isnan(recall), 0.0, precision)
        both = precision + recall
        hits, noise, missed = of["hits"], of["noise"], of["missed"]
        return {
            **{name: of[name] / of["gold"] for name in _MEANS},
            "shingle_f1": np.where(both == 0, 0.0, 2 * precision * recall / both),
            "snippet_f1": 2 * hits / (2 * hits + noise + missed),
            "snippet_precision": hits / (hits + noise),
            "snippet_recall": hits / (hits + missed),
            "block_recall": of["noise_found"] / of["noise_blocks"],
            "block_precision": of["noise_found"] / of["dropped_blocks"],
        }


def resampled_sums(
    addends: Figures, clusters: Sequence[str], *, draws: int, seed: int = 0
) -> Figures:
    """Return float64[draws, columns]: column sums of samples that draw whole clusters (domains).

    Source: Efron and Tibshirani 1993, «An Introduction to the Bootstrap», 8.4. Pages of one domain
    share their template: intervals that draw single pages would be too narrow. With few domains
    (zh_news has 6) any such interval is rough. The interval is `np.nanquantile` of 0.025, 0.975.
    """
    names, at = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sums = np.zeros((names.size, addends.shape[1]))
    np.add.at(sums, at, addends)
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(names.size, np.full(names.size, 1 / names.size), size=draws)
    return weights @ sums


def summarize(
    results: Sequence[PageResult],
    *,
    draws: int,
    seed: int = 0,
    left_out: Mapping[tuple[str, str], int] | None = None,
) -> list[Summary]:
    """Return the summaries of every system on every corpus, page type and language.

    Args:
        results: all results, in any order.
        draws: bootstrap samples; 0 for no intervals.
        seed: of the samples; systems share them, so their intervals rest on the same draws.
        left_out: corpus and system → pages that the system wasn't run on.
    """
    groups: defaultdict[tuple[str, str, str, str], list[PageResult]] = defaultdict(list)
    for one in results:
        kinds = {"all": "", "page_type": one.page.page_type, "lang": one.page.lang}
        for kind, group in kinds.items():
            if kind == "all" or group:
                groups[one.system, one.page.corpus, kind, group].append(one)
    found = {key: _summary(key, members, draws, seed) for key, members in groups.items()}
    for (corpus, system), count in (left_out or {}).items():
        key = (system, corpus, "all", "")
        known = found.get(key) or Summary(system=system, corpus=corpus, errors={}, figures={})
        found[key] = replace(known, left_out=count)
    return list(found.values())


def _summary(
    key: tuple[str, str, str, str], members: list[PageResult], draws: int, seed: int
) -> Summary:
    system, corpus, kind, group = key
    milliseconds = np.array([one.seconds for one in members]) * 1000
    matrix = np.array([[one.scores.get(name, 0.0) for name in _ADDENDS] for one in members])
    domains = [one.page.domain for one in members]
    drawn = {}
    if draws and len(set(domains)) > 1:
        drawn = figures_of(resampled_sums(matrix, domains, draws=draws, seed=seed))
    figures = {}
    for name, (value,) in figures_of(matrix.sum(axis=0, keepdims=True)).items():
        if not np.isnan(value):
            ends = np.nanquantile(drawn[name], [0.025, 0.975]).tolist() if drawn else ()
            figures[name] = Figure(float(value), *ends)
    return Summary(
        system=system,
        corpus=corpus,
        kind=kind,
        group=group,
        pages=len(members),
        domains=len(set(domains)),
        empty=sum(one.is_empty for one in members),
        errors=dict(Counter(one.error.partition(":")[0] for one in members if one.error)),
        ms_mean=float(milliseconds.mean()),
        ms_median=float(np.median(milliseconds)),
        pages_per_second=float(1000 * len(members) / max(milliseconds.sum(), 1e-9)),
        figures=figures,
    )


# Tables.


def render(report: Evaluation) -> str:
    """Return all tables of a report in Markdown."""
    about = report.about
    machine = f"Python {about['python']}, {about['platform']}, {about['cpu']}, one process"
    lines = [f"Chaffinch {about['chaffinch']}, {about['date']}, {machine}."]
    lines += [f"Command: `{about['command']}`"] if about["command"] else []
    for corpus in dict.fromkeys(one.corpus for one in report.summaries):
        lines += ["", f"### {corpus}", "", *_corpus_lines(report, corpus)]
        for kind in _GROUPS:
            lines += _group_lines(report, corpus, kind)
    rows = [[one.name, one.version, one.setting] for one in report.systems]
    lines += ["", "### Systems", "", *_table(["system", "version", "setting"], rows)]
    notes = [f"Note: {one.note}." for one in report.systems if one.note]
    lines += ["", *notes] if notes else []
    return "\n".join(lines) + "\n"


def _corpus_lines(report: Evaluation, corpus: str) -> list[str]:
    summaries, main = report.of_corpus(corpus), main_figure(corpus)
    shown = [name for name in _COLUMNS if any(name in one.figures for one in summaries)]
    some_left_out = any(one.left_out for one in summaries)
    header = ["system", *(_COLUMNS[name] for name in shown), "ms mean", "ms median", "pages/s"]
    header += ["empty", "errors", *(["pages", "left out"] if some_left_out else [])]
    rows = []
    for one in summaries:
        row = [one.system]
        for name in shown:
            figure = one.figures.get(name)
            row.append(f"{figure.value:.3f}" if figure else "–")
            if figure and figure.low is not None and name == main:
                row[-1] += f" [{figure.low:.3f}, {figure.high:.3f}]"
        row += [f"{one.ms_mean:.1f}", f"{one.ms_median:.1f}", f"{one.pages_per_second:.0f}"]
        errors = ", ".join(f"{name} {n}" for name, n in sorted(one.errors.items()))
        row += [str(one.empty), errors or "0"]
        rows.append(row + ([str(one.pages), str(one.left_out)] if some_left_out else []))
    pages, domains = max((one.pages, one.domains) for one in summaries)
    count = f"{counted(pages, 'page')}, {counted(domains, 'domain')}."
    return [count, "", *_table(header, rows)]


def _group_lines(report: Evaluation, corpus: str, kind: str) -> list[str]:
    """Return one figure by group and system; nothing where a corpus has one group only."""
    found = [one for one in report.summaries if one.corpus == corpus and one.kind == kind]
    sizes = {one.group: one.pages for one in found}
    if len(sizes) <= 1:
        return []
    main = main_figure(corpus)
    groups = sorted(sizes, key=lambda group: (-sizes[group], group))
    cells = {
        (one.system, one.group): f"{one.figures[main].value:.3f}"
        for one in found
        if main in one.figures
    }
    rows = [
        [one.system, *(cells.get((one.system, group), "–") for group in groups)]
        for one in report.of_corpus(corpus)
    ]
    header = ["system", *(f"{group} ({sizes[group]})" for group in groups)]
    return ["", f"{_COLUMNS[main]} by {_GROUPS[kind]}:", "", *_table(header, rows)]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]
