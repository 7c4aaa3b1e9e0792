"""A run as a report: tables as text and Markdown, and JSON that can be read back.

The report holds no page's text, address or id but in its list of worst pages, which JSON leaves
out: it can be published.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from chaffinch.errors import OptionError
from chaffinch.evaluate.corpora import POLICIES
from chaffinch.evaluate.provenance import Provenance
from chaffinch.evaluate.report_json import read_summaries, require_fields, to_json
from chaffinch.storage import read_json
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.evaluate.runner import Evaluation
    from chaffinch.evaluate.summaries import Figure, PageResult, Summary

_MAIN_FIGURES = {"scrapinghub": "shingle_f1", "trafilatura_eval": "snippet_f1"}

_COLUMNS = {
    "word_f1": "word F1", "word_precision": "P", "word_recall": "R", "shingle_f1": "4-gram F1",
    "rouge_l": "ROUGE-L", "share": "share", "good": "good", "snippet_f1": "snippet F1",
    "snippet_precision": "snippet P", "snippet_recall": "snippet R",
}  # fmt: skip
_GROUPS = {"page_type": "page type", "lang": "language"}
_TIMES = ("ms mean", "ms median", "pages/s")
_STYLES = ("text", "markdown")


def main_figure(corpus: str) -> str:
    """Return the figure by which systems are ranked on a corpus: word F1 but for two benchmarks."""
    return _MAIN_FIGURES.get(corpus, "word_f1")


@dataclass(frozen=True, kw_only=True)
class SystemInfo:
    """A system: name, version, setting, and a note on its figures."""

    name: str
    version: str
    setting: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class EvaluationReport:
    """The figures of a run, without the pages' texts."""

    about: Provenance
    systems: tuple[SystemInfo, ...]
    summaries: tuple[Summary, ...]
    worst: tuple[PageResult, ...] = ()

    @classmethod
    def of(cls, evaluation: Evaluation) -> EvaluationReport:
        """Return the report of a run."""
        return cls(
            about=evaluation.about,
            systems=tuple(
                SystemInfo(name=s.name, version=s.version, setting=s.setting, note=s.note)
                for s in evaluation.systems
            ),
            summaries=evaluation.summaries,
            worst=tuple(one.result for one in evaluation.worst),
        )

    def to_json(self) -> str:
        """Return the report as JSON with a line for each summary, without the worst pages."""
        systems = [asdict(one) for one in self.systems]
        return to_json(asdict(self.about), systems, self.summaries)

    @classmethod
    def from_json(cls, text: str) -> EvaluationReport:
        """Return the report that :meth:`to_json` wrote, now or in version 0.1.0.

        Raises:
            OptionError: the text isn't such a report.
        """
        try:
            data = read_json(text)
            return cls(
                about=require_fields(Provenance(**data["about"])),
                systems=tuple(require_fields(SystemInfo(**one)) for one in data["systems"]),
                summaries=read_summaries(data),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise OptionError(
                f"not an evaluation report: {type(error).__name__}: {error}"
            ) from None

    @property
    def corpora(self) -> list[str]:
        """The corpora in the order of the run."""
        return list(dict.fromkeys(one.corpus for one in self.summaries))

    def of_corpus(self, corpus: str) -> list[Summary]:
        """Return the systems' figures on a whole corpus, the best main figure first."""
        found = [one for one in self.summaries if one.corpus == corpus and one.kind == "all"]
        main = main_figure(corpus)
        return sorted(found, key=lambda one: -one.figures[main].value if main in one.figures else 1)


def render(
    report: EvaluationReport,
    *,
    style: str = "text",
    worst: int = 0,
    times: bool = True,
    wide: bool = False,
) -> str:
    """Return all tables of a report.

    Args:
        report: the report.
        style: ``text`` (aligned columns) or ``markdown``.
        worst: how many of each system's worst pages of each corpus to list.
        times: show times; those of different runs don't compare.
        wide: give intervals by page type and language, too.

    Raises:
        OptionError: the style is unknown.
    """
    if style not in _STYLES:
        raise OptionError(f"unknown style {style!r}; known: {', '.join(_STYLES)}")
    parts = [_about_lines(report, style)]
    for corpus in report.corpora:
        parts.append(_heading(corpus, style) + _corpus_lines(report, corpus, style, times=times))
        parts += [_group_lines(report, corpus, kind, style, wide=wide) for kind in _GROUPS]
    parts.append(_system_lines(report, style))
    if worst:
        parts.append(_worst_lines(report, worst, style))
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def _about_lines(report: EvaluationReport, style: str) -> list[str]:
    about = report.about
    where = f"Python {about.python}, {about.platform}, {about.cpu}, one process"
    lines = [f"Chaffinch {about.chaffinch}, {about.date}, {where}."]
    if about.command:
        lines.append(f"Command: `{about.command}`" if style == "markdown" else about.command)
    return lines


def _corpus_lines(report: EvaluationReport, corpus: str, style: str, *, times: bool) -> list[str]:
    summaries = report.of_corpus(corpus)
    main = main_figure(corpus)
    shown = [name for name in _COLUMNS if any(name in one.figures for one in summaries)]
    header = ["system", *(_COLUMNS[name] for name in shown)]
    some_left_out = any(one.left_out for one in summaries)
    header += [*(_TIMES if times else ()), "empty", "errors"]
    header += ["pages", "left out"] if some_left_out else []
    rows = []
    for one in summaries:
        row = [one.system]
        row += [_cell(one.figures.get(name), with_interval=name == main) for name in shown]
        if times:
            row += [f"{one.ms_mean:.1f}", f"{one.ms_median:.1f}", f"{one.pages_per_second:.0f}"]
        errors = ", ".join(f"{name} {n}" for name, n in sorted(one.errors.items()))
        row += [str(one.empty), errors or "0"]
        rows.append(row + ([str(one.pages), str(one.left_out)] if some_left_out else []))
    pages, domains = max((one.pages, one.domains) for one in summaries)
    policy = f"; {POLICIES[corpus]}" if corpus in POLICIES else ""
    return [
        f"{counted(pages, 'page')}, {counted(domains, 'domain')}{policy}.",
        "",
        *_table(header, rows, style),
    ]


def _group_lines(
    report: EvaluationReport, corpus: str, kind: str, style: str, *, wide: bool
) -> list[str]:
    """Return one figure by group and system; nothing where a corpus has one group only."""
    found = [one for one in report.summaries if one.corpus == corpus and one.kind == kind]
    sizes = {one.group: one.pages for one in found}
    if len(sizes) < 2:  # noqa: PLR2004 - one group is the whole corpus
        return []
    main = main_figure(corpus)
    groups = sorted(sizes, key=lambda group: (-sizes[group], group))
    table = {(one.system, one.group): one.figures.get(main) for one in found}
    systems = [one.system for one in report.of_corpus(corpus)]
    rows = [
        [system, *(_cell(table.get((system, group)), with_interval=wide) for group in groups)]
        for system in systems
    ]
    header = ["system", *(f"{group} ({sizes[group]})" for group in groups)]
    return [f"{_COLUMNS[main]} by {_GROUPS[kind]}:", "", *_table(header, rows, style)]


def _system_lines(report: EvaluationReport, style: str) -> list[str]:
    rows = [[one.name, one.version, one.setting] for one in report.systems]
    lines = _table(["system", "version", "setting"], rows, style)
    notes = [f"Note: {one.note}." for one in report.systems if one.note]
    return [*_heading("Systems", style), *lines, *(["", *notes] if notes else [])]


def _worst_lines(report: EvaluationReport, count: int, style: str) -> list[str]:
    seen: dict[tuple[str, str], int] = {}
    rows = []
    for one in report.worst:
        place = seen.get((one.corpus, one.system), 0)
        seen[one.corpus, one.system] = place + 1
        if place < count:
            score = f"{one.scores.main:.3f}"
            text = one.scores.text
            parts = (
                [f"{text.words.precision:.3f}", f"{text.words.recall:.3f}"] if text else ["", ""]
            )
            rows.append([one.corpus, one.system, score, *parts, one.id, one.url or "", one.error])
    header = ["corpus", "system", "score", "P", "R", "page", "address", "error"]
    return [*_heading("Worst pages", style), *_table(header, rows, style)]


def _heading(title: str, style: str) -> list[str]:
    return [f"### {title}", ""] if style == "markdown" else [title, "=" * len(title)]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]], style: str) -> list[str]:
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(header))]
    numeric = [
        at > 0 and all(_is_number(line[at]) for line in lines[1:]) for at in range(len(widths))
    ]
    padded = [
        [
            cell.rjust(w) if right else cell.ljust(w)
            for cell, w, right in zip(line, widths, numeric, strict=True)
        ]
        for line in lines
    ]
    if style == "text":
        return ["  ".join(line).rstrip() for line in padded]
    marks = [
        "-" * (w - 1) + (":" if right else "-") for w, right in zip(widths, numeric, strict=True)
    ]
    body = ["| " + " | ".join(line) + " |" for line in padded]
    return [body[0], "|" + "|".join(f" {mark} " for mark in marks) + "|", *body[1:]]


def _is_number(cell: str) -> bool:
    return not cell or cell[0].isdigit() or cell == "–"


def _cell(figure: Figure | None, *, with_interval: bool = False) -> str:
    if figure is None:
        return "–"
    if with_interval and figure.low is not None:
        return f"{figure.value:.3f} [{figure.low:.3f}, {figure.high:.3f}]"
    return f"{figure.value:.3f}"
