"""The report of a run as one self-contained HTML page with plots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.batch.schema import ERRORS
from chaffinch.batch.tally import BINS
from chaffinch.reports.templates import render

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.batch.report import RunReport

_WIDTH, _HEIGHT = 640, 140
_LONGEST: Final = 30  # bars of a plot; all others are one more bar


def as_html(report: RunReport) -> str:
    """Return the page."""
    tally = report.tally
    bins = {f"from {number / BINS:.2f}": tally.confidence[str(number)] for number in range(BINS)}
    drift = report.drift.get("findings", {})
    return render(
        "batch/report.html",
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
