"""The report of a run as one HTML page, with plots, that needs nothing but itself."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from chaffinch.batch.schema import ERRORS
from chaffinch.batch.tally import BINS
from chaffinch.comparison.safe_html import POLICY, safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.batch.report import RunReport

_WIDTH, _HEIGHT = 640, 140
_LONGEST: Final = 30  # bars of a plot; what is left is one more


def as_html(report: RunReport) -> str:
    """Return the page."""
    return "\n".join(_lines(report))


def _lines(report: RunReport) -> Iterator[str]:
    tally = report.tally
    style = files("chaffinch.batch").joinpath("report.css").read_text(encoding="utf-8")
    out = safe(report.about["plan"]["out"])
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f"<title>Run in {out}</title>"
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>\n{style}</style></head><body>"
    yield f"<h1>Run in {out}</h1><dl>"
    for name, value in _figures(report):
        yield f"<dt>{name}</dt><dd>{value}</dd>"
    yield "</dl>"
    yield _course(report.course())
    errors = {f"{kind}: {ERRORS.get(kind, '')}": n for kind, n in tally.errors.items()}
    bins = {f"from {number / BINS:.2f}": tally.confidence[str(number)] for number in range(BINS)}
    yield _bars("Errors", errors)
    yield _bars("Confidence (expected F1)", bins if tally.confidence else {}, in_order=True)
    yield _bars("Languages", tally.languages, unknown="unknown")
    yield _bars("Page types", tally.page_types, unknown="not predicted")
    yield _bars("Declared types", tally.declared_types, unknown="not declared")
    yield _bars("Methods", tally.methods)
    yield _bars("No pages, skipped", tally.skipped)
    yield _bars("Left out as asked", tally.left_out)
    yield _bars("Pages that aren't whole", tally.truncated)
    yield _bars(
        "Hosts (of each shard those with the most pages)", tally.hosts, unknown="no address"
    )
    yield _bars("Templates by host", tally.templates)
    drift = report.drift.get("findings", {})
    changes = {host: "; ".join(said) for host, said in drift.items()}
    yield _problems("Sites that have changed since their models were learned", changes)
    yield _problems("Sources that could not be read", report.failed)
    yield "</body></html>\n"


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
    yield "chaffinch", safe(report.about["chaffinch"])


def _course(course: Sequence[tuple[float, float]]) -> str:
    """Return a plot of pages a second over time."""
    if not course:
        return ""
    highest = max(rate for _, rate in course) or 1.0
    last = course[-1][0] or 1.0
    points = " ".join(
        f"{_WIDTH * at / last:.1f},{_HEIGHT * (1 - rate / highest):.1f}" for at, rate in course
    )
    return (
        f"<h2>Pages a second</h2><svg viewBox='-4 -4 {_WIDTH + 8} {_HEIGHT + 28}' role='img'>"
        f"<title>pages a second, at most {highest:,.1f}, over {last:,.0f} seconds</title>"
        f"<path class='axis' d='M0 0V{_HEIGHT}H{_WIDTH}'/><polyline points='{points}'/>"
        f"<text x='6' y='12'>{highest:,.1f}</text>"
        f"<text x='{_WIDTH}' y='{_HEIGHT + 18}' text-anchor='end'>{last:,.0f} s</text></svg>"
    )


def _bars(
    title: str, counts: Mapping[str, int], *, unknown: str = "", in_order: bool = False
) -> str:
    """Return a plot of counts by name, the largest first; nothing where there are none."""
    if not counts:
        return ""
    named = [(name or unknown, count) for name, count in counts.items()]
    if not in_order:
        named.sort(key=lambda one: (-one[1], one[0]))
    more = sum(count for _, count in named[_LONGEST:])
    named = [*named[:_LONGEST], *([("all others", more)] if more else [])]
    highest, total = max(count for _, count in named) or 1, sum(counts.values())
    rows = "".join(
        f'<tr><th scope="row">{safe(name)}</th><td>{count:,}</td><td>{count / total:.1%}</td>'
        f"<td><svg class='bar' viewBox='0 0 100 8' preserveAspectRatio='none'>"
        f"<rect width='{100 * count / highest:.2f}' height='8'/></svg></td></tr>"
        for name, count in named
    )
    return f"<h2>{title}</h2><table>{rows}</table>"


def _problems(title: str, problems: Mapping[str, str]) -> str:
    """Return a table of problems in words, by name; nothing where there are none."""
    if not problems:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{safe(name)}</th><td class="words">{safe(problem)}</td></tr>'
        for name, problem in sorted(problems.items())
    )
    return f"<h2>{title}</h2><table>{rows}</table>"
