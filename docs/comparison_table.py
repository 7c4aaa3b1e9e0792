"""Small comparison tables of the READMEs and the model card, from reports in docs; run by cog."""

from __future__ import annotations

from pathlib import Path

from chaffinch.evaluate import Evaluation
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
    report = Evaluation.from_json(source.read_text(encoding="utf-8"))
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


def held_out_table() -> str:
    """Return the default beside the best baselines on each corpus that it was trained on."""
    source = Path(__file__).parent / "evaluation-held-out.json"
    report = Evaluation.from_json(source.read_text(encoding="utf-8"))
    lines = ["| corpus | default | best baselines |", "|---|---|---|"]
    for corpus in report.corpora:
        measure = main_figure(corpus)
        by_figure = sorted(report.of_corpus(corpus), key=lambda one: -one.figures[measure].value)
        ours = next(one for one in by_figure if one.system.startswith("chaffinch"))
        others = [one for one in by_figure if one is not ours][:2]
        shown = [f"{one.system} {one.figures[measure].value:.3f}" for one in others]
        found = ours.figures[measure]
        default = f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
        lines.append(f"| {corpus} | {default} | {', '.join(shown)} |")
    return "\n".join(lines)
