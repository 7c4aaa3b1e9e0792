"""A picture of quality against time: one point a system, one panel a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chaffinch.errors import MissingExtraError, OptionError
from chaffinch.evaluate.report import main_figure
from chaffinch.evaluate.systems import METHOD_PREFIX

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.evaluate.report import EvaluationReport
    from chaffinch.evaluate.summaries import Summary

_PANEL = (6.0, 4.5)
"""Width and height of a panel in inches."""


def plot(report: EvaluationReport, path: Path) -> None:
    """Write the picture of a report.

    Args:
        report: the report.
        path: the file; its ending (.svg, .png, .pdf) decides the format.

    Raises:
        MissingExtraError: matplotlib isn't installed.
        OptionError: matplotlib doesn't know the ending.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.of("matplotlib", "evaluate") from None
    picture = Figure(figsize=(_PANEL[0], _PANEL[1] * len(report.corpora)), layout="constrained")
    known = picture.canvas.get_supported_filetypes()
    if path.suffix.lstrip(".") not in known:
        raise OptionError(f"unknown kind of picture {path.suffix!r}; known: {', '.join(known)}")
    panels = picture.subplots(len(report.corpora), squeeze=False)[:, 0]
    for corpus, panel in zip(report.corpora, panels, strict=True):
        _draw(panel, corpus, report.of_corpus(corpus))
    picture.savefig(path)


def _draw(panel: Any, corpus: str, summaries: list[Summary]) -> None:
    from matplotlib.ticker import (  # noqa: PLC0415 - an extra
        LogLocator,
        NullLocator,
        StrMethodFormatter,
    )

    main = main_figure(corpus)
    for rank, one in enumerate(summaries):
        figure = one.figures.get(main)
        if figure is None:
            continue
        ours = one.system.startswith(METHOD_PREFIX)
        color = "tab:red" if ours else "tab:blue"
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        panel.vlines(one.ms_mean, low, high, color=color, alpha=0.3)
        panel.plot(one.ms_mean, figure.value, "o", color=color)
        panel.annotate(
            one.system.removeprefix(METHOD_PREFIX),
            (one.ms_mean, figure.value),
            xytext=(5, 3 if rank % 2 else -9),
            textcoords="offset points",
            fontsize=8,
            color=color,
        )
    panel.set_xscale("log")
    panel.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    panel.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.margins(x=0.15)
    panel.set_title(corpus)
    panel.set_xlabel("ms a page, mean")
    panel.set_ylabel(main.replace("_", " "))
    panel.grid(visible=True, alpha=0.3)
