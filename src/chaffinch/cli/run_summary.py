"""What a run did, as lines for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.wording import counted

if TYPE_CHECKING:
    from chaffinch.corpus.report import RunReport

_SHOWN: Final = 10  # sites that are named


def summary(report: RunReport) -> str:
    """Return the main figures as lines."""
    tally = report.tally
    errors = ", ".join(f"{kind} {count:,}" for kind, count in tally.errors.most_common())
    shards = f"{report.done:,} of {report.about['shards']:,} shards"
    lines = [
        f"{shards}, {counted(tally.rows, 'page')}, {report.rate:,.1f} a second",
        f"errors: {errors or 'none'}",
    ]
    if tally.errors:
        lines.append("their rows give the reason: columns error, error_detail, source and offset")
    if tally.skipped:
        lines.append(f"no pages, skipped: {tally.skipped.total():,}")
    if tally.left_out:
        lines.append(f"left out as requested: {tally.left_out.total():,}")
    if tally.states:
        states = ", ".join(f"{state} {count:,}" for state, count in tally.states.most_common())
        lines.append(f"states: {states}")
    if report.duplicates:
        lines.append(
            f"alike: {report.duplicates['clusters']:,} clusters, "
            f"{report.duplicates['others']:,} pages in them but for the first"
        )
    if report.drift:
        changed = report.drift["findings"]
        lines.append(f"site models used: {report.drift['sites']:,}, changed: {len(changed):,}")
        lines += [f"  {host}: {found[0]}" for host, found in list(changed.items())[:_SHOWN]]
    return "\n".join(lines)
