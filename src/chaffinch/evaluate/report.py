"""Figures of a run: by system, corpus, page type and language, as tables and as JSON.

Every figure follows from the column sums of one matrix with a row a page, so that the same code
gives the figure of a group and of every bootstrap sample of it. The JSON holds no page's text,
URL or id: it can be published.
"""

import json
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import OptionError, require_one_of
from chaffinch.evaluate.corpora import POLICIES, LabelledPage
from chaffinch.evaluate.scoring import tokenize
from chaffinch.storage import read_json
from chaffinch.version import __version__
from chaffinch.wording import counted

Figures = NDArray[np.float64]

_COLUMNS = {
    "word_f1": "word F1", "word_precision": "P", "word_recall": "R", "shingle_f1": "4-gram F1",
    "rouge_l": "ROUGE-L", "share": "share", "good": "good", "snippet_f1": "snippet F1",
    "snippet_precision": "snippet P", "snippet_recall": "snippet R",
}  # fmt: skip
_ADDENDS = (
    "gold", "word_f1", "word_precision", "word_recall", "rouge_l", "share", "good", "with_output",
    "shingle_precision", "with_gold", "shingle_recall", "hits", "noise", "missed",
)  # fmt: skip
_GROUPS = {"page_type": "page type", "lang": "language"}
_FACTS = (
    "system", "corpus", "kind", "group", "pages", "domains", "empty", "errors", "ms_mean",
    "ms_median", "pages_per_second", "left_out",
)  # fmt: skip
_NOT_IN_FILE_NAME = re.compile(r"[^\w.-]+")
_STYLE = (
    "body{font:15px/1.4 sans-serif;margin:1em}table{width:100%;table-layout:fixed}"
    "td{vertical-align:top;padding:0 1em;overflow-wrap:anywhere}"
    ".unmatched{background:#ffd9d9}p{margin:.3em 0}"
)

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

    @property
    def score(self) -> float | None:
        """Word F1, else the share of snippets that are right; None where nothing is labelled."""
        return self.scores.get("word_f1", self.scores.get("right"))


@dataclass(frozen=True)
class Figure:
    """A figure in 0..1 with its 95 % interval; no interval where there is one domain only."""

    value: float
    low: float | None = None
    high: float | None = None

    def shown(self, *, with_interval: bool = False) -> str:
        """Return the figure for a table."""
        interval = f" [{self.low:.3f}, {self.high:.3f}]" if self.low is not None else ""
        return f"{self.value:.3f}{interval if with_interval else ''}"


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


@dataclass(frozen=True)
class SystemInfo:
    """A system: name, version, setting, and a note on its figures."""

    name: str
    version: str
    setting: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """A run: where it was made, its systems, their figures; of a fresh run its pages, too.

    ``worst`` holds the worst pages of each system, the worst first, each with its output.
    """

    about: Mapping[str, str]
    systems: tuple[SystemInfo, ...]
    summaries: tuple[Summary, ...]
    results: tuple[PageResult, ...] = ()
    worst: tuple[tuple[PageResult, str], ...] = ()

    def to_json(self) -> str:
        """Return the report as JSON with a line a summary, floats with 5 digits."""
        names = list(dict.fromkeys(name for one in self.summaries for name in one.figures))
        rows = [
            [getattr(one, name) for name in _FACTS]
            + [_cell(one.figures.get(name)) for name in names]
            for one in self.summaries
        ]
        parts = {
            "about": _dumped(dict(self.about)),
            "systems": _lines(asdict(one) for one in self.systems),
            "columns": _dumped([*_FACTS, *names]),
            "summaries": _lines(rows),
        }
        return "{" + ",\n".join(f'"{name}": {text}' for name, text in parts.items()) + "}\n"

    @classmethod
    def from_json(cls, text: str) -> "Evaluation":
        """Return the report that :meth:`to_json` wrote.

        Raises:
            OptionError: the text isn't such a report.
        """
        try:
            data = read_json(text)
            summaries = []
            for row in data["summaries"]:
                named = dict(zip(data["columns"], row, strict=True))
                facts = {name: named.pop(name) for name in _FACTS}
                figures = {
                    name: Figure(*cell) if isinstance(cell, list) else Figure(cell)
                    for name, cell in named.items()
                    if cell is not None
                }
                summaries.append(Summary(**facts, figures=figures))
            systems = tuple(SystemInfo(**one) for one in data["systems"])
            found = cls(about=data["about"], systems=systems, summaries=tuple(summaries))
            render(found)  # what can't be shown isn't a report
            found.to_json()
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
            raise OptionError(
                f"not an evaluation report: {type(error).__name__}: {error}"
            ) from None
        return found

    @property
    def corpora(self) -> list[str]:
        """The corpora in the order of the run."""
        return list(dict.fromkeys(one.corpus for one in self.summaries))

    def of_corpus(self, corpus: str) -> list[Summary]:
        """Return the systems' figures on a whole corpus, the best main figure first."""
        found = [one for one in self.summaries if one.corpus == corpus and one.kind == "all"]
        main = main_figure(corpus)
        return sorted(found, key=lambda one: -one.figures[main].value if main in one.figures else 1)


def _cell(figure: Figure | None) -> list[float] | float | None:
    if figure is None:
        return None
    return figure.value if figure.low is None else list(astuple(figure))


def _lines(rows: Iterable[Any]) -> str:
    return "[\n" + ",\n".join(map(_dumped, rows)) + "\n]"


def _dumped(value: Any) -> str:
    def rounded(one: Any) -> Any:
        if isinstance(one, list):
            return [rounded(item) for item in one]
        return round(one, 5) if isinstance(one, float) else one

    return json.dumps(rounded(value), ensure_ascii=False)


def provenance(command: str = "") -> dict[str, str]:
    """Return date, machine, versions and command of a run that ends now."""
    cpu, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.is_file():
        named = _CPU.search(info.read_text("utf-8", "replace"))
        cpu = named.group(1).strip() if named else cpu
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "cpu": cpu,
        "chaffinch": __version__,
        "command": command,
    }


# Figures and their intervals.


def _ratio(part: Figures, whole: Figures) -> Figures:
    """Divide; nan where the whole is 0, for there the figure isn't defined."""
    out: Figures = np.full(part.shape, np.nan)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


def figures_of(sums: Figures) -> dict[str, Figures]:
    """Return float64[samples] of every figure, for float64[samples, addends] sums."""
    of = dict(zip(_ADDENDS, sums.T, strict=True))
    means = ("word_f1", "word_precision", "word_recall", "rouge_l", "share", "good")
    precision = _ratio(of["shingle_precision"], of["with_output"])
    recall = _ratio(of["shingle_recall"], of["with_gold"])
    # Where nothing was extracted from any page, precision isn't defined and F1 is 0.
    precision = np.where(np.isnan(precision) & ~np.isnan(recall), 0.0, precision)
    both = precision + recall
    return {
        **{name: _ratio(of[name], of["gold"]) for name in means},
        "shingle_f1": np.where(both == 0, 0.0, _ratio(2 * precision * recall, both)),
        "snippet_f1": _ratio(2 * of["hits"], 2 * of["hits"] + of["noise"] + of["missed"]),
        "snippet_precision": _ratio(of["hits"], of["hits"] + of["noise"]),
        "snippet_recall": _ratio(of["hits"], of["hits"] + of["missed"]),
    }


def resampled_sums(
    addends: Figures, clusters: Sequence[str], *, draws: int, seed: int = 0
) -> Figures:
    """Return float64[draws, columns]: column sums of samples that draw whole clusters (domains).

    Source: Efron and Tibshirani 1993, «An Introduction to the Bootstrap», 8.4. Pages of one domain
    share their template: intervals that draw single pages would be too narrow. With few domains
    (zh_news has 6) any such interval is rough.
    """
    names, at = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sums = np.zeros((names.size, addends.shape[1]))
    np.add.at(sums, at, addends)
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(names.size, np.full(names.size, 1 / names.size), size=draws)
    return weights @ sums


def percentile_interval(values: Figures) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of drawn figures; None where no draw has a value."""
    known = values[~np.isnan(values)]
    if not known.size:
        return None
    low, high = np.quantile(known, [0.025, 0.975])
    return float(low), float(high)


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
    found = [_summary(key, members, draws, seed) for key, members in groups.items()]
    for (corpus, system), count in (left_out or {}).items():
        if (system, corpus, "all", "") not in groups:
            found.append(Summary(system=system, corpus=corpus, errors={}, figures={}))
        found = [
            replace(one, left_out=count)
            if (one.corpus, one.system, one.kind) == (corpus, system, "all")
            else one
            for one in found
        ]
    return found


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
    for name, value in figures_of(matrix.sum(axis=0, keepdims=True)).items():
        if not np.isnan(value[0]):
            interval = percentile_interval(drawn[name]) if drawn else None
            figures[name] = Figure(float(value[0]), *(interval or ()))
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


# Tables and pages.


def render(
    report: Evaluation,
    *,
    style: str = "text",
    worst: int = 0,
    times: bool = True,
) -> str:
    """Return all tables of a report.

    Args:
        report: the report.
        style: ``text`` (aligned columns) or ``markdown``.
        worst: how many of each system's worst pages of each corpus to list.
        times: show times; those of different runs don't compare.

    Raises:
        OptionError: the style is unknown.
    """
    require_one_of("style", style, ("text", "markdown"))
    about = report.about
    machine = f"Python {about['python']}, {about['platform']}, {about['cpu']}, one process"
    lines = [f"Chaffinch {about['chaffinch']}, {about['date']}, {machine}."]
    if about["command"]:
        lines.append(f"Command: `{about['command']}`" if style == "markdown" else about["command"])
    for corpus in report.corpora:
        lines += _heading(corpus, style) + _corpus_lines(report, corpus, style, times=times)
        for kind in _GROUPS:
            lines += _group_lines(report, corpus, kind, style)
    rows = [[one.name, one.version, one.setting] for one in report.systems]
    lines += _heading("Systems", style) + _table(["system", "version", "setting"], rows, style)
    notes = [f"Note: {one.note}." for one in report.systems if one.note]
    lines += ["", *notes] if notes else []
    lines += _worst_lines(report, worst, style) if worst else []
    return "\n".join(lines) + "\n"


def _corpus_lines(report: Evaluation, corpus: str, style: str, *, times: bool) -> list[str]:
    summaries, main = report.of_corpus(corpus), main_figure(corpus)
    shown = [name for name in _COLUMNS if any(name in one.figures for one in summaries)]
    some_left_out = any(one.left_out for one in summaries)
    header = ["system", *(_COLUMNS[name] for name in shown)]
    header += [*(("ms mean", "ms median", "pages/s") if times else ()), "empty", "errors"]
    header += ["pages", "left out"] if some_left_out else []
    rows = []
    for one in summaries:
        row = [one.system]
        for name in shown:
            figure = one.figures.get(name)
            row.append(figure.shown(with_interval=name == main) if figure else "–")
        if times:
            row += [f"{one.ms_mean:.1f}", f"{one.ms_median:.1f}", f"{one.pages_per_second:.0f}"]
        errors = ", ".join(f"{name} {n}" for name, n in sorted(one.errors.items()))
        row += [str(one.empty), errors or "0"]
        rows.append(row + ([str(one.pages), str(one.left_out)] if some_left_out else []))
    pages, domains = max((one.pages, one.domains) for one in summaries)
    policy = f"; {POLICIES[corpus]}" if corpus in POLICIES else ""
    count = f"{counted(pages, 'page')}, {counted(domains, 'domain')}{policy}."
    return [count, "", *_table(header, rows, style)]


def _group_lines(report: Evaluation, corpus: str, kind: str, style: str) -> list[str]:
    """Return one figure by group and system; nothing where a corpus has one group only."""
    found = [one for one in report.summaries if one.corpus == corpus and one.kind == kind]
    sizes = {one.group: one.pages for one in found}
    if len(sizes) <= 1:
        return []
    main = main_figure(corpus)
    groups = sorted(sizes, key=lambda group: (-sizes[group], group))
    cells = {
        (one.system, one.group): one.figures[main].shown() for one in found if main in one.figures
    }
    rows = [
        [one.system, *(cells.get((one.system, group), "–") for group in groups)]
        for one in report.of_corpus(corpus)
    ]
    header = ["system", *(f"{group} ({sizes[group]})" for group in groups)]
    return ["", f"{_COLUMNS[main]} by {_GROUPS[kind]}:", "", *_table(header, rows, style)]


def _worst_lines(report: Evaluation, count: int, style: str) -> list[str]:
    seen: Counter[tuple[str, str]] = Counter()
    rows = []
    for one, _ in report.worst:
        seen[one.page.corpus, one.system] += 1
        if seen[one.page.corpus, one.system] <= count:
            names = ("word_precision", "word_recall")
            parts = [f"{one.scores[name]:.3f}" if name in one.scores else "" for name in names]
            score = [one.page.corpus, one.system, f"{one.score:.3f}", *parts]
            rows.append([*score, one.page.id, one.page.url or "", one.error])
    header = ["corpus", "system", "score", "P", "R", "page", "URL", "error"]
    return [*_heading("Worst pages", style), *_table(header, rows, style)]


def _heading(title: str, style: str) -> list[str]:
    return ["", *([f"### {title}", ""] if style == "markdown" else [title, "=" * len(title)])]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], style: str) -> list[str]:
    lines = [list(header), *(list(row) for row in rows)]
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    numeric = [
        at > 0 and all(not cell or cell[0].isdigit() or cell == "–" for cell in column[1:])
        for at, column in enumerate(columns)
    ]
    padded = [
        [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        for line in lines
    ]
    if style == "text":
        return ["  ".join(line).rstrip() for line in padded]
    marks = ["-" * (w - 1) + "-:"[right] for w, right in zip(widths, numeric, strict=True)]
    padded.insert(1, marks)
    return ["| " + " | ".join(line) + " |" for line in padded]


def dump(evaluation: Evaluation, folder: Path) -> int:
    """Write the worst pages to a folder, one HTML file each, and an index; return how many.

    The gold is on the left, the output on the right; lines that the other side lacks have a red
    ground. All text is escaped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    links = []
    for number, (result, extracted) in enumerate(evaluation.worst):
        page = result.page
        name = f"{page.corpus}-{result.system}-{number:03}-{page.id}"
        plain = _NOT_IN_FILE_NAME.sub("_", name)[:80]
        score = "" if result.score is None else f"{result.score:.3f}"
        title = f"{page.corpus}, {result.system}: {score} {page.id} {page.url or ''}"
        gold = page.gold_text
        if gold is None:
            gold = "\n".join(["wanted:", *page.wanted, "", "unwanted:", *page.unwanted])
        body = (
            f"<h1>{escape(title)}</h1><p>{escape(result.error)}</p>"
            f"<table><tr><th>gold</th><th>output</th></tr>"
            f"<tr><td>{_marked(gold, extracted)}</td><td>{_marked(extracted, gold)}</td></tr>"
            "</table>"
        )
        _write(folder / f"{plain}.html", title, body)
        links.append(f'<p><a href="{escape(plain)}.html">{escape(title)}</a></p>')
    _write(folder / "index.html", "Worst pages", "".join(links))
    return len(links)


def _marked(text: str, other: str) -> str:
    """Return lines as HTML, those marked of whose words more than half aren't in ``other``."""
    words, parts = set(tokenize(other)), []
    for line in text.splitlines():
        tokens = tokenize(line)
        is_missing = sum(token not in words for token in tokens) > len(tokens) / 2
        parts.append(f'<p class="{"unmatched" * is_missing}">{escape(line)}</p>')
    return "".join(parts)


def _write(path: Path, title: str, body: str) -> None:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    html = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>\n"
    path.write_text(html, encoding="utf-8", errors="replace")
