"""How the time and memory of parse and extract grow: 1 kB to 50 MB, 10 to 1,000,000 rows.

Each size runs in a process of its own, so that peak memory is that size's. Linear growth shows as a
constant time a kB or row.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

PARAGRAPH = (
    "<div class='item'><h2>Harvest</h2><p>The mill stood by the river, and the wheat, rye and "
    "barley of <a href='/farm'>forty farms</a> came to it. " + "It ground all night. " * 40 + "</p>"
    "<ul><li>bran</li><li>meal</li></ul></div>\n"
)


def page_of(size: int) -> bytes:
    """Return a page of about ``size`` bytes."""
    count = max(1, size // len(PARAGRAPH))
    return ("<html><body><main>" + PARAGRAPH * count + "</main></body></html>").encode()


def page_of_rows(rows: int) -> bytes:
    """Return a page of about ``rows`` rows (elements and text runs)."""
    return ("<html><body>" + "<p>w" * max(1, (rows - 3) // 2) + "</body></html>").encode()


def measure(kind: str, size: int) -> dict[str, float]:
    """Return seconds and memory of one page, best of up to five."""
    import chaffinch  # noqa: PLC0415  in the child only

    page = page_of(size) if kind == "bytes" else page_of_rows(size)
    chaffinch.extract(page_of(2000)).text  # noqa: B018  loads what is loaded late
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parse_times, extract_times = [], []
    for _ in range(5 if size < 5_000_000 else 1):
        start = time.perf_counter()
        table = chaffinch.parse(page)
        parse_times.append(time.perf_counter() - start)
        start = time.perf_counter()
        chaffinch.extract(table).text  # noqa: B018  made when asked for
        extract_times.append(time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "bytes": len(page),
        "rows": len(table),
        "parse": min(parse_times),
        "extract": min(extract_times),
        "memory": (peak - before) * 1024,
    }


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=2, metavar=("KIND", "SIZE"), help=argparse.SUPPRESS)
    one = parser.parse_args().one
    if one:
        print(json.dumps(measure(one[0], int(one[1]))))
        return
    sizes = [("bytes", s) for s in (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000)]
    sizes += [("rows", r) for r in (10, 100, 1_000, 10_000, 100_000, 1_000_000)]
    print(f"{'page':>18} {'rows':>10} {'parse ms':>10} {'text ms':>10} {'µs/kB':>8} {'µs/row':>8} "
          f"{'memory × bytes':>15}")  # fmt: skip
    for kind, size in sizes:
        command = [sys.executable, "-m", "bench.speed.growth", "--one", kind, str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{kind} {size}: {done.stderr.strip().splitlines()[-1]}")
            continue
        got = json.loads(done.stdout)
        both = got["parse"] + got["extract"]
        print(
            f"{got['bytes'] / 1000:>15.1f} kB {got['rows']:>10,.0f} {got['parse'] * 1e3:>10.2f} "
            f"{got['extract'] * 1e3:>10.2f} {both / got['bytes'] * 1e9:>8.1f} "
            f"{both / got['rows'] * 1e6:>8.2f} {got['memory'] / got['bytes']:>15.1f}"
        )


if __name__ == "__main__":
    main()
