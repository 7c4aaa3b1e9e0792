"""Peak memory of a worker over a corpus: ``python -m bench.speed.memory scrapinghub``.

Each step runs in a process of its own and its peak resident memory is what the system counts
(``ru_maxrss``): the interpreter with its imports, one page, all pages one after the other, to text
and Markdown. The pages themselves are read one by one, and their lines belong to the peak.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys

STEPS = ("python", "numpy", "import", "first page", "text", "text and markdown")


def step(name: str, corpus: str, limit: int | None) -> tuple[int, int]:
    """Return the peak in kB and the pages done."""
    count = 0
    if name == "numpy":
        import numpy  # noqa: F401, ICN001, PLC0415  its memory is what is measured
    if name not in {"python", "numpy"}:
        import chaffinch  # noqa: PLC0415  the same
        from chaffinch.evaluate.corpora import read_corpus  # noqa: PLC0415  the same

        if name != "import":
            for page in read_corpus(corpus, limit=1 if name == "first page" else limit):
                found = chaffinch.extract(page.html, url=page.url)
                length = len(found.text)
                if name == "text and markdown":
                    length += len(found.markdown())
                count += length >= 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (peak // 1024 if sys.platform == "darwin" else peak), count


def main() -> None:
    """Print a line a step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default="scrapinghub")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--step", choices=STEPS, help="run one step in this process")
    given = parser.parse_args()
    if given.step:
        print(*step(given.step, given.corpus, given.limit))
        return
    print("| peak memory of a process after | pages | MB |\n|---|---:|---:|")
    for name in STEPS:
        command = [sys.executable, "-m", "bench.speed.memory", given.corpus, "--step", name]
        command += ["--limit", str(given.limit)] if given.limit else []
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        peak, count = map(int, done.stdout.split())
        print(f"| {name} | {count} | {peak / 1024:.0f} |", flush=True)


if __name__ == "__main__":
    main()
