"""VIPS on real pages: time, blocks, and how much text stands in blocks of content alone or none.

A text of six characters or more counts as content where the page's labelled content holds it;
shorter ones can't be told and aren't counted.

    python -m bench.papers.vips_sites [--pages 10] [--pdoc 5]

Time is processor time, best of five, with every column of the page that VIPS asks for.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from bench.lib.timing import corpora
from chaffinch.page import parse, tags
from chaffinch.segment.vips import Segmentation, Vips

LEAST = 6


def labelled(path: Path, count: int) -> Iterator[tuple[bytes, str]]:
    """Yield (bytes, labelled content) of the first pages of a site that have labels."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        for row in islice((row for row in rows if row.get("gold_text")), count):
            yield row["html"].encode("latin-1"), "".join(row["gold_text"].split())


def purity(found: Segmentation, gold: str) -> float:
    """Return the share of text, in characters, that its block's larger part agrees with."""
    page, sums = found.page, np.zeros((len(found), 2))
    for row in np.flatnonzero((found.block >= 0) & (page.tag == tags.TEXT) & page.written).tolist():
        text = "".join(page.text_of(row).split())
        if len(text) >= LEAST:
            sums[found.block[row], int(text in gold)] += len(text)
    return float(sums.max(axis=1).sum() / max(sums.sum(), 1))


def main() -> None:
    """Print a line for each site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pdoc", type=int, default=5)
    parser.add_argument("--pages", type=int, default=10, help="of each site")
    given = parser.parse_args()
    vips = Vips(pdoc=given.pdoc)
    print(f"{'site':24} pages   rows parse ms vips ms  blocks pure text")
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        figures = []
        for data, gold in labelled(path, given.pages):
            parsing, cutting = [], []
            for _ in range(5):
                start = time.process_time()
                page = parse(data)
                middle = time.process_time()
                found = vips(page)
                parsing.append(middle - start)
                cutting.append(time.process_time() - middle)
            times = (1000 * min(parsing), 1000 * min(cutting))
            figures.append((len(page), *times, len(found.leaves), purity(found, gold)))
        if figures:
            name = path.name.split(".jsonl")[0]
            means = "{:6.0f} {:8.2f} {:7.2f} {:7.1f} {:9.3f}".format(*np.mean(figures, axis=0))
            print(f"{name:24} {len(figures):5} {means}")


if __name__ == "__main__":
    main()
