"""Pages that mean no harm, from 1 kB to 50 MB and from 10 to 1,000,000 rows: parse and text."""

from __future__ import annotations

import time
from typing import Any, Final

import chaffinch
from bench.lib.resident_memory import forget_peak, resident

PARAGRAPH: Final = (
    "<div class='item'><h2>Harvest</h2><p>The mill stood by the river, and the wheat, rye and "
    "barley of <a href='/farm'>forty farms</a> came to it. " + "It ground all night. " * 40 + "</p>"
    "<ul><li>bran</li><li>meal</li></ul></div>\n"
)
SIZES: Final = (
    *(("bytes", size) for size in (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000)),
    *(("rows", size) for size in (10, 100, 1_000, 10_000, 100_000, 1_000_000)),
)
"""(what is counted, how many) of each page."""
HEAD: Final = (
    f"{'page':>18} {'rows':>10} {'parse ms':>10} {'text ms':>10} {'µs/kB':>8} {'µs/row':>8} "
    f"{'memory × bytes':>15}"
)
_LARGE: Final = 5_000_000


def page_of(size: int) -> bytes:
    """Return a page of about ``size`` bytes."""
    count = max(1, size // len(PARAGRAPH))
    return ("<html><body><main>" + PARAGRAPH * count + "</main></body></html>").encode()


def page_of_rows(rows: int) -> bytes:
    """Return a page of about ``rows`` rows (elements and text runs)."""
    return ("<html><body>" + "<p>w" * max(1, (rows - 3) // 2) + "</body></html>").encode()


def measure(kind: str, size: int) -> dict[str, Any]:
    """Return seconds and memory of one page, best of up to five; alone in its process."""
    page = page_of(size) if kind == "bytes" else page_of_rows(size)
    chaffinch.extract(page_of(2000)).text  # noqa: B018  loads what is loaded late
    forget_peak()
    before = resident("VmHWM:")
    parse_times, extract_times = [], []
    for _ in range(5 if size < _LARGE else 1):
        start = time.perf_counter()
        table = chaffinch.parse(page)
        parse_times.append(time.perf_counter() - start)
        start = time.perf_counter()
        chaffinch.extract(table).text  # noqa: B018  made when asked for
        extract_times.append(time.perf_counter() - start)
    return {
        "bytes": len(page),
        "rows": len(table),
        "parse": min(parse_times),
        "extract": min(extract_times),
        "memory": resident("VmHWM:") - before,
    }


def line(got: dict[str, Any]) -> str:
    """Return a line of the table."""
    both = got["parse"] + got["extract"]
    return (
        f"{got['bytes'] / 1000:>15.1f} kB {got['rows']:>10,.0f} {got['parse'] * 1e3:>10.2f} "
        f"{got['extract'] * 1e3:>10.2f} {both / got['bytes'] * 1e9:>8.1f} "
        f"{both / got['rows'] * 1e6:>8.2f} {got['memory'] / got['bytes']:>15.1f}"
    )
