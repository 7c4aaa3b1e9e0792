"""The small comparison table of the READMEs, from docs/evaluation-unseen.json; run by cog."""

from __future__ import annotations

from pathlib import Path

from chaffinch.evaluate import EvaluationReport
from chaffinch.evaluate.report import main_figure

CORPORA = ("scrapinghub", "trafilatura_eval", "readability", "cleaneval")
MEASURES = {"shingle_f1": "4-gram F1", "snippet_f1": "snippet F1", "word_f1": "word F1"}
LABELS = {
    "en": ("system", "pages"),
    "zh": ("系统", "页"),
}


def table(*, language: str = "en") -> str:
    """Return the table as Markdown: the main figure of each corpus, the best in bold."""
    source = Path(__file__).parent / "evaluation-unseen.json"
    report = EvaluationReport.from_json(source.read_text(encoding="utf-8"))
    system_label, pages_label = LABELS[language]
    figures: dict[str, dict[str, float]] = {}
    heads, best = [], {}
    for corpus in [c for c in CORPORA if c in report.corpora]:
        found = report.of_corpus(corpus)
        measure = main_figure(corpus)
        heads.append(f"{corpus}<br>{found[0].pages} {pages_label}, {MEASURES[measure]}")
        for one in found:
            figures.setdefault(one.system, {})[corpus] = one.figures[measure].value
        best[corpus] = max(one.figures[measure].value for one in found)
    order = sorted(figures, key=lambda name: -sum(figures[name].values()))
    lines = [f"| {system_label} | " + " | ".join(heads) + " |"]
    lines.append("|---|" + "---:|" * len(heads))
    for name in order:
        cells = [
            f"**{value:.3f}**" if value == best[corpus] else f"{value:.3f}"
            for corpus, value in figures[name].items()
        ]
        shown = f"**{name}**" if name.startswith("chaffinch") else name
        lines.append(f"| {shown} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
