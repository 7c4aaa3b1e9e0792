"""Small comparison tables of the READMEs and the model card, from reports in docs; run by cog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chaffinch.evaluate.evaluation import main_figure

CORPORA = ("scrapinghub", "trafilatura_eval", "readability", "cleaneval")
MEASURES = {"shingle_f1": "4-gram F1", "snippet_f1": "snippet F1", "word_f1": "word F1"}
LABELS = {
    "en": ("system", "pages"),
    "zh": ("系统", "页"),
}


def figures_of(report: str) -> dict[str, list[tuple[str, int, Any]]]:
    """Return corpus → system, pages and main figure on all of it, of a report, the best first.

    A figure is the value with the ends of its interval.
    """
    found: dict[str, list[tuple[str, int, Any]]] = {}
    values = json.loads((Path(__file__).parent / report).read_text(encoding="utf-8"))
    for one in values["summaries"]:
        if one["kind"] == "all":
            figure = one["figures"][main_figure(one["corpus"])]
            found.setdefault(one["corpus"], []).append((one["system"], one["pages"], figure))
    return {corpus: sorted(some, key=lambda one: -one[2][0]) for corpus, some in found.items()}


def table(*, language: str = "en") -> str:
    """Return the table as Markdown: the main figure of each corpus, the best in bold."""
    report = figures_of("evaluation-unseen.json")
    system_label, pages_label = LABELS[language]
    figures: dict[str, dict[str, float]] = {}
    heads, best = [], {}
    for corpus in [c for c in CORPORA if c in report]:
        found = report[corpus]
        heads.append(f"{corpus}<br>{found[0][1]} {pages_label}, {MEASURES[main_figure(corpus)]}")
        for system, _, (value, *_) in found:
            figures.setdefault(system, {})[corpus] = value
        best[corpus] = found[0][2][0]
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
    lines = ["| corpus | default | best baselines |", "|---|---|---|"]
    for corpus, found in figures_of("evaluation-held-out.json").items():
        (ours,) = [one for one in found if one[0].startswith("chaffinch")]
        others = [one for one in found if one is not ours][:2]
        shown = [f"{system} {figure[0]:.3f}" for system, _, figure in others]
        value, low, high = ours[2]
        lines.append(f"| {corpus} | {value:.3f} [{low:.3f}, {high:.3f}] | {', '.join(shown)} |")
    return "\n".join(lines)
