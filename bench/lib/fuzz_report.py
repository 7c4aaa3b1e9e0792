"""The report of a fuzzing run: what its folder holds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.lib.fuzz_store import stores
from bench.lib.timing import machine, versions


def report(folder: Path) -> Iterator[str]:
    """Yield lines in Markdown: what was tried, the dearest pages, and what was found."""
    found = stores(folder)
    counts: dict[str, int] = {}
    for store in found:
        for name, count in store.counts.items():
            counts[name] = counts.get(name, 0) + count
    today = datetime.now(tz=UTC).date()
    yield f"{today}, {machine()}, {versions('chaffinch', 'selectolax', 'numpy')}"
    yield ""
    yield "| what | how many |"
    yield "|---|---:|"
    yield from (f"| {name} | {count:,} |" for name, count in counts.items())
    yield f"| steps from line to line | {len(set().union(*(store.seen for store in found))):,} |"
    yield ""
    yield "| output | most µs a byte |"
    yield "|---|---:|"
    dearest: dict[str, float] = {}
    for store in found:
        dearest.update({o: max(cost, dearest.get(o, 0.0)) for o, cost in store.dearest.items()})
    yield from (
        f"| {o} | {cost * 1e6:.0f} |"
        for o, cost in sorted(dearest.items(), key=lambda one: -one[1])
    )
    yield ""
    for store in found:
        for one in store.findings.values():
            page = f"{store.folder.name}/findings/{one['page']}"
            where = f"{one['where']}; {one['times']} times, {one['bytes']} bytes, {page}"
            yield f"- {one['stage']}: {one['what']} ({where})"
