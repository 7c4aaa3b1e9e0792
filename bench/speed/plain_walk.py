"""What the walk over the parser's tree costs in Python, with all other kernels in C.

So it is on Windows, where the parser's library shows its functions to nobody. Processor time of
this process on the pages of a corpus; both walks take turns page by page, the best of the rounds.

    python -m bench.speed.plain_walk --corpus scrapinghub --limit 60
"""

from __future__ import annotations

import argparse
import time

import chaffinch
from chaffinch import kernels
from chaffinch.evaluate.corpora import read_corpus

_WALK = ("walk", "walk_hindrance")


def main() -> None:
    """Print a line a stage."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpus", default="scrapinghub")
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args()
    pages = [page.html for page in read_corpus(options.corpus, limit=options.limit)]
    total = {(stage, plain): 0.0 for stage in ("page table", "text") for plain in (False, True)}
    for html in pages:
        best = dict.fromkeys(total, 1e9)
        for _ in range(options.rounds):
            for plain in (False, True):
                with kernels.using("native", plainly=_WALK if plain else ()):
                    for stage in ("page table", "text"):
                        start = time.process_time()
                        if stage == "text":
                            chaffinch.extract(html).plain()
                        else:
                            chaffinch.parse(html)
                        best[stage, plain] = min(best[stage, plain], time.process_time() - start)
        total = {key: total[key] + best[key] for key in total}
    for stage in ("page table", "text"):
        compiled, python = (1000 * total[stage, one] / len(pages) for one in (False, True))
        ratio = python / compiled
        print(f"{stage}: {compiled:.2f} ms a page, walk in Python {python:.2f}: {ratio:.2f} times")


if __name__ == "__main__":
    main()
