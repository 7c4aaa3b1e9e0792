"""What each part and output adds to the time of the default extraction, from bytes to text.

``python bench/parts.py --limit 200``: pages of several corpora, one core, processor time, best of
three; each part on an extract of its own, so that nothing is at hand but what the text needed.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import TYPE_CHECKING, Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import chaffinch  # noqa: E402  after the thread settings
from timing import machine, pages, versions  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

CORPORA = "fundus,wcxb,zh_news,magic_html_forum"
ROUNDS = 3
BUDGET = 0.3
PARTS: dict[str, Callable[[chaffinch.Extract], Any]] = {
    **{
        name: lambda found, name=name: getattr(found, name)
        for name in ("blocks", "images", "tables", "code_blocks", "formulas", "posts")
    },
    "metadata, basic": lambda found: found.metadata.to_dict(),
    "metadata, all": lambda found: found.to_dict(parts=["metadata"])["metadata"],
    "chunks": lambda found: found.chunks(),
    "Markdown": lambda found: found.markdown(),
    "HTML": lambda found: found.html(),
    "TEI with its header": lambda found: found.tei(),
}


def main() -> None:
    """Print a line for each part."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpora", default=CORPORA, help="names, parted by commas")
    options.add_argument("--limit", type=int, default=200, help="pages of each corpus")
    chosen = options.parse_args()
    names = chosen.corpora.split(",")
    shares = {name: _shares(pages(name)[: chosen.limit]) for name in names}
    print(f"{versions('chaffinch', 'numpy', 'selectolax')}; {machine()}\n")
    print(f"| part | {' | '.join(names)} |\n|---|{'---:|' * len(names)}")
    for part in PARTS:
        cells = [f"{shares[name][part]:.0%}" for name in names]
        over = " *" if any(shares[name][part] >= BUDGET for name in names) else ""
        print(f"| {part}{over} | {' | '.join(cells)} |")
    print(f"\n* at least {BUDGET:.0%} in some corpus")


def _shares(given: list[bytes]) -> dict[str, float]:
    """Return part → its time as a share of the extraction's, all pages together."""
    whole = 0.0
    times = dict.fromkeys(PARTS, 0.0)
    for html in given:
        best = dict.fromkeys(["", *PARTS], float("inf"))
        for _ in range(ROUNDS):
            for name, part in PARTS.items():
                start = time.process_time()
                try:
                    found = chaffinch.extract(html)
                except chaffinch.PageError:
                    break
                _ = found.text
                between = time.process_time()
                part(found)
                best[""] = min(best[""], between - start)
                best[name] = min(best[name], time.process_time() - between)
        if best[""] < float("inf"):
            whole += best[""]
            for name in PARTS:
                times[name] += best[name]
    return {name: spent / whole for name, spent in times.items()}


if __name__ == "__main__":
    main()
